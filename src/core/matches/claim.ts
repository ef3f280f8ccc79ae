import type { Cap } from "../caps.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../duration.ts";
import type { MatchSubject } from "./pair-store.ts";

/**
 * Delays before an edited alert is compared again, growing with each edit in a day. An edit of a matched field is a new
 * claim: it can make the alert match other people's animals. The delays prevent quick guessing, while correcting a typing
 * error costs a quarter of an hour.
 */
export const CLAIM_WAITS_MS: readonly number[] = [
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  16 * HOUR_MS,
  DAY_MS,
];

/** Rates of new claims from which moderators review an alert. */
export const SUSPICIOUS_CLAIM_RATES: readonly Cap[] = [
  { max: 5, windowMs: DAY_MS },
  { max: 10, windowMs: 7 * DAY_MS },
];

/** Matched fields that an owner can change, besides the point; the species, the type and the chip are fixed. */
const EDITABLE = [
  "eventDate",
  "name",
  "breed",
  "color",
  "size",
  "sex",
  "age",
] as const satisfies readonly (keyof MatchSubject)[];

/** True if an edit changes a matched field. */
export function isNewClaim(before: MatchSubject, after: MatchSubject): boolean {
  const isMoved = before.point.lat !== after.point.lat || before.point.lng !== after.point.lng;
  return isMoved || EDITABLE.some((field) => before[field] !== after[field]);
}
