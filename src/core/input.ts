import { z } from "zod";
import {
  Fault,
  type FieldFault,
  fieldInEnglish,
  type FieldReason,
  type PlainFieldReason,
} from "./fault.ts";
import { LANGUAGES } from "../messages/languages.ts";
import type { Point } from "../values/point.ts";

/** Parameter of a `refine` issue that holds its reason. */
const REASON = "reason";

/** Maximum length of an email address (RFC 5321, 4.5.3.1.3, without the angle brackets). */
export const EMAIL_MAX = 254;

/** Telephone number as people write it, of at most 40 characters. */
export const PHONE_NUMBER = /^\+?[\d(][\d\s()./-]{1,38}$/;

// Fields shared by several inputs. Formats are checked in code, because regular expressions bloat tool descriptions.

export const latField = z.number().min(-90).max(90).describe("Latitude in degrees (WGS 84)");
export const lngField = z.number().min(-180).max(180).describe("Longitude in degrees (WGS 84)");
/** Language of a request. */
export const languageField = z.enum(LANGUAGES).describe("Of the emails, en when absent");
export const emailField = z
  .string()
  .max(EMAIL_MAX, { abort: true })
  .refine((text) => mailbox(text) !== null, withReason("email"));
const ORGANISATION_SLUG_MAX = 40;
const ORGANISATION_SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Slug of an organisation, as in the address of its page. */
export const organisationSlug = z
  .string()
  .max(ORGANISATION_SLUG_MAX, { abort: true })
  .refine((text) => ORGANISATION_SLUG.test(text), withReason("slug"));
export const countryCodeField = z
  .string()
  .refine((text) => /^[A-Za-z]{2}$/.test(text), withReason("country"));
/** Length of "11:59:59.000 p.m.". */
const CLOCK_TEXT_MAX = 17;
/** Length of a timestamp with offset and nanoseconds. */
export const TIME_MAX = 35;
/** Time of a day, "13:20"; "" stands for an unknown one. */
export const clockField = z
  .string()
  .max(CLOCK_TEXT_MAX, { abort: true })
  .refine((text) => text === "" || clockTime(text) !== null, withReason("clock"));
/** Time for programs, which need not name a zone. */
export const lenientTimeField = z
  .string()
  .max(TIME_MAX, { abort: true })
  .refine((text) => lenientTimestamp(text) !== null, withReason("time"));

/** Error of a `refine`, with its reason. */
export function withReason(kind: PlainFieldReason) {
  return { params: { [REASON]: { kind } satisfies FieldReason } };
}

/**
 * Parses an input by its schema. Strings with a decimal number are accepted for number fields, because URLs and many
 * clients only send text; anything else is left to the schema, so "" never becomes 0. Throws `bad_input` with every
 * invalid field.
 */
export function parse<Schema extends z.ZodObject>(
  schema: Schema,
  raw: Readonly<Record<string, unknown>>,
  problems: readonly FieldProblem[] = [],
): z.infer<Schema> {
  const known: Record<string, unknown> = {};
  for (const { name, isNumber } of fieldsOf(schema)) {
    if (Object.hasOwn(raw, name)) known[name] = isNumber ? numberFrom(raw[name]) : raw[name];
  }
  const parsed = schema.safeParse(known, { reportInput: true });
  if (parsed.success && problems.length === 0) return parsed.data;
  const invalid = parsed.error?.issues.map((issue) => ({
    field: issue.path.map(String).join("."),
    reason: reasonOf(issue),
  }));
  throw badInput([...(invalid ?? []), ...problems]);
}

/** Point of an input, or undefined. Throws `bad_input` if only one coordinate is given. */
export function pointIn({
  lat,
  lng,
}: {
  readonly lat?: number | undefined;
  readonly lng?: number | undefined;
}): Point | undefined {
  if (lat !== undefined && lng !== undefined) return { lat, lng };
  if (lat === undefined && lng === undefined) return undefined;
  const field = lat === undefined ? "lat" : "lng";
  throw badInput([{ field, reason: { kind: "half_position" } }]);
}

/** Invalid field, and what is wrong with it. */
export type FieldProblem = Omit<FieldFault, "message">;

/** Fault `bad_input` with a sentence about all fields. */
export function badInput(invalid: readonly FieldProblem[]): Fault {
  const fields = invalid.map((field) => ({ ...field, message: fieldInEnglish(field.reason) }));
  const sentences = fields.map(({ field, message }) =>
    field === "" ? message : `${field} ${message}`,
  );
  return new Fault("bad_input", `${sentences.join("; ")}.`, { fields });
}

const DECIMAL = /^-?(?:\d{1,15}(?:\.\d{1,20})?|\.\d{1,20})$/;

function numberFrom(value: unknown): unknown {
  return typeof value === "string" && DECIMAL.test(value) ? Number(value) : value;
}

type InputField = { readonly name: string; readonly isNumber: boolean };
/** Fields by schema: inspecting a schema takes ten times as long as parsing an input. */
const fieldsBySchema = new WeakMap<z.ZodObject, readonly InputField[]>();

function fieldsOf(schema: z.ZodObject): readonly InputField[] {
  const known = fieldsBySchema.get(schema);
  if (known !== undefined) return known;
  const fields = Object.entries(schema.shape).map(([name, field]) => {
    const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
    return { name, isNumber: inner instanceof z.ZodNumber };
  });
  fieldsBySchema.set(schema, fields);
  return fields;
}

/** Reason of an issue of a schema that reports its input. */
export function reasonOf(issue: z.core.$ZodIssue): FieldReason {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? { kind: "missing" } : typeReason(issue.expected);
    case "invalid_value":
      return { kind: "choice", options: issue.values.map(String) };
    case "too_small":
      if (issue.origin === "string") return { kind: "empty" };
      return { kind: issue.inclusive ? "at_least" : "more_than", limit: Number(issue.minimum) };
    case "too_big": {
      const limit = Number(issue.maximum);
      if (issue.origin === "string") return { kind: "longest", limit };
      return { kind: issue.origin === "array" ? "most_entries" : "at_most", limit };
    }
    case "custom":
      return issue.params?.[REASON] ?? { kind: "not_valid" };
    default:
      return { kind: "not_valid" };
  }
}

function typeReason(expected: string): FieldReason {
  switch (expected) {
    case "int":
      return { kind: "whole_number" };
    case "number":
      return { kind: "number" };
    default:
      return { kind: "other_type", expected };
  }
}

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const DOMAIN_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Email address in a text, its domain in lower case and ASCII; null unless the text is exactly one address. Stricter
 * than RFC 5321: no quotes, comments or address literals, and only ASCII before the @.
 */
export function mailbox(text: string): string | null {
  const trimmed = text.trim();
  const at = trimmed.indexOf("@");
  if (trimmed.length > EMAIL_MAX || at < 1 || at > 64 || /[\s\p{C}]/u.test(trimmed)) return null;
  const local = trimmed.slice(0, at);
  const domain = asciiDomain(trimmed.slice(at + 1));
  if (domain === null || !LOCAL_PART.test(local)) return null;
  const labels = domain.split(".");
  const top = labels.at(-1) ?? "";
  const fits = labels.length >= 2 && /^(?:[a-z]{2,}|xn--[a-z0-9-]+)$/.test(top);
  return fits && labels.every((label) => DOMAIN_LABEL.test(label)) ? `${local}@${domain}` : null;
}

function asciiDomain(domain: string): string | null {
  if (/^[a-z0-9.-]+$/i.test(domain)) return domain.toLowerCase();
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return null;
  const url = URL.parse(`http://${domain}`);
  return url === null ? null : url.hostname;
}

/** Address to which emails are sent, from text that has passed `emailField`. */
export function recipient(email: string): string {
  const address = mailbox(email);
  if (address === null) throw new Error("the schema accepts email addresses only");
  return address;
}

/** Masked address, `a…@e…`: its owner can recognise it, others learn nothing. */
export function maskedMailbox(address: string): string {
  const [local = "", domain = ""] = address.split("@");
  return `${local.slice(0, 1)}…@${domain.slice(0, 1)}…`;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/i;

/** True for a calendar day, YYYY-MM-DD. */
export function isDate(text: string): boolean {
  const parts = DATE.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number);
  const time = Date.UTC(year ?? 0, (month ?? 0) - 1, day ?? 0);
  return isoDate(time) === text;
}

/** Milliseconds since 1970 UTC of a date (its start) or of an ISO 8601 timestamp with offset; otherwise null. */
export function timestamp(text: string): number | null {
  if (isDate(text)) return Date.parse(`${text}T00:00:00Z`);
  if (!TIME.test(text) || !isDate(text.slice(0, 10))) return null;
  const time = Date.parse(text.toUpperCase());
  return Number.isNaN(time) ? null : time;
}

/**
 * Milliseconds since 1970 UTC of a time as programs write it: a date or timestamp, a month ("2026-11"), a timestamp without
 * zone (UTC), or seconds or milliseconds since 1970; otherwise null.
 */
export function lenientTimestamp(text: string): number | null {
  if (MONTH.test(text)) return timestamp(`${text}-01`);
  const spaced = text.replace(" ", "T");
  return epochTime(text) ?? timestamp(spaced) ?? timestamp(`${spaced}Z`);
}
export const MONTH = /^\d{4}-\d{2}$/;

/** Milliseconds since 1970 UTC of seconds or milliseconds since then; otherwise null. */
export function epochTime(text: string): number | null {
  if (/^\d{9,10}$/.test(text)) return Number(text) * 1000;
  return /^\d{12,13}$/.test(text) ? Number(text) : null;
}

const CLOCK =
  /^(?<hour>\d{1,2})(?:\s?[:.h]\s?(?:(?<minute>\d{2})(?::\d{2}(?:\.\d{1,3})?)?)?)?\s?(?:(?<half>[ap])\.?m\.?)?$/i;

/** Time of day, HH:MM, in a text such as "13:20", "9", "13 h 20" or "1:20 pm"; otherwise null. Seconds are left out. */
export function clockTime(text: string): string | null {
  const { hour = "", minute = "0", half } = CLOCK.exec(text.trim())?.groups ?? {};
  const given = Number(hour || NaN);
  const isHalfDay = half !== undefined;
  if (isHalfDay && (given < 1 || given > 12)) return null;
  const hours = isHalfDay ? (given % 12) + (half?.toLowerCase() === "p" ? 12 : 0) : given;
  if (!(hours <= 23 && Number(minute) <= 59)) return null;
  return `${String(hours).padStart(2, "0")}:${minute.padStart(2, "0")}`;
}

/** Day of a time, YYYY-MM-DD in UTC. */
export function isoDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
