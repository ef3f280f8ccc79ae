import { z } from "zod";
import { badInput, emailField, isoDate, languageField, latField, lngField } from "../input.ts";
import { type Alert, type PublicAlert, requireNotHome } from "../alerts/alert.ts";
import { KEEP_PERSONAL_DATA_MS } from "../alerts/lifetime.ts";
import { CAPS } from "../caps.ts";
import { DAY_MS, MINUTE_MS } from "../duration.ts";
import { Fault, type FieldReason } from "../fault.ts";
import { alertRefField } from "../alerts/alert-ref.ts";
import type { Hit } from "../limits.ts";
import { distanceKm, type Point, snap } from "../../values/point.ts";
import { type Gazetteer, placeName } from "../../places/places.ts";
import type { EmailAlert } from "../alerts/email-alert.ts";
import { givenName, placeNameFields, type Removed } from "../alerts/publication.ts";
import { redact } from "../../redaction/redact.ts";
import { cleanText } from "../text.ts";
import { dayIn, timeZoneAt } from "../time-zone.ts";
import { type DayPart, type WrittenTime, writtenTime, writtenTimeField } from "../written-time.ts";

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
  /** Part of its day that is known; null for a time to the minute. */
  readonly seenPart: DayPart | null;
  readonly note: string | null;
  /** Names of its photos, in order. */
  readonly photos: readonly string[];
  /** Keyed hash of the network it was reported from. */
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
  /** Day, and what of it is known, of a sighting whose time is not known to the minute; else null. */
  readonly seenOn: SeenOn | null;
  readonly note: string | null;
  /** Names of its photos, in order. */
  readonly photos: readonly string[];
  /**
   * Distance from the alert in whole km, at least 1: both ends are cells of about 1 km. Null if only the town of one is
   * known and the other is in that town.
   */
  readonly distanceKm: number | null;
};

/** Sighting in an email. */
export type EmailSighting = Pick<
  SightingView,
  "city" | "district" | "distanceKm" | "seenAt" | "seenOn" | "note" | "photos"
>;
/** To the owner: a sighting. */
export type SightingEmail = EmailSighting & {
  readonly kind: "sighting";
  readonly alert: EmailAlert;
};

/** Facts about a sighting for an email. */
export function emailSighting(sighting: SightingView): EmailSighting {
  const { city, district, distanceKm, seenAt, seenOn, note, photos } = sighting;
  return { city, district, distanceKm, seenAt, seenOn, note, photos };
}

/** Day by the clocks of the place, YYYY-MM-DD, and its part. */
type SeenOn = { readonly day: string; readonly part: DayPart };

/** View of a stored sighting, which can be removed by its id. */
export type StoredSightingView = SightingView & Pick<Sighting, "id">;

export const SIGHTING_NOTE_MAX = 500;
/** Sightings shown on an alert's page, taking the newest of each network in turn. */
const SIGHTINGS_SHOWN = 20;
/** Sightings on the owner's page: more, so that strangers from dozens of networks hide none from the owner, who can remove theirs. */
export const SIGHTINGS_MANAGED = 80;
/** Older sightings do not help a search. */
const SEEN_DAYS_MAX = 30;
/** Tolerance for callers' clocks that run ahead. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

export const sightingInput = z.object({
  alert: alertRefField,
  lat: latField.describe("Latitude of where it was seen; kept to about 1 km only"),
  lng: lngField.describe("Longitude of where it was seen; kept to about 1 km only"),
  ...placeNameFields,
  seenAt: writtenTimeField
    .describe("When it was seen, by the clocks of the place; now when absent")
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
  const seen = seenTime(input.seenAt, alert, point, now);
  const note = redact(cleanText(input.note ?? "", { multiline: true }), { countryCode });
  return {
    draft: {
      point,
      ...givenName(input, placeName(gazetteer, point)),
      seenAt: Math.min(seen.at, now),
      seenPart: seen.part,
      note: note.text === "" ? null : note.text,
      photos,
    },
    removed: note.removed.length === 0 ? [] : [{ field: "note", kinds: note.removed }],
  };
}

/** Time of a sighting. Throws `bad_input` for one in the future, long ago, or before the loss. */
function seenTime(
  text: string | undefined,
  { type, eventDate }: Pick<Alert, "type" | "eventDate">,
  point: Point,
  now: number,
): Pick<WrittenTime, "at" | "part"> {
  const seen = writtenTime(text ?? "now", timeZoneAt(point), now);
  if (seen === null) throw new Error("the schema lets only times through");
  const refuse = (reason: FieldReason) => badInput([{ field: "seenAt", reason }]);
  if (seen.from > now + CLOCK_TOLERANCE_MS) throw refuse({ kind: "future" });
  const first = now - SEEN_DAYS_MAX * DAY_MS;
  if (seen.at < first) throw refuse({ kind: "too_early", day: isoDate(first) });
  // One day of tolerance for time zones.
  if (type === "lost" && seen.day < isoDate(Date.parse(eventDate) - DAY_MS))
    throw refuse({ kind: "before_loss", day: eventDate });
  return seen;
}

/** True if the animal can still be sighted: it is missing, or was seen but not caught. */
export function isStillMissing(alert: Pick<Alert, "type" | "custody" | "status">): boolean {
  if (alert.status === "resolved") return false;
  return alert.type === "lost" || alert.custody === "seen_only";
}

/** Throws `gone` or `conflict` if the alert accepts no sightings. */
export function requireStillMissing(alert: Alert, now: number): void {
  requireNotHome(alert);
  if (!isStillMissing(alert)) throw new Fault("conflict", { reason: "not_at_large" });
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

type SightingPorts = {
  readonly store: Pick<SightingStore, "sightings">;
  readonly gazetteer: Gazetteer;
};

/** Sightings of an alert's animal, the most recent first; none once the animal is home. */
export async function sightingsOf(
  ports: SightingPorts,
  alert: PublicAlert,
  limit = SIGHTINGS_SHOWN,
): Promise<StoredSightingView[]> {
  if (alert.status === "resolved") return [];
  return storedSightings(ports, { id: alert.id, point: { lat: alert.lat, lng: alert.lng } }, limit);
}

/** The same for an alert of any status. */
export async function storedSightings(
  { store, gazetteer }: SightingPorts,
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
    district: seen.district,
    countryCode: seen.countryCode,
    lat: seen.point.lat,
    lng: seen.point.lng,
    seenAt: seen.seenAt,
    seenOn: seenOn(seen),
    note: seen.note,
    photos: seen.photos,
    distanceKm: isInTown ? null : Math.max(1, Math.round(km)),
  };
}

function seenOn({ seenAt, seenPart, point }: SightingDraft): SeenOn | null {
  return seenPart === null ? null : { day: dayIn(timeZoneAt(point), seenAt), part: seenPart };
}

/** Sightings of alerts. */
export interface SightingStore {
  /** Sightings of an alert, taking the newest of each network in turn up to the limit; most recently seen first. */
  sightings(alertId: string, limit: number): Promise<Sighting[]>;
  /** Deletes a sighting of this alert with its photos. Returns false if there is none. */
  removeSighting(alertId: string, sightingId: string): Promise<boolean>;
}
