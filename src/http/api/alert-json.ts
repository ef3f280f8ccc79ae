import { z } from "zod";
import type { JsonFragments } from "../middleware/response-headers.ts";
import { type PublicAlert } from "../../core/alerts/alert.ts";
import { eachField, type FieldName, FIELDS, fieldsWhere } from "../../core/alerts/fields.ts";
import { camelCase, snakeCase } from "../middleware/field-names.ts";
import type { AlertMatches } from "../../core/matches/find-matches.ts";
import type { SearchPage } from "../../core/alerts/search.ts";
import { ALERT_TYPES, SPECIES } from "../../values/animal.ts";

/** Timestamp of the interface: ISO 8601, UTC, milliseconds. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}

/** Size of alerts in a result: a summary, or all their fields. */
export const DETAILS = ["concise", "full"] as const;
export type Detail = (typeof DETAILS)[number];

const text = z.string();
const uri = text.meta({ format: "uri" });
const time = text.meta({ format: "date-time" });
const enumOf = <const Values extends readonly string[]>(values: Values) => z.enum(values);
/** Schemas of the fields that publishers fill in. */
const fields = eachField<{ readonly [Name in FieldName]: (typeof FIELDS)[Name]["output"] }>(
  (_, { output }) => output,
);

/** Schema of an alert, for the tool list and the API description: the fields of the specification, then our additions. */
export const alertSchema = z.object({
  id: text.meta({ format: "uuid" }).describe("UUID"),
  slug: text,
  short_code: text,
  alert_type: enumOf(ALERT_TYPES),
  status: enumOf(["active", "resolved", "expired"]),
  pet_type: enumOf(SPECIES),
  pet_name: fields.name,
  breed: fields.breed,
  color: fields.color,
  size: fields.size,
  city: text,
  country_code: text.describe("ISO 3166-1 alpha-2"),
  latitude: z.number().describe("Rounded to about 1 km"),
  longitude: z.number().describe("Rounded to about 1 km"),
  photos: z.array(uri),
  url: uri,
  contact_url: uri.describe("Page for writing to the owner"),
  qr_url: uri.describe("PNG for posters"),
  description: fields.description,
  sex: fields.sex,
  age: fields.age,
  event_date: fields.eventDate.meta({ format: "date" }),
  custody: fields.custody,
  published_at: time,
  updated_at: time,
  expires_at: time,
  landmark: fields.landmark,
  event_time: fields.eventTime,
  district: text.nullable().describe("Quarter or village of the city"),
  organisation: z.object({ name: text, url: uri }).nullable().describe("Shelter that published it"),
  collar: fields.collar,
  distance_km: z.number().optional().describe("From the centre of the search"),
});
type WireAlert = Omit<z.infer<typeof alertSchema>, "distance_km">;

/** Members that are not one of our fields in snake_case. */
const READERS: Readonly<Record<string, (alert: PublicAlert) => unknown>> = {
  alert_type: ({ type }) => type,
  pet_type: ({ species }) => species,
  pet_name: ({ name }) => name,
  latitude: ({ lat }) => lat,
  longitude: ({ lng }) => lng,
  published_at: ({ publishedAt }) => isoTime(publishedAt),
  updated_at: ({ updatedAt }) => isoTime(updatedAt),
  expires_at: ({ expiresAt }) => isoTime(expiresAt),
  organisation: ({ organisation }) =>
    organisation && { name: organisation.name, url: organisation.url },
};
const MEMBERS = Object.keys(alertSchema.omit({ distance_km: true }).shape).map((member) => {
  const name = camelCase(member) as keyof PublicAlert;
  return [member, READERS[member] ?? ((alert: PublicAlert) => alert[name])] as const;
});

/** Alert of the interface, its members in the order of the schema. */
export function alertToWire(alert: PublicAlert): WireAlert {
  const wire: Record<string, unknown> = {};
  for (const [member, read] of MEMBERS) wire[member] = read(alert);
  return wire as WireAlert;
}

/** Schema of a page of alerts. */
export const alertPageSchema = z.object({
  alerts: z.array(alertSchema),
  next_cursor: text
    .nullable()
    .describe(
      "Cursor of the next page; null on the last page. With sort=newest the published_at of the last alert, with sort=nearest opaque",
    ),
});

/** Members that summaries leave out. */
const LEFT_OUT = [
  "photos",
  "contact_url",
  "qr_url",
  "updated_at",
  "expires_at",
  "organisation",
].concat(fieldsWhere(({ isInSummary }) => !isInSummary).map(snakeCase));

const SUMMARY = MEMBERS.filter(([member]) => !LEFT_OUT.includes(member));

/** Alert in the results of search_alerts and find_matches: enough to choose by. */
export function summaryToWire(alert: PublicAlert) {
  const summary: Record<string, unknown> = {};
  for (const [member, read] of SUMMARY) summary[member] = read(alert);
  return { ...summary, photo: alert.photos[0] ?? null };
}

/** Schema of a possible match. */
export const matchSchema = z.object({
  alert: alertSchema,
  score: z.number().int().describe("Probability in percent"),
  high_confidence: z.boolean().describe("Score of 40 or more"),
  summary: text.describe("For and against in a sentence"),
  copied: z
    .boolean()
    .optional()
    .describe("True if the find repeats the lost alert: its score proves nothing"),
  ask: text.nullable().describe("What to ask the other side"),
  reasons: z.array(text).describe("Strongest first, then what could not be compared"),
});

/** Schema of possible matches. */
export const matchesSchema = z.object({
  alert: alertSchema,
  matches: z.array(matchSchema),
  compared: z.number().int().describe("Alerts near enough in place and time"),
});

/** Matches of the interface, with alerts as `toWire` shows them. */
export function matchesToWire<Wire>(
  { alert, matches, compared }: AlertMatches,
  toWire: (alert: PublicAlert) => Wire,
) {
  return {
    alert: toWire(alert),
    matches: matches.map((match) => ({
      alert: toWire(match.alert),
      score: match.score,
      high_confidence: match.highConfidence,
      ...(match.isCopy && { copied: true }),
      summary: match.summary,
      ask: match.ask,
      reasons: [...match.reasons],
    })),
    compared,
  };
}

type Bytes = Uint8Array<ArrayBuffer>;
const encoder = new TextEncoder();

/** JSON of an alert without its closing brace, so that the distance can be appended. */
export type OpenAlertJson = Bytes;

export function openAlertJson(alert: PublicAlert): OpenAlertJson {
  return encoder.encode(JSON.stringify(alertToWire(alert)).slice(0, -1));
}

/** JSON of an alert. */
export function alertJson(alert: OpenAlertJson): JsonFragments {
  return [alert, "}"];
}

/** JSON of a page of alerts. */
export function pageJson({ alerts, nextCursor }: SearchPage<OpenAlertJson>): JsonFragments {
  const rows = alerts.flatMap(({ alert, distanceKm }, index) => [
    index === 0 ? "" : ",",
    alert,
    distanceKm === null ? "}" : `,"distance_km":${distanceKm}}`,
  ]);
  return ['{"alerts":[', ...rows, `],"next_cursor":${JSON.stringify(nextCursor)}}`];
}

/** JSON of an alert in the results of search_alerts. */
export function rowJson({ alert, distanceKm }: SearchPage["alerts"][number], detail: Detail) {
  const distance = distanceKm === null ? "" : `,"distance_km":${distanceKm}`;
  return `${OPEN_ROWS[detail](alert)}${distance}}`;
}

/** Rows without their closing brace, so that the distance can be appended. */
const OPEN_ROWS = {
  concise: cachedPerAlert((alert) => JSON.stringify(summaryToWire(alert)).slice(0, -1)),
  full: cachedPerAlert((alert) => {
    const photo = alert.photos[0] ?? null;
    return JSON.stringify({ ...alertToWire(alert), photo }).slice(0, -1);
  }),
};

/**
 * Most tokens of a page for a model, and the bytes of JSON that make one: 2.8 to 4.9 in texts of eight languages, 1.9 in
 * random letters (o200k_base).
 */
const PAGE_TOKENS_MAX = 20_000;
const BYTES_PER_TOKEN = 2.7;

/** Number of rows of a page, as JSON, that a model can read at once: at least one. */
export function countThatFit(rows: readonly string[]): number {
  let left = PAGE_TOKENS_MAX * BYTES_PER_TOKEN;
  const beyond = rows.findIndex((row) => (left -= Buffer.byteLength(row)) < 0);
  return beyond < 0 ? rows.length : Math.max(1, beyond);
}

/** Caches a result per alert, as long as the alert cache keeps the same object. */
function cachedPerAlert<Result>(
  compute: (alert: PublicAlert) => Result,
): (alert: PublicAlert) => Result {
  const cache = new WeakMap<PublicAlert, Result>();
  return (alert) => {
    const cached = cache.get(alert);
    if (cached !== undefined) return cached;
    const result = compute(alert);
    cache.set(alert, result);
    return result;
  };
}
