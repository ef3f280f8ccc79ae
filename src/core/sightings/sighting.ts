import { z } from "zod";
import { type Alert, KEEP_PERSONAL_DATA_MS, type PublicAlert } from "../alerts/alert.ts";
import { CAPS } from "../caps.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../duration.ts";
import { Fault } from "../fault.ts";
import {
  alertRefField,
  badInput,
  dateField,
  dayOf,
  emailField,
  isoDate,
  languageField,
  latField,
  lngField,
  timeField,
  timestamp,
} from "../input.ts";
import type { Hit } from "../limits.ts";
import { distanceKm, type Point, snap } from "../place.ts";
import { type PlaceName, placeName } from "../place-name.ts";
import type { Gazetteer, Ports } from "../ports.ts";
import { placeNameFields, type Removed } from "../alerts/publication.ts";
import { redact } from "../../redaction/redact.ts";
import { cleanText } from "../text.ts";
import { dayIn, timeIn, timeZoneAt } from "../time-zone.ts";

/** Sighting of an alert's animal. */
export type Sighting = {
  readonly id: string;
  readonly alertId: string;
  /** On the public grid. */
  readonly point: Point;
  readonly city: string;
  readonly district: string | null;
  readonly countryCode: string;
  readonly seenAt: number;
  readonly note: string | null;
  /** Names of its photos, in order. */
  readonly photos: readonly string[];
  /** Keyed hash of the network it was reported from. Empty in rows of old versions. */
  readonly networkHash: string;
  readonly createdAt: number;
};
export type SightingDraft = Omit<Sighting, "id" | "alertId" | "networkHash" | "createdAt">;

/** Public view of a sighting. */
export type SightingView = {
  readonly city: string;
  readonly district: string | null;
  readonly countryCode: string;
  readonly lat: number;
  readonly lng: number;
  readonly seenAt: number;
  readonly note: string | null;
  /** Names of its photos, in order. */
  readonly photos: readonly string[];
  /**
   * Distance from the alert in whole km, at least 1: both ends are cells of about 1 km. Null if only the town of one is
   * known and the other is in that town.
   */
  readonly distanceKm: number | null;
};

/** View of a stored sighting, which can be removed by its id. */
export type StoredSightingView = SightingView & Pick<Sighting, "id">;

export const SIGHTING_NOTE_MAX = 500;
/** Sightings shown on an alert's page, taking the newest of each network in turn. */
export const SIGHTINGS_SHOWN = 20;
/** Sightings on the owner's page: more, so that strangers from dozens of networks hide none from the owner, who can remove theirs. */
const SIGHTINGS_MANAGED = 80;
/** Older sightings do not help a search. */
const SEEN_DAYS_MAX = 30;
/** Tolerance for callers' clocks that run ahead. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

export const sightingInput = z.object({
  alert: alertRefField,
  lat: latField.describe("Latitude of where it was seen; kept to about 1 km only"),
  lng: lngField.describe("Longitude of where it was seen; kept to about 1 km only"),
  ...placeNameFields,
  seenAt: timeField.describe("When it was seen; now when absent").optional(),
  hoursAgo: z
    .number()
    .int()
    .min(0)
    .max(SEEN_DAYS_MAX * 24)
    .describe("In place of seenAt, if the time zone is unknown: hours ago")
    .optional(),
  seenDuring: z
    .enum(["last_night"])
    .describe("In place of seenAt: late yesterday evening, by the clocks of the place")
    .optional(),
  seenDay: dateField.describe("In place of seenAt: the day, by the clocks of the place").optional(),
  seenHour: z
    .number()
    .int()
    .min(0)
    .max(23)
    .describe("Hour of seenDay; without a day the last time that it was this hour")
    .optional(),
  note: z
    .string()
    .trim()
    .max(SIGHTING_NOTE_MAX)
    .describe(
      "What it did, where it went; public, so phone numbers, email addresses and links are removed",
    )
    .optional(),
  email: emailField.describe("Gets the confirmation email; never shown to anyone"),
  language: languageField.optional(),
});
export type SightingInput = z.infer<typeof sightingInput>;

/** Sighting with cleaned text, on the public grid. Throws `bad_input` for an impossible time. */
export function sightingDraft(
  input: SightingInput,
  alert: Pick<Alert, "countryCode" | "type" | "eventDate">,
  gazetteer: Gazetteer,
  now: number,
  photos: readonly string[],
): { readonly draft: SightingDraft; readonly removed: readonly Removed[] } {
  const point = snap(input.lat, input.lng);
  const { countryCode } = alert;
  const time = seenAt(input, alert, point, now);
  const note = redact(cleanText(input.note ?? "", { multiline: true }), { countryCode });
  return {
    draft: {
      point,
      ...seenIn(input, placeName(gazetteer, point)),
      seenAt: time,
      note: note.text === "" ? null : note.text,
      photos,
    },
    removed: note.removed.length === 0 ? [] : [{ field: "note", kinds: note.removed }],
  };
}

/** Name of the place that the finder gave, or else that of the position. */
function seenIn({ city, district, countryCode }: SightingInput, here: PlaceName): PlaceName {
  if (city === undefined) return here;
  return { city, district: district ?? null, countryCode: countryCode ?? here.countryCode };
}

type SeenTime = Pick<SightingInput, "seenAt" | "hoursAgo" | "seenDuring" | "seenDay" | "seenHour">;

/**
 * Time of a sighting. A time or day is checked against the day of the loss; hours ago and last night are a rough choice
 * from a list, so they are not.
 */
function seenAt(
  input: SeenTime,
  alert: Pick<Alert, "type" | "eventDate">,
  point: Point,
  now: number,
): number {
  const ways = ["seenAt", "hoursAgo", "seenDuring", "seenDay"] as const;
  const [way, second] = ways.filter((name) => input[name] !== undefined);
  if (second !== undefined) throw badInput([{ field: second, reason: { kind: "second_time" } }]);
  if (way === "hoursAgo") return now - (input.hoursAgo ?? 0) * HOUR_MS;
  if (way === "seenAt") {
    const time = timestamp(input.seenAt ?? "");
    if (time === null) throw new Error("the schema lets only times through");
    return checked(time, "seenAt", alert, now);
  }
  const timeZone = timeZoneAt(point);
  const today = dayIn(timeZone, now);
  if (way === "seenDuring") return Math.min(timeIn(timeZone, dayBefore(today), LAST_NIGHT), now);
  const { seenHour: hour } = input;
  if (way === undefined) return hour === undefined ? now : lastHour(timeZone, hour, now);
  const day = dayOf(input.seenDay ?? "");
  if (day === null) throw new Error("the schema lets only days through");
  if (day > today) throw badInput([{ field: "seenDay", reason: { kind: "future" } }]);
  const time = timeIn(timeZone, day, hour === undefined ? MIDDAY : clockOf(hour));
  if (hour === undefined) return checked(Math.min(time, now), "seenDay", alert, now);
  return checked(time, time > now ? "seenHour" : "seenDay", alert, now);
}

/** Middle of the evening and the night, by the clocks of the place. */
const LAST_NIGHT = "23:00";
/** Time of a day whose hour is unknown. */
const MIDDAY = "12:00";

/** Last time before now at which the clocks showed an hour. */
function lastHour(timeZone: string, hour: number, now: number): number {
  const today = dayIn(timeZone, now);
  const time = timeIn(timeZone, today, clockOf(hour));
  return time <= now ? time : timeIn(timeZone, dayBefore(today), clockOf(hour));
}

function clockOf(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}

function dayBefore(day: string): string {
  return isoDate(Date.parse(day) - DAY_MS);
}

/** Time that is neither in the future, nor long ago, nor before the loss. Throws `bad_input` for any other. */
function checked(
  time: number,
  field: keyof SeenTime,
  { type, eventDate }: Pick<Alert, "type" | "eventDate">,
  now: number,
): number {
  if (time > now + CLOCK_TOLERANCE_MS) throw badInput([{ field, reason: { kind: "future" } }]);
  const first = now - SEEN_DAYS_MAX * DAY_MS;
  if (time < first)
    throw badInput([{ field, reason: { kind: "too_early", first: isoDate(first) } }]);
  // One day of tolerance for time zones.
  if (type === "lost" && time < Date.parse(eventDate) - DAY_MS)
    throw badInput([{ field, reason: { kind: "before_loss", day: eventDate } }]);
  return Math.min(time, now);
}

/** True if the animal can still be sighted: it is missing, or was seen but not caught. */
export function isStillMissing(alert: Pick<PublicAlert, "type" | "custody" | "status">): boolean {
  if (alert.status === "resolved") return false;
  return alert.type === "lost" || alert.custody === "seen_only";
}

/** Throws `gone` or `conflict` if the alert accepts no sightings. */
export function requireStillMissing(alert: Alert, now: number): void {
  const { status } = alert;
  if (status === "hidden" || status === "removed")
    throw new Fault("gone", { reason: "alert_removed" });
  if (status === "resolved") throw new Fault("conflict", { reason: "animal_home" });
  if (!isStillMissing({ ...alert, status }))
    throw new Fault("conflict", { reason: "not_at_large" });
  // The erasure of personal data has run: a later sighting would never be erased.
  if (alert.endedAt !== null && now - alert.endedAt >= KEEP_PERSONAL_DATA_MS)
    throw new Fault("conflict", { reason: "ended_long_ago" });
}

/** Limits of one sender, not shared with anyone. Sightings beyond them are refused. */
export function sightingHits(alertId: string, addressHash: string): Hit[] {
  return [{ key: `seen:${alertId}:${addressHash}`, ...CAPS.sightingsPerAlertAndSender }];
}

/** Limits of immediate emails to the owner. Sightings beyond them go into the owner's digest. */
export function sightingEmailHits(alertId: string, networkHash: string): Hit[] {
  return [
    { key: `seen-email:${alertId}`, ...CAPS.sightingEmailsPerAlert },
    { key: `seen-email:${alertId}:${networkHash}`, ...CAPS.sightingEmailsPerAlertAndNetwork },
  ];
}

/** Sightings of an alert's animal, the most recent first; none once the animal is home. */
export async function sightingsOf(
  ports: Pick<Ports, "store" | "gazetteer">,
  alert: PublicAlert,
  limit = SIGHTINGS_SHOWN,
): Promise<StoredSightingView[]> {
  if (alert.status === "resolved") return [];
  return storedSightings(ports, { id: alert.id, point: { lat: alert.lat, lng: alert.lng } }, limit);
}

/** The same for the owner's page, which shows more of them. */
export function managedSightings(
  ports: Pick<Ports, "store" | "gazetteer">,
  alert: PublicAlert,
): Promise<StoredSightingView[]> {
  return sightingsOf(ports, alert, SIGHTINGS_MANAGED);
}

/** The same for an alert of any status. */
export async function storedSightings(
  { store, gazetteer }: Pick<Ports, "store" | "gazetteer">,
  { id, point }: Pick<Alert, "id" | "point">,
  limit = SIGHTINGS_SHOWN,
): Promise<StoredSightingView[]> {
  const sightings = await store.sightings(id, limit);
  return sightings.map((sighting) => ({
    id: sighting.id,
    ...toSightingView(sighting, point, gazetteer),
  }));
}

/** Public view of a sighting; `alert` is the position of its alert. */
export function toSightingView(
  seen: SightingDraft,
  alert: Point,
  gazetteer: Gazetteer,
): SightingView {
  const km = distanceKm(seen.point, alert);
  const ends = [seen.point, alert];
  const isInTown = ends.some((end) => km <= (gazetteer.townCentredAt(end)?.radiusKm ?? -1));
  return {
    city: seen.city,
    // Requests older than the field lack it.
    district: seen.district ?? null,
    countryCode: seen.countryCode,
    lat: seen.point.lat,
    lng: seen.point.lng,
    seenAt: seen.seenAt,
    note: seen.note,
    // Requests older than the field lack it.
    photos: seen.photos ?? [],
    distanceKm: isInTown ? null : Math.max(1, Math.round(km)),
  };
}
