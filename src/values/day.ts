import { memoize } from "../text/memoize.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Nearly all dates of alerts are in the last months. */
const DATES_KEPT = 1_000;

/** Days since 1970 of a date, YYYY-MM-DD. */
export const dayOf = memoize(DATES_KEPT, (date) => Date.parse(date) / DAY_MS);
