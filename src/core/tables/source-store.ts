import type { Email } from "../email.ts";
import type { Hit } from "../limits.ts";
import type { TableProblem, TableVersion } from "./source.ts";

/** Knowledge about a table that is read again and again. Holds nothing personal. */
export type SourceState = {
  readonly name: string;
  /** Time since which it is known. */
  readonly addedAt: number;
  /** Time of the next pull; null if only the operator's commands read it. */
  readonly dueAt: number | null;
  readonly triedAt: number | null;
  /** Last good read, even if nothing had changed. */
  readonly goodAt: number | null;
  /** Last good read of all rows. */
  readonly wholeAt: number | null;
  /** Failed reads since the last good one. */
  readonly failures: number;
  /** Problem of the last read; null if it was good. */
  readonly problem: TableProblem | null;
  /** Rows refused in the last good read of all rows. */
  readonly rejected: number;
  /** Version that the server may confirm; null if the table must be read as a whole. */
  readonly version: TableVersion | null;
  /** Time at which the operator removed it: it is not pulled any more. */
  readonly removedAt: number | null;
};

/** Emails about a table, sent only if their limits have room. */
export type SourceNotice = { readonly emails: readonly Email[]; readonly hits: readonly Hit[] };

/** Tables that are read again and again. */
export interface SourceStore {
  /** All tables, by name. */
  tableSources(limit: number): Promise<SourceState[]>;
  /**
   * Takes a table for one read: nobody else can take it until `releaseAt`, or until it is saved. Adds it if it is new.
   * Returns null if someone else has taken it.
   */
  takeTableSource(fresh: SourceState, now: number, releaseAt: number): Promise<SourceState | null>;
  /**
   * Saves a table and ends the read that took it until `releaseAt`, and queues the notices. Returns false, and does nothing,
   * if someone else has taken it since. With null it is saved in any case, and stays taken.
   */
  saveTableSource(
    state: SourceState,
    releaseAt: number | null,
    notices: readonly SourceNotice[],
    now: number,
  ): Promise<boolean>;
}
