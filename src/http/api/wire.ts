import { z } from "zod";
import {
  AGES,
  ALERT_TYPES,
  CUSTODIES,
  type PublicAlert,
  SEXES,
  SIZES,
  SPECIES,
} from "../../core/alerts/alert.ts";
import { memoize } from "../../core/memoize.ts";
import type { Matches } from "../../core/matching/find-matches.ts";

/** Timestamp of the interface: ISO 8601, UTC, milliseconds. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}

/** Alert of the interface: the fields of the specification, then our additions, in this order. */
export function alertToWire(alert: PublicAlert): z.infer<typeof alertSchema> {
  return {
    id: alert.id,
    slug: alert.slug,
    short_code: alert.shortCode,
    alert_type: alert.type,
    status: alert.status,
    pet_type: alert.species,
    pet_name: alert.name,
    breed: alert.breed,
    color: alert.color,
    size: alert.size,
    city: alert.city,
    country_code: alert.countryCode,
    latitude: alert.lat,
    longitude: alert.lng,
    photos: [...alert.photos],
    url: alert.url,
    contact_url: alert.contactUrl,
    qr_url: alert.qrUrl,
    description: alert.description,
    sex: alert.sex,
    age: alert.age,
    event_date: alert.eventDate,
    custody: alert.custody,
    published_at: isoTime(alert.publishedAt),
    updated_at: isoTime(alert.updatedAt),
    expires_at: isoTime(alert.expiresAt),
  };
}

/** Alert in the results of search_alerts. */
export function summaryToWire(alert: PublicAlert): z.infer<typeof summarySchema> {
  const {
    photos,
    contact_url: _contactUrl,
    qr_url: _qrUrl,
    description: _description,
    sex: _sex,
    age: _age,
    custody: _custody,
    updated_at: _updatedAt,
    expires_at: _expiresAt,
    ...summary
  } = alertToWire(alert);
  return { ...summary, photo: photos[0] ?? null };
}

/** `radiusKm` -> `radius_km`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `radius_km` -> `radiusKm`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** True for a name in snake_case. */
export function isWireName(name: string): boolean {
  return snakeCase(camelCase(name)) === name && !/[A-Z]/.test(name);
}

/** Object with its keys in camelCase and its values unchanged. Keys that are not in snake_case are dropped. */
export function fromWire(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(raw)) {
    const ownName = camelCaseIfWire(name);
    if (ownName !== null) entries.push([ownName, value]);
  }
  return Object.fromEntries(entries);
}

/** Nearly all requests use the same few names. */
const NAMES_MEMOIZED_MAX = 100;
const camelCaseIfWire = memoize(NAMES_MEMOIZED_MAX, (name) =>
  isWireName(name) ? camelCase(name) : null,
);

const text = z.string();
const enumOf = <const Values extends readonly string[]>(values: Values) => z.enum(values);

/** Schema of an alert, for the tool list and the API description. */
export const alertSchema = z.object({
  id: text.describe("UUID"),
  slug: text,
  short_code: text.describe("Six characters, as on posters"),
  alert_type: enumOf(ALERT_TYPES),
  status: enumOf(["active", "resolved", "expired"]),
  pet_type: enumOf(SPECIES),
  pet_name: text.nullable(),
  breed: text,
  color: text,
  size: enumOf(SIZES),
  city: text,
  country_code: text.describe("ISO 3166-1 alpha-2"),
  latitude: z.number().describe("Rounded to about 1 km"),
  longitude: z.number().describe("Rounded to about 1 km"),
  photos: z.array(text).describe("URLs of images"),
  url: text,
  contact_url: text.describe("Page for writing to the owner"),
  qr_url: text.describe("PNG of the short link, for posters"),
  description: text.nullable(),
  sex: enumOf(SEXES),
  age: enumOf(AGES),
  event_date: text.describe("Day the animal was lost or found"),
  custody: enumOf(CUSTODIES).nullable().describe("Where a found animal is"),
  published_at: text,
  updated_at: text,
  expires_at: text,
  distance_km: z.number().optional().describe("From the centre of the search"),
});

/** Schema of a page of alerts. */
export const alertPageSchema = z.object({
  alerts: z.array(alertSchema),
  next_cursor: text.nullable().describe("Cursor of the next page; null on the last page"),
});

/** Schema of an alert in the results of search_alerts: enough to choose by. */
export const summarySchema = alertSchema
  .omit({
    photos: true,
    contact_url: true,
    qr_url: true,
    description: true,
    sex: true,
    age: true,
    custody: true,
    updated_at: true,
    expires_at: true,
  })
  .extend({ photo: text.nullable() });

/** Schema of possible matches. */
export const matchesSchema = z.object({
  alert: alertSchema,
  matches: z.array(
    z.object({
      alert: alertSchema,
      score: z.number().int().describe("Probability in percent that both are the same animal"),
      high_confidence: z.boolean().describe("Score of 40 or more"),
      reasons: z
        .array(text)
        .describe("Evidence for and against, strongest first, then what could not be compared"),
    }),
  ),
  compared: z.number().int().describe("Alerts of the other type, close enough in place and time"),
});

/** Matches of the interface. */
export function matchesToWire({
  alert,
  matches,
  compared,
}: Matches): z.infer<typeof matchesSchema> {
  return {
    alert: alertToWire(alert),
    matches: matches.map((match) => ({
      alert: alertToWire(match.alert),
      score: match.score,
      high_confidence: match.highConfidence,
      reasons: [...match.reasons],
    })),
    compared,
  };
}

export const notesSchema = z.array(text).optional().describe("Values that were removed or ignored");

/** Schema of the result of a tool that writes. */
export const receiptSchema = z.object({
  status: z.literal("pending_confirmation"),
  sent_to: text.describe("E-mail address, masked"),
  expires_at: text.describe("Deadline for confirmation"),
  next_step: text,
  notes: notesSchema,
});

/** JSON Schema of a zod object, with snake_case names. */
export function toWireSchema(schema: z.ZodObject, io: "input" | "output") {
  const { $schema: _dialect, properties = {}, required, ...rest } = z.toJSONSchema(schema, { io });
  return {
    ...rest,
    type: "object" as const,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [snakeCase(name), value as object]),
    ),
    ...(required === undefined ? {} : { required: required.map(snakeCase) }),
  };
}
