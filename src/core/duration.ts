import { memoize } from "../text/memoize.ts";

// Durations in milliseconds; days are UTC days.
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Nearly all dates of alerts are in the last months. */
const DATES_KEPT = 1_000;

/** Days since 1970 of a date, YYYY-MM-DD. */
export const dayOf = memoize(DATES_KEPT, (date) => Date.parse(date) / DAY_MS);
