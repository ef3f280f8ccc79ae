/** Start time of every test world. */
export const DAWN = Date.parse("2026-05-01T08:00:00.000Z");
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
