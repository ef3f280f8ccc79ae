import { z } from "zod";
import { type Alert, KEEP_PERSONAL_DATA_MS, type PublicAlert } from "./alert.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./duration.ts";
import { Fault } from "./fault.ts";
import {
  alertRefField,
  badInput,
  emailField,
  isoDate,
  languageField,
  latField,
  lngField,
  timeField,
  timestamp,
} from "./input.ts";
import type { Hit } from "./limit.ts";
import { distanceKm, type Point, snap } from "./place.ts";
import type { Gazetteer } from "./ports.ts";
import type { Removed } from "./publication.ts";
import { redact } from "./redact.ts";
import { cleanText } from "./text.ts";

/** Somebody saw the animal of an alert: where, and when. */
export type Sighting = {
  readonly id: string;
  readonly alertId: string;
  /** Snapped, as an alert's. */
  readonly point: Point;
  /** The town it was near. */
  readonly city: string;
  readonly countryCode: string;
  readonly seenAt: number;
  readonly note: string | null;
  readonly createdAt: number;
};
/** A sighting that waits for its human. */
export type SightingDraft = Omit<Sighting, "id" | "alertId" | "createdAt">;

/** What the public may know of a sighting. */
export type SightingFace = {
  readonly city: string;
  readonly countryCode: string;
  readonly lat: number;
  readonly lng: number;
  readonly seenAt: number;
  readonly note: string | null;
  /**
   * Whole km from where the alert is, 1 at least: both ends are cells of about 1 km. Null where of one no more is known
   * than the town that the other is in.
   */
  readonly distanceKm: number | null;
};

/** Characters. */
export const SIGHTING_NOTE_MAX = 500;
/** Shares of one day: what an alert takes from everybody, what one mailbox may leave at it. */
export const SIGHTINGS_A_DAY = { alert: 20, sender: 3 } as const;
/** Sightings an alert's page shows, the newest. */
export const SIGHTINGS_SHOWN = 20;
/** What was seen longer ago helps nobody search. */
const SEEN_DAYS_MAX = 30;
/** Clocks of callers run a little ahead. */
const AHEAD_MS = 5 * MINUTE_MS;

/** Telling that an animal was seen. */
export const sightingInput = z.object({
  alert: alertRefField,
  lat: latField.describe("Latitude of where it was seen; kept to about 1 km only"),
  lng: lngField.describe("Longitude of where it was seen; kept to about 1 km only"),
  seenAt: timeField.describe("When it was seen; now when absent").optional(),
  hoursAgo: z
    .number()
    .int()
    .min(0)
    .max(SEEN_DAYS_MAX * 24)
    .describe("In place of seenAt, for who cannot tell the time zone: how many hours ago")
    .optional(),
  note: z
    .string()
    .trim()
    .max(SIGHTING_NOTE_MAX)
    .describe("What it did, where it went; public, so contact details and links are removed")
    .optional(),
  email: emailField.describe("Gets the confirmation letter; never shown to anyone"),
  language: languageField.optional(),
});
export type SightingInput = z.infer<typeof sightingInput>;

/** What was seen, cleaned and on the public grid. Throws `bad_input` for a time that cannot be. */
export function sightingDraft(
  input: SightingInput,
  alert: Pick<Alert, "countryCode">,
  gazetteer: Gazetteer,
  now: number,
): { readonly draft: SightingDraft; readonly removed: readonly Removed[] } {
  const point = snap(input.lat, input.lng);
  const town = gazetteer.nearest(point);
  const { countryCode } = alert;
  const note = redact(cleanText(input.note ?? "", { multiline: true }), { countryCode });
  return {
    draft: {
      point,
      city: town.name,
      countryCode: town.countryCode,
      seenAt: seenAt(input, now),
      note: note.text === "" ? null : note.text,
    },
    removed: note.removed.length === 0 ? [] : [{ field: "note", kinds: note.removed }],
  };
}

function seenAt(input: Pick<SightingInput, "seenAt" | "hoursAgo">, now: number): number {
  if (input.seenAt === undefined) return now - (input.hoursAgo ?? 0) * HOUR_MS;
  if (input.hoursAgo !== undefined)
    throw badInput([{ field: "hoursAgo", reason: { kind: "second_time" } }]);
  const time = timestamp(input.seenAt);
  if (time === null) throw new Error("the schema lets only times through");
  if (time > now + AHEAD_MS) throw badInput([{ field: "seenAt", reason: { kind: "future" } }]);
  const first = now - SEEN_DAYS_MAX * DAY_MS;
  if (time < first)
    throw badInput([{ field: "seenAt", reason: { kind: "too_early", first: isoDate(first) } }]);
  return Math.min(time, now);
}

/** Whether there is something to see: it is still missing, or was seen and not caught. */
export function isAtLarge(alert: Pick<PublicAlert, "type" | "custody" | "status">): boolean {
  if (alert.status === "resolved") return false;
  return alert.type === "lost" || alert.custody === "seen_only";
}

/** Throws `gone` or `conflict` when the alert takes no sightings at `now`. */
export function requireAtLarge(alert: Alert, now: number): void {
  const { status } = alert;
  if (status === "hidden" || status === "removed")
    throw new Fault("gone", { reason: "alert_removed" });
  if (!isAtLarge({ ...alert, status })) throw new Fault("conflict", { reason: "not_at_large" });
  // What came later would never be erased.
  if (alert.endedAt !== null && now - alert.endedAt >= KEEP_PERSONAL_DATA_MS)
    throw new Fault("conflict", { reason: "ended_long_ago" });
}

/** What a sighting counts against when it is confirmed. */
export function sightingHits(alertId: string, addressMark: string): Hit[] {
  return [
    { key: `seen:${alertId}`, max: SIGHTINGS_A_DAY.alert, windowMs: DAY_MS },
    { key: `seen:${alertId}:${addressMark}`, max: SIGHTINGS_A_DAY.sender, windowMs: DAY_MS },
  ];
}

/** A sighting of the animal of an alert that lies at `alert`. */
export function sightingFace(
  seen: SightingDraft,
  alert: Point,
  gazetteer: Gazetteer,
): SightingFace {
  return {
    city: seen.city,
    countryCode: seen.countryCode,
    lat: seen.point.lat,
    lng: seen.point.lng,
    seenAt: seen.seenAt,
    note: seen.note,
    distanceKm: distanceSaid(seen.point, alert, gazetteer),
  };
}

function distanceSaid(seen: Point, alert: Point, gazetteer: Gazetteer): number | null {
  const km = distanceKm(seen, alert);
  const isWithin = [seen, alert].some((at) => km <= (gazetteer.somewhere(at)?.radiusKm ?? -1));
  return isWithin ? null : Math.max(1, Math.round(km));
}
