import timeZoneOf from "@photostructure/tz-lookup";
import type { Point } from "../values/point.ts";

/**
 * IANA time zone at a position, "Europe/Paris". From a coarse map of the world: within a few km of a border it may be the
 * neighbour's.
 */
export function timeZoneAt({ lat, lng }: Point): string {
  return timeZoneOf(lat, lng);
}

/** Day of a time (milliseconds since 1970) by the clocks of a time zone, YYYY-MM-DD. */
export function dayIn(timeZone: string, time: number): string {
  return Temporal.Instant.fromEpochMilliseconds(time)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString();
}

/**
 * Time (milliseconds since 1970) at which the clocks of a time zone show a day (YYYY-MM-DD) and a time of day (HH:MM). An
 * hour that is skipped in spring is the one after it; of one that is repeated in autumn it is the first.
 */
export function timeIn(timeZone: string, day: string, clock: string): number {
  return Temporal.PlainDateTime.from(`${day}T${clock}`).toZonedDateTime(timeZone).epochMilliseconds;
}

/** Next time (milliseconds since 1970) after `after` at which the clocks of a time zone show a time of day (HH:MM). */
export function nextTimeIn(timeZone: string, clock: string, after: number): number {
  const today = dayIn(timeZone, after);
  const todayAt = timeIn(timeZone, today, clock);
  if (todayAt > after) return todayAt;
  const tomorrow = Temporal.PlainDate.from(today).add({ days: 1 }).toString();
  return timeIn(timeZone, tomorrow, clock);
}
