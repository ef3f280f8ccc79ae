import { z } from "zod";
import {
  badInput,
  clockTime,
  countryCodeField,
  emailField,
  isoDate,
  languageField,
  latField,
  lngField,
  pointIn,
  withReason,
} from "../input.ts";
import { type AlertDraft, type AlertNames, type Description, slugOf } from "./alert.ts";
import {
  eachField,
  type Field,
  FIELD_NAMES,
  type FieldName,
  FIELDS,
  fieldsWhere,
  type FieldValues,
  isFreeText,
  isFieldOf,
} from "./fields.ts";
import { DAY_MS, HOUR_MS } from "../duration.ts";
import { snap } from "../../values/point.ts";
import { type Gazetteer, placeName, type PlaceName } from "../../places/places.ts";
import type { Ports } from "./ports.ts";
import { redact } from "../../redaction/redact.ts";
import { cleanText } from "../text.ts";
import { folded } from "../../text/tokenize.ts";
import { dayIn, timeIn, timeZoneAt } from "../time-zone.ts";
import { writtenDay } from "../written-time.ts";
import { ALERT_TYPES, SPECIES } from "../../values/animal.ts";

const CITY_MAX = 80;
/** Length of a chip number including spaces and punctuation. */
export const CHIP_TEXT_MAX = 40;
export const PHOTOS_MAX = 6;
export const PHOTO_URL_MAX = 2_000;
const EVENT_DATE_FIRST = "2000-01-01";

/** Inputs of the fields, also offered for correction on the confirmation page. */
const inputs = eachField<{ readonly [Name in FieldName]: (typeof FIELDS)[Name]["input"] }>(
  (_, { input }) => input,
);
const { color, ...optional } = inputs;

/** Name of the place; that of the position when absent. */
export const placeNameFields = {
  city: z.string().max(CITY_MAX).describe("Town; the nearest one when absent").optional(),
  district: z.string().max(CITY_MAX).describe("Its quarter or village").optional(),
  countryCode: countryCodeField
    .describe("Two letters (ISO 3166-1); the nearest town's when absent")
    .optional(),
};

export const publishInput = z.object({
  type: z.enum(ALERT_TYPES).describe("lost: its owner misses it; found: someone has or saw it"),
  species: z.enum(SPECIES).describe("Kind of animal"),
  color,
  lat: latField.describe("Latitude of where it was lost or found"),
  lng: lngField.describe("Longitude of where it was lost or found"),
  email: emailField.describe(
    "The publisher's address; gets the confirmation email and answers, never shown",
  ),
  ...optional,
  microchip: z
    .string()
    .max(CHIP_TEXT_MAX, { abort: true })
    .refine((text) => chipNumber(text) !== null, withReason("chip"))
    .describe("Chip number; never published, only matched")
    .optional(),
  ...placeNameFields,
  photoUrls: z
    .array(z.string().max(PHOTO_URL_MAX))
    .max(PHOTOS_MAX)
    .describe(
      `https addresses of up to ${PHOTOS_MAX} photos, the best first; copied here without metadata`,
    )
    .optional(),
  language: languageField.optional(),
});
export type PublishInput = z.infer<typeof publishInput>;

/** Changes an owner may make on the confirmation page. Absent fields stay as they are. */
export const correctionInput = z.object({
  ...inputs,
  color: color.optional(),
  lat: latField.optional(),
  lng: lngField.optional(),
  ...placeNameFields,
  /** All photos of the alert, the best first: tickets of uploaded ones and names of its own. */
  photos: z.array(z.string().max(100)).max(PHOTOS_MAX).optional(),
});
export type Correction = z.infer<typeof correctionInput>;

/** Kinds of contact details removed from a field, reported to the writer. */
export type Removed = { readonly field: string; readonly kinds: readonly string[] };

/** Draft of an alert, and the contact details removed from its text. */
type DraftResult = { readonly draft: AlertDraft; readonly removed: readonly Removed[] };

/**
 * Draft of an alert: position snapped (the exact one is discarded), text cleaned, town looked up, slug made.
 * Throws `bad_input` for an impossible date or a required text that is empty after cleaning.
 */
export function createDraft(
  input: PublishInput,
  { id, shortCode }: Pick<AlertNames, "id" | "shortCode">,
  now: number,
  from: Pick<Ports, "gazetteer" | "secrets">,
  photos: readonly string[] = [],
): DraftResult {
  const point = snap(input.lat, input.lng);
  const here = placeName(from.gazetteer, point);
  const name = givenName(input, here);
  const { about, removed } = describe(
    { ...input, ...name },
    {
      here,
      timeZone: timeZoneAt(point),
      now,
    },
  );
  const chip = input.microchip === undefined ? null : chipNumber(input.microchip);
  const draft: AlertDraft = {
    id,
    slug: slugOf(about, shortCode),
    shortCode,
    ...about,
    point,
    photos,
    chipHash: chip === null ? null : from.secrets.keyedHash("chip", chip),
  };
  return { draft, removed };
}

/**
 * Draft of a waiting or published alert with its owner's corrections: same short code, text cleaned again, new slug. A
 * new position is snapped and gets the name given with it, or its own. Throws `bad_input`.
 */
export function correctDraft(
  draft: AlertDraft,
  correction: Correction,
  now: number,
  gazetteer: Gazetteer,
): DraftResult {
  const moved = pointIn(correction);
  const point = moved === undefined ? draft.point : snap(moved.lat, moved.lng);
  const isMoved = point.lat !== draft.point.lat || point.lng !== draft.point.lng;
  const here = placeName(gazetteer, point);
  const isNamed = isMoved || correction.city !== undefined;
  const { city, district, countryCode } = isNamed ? givenName(correction, here) : draft;
  const merged = {
    type: draft.type,
    species: draft.species,
    ...eachField<FieldInputs>((name) => correction[name] ?? draft[name] ?? undefined),
    city,
    district,
    countryCode,
  };
  const { about, removed } = describe(merged, {
    here,
    timeZone: timeZoneAt(point),
    now,
  });
  const { id, shortCode, chipHash } = draft;
  const photos = correction.photos ?? draft.photos;
  // A retracted name must not survive in the URL.
  const slug = slugOf(about, shortCode);
  const corrected = {
    id,
    slug,
    shortCode,
    ...about,
    point,
    photos,
    chipHash,
  };
  return { draft: corrected, removed };
}

/** Name that the caller gives a place, or else that of its position. Where it is only a city, the quarter is that of the position in it. */
export function givenName(
  { city, district, countryCode }: Pick<Correction, keyof typeof placeNameFields>,
  here: PlaceName,
): PlaceName {
  const isHere = city === undefined || folded(city) === folded(here.city);
  return {
    city: city ?? here.city,
    district: district ?? (isHere ? here.district : null),
    countryCode: countryCode?.toUpperCase() ?? here.countryCode,
  };
}

type FieldInputs = Pick<PublishInput, FieldName>;

function describe(
  input: Pick<PublishInput, "type" | "species"> & FieldInputs & PlaceName,
  from: { readonly here: PlaceName; readonly timeZone: string; readonly now: number },
): { about: Description; removed: Removed[] } {
  const { here } = from;
  const where = { here, countryCode: input.countryCode };
  for (const field of FIELD_NAMES)
    if (input[field] !== undefined && !isFieldOf(input.type, FIELDS[field]))
      throw badInput([{ field, reason: { kind: "found_only" } }]);
  // Before the texts: cleaning them takes longest.
  const times = eventTimes(input, from);
  const removed: Removed[] = [];
  const cleaned = (
    field: string,
    text: string | undefined,
    { kind, max = CITY_MAX }: Partial<Field> = {},
  ): string | null => {
    if (text === undefined) return null;
    const found = redactHere(cleanText(text, { multiline: kind === "text" }), where);
    if (found.removed.length > 0) removed.push({ field, kinds: found.removed });
    const kept = cutAtSpace(found.text, max);
    return kept === "" ? null : kept;
  };

  const fields = eachField<FieldValues>((name, field) => {
    if (!isFieldOf(input.type, field)) return null;
    if (!isFreeText(field)) return input[name] ?? field.unknown;
    const text = cleaned(name, input[name], field);
    if (text === null && field.isRequired)
      throw badInput([{ field: name, reason: { kind: "empty" } }]);
    return text ?? field.unknown;
  });
  const about: Description = {
    type: input.type,
    species: input.species,
    ...fields,
    ...times,
    city: cleaned("city", input.city) ?? here.city,
    district: cleaned("district", input.district ?? undefined),
    countryCode: where.countryCode,
  };
  return { about: withoutSplitContact(about, where, removed), removed };
}

/** Cuts at white space: `[removed]` may be longer than the text it replaces, and half a word could form a link. */
function cutAtSpace(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = Math.max(text.lastIndexOf(" ", max), text.lastIndexOf("\n", max));
  return text.slice(0, Math.max(end, 0)).trim();
}

type Where = {
  readonly countryCode: string;
  /** Name of the position, whatever the caller calls it. */
  readonly here: PlaceName;
};

/** Removes contact details. Phone numbers are read as in both countries: the stated one and that of the position. */
function redactHere(text: string, where: Where): { text: string; removed: string[] } {
  const named = redact(text, { countryCode: where.countryCode });
  const { countryCode } = where.here;
  if (countryCode === where.countryCode) return { text: named.text, removed: named.removed };
  const nearby = redact(named.text, { countryCode });
  return { text: nearby.text, removed: [...new Set([...named.removed, ...nearby.removed])] };
}

/** Drops the short texts if they form a contact detail together: titles and URLs show them side by side. */
function withoutSplitContact(about: Description, where: Where, removed: Removed[]): Description {
  const texts = (names: readonly FieldName[]) => names.map((name) => about[name] ?? "");
  const place = [about.district ?? "", about.city];
  const inOrders = [
    // As pages have them, and as JSON and tables do.
    [...texts(OF_ANIMAL), ...place, ...texts(OF_EVENT)],
    [about.name ?? "", about.breed, about.color],
    [about.name ?? "", ...place],
    [...place, ...texts(OF_EVENT)],
    [about.color, ...place],
    texts(OF_ANIMAL.filter((name) => name !== "name")),
  ];
  const kinds = inOrders.flatMap((parts) => {
    // Pages leave out what is not known, so that its neighbours stand side by side.
    const shown = parts.filter((part) => part !== "" && part !== "unknown");
    return redactHere(shown.join(" "), where).removed;
  });
  if (kinds.length === 0) return about;
  const { city, district } = where.here;
  const isGiven = (name: FieldName) => (about[name] ?? "unknown") !== "unknown";
  const dropped = [...OF_ANIMAL, ...OF_EVENT].filter(isGiven);
  for (const field of about.city === city ? dropped : [...dropped, "city"])
    removed.push({ field, kinds: [...new Set(kinds)] });
  const isShort = (name: FieldName) => OF_ANIMAL.includes(name) || OF_EVENT.includes(name);
  const kept = eachField<FieldValues>((name, { unknown }) =>
    isShort(name) ? unknown : about[name],
  );
  return { ...about, ...kept, city, district };
}

/** Short texts about the animal, and about the event. */
const OF_ANIMAL = fieldsWhere(({ kind, isOfEvent }) => kind === "line" && !isOfEvent);
const OF_EVENT = fieldsWhere(({ kind, isOfEvent }) => kind === "line" && isOfEvent);

/** Zone maps are coarse: near a border the place may have an hour or two more or less. */
const EVENT_TIME_TOLERANCE_MS = 2 * HOUR_MS;

/** Day and time of the event. Throws `bad_input` for those in the future, and for days of another century. */
function eventTimes(
  input: Pick<Correction, "eventDate" | "eventTime">,
  { timeZone, now }: { readonly timeZone: string; readonly now: number },
): Pick<Description, "eventDate" | "eventTime"> {
  const date =
    input.eventDate === undefined
      ? dayIn(timeZone, now)
      : writtenDay(input.eventDate, timeZone, now);
  if (date === null) throw new Error("the schema lets only days through");
  // One day of tolerance: it is already tomorrow in Auckland.
  if (date > isoDate(now + DAY_MS))
    throw badInput([{ field: "eventDate", reason: { kind: "future" } }]);
  if (date < EVENT_DATE_FIRST)
    throw badInput([{ field: "eventDate", reason: { kind: "too_early", day: EVENT_DATE_FIRST } }]);
  const time = clockTime(input.eventTime ?? "");
  if (time !== null && timeIn(timeZone, date, time) > now + EVENT_TIME_TOLERANCE_MS)
    throw badInput([{ field: "eventTime", reason: { kind: "future" } }]);
  return { eventDate: date, eventTime: time };
}

/**
 * Microchip number in upper case, without spaces and punctuation; null if the text is not one.
 * 15 digits: ISO 11784/11785, starting with a country (ISO 3166 numeric, up to 894) or manufacturer (900 to 998).
 * 9 digits: older FECAVA/Trovan and AVID. 10 characters: older encodings with letters.
 */
export function chipNumber(text: string): string | null {
  const bare = text.replace(/[\s.*:_-]/g, "").toUpperCase();
  const fits = isIsoChip(bare) || /^\d{9}$/.test(bare) || /^[0-9A-F]{10}$/.test(bare);
  return fits ? bare : null;
}

function isIsoChip(bare: string): boolean {
  const prefix = Number(bare.slice(0, 3));
  const isKnown = (prefix >= 4 && prefix <= 894) || (prefix >= 900 && prefix <= 998);
  return /^\d{15}$/.test(bare) && isKnown;
}
