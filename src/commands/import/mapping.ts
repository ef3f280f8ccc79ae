import { z } from "zod";
import { AGES, ALERT_TYPES, CUSTODIES, SEXES, SIZES, SPECIES } from "../../core/alert.ts";
import { Fault } from "../../core/fault.ts";
import { visible } from "../visible.ts";
import kingCounty from "./king-county.json" with { type: "json" };

/** Rows that are left out, and why. */
export type Skip = { readonly skip: string };

/** A value for each row: by what a column says, or the same for all. Null column: `values` holds one entry, `*`. */
export type Choice<Value> = {
  readonly column: string | null;
  readonly values: Readonly<Record<string, Value>>;
};

const column = z.string().trim().min(1).max(200);

function choice<Value extends z.ZodType>(value: Value) {
  const byColumn = z.strictObject({
    column: column.nullable(),
    values: z.record(z.string(), value).refine((values) => Object.keys(values).length > 0, {
      error: "must name at least one value",
    }),
  });
  return z.preprocess(
    (raw) => (isChoice(raw) ? raw : { column: null, values: { "*": raw } }),
    byColumn,
  );
}

function isChoice(raw: unknown): boolean {
  return typeof raw === "object" && raw !== null && ("column" in raw || "values" in raw);
}

/** One of these words, or that rows are left out. */
function orSkip<const Words extends readonly string[]>(words: Words) {
  return z.union([z.enum(words), z.strictObject({ skip: z.string().trim().min(1).max(60) })], {
    error: `must be ${words.join(", ")} or {"skip": "the reason"}`,
  });
}

const circle = z.strictObject({
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
  radiusKm: z.number().positive().max(2_000),
});
export type Circle = z.infer<typeof circle>;

/** How to read a shelter's table. The README describes each key. */
const mappingSchema = z.strictObject({
  mapping: z.string().regex(/^[a-z0-9-]{1,40}$/, {
    error: "must be 1 to 40 lower-case letters, digits and hyphens",
  }),
  about: z.string().max(300).optional(),
  id: column,
  type: choice(orSkip(ALERT_TYPES)),
  species: choice(orSkip(SPECIES)),
  date: z.strictObject({
    column,
    format: z.string().refine((format) => hasEachOnce(format, ["YYYY", "MM", "DD"]), {
      error: "must hold YYYY, MM and DD once each, such as MM/DD/YYYY",
    }),
  }),
  country: choice(z.string().regex(/^[A-Z]{2}$/, { error: "must be two capitals, such as US" })),
  city: z.array(column).max(5).default([]),
  latitude: column.optional(),
  longitude: column.optional(),
  near: choice(circle).optional(),
  name: column.optional(),
  breed: column.optional(),
  color: column.optional(),
  colorWords: z.record(z.string(), z.string()).default({}),
  size: choice(z.enum(SIZES)).optional(),
  sex: choice(z.enum(SEXES)).optional(),
  age: z
    .strictObject({
      column,
      values: z.record(z.string(), z.enum(AGES)).default({}),
      babyUnderMonths: z.number().positive().default(6),
      youngUnderMonths: z.number().positive().default(24),
      seniorFromMonths: z.number().positive().default(96),
    })
    .optional(),
  custody: choice(z.enum(CUSTODIES)).optional(),
  description: column.optional(),
  microchip: column.optional(),
  unknown: z.array(z.string()).default([]),
});
export type Mapping = z.infer<typeof mappingSchema>;

function hasEachOnce(format: string, parts: readonly string[]): boolean {
  return parts.every((part) => format.split(part).length === 2);
}

/** The mappings that lie inside the program. */
const INCLUDED: readonly Mapping[] = [readMapping(kingCounty, "king-county")];

/**
 * The mapping an operator names, by an included one's name or by its file; without a name the included one whose
 * columns the table has. Throws `bad_input` with a sentence where there is none, or where it cannot be used.
 */
export async function chooseMapping(
  named: string | null,
  header: readonly string[],
): Promise<Mapping> {
  const has = (name: string) => header.some((one) => one.toLowerCase() === name.toLowerCase());
  const shown = visible(header.join(", ").slice(0, HEADER_SHOWN));
  if (named === null) {
    const fitting = INCLUDED.find((mapping) => columnsOf(mapping).every(has));
    if (fitting !== undefined) return fitting;
    throw new Fault(
      "bad_input",
      `No included mapping fits the columns of this table (${shown}). Describe them in a mapping file and name it with --mapping; the README says how.`,
    );
  }
  const mapping =
    INCLUDED.find(({ mapping }) => mapping === named) ?? (await readMappingFile(named));
  const missing = columnsOf(mapping).filter((name) => !has(name));
  if (missing.length > 0)
    throw new Fault(
      "bad_input",
      `The table has no column ${missing.map((name) => `"${name}"`).join(", ")}, which the mapping ${mapping.mapping} names. Its columns are: ${shown}.`,
    );
  return mapping;
}

const HEADER_SHOWN = 500;

async function readMappingFile(path: string): Promise<Mapping> {
  const included = INCLUDED.map(({ mapping }) => mapping).join(", ");
  const file = Bun.file(path);
  if (!(await file.exists()))
    throw new Fault(
      "bad_input",
      `There is no mapping "${path}": neither an included one (${included}) nor a file.`,
    );
  let raw: unknown;
  try {
    raw = await file.json();
  } catch {
    throw new Fault("bad_input", `The mapping ${path} is not JSON.`);
  }
  return readMapping(raw, path);
}

function readMapping(raw: unknown, from: string): Mapping {
  const parsed = mappingSchema.safeParse(raw, { reportInput: true });
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.flatMap((issue) => inWords(issue, raw));
  throw new Fault("bad_input", `The mapping ${from} cannot be used: ${wrong.join("; ")}.`);
}

type Key = z.core.$ZodIssue["path"][number];

function inWords(issue: z.core.$ZodIssue, raw: unknown): string[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => `${keyInWords([...issue.path, key], raw)} is not a known key`);
  const key = keyInWords(issue.path, raw);
  return [`${key === "" ? "it" : key} ${mendedBy(issue)}`];
}

/** `near.lng`, `type.values."Dead *"`: where something stands in the mapping, as its author wrote it. */
function keyInWords(path: readonly Key[], raw: unknown): string {
  const [first, ...rest] = path.map(String);
  if (first === undefined) return "";
  // One value for all rows is read as a choice by no column; its author wrote none.
  const value = typeof raw === "object" && raw !== null ? Object.entries(raw) : [];
  const isWritten = value.some(([key, chosen]) => key === first && isChoice(chosen));
  const asWritten = !isWritten && rest[0] === "values" && rest[1] === "*" ? rest.slice(2) : rest;
  return [first, ...asWritten]
    .map((part) => (/^[\p{L}\p{N}_-]+$/u.test(part) ? part : JSON.stringify(part)))
    .join(".");
}

function mendedBy(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined) return "is missing";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${KINDS[issue.expected] ?? "of another kind"}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "too_small":
      if (issue.origin === "string") return "must not be empty";
      return `must be ${issue.inclusive ? "at least" : "more than"} ${issue.minimum}`;
    case "too_big":
      if (issue.origin === "string") return `must have at most ${issue.maximum} characters`;
      if (issue.origin === "array") return `must have at most ${issue.maximum} entries`;
      return `must be at most ${issue.maximum}`;
    // These carry our own words.
    case "custom":
    case "invalid_format":
    case "invalid_union":
      return issue.message;
    default:
      return "is not valid";
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  array: 'a list, such as ["Town"]',
  object: "an object, { … }",
  record: "an object, { … }",
};

/** Every column of the table a mapping reads. */
function columnsOf(mapping: Mapping): string[] {
  const choices = [
    mapping.type,
    mapping.species,
    mapping.country,
    mapping.near,
    mapping.size,
    mapping.sex,
    mapping.custody,
  ];
  const columns = [
    mapping.id,
    mapping.date.column,
    ...mapping.city,
    mapping.latitude,
    mapping.longitude,
    mapping.name,
    mapping.breed,
    mapping.color,
    mapping.age?.column,
    mapping.description,
    mapping.microchip,
    ...choices.map((one) => one?.column ?? undefined),
  ];
  return [...new Set(columns.filter((one) => one !== undefined))];
}
