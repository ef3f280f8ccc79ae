import { z } from "zod";
import {
  AGES,
  ALERT_TYPES,
  type AlertDraft,
  CUSTODIES,
  type Description,
  SEXES,
  SIZES,
  SPECIES,
  shortCode,
  slugOf,
} from "./alert.ts";
import { DAY_MS } from "./duration.ts";
import {
  badInput,
  because,
  dateField,
  emailField,
  isoDate,
  languageField,
  latField,
  lngField,
  pointIn,
} from "./input.ts";
import { type Point, snap } from "./place.ts";
import type { Dice, Gazetteer, Vault } from "./ports.ts";
import { redact } from "./redact.ts";
import { cleanText } from "./text.ts";

export const NAME_MAX = 60;
export const TRAIT_MAX = 80;
const CITY_MAX = 80;
/** A chip number with blanks and punctuation. */
export const CHIP_TEXT_MAX = 40;
export const DESCRIPTION_MAX = 2_000;
export const PHOTOS_MAX = 6;
const PHOTO_URL_MAX = 2_000;
const EVENT_DATE_FIRST = "2000-01-01";

/** What a person may write about the animal. The confirmation page offers these again. */
const told = {
  name: z.string().max(NAME_MAX).describe("The animal's name").optional(),
  breed: z.string().max(TRAIT_MAX).describe("Breed or look, free text").optional(),
  color: z.string().trim().min(1).max(TRAIT_MAX).describe("Colours and markings, free text"),
  size: z.enum(SIZES).optional(),
  sex: z.enum(SEXES).optional(),
  age: z.enum(AGES).optional(),
  description: z
    .string()
    .max(DESCRIPTION_MAX)
    .describe(
      "What helps to recognise the animal; public, so contact details and links are removed",
    )
    .optional(),
  eventDate: dateField
    .describe("Day it was lost or found, YYYY-MM-DD; today when absent")
    .optional(),
  custody: z
    .enum(CUSTODIES)
    .describe("Where a found animal is now; for found alerts only")
    .optional(),
};

/** Publishing an alert. */
export const publishInput = z.object({
  type: z.enum(ALERT_TYPES).describe("lost: its owner misses it; found: someone has or saw it"),
  species: z.enum(SPECIES),
  color: told.color,
  lat: latField.describe(
    "Where it was lost or found: latitude in degrees; kept rounded to about 1 km",
  ),
  lng: lngField.describe(
    "Where it was lost or found: longitude in degrees; kept rounded to about 1 km",
  ),
  email: emailField.describe(
    "The owner's e-mail address: gets the confirmation letter; never shown to anyone",
  ),
  name: told.name,
  breed: told.breed,
  size: told.size,
  sex: told.sex,
  age: told.age,
  description: told.description,
  eventDate: told.eventDate,
  custody: told.custody,
  microchip: z
    .string()
    .max(CHIP_TEXT_MAX, { abort: true })
    .refine((text) => chipNumber(text) !== null, because("chip"))
    .describe(
      "Microchip number, 9, 10 or 15 characters; never published, kept as a keyed hash for matching",
    )
    .optional(),
  city: z.string().max(CITY_MAX).describe("Town; the nearest one when absent").optional(),
  countryCode: z
    .string()
    .refine((text) => /^[A-Za-z]{2}$/.test(text), because("country"))
    .describe("Country, ISO 3166-1 alpha-2; the nearest town's when absent")
    .optional(),
  photoUrls: z
    .array(z.string().max(PHOTO_URL_MAX))
    .max(PHOTOS_MAX)
    .describe(
      `https addresses of up to ${PHOTOS_MAX} photos, the best first; each is fetched once and kept here without its metadata`,
    )
    .optional(),
  language: languageField.optional(),
});
export type PublishInput = z.infer<typeof publishInput>;

/** What the owner may change on the confirmation page. Absent: as it is. */
export const correctionInput = z.object({
  ...told,
  color: told.color.optional(),
  lat: latField.optional(),
  lng: lngField.optional(),
  /** Names of kept pictures, all that the alert shall show, the best first. */
  photos: z.array(z.string().max(64)).max(PHOTOS_MAX).optional(),
});
export type Correction = z.infer<typeof correctionInput>;

/** What was taken out of public text, for telling the writer. */
export type Removed = { readonly field: string; readonly kinds: readonly string[] };

export type Birth = { readonly draft: AlertDraft; readonly removed: readonly Removed[] };

/**
 * The alert a publication will become: position snapped (the exact one goes no further), text cleaned, town looked
 * up, names drawn. Throws `bad_input` for a date that cannot be or text of which nothing is left.
 */
export function birth(
  input: PublishInput,
  now: number,
  from: { readonly dice: Dice; readonly gazetteer: Gazetteer; readonly vault: Vault },
  photos: readonly string[] = [],
): Birth {
  const point = snap(input.lat, input.lng);
  const nearest = from.gazetteer.nearest(point);
  const countryCode = input.countryCode?.toUpperCase() ?? nearest.countryCode;
  const { about, removed } = describe(input, {
    countryCode,
    nearestTown: nearest.name,
    nearestCountry: nearest.countryCode,
    now,
  });
  const code = shortCode((count) => from.dice.bytes(count));
  const chip = input.microchip === undefined ? null : chipNumber(input.microchip);
  const draft: AlertDraft = {
    id: from.dice.id(),
    slug: slugOf(about, code),
    shortCode: code,
    ...about,
    point,
    photos,
    chipHash: chip === null ? null : from.vault.mark("chip", chip),
  };
  return { draft, removed };
}

/**
 * The alert as its owner wants it after a second look: same code, text cleaned again, the slug made anew. A new place
 * is snapped and has the town that lies nearest. Throws `bad_input`.
 */
export function corrected(
  draft: AlertDraft,
  correction: Correction,
  now: number,
  gazetteer: Gazetteer,
): Birth {
  const point = correctedPoint(draft.point, correction);
  const isMoved = point.lat !== draft.point.lat || point.lng !== draft.point.lng;
  const nearest = gazetteer.nearest(point);
  const city = isMoved ? nearest.name : draft.city;
  const countryCode = isMoved ? nearest.countryCode : draft.countryCode;
  const merged = {
    type: draft.type,
    species: draft.species,
    color: correction.color ?? draft.color,
    name: correction.name ?? draft.name ?? undefined,
    breed: correction.breed ?? draft.breed,
    size: correction.size ?? draft.size,
    sex: correction.sex ?? draft.sex,
    age: correction.age ?? draft.age,
    description: correction.description ?? draft.description ?? undefined,
    eventDate: correction.eventDate ?? draft.eventDate,
    custody: correction.custody ?? draft.custody ?? undefined,
    city,
  };
  const { about, removed } = describe(merged, {
    countryCode,
    nearestTown: city,
    nearestCountry: nearest.countryCode,
    now,
  });
  const photos = correction.photos ?? draft.photos;
  // A name that was taken back must not live on in the address.
  const slug = slugOf(about, draft.shortCode);
  return { draft: { ...draft, ...about, point, photos, slug }, removed };
}

function correctedPoint(point: Point, correction: Correction): Point {
  const told = pointIn(correction);
  return told === undefined ? point : snap(told.lat, told.lng);
}

type Telling = Omit<
  PublishInput,
  "lat" | "lng" | "email" | "microchip" | "countryCode" | "photoUrls" | "language"
>;

function describe(
  telling: Telling,
  where: Where & { readonly now: number },
): { about: Description; removed: Removed[] } {
  const removed: Removed[] = [];
  const cleaned = (field: string, text: string | undefined, multiline = false): string | null => {
    if (text === undefined) return null;
    const found = redactHere(cleanText(text, { multiline }), where);
    if (found.removed.length > 0) removed.push({ field, kinds: found.removed });
    // What stands for a removed part may be longer than the part was.
    const kept = found.text.slice(0, LENGTH_MAX[field] ?? TRAIT_MAX).trim();
    return kept === "" ? null : kept;
  };

  const color = cleaned("color", telling.color);
  if (color === null) throw badInput([{ field: "color", reason: { kind: "empty" } }]);
  if (telling.custody !== undefined && telling.type === "lost") {
    throw badInput([{ field: "custody", reason: { kind: "found_only" } }]);
  }
  const about: Description = {
    type: telling.type,
    species: telling.species,
    name: cleaned("name", telling.name),
    breed: cleaned("breed", telling.breed) ?? "unknown",
    color,
    size: telling.size ?? "unknown",
    sex: telling.sex ?? "unknown",
    age: telling.age ?? "unknown",
    description: cleaned("description", telling.description, true),
    eventDate: eventDate(telling.eventDate, where.now),
    custody: telling.type === "lost" ? null : (telling.custody ?? "unknown"),
    city: cleaned("city", telling.city) ?? where.nearestTown,
    countryCode: where.countryCode,
  };
  return { about: withoutSplitContact(about, where, removed), removed };
}

type Where = {
  readonly countryCode: string;
  readonly nearestCountry: string;
  readonly nearestTown: string;
};

/** Numbers are read as both countries write them: the one the caller names, and the one the place lies in. */
function redactHere(text: string, where: Where): { text: string; removed: string[] } {
  const named = redact(text, { countryCode: where.countryCode });
  if (where.nearestCountry === where.countryCode)
    return { text: named.text, removed: named.removed };
  const there = redact(named.text, { countryCode: where.nearestCountry });
  return { text: there.text, removed: [...new Set([...named.removed, ...there.removed])] };
}

/** The short texts stand side by side in titles and addresses: what only together is a contact detail goes whole. */
function withoutSplitContact(about: Description, where: Where, removed: Removed[]): Description {
  const short = [about.name ?? "", about.breed, about.color, about.city];
  const inOrders = [
    short,
    [about.name ?? "", about.city],
    [about.color, about.city],
    [about.breed, about.color],
  ];
  const kinds = inOrders.flatMap((parts) => redactHere(parts.join(" "), where).removed);
  if (kinds.length === 0) return about;
  for (const field of ["name", "breed", "color", "city"])
    removed.push({ field, kinds: [...new Set(kinds)] });
  return { ...about, name: null, breed: "unknown", color: "unknown", city: where.nearestTown };
}

const LENGTH_MAX: Readonly<Record<string, number>> = {
  name: NAME_MAX,
  description: DESCRIPTION_MAX,
  city: CITY_MAX,
};

function eventDate(told: string | undefined, now: number): string {
  if (told === undefined) return isoDate(now);
  // A day of grace: it is already tomorrow in Auckland.
  if (told > isoDate(now + DAY_MS))
    throw badInput([{ field: "eventDate", reason: { kind: "future" } }]);
  if (told < EVENT_DATE_FIRST)
    throw badInput([
      { field: "eventDate", reason: { kind: "too_early", first: EVENT_DATE_FIRST } },
    ]);
  return told;
}

/**
 * A microchip number without blanks and punctuation, in upper case; null when it is none.
 * 15 digits: ISO 11784/11785, beginning with a country (ISO 3166 numeric, up to 894) or a maker (900 to 998). 9 digits: older FECAVA/Trovan and AVID. 10 characters: older encodings with letters.
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
