import type { Subject } from "../../matching/matching.ts";

/** Fields of an alert that matching reads. An `Alert` is one. */
export type MatchSubject = Omit<Subject, "radiusKm" | "town" | "publishedAt"> & {
  /** Absent before it. */
  readonly publishedAt?: number;
};

/**
 * Alert without its chip, as public matches read it. They reveal nothing about chips, equal or not: otherwise anyone could
 * find out whose a number is by publishing it, or even by previewing a form.
 */
export function withoutChip<One extends Pick<MatchSubject, "chipHash">>(alert: One): One {
  return { ...alert, chipHash: null };
}
