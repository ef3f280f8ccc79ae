import { z } from "zod";
import type { AlertType, Species } from "./alert.ts";
import { DAY_MS } from "../duration.ts";
import { isoDate } from "../input.ts";

/** Ways in which an animal came home. */
export const RETURN_WAYS = [
  "came_back",
  "searched",
  "told_by_neighbour",
  "poster",
  "this_site",
  "shelter_or_vet",
  "other",
] as const;
/** Distances between the places of loss and return. */
export const RETURN_DISTANCES = [
  "under_100_m",
  "under_500_m",
  "under_2_km",
  "under_10_km",
  "farther",
] as const;
export type ReturnWay = (typeof RETURN_WAYS)[number];
export type ReturnDistance = (typeof RETURN_DISTANCES)[number];

/** Owner's answers about a return; both are optional. */
export const outcomeInput = z.object({
  how: z.enum(RETURN_WAYS).optional(),
  distance: z.enum(RETURN_DISTANCES).optional(),
});
export type OutcomeInput = z.infer<typeof outcomeInput>;

/** Outcome of one alert, without any reference to it. */
export type Outcome = {
  /** Monday of the week in which it was recorded, YYYY-MM-DD. */
  readonly week: string;
  readonly type: AlertType;
  readonly species: Species;
  /** Days from the event to the end of the alert. */
  readonly days: number;
  readonly how: ReturnWay | null;
  readonly distance: ReturnDistance | null;
};

const WEEK_DAYS = 7;

/** Monday of a time's week in UTC, YYYY-MM-DD. */
export function mondayOf(time: number): string {
  const daysSinceMonday = (new Date(time).getUTCDay() + WEEK_DAYS - 1) % WEEK_DAYS;
  return isoDate(time - daysSinceMonday * DAY_MS);
}
