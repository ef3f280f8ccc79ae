import { remembering } from "./remembering.ts";

/** Durations in milliseconds, as all times are; days are those of UTC. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Of those that alerts tell of, nearly all lie in the last months. */
const DATES_KEPT = 1_000;

/** A date (YYYY-MM-DD) in days since 1970. */
export const dayOf = remembering(DATES_KEPT, (date) => Date.parse(date) / DAY_MS);
