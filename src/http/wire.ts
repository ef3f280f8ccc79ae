import { remembering } from "../core/remembering.ts";
import { z } from "zod";
import {
  AGES,
  ALERT_TYPES,
  CUSTODIES,
  type PublicAlert,
  SEXES,
  SIZES,
  SPECIES,
} from "../core/alert.ts";
import type { Matches } from "../core/matching.ts";

/** A timestamp as the interface writes it: ISO 8601, UTC, milliseconds. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}

/** An alert as JSON: exactly the fields of the specification, then those of the house, in this order. */
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

/** For `etag`: without these, other sites' scripts may not read the answer they hold already. */
export const KEPT_WITH_304 = {
  retainedHeaders: [
    "cache-control",
    "date",
    "etag",
    "vary",
    "access-control-allow-origin",
    "access-control-expose-headers",
  ],
};

/** `radiusKm` -> `radius_km`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `radius_km` -> `radiusKm`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Whether a name is in the wire's case. */
export function isWireName(name: string): boolean {
  return snakeCase(camelCase(name)) === name && !/[A-Z]/.test(name);
}

/** An object's own keys from the wire's case to ours, values as they are. A key in another case is no key of ours. */
export function fromWire(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const ours: [string, unknown][] = [];
  for (const [name, value] of Object.entries(raw)) {
    const known = ourName(name);
    if (known !== null) ours.push([known, value]);
  }
  return Object.fromEntries(ours);
}

/** Nearly all requests speak in the same few names. */
const NAMES_KEPT = 100;
const ourName = remembering(NAMES_KEPT, (name) => (isWireName(name) ? camelCase(name) : null));

const text = z.string();
const enumOf = <const Values extends readonly string[]>(values: Values) => z.enum(values);

/** The alert object of the interface, for lists of tools and API descriptions. */
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
  photos: z.array(text).describe("Addresses of images"),
  url: text,
  contact_url: text.describe("Page on which the owner can be written to"),
  qr_url: text.describe("PNG of the short link, for posters"),
  description: text.nullable(),
  sex: enumOf(SEXES),
  age: enumOf(AGES),
  event_date: text.describe("Day it was lost or found"),
  custody: enumOf(CUSTODIES).nullable().describe("Where a found animal is"),
  published_at: text,
  updated_at: text,
  expires_at: text,
  distance_km: z.number().optional().describe("From the centre of the search"),
});

/** A page of the search. */
export const alertPageSchema = z.object({
  alerts: z.array(alertSchema),
  next_cursor: text
    .nullable()
    .describe("The cursor of the page that follows; null on the last page"),
});

/** What searches by tool tell of an alert: enough to choose by. */
export const summarySchema = alertSchema
  .pick({
    id: true,
    slug: true,
    short_code: true,
    alert_type: true,
    status: true,
    pet_type: true,
    pet_name: true,
    breed: true,
    color: true,
    size: true,
    city: true,
    country_code: true,
    latitude: true,
    longitude: true,
    distance_km: true,
    event_date: true,
    published_at: true,
    url: true,
  })
  .extend({ photo: text.nullable() });

/** The answer to a question for matches. */
export const matchesSchema = z.object({
  alert: alertSchema,
  matches: z.array(
    z.object({
      alert: alertSchema,
      score: z.number().int().describe("Probability in percent that both are the same animal"),
      high_confidence: z.boolean().describe("40 and more"),
      reasons: z
        .array(text)
        .describe("For and against, strongest first; last, what could not be compared"),
    }),
  ),
  compared: z.number().int().describe("Alerts of the other kind near enough in place and time"),
});

/** Matches as JSON. */
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

export const notesSchema = z.array(text).optional().describe("What was left out or removed");

/** The answer to every write by tool. */
export const askedSchema = z.object({
  status: z.literal("pending_confirmation"),
  sent_to: text.describe("The address, masked"),
  expires_at: text.describe("Until when it can be confirmed"),
  next_step: text,
  notes: notesSchema,
});

/** An alert as a search by tool tells it. */
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
    ...kept
  } = alertToWire(alert);
  return { ...kept, photo: photos[0] ?? null };
}

/** A schema of ours as JSON Schema in the wire's case. */
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
