import { readFile } from "node:fs/promises";
import { z } from "zod";
import {
  AGES,
  ALERT_TYPES,
  CUSTODIES,
  GOES_OUTSIDE,
  SEXES,
  SIZES,
  SPECIES,
} from "../../core/alerts/alert.ts";
import { Fault } from "../../core/fault.ts";
import { codeOf } from "../../ops/fs.ts";
import type { CommandContext } from "../command.ts";
import { cannotRead, refusePrivateTmp } from "../files.ts";
import { escapeControls } from "../terminal.ts";
import kingCounty from "./king-county.json" with { type: "json" };

/** Marks rows to leave out, with the reason. */
export type Skip = { readonly skip: string };

/** Value for each row, by a column or the same for all rows. With a null column, `values` has one entry, `*`. */
export type ColumnChoice<Value> = {
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

function orSkip<const Values extends readonly string[]>(values: Values) {
  return z.union([z.enum(values), z.strictObject({ skip: z.string().trim().min(1).max(60) })], {
    error: `must be ${values.join(", ")} or {"skip": "the reason"}`,
  });
}

const circle = z.strictObject({
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
  radiusKm: z.number().positive().max(2_000),
});
export type MappingCircle = z.infer<typeof circle>;

/** Mapping of a shelter's table to alerts. docs/import.md describes each key. */
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
  goesOutside: choice(z.enum([...GOES_OUTSIDE, "unknown"])).optional(),
  landmark: column.optional(),
  time: column.optional(),
  description: column.optional(),
  microchip: column.optional(),
  unknown: z.array(z.string()).default([]),
});
export type Mapping = z.infer<typeof mappingSchema>;

function hasEachOnce(format: string, parts: readonly string[]): boolean {
  return parts.every((part) => format.split(part).length === 2);
}

/** Mappings included in the program. */
const INCLUDED: readonly Mapping[] = [readMapping(kingCounty, "king-county")];

/**
 * Mapping by name or file; without a name, the included mapping whose columns the table has. Throws `bad_input` with a
 * sentence if there is none or it is not valid.
 */
export async function chooseMapping(
  name: string | null,
  header: readonly string[],
  context: CommandContext,
): Promise<Mapping> {
  const has = (column: string) => header.some((one) => one.toLowerCase() === column.toLowerCase());
  const shown = escapeControls(header.join(", ").slice(0, HEADER_SHOWN));
  if (name === null) {
    const match = INCLUDED.find((mapping) => columnsOf(mapping).every(has));
    if (match !== undefined) return match;
    throw new Fault(
      "bad_input",
      `No included mapping has the columns of this table (${shown}). Write a mapping file and pass it with --mapping; see docs/import.md.`,
    );
  }
  const mapping =
    INCLUDED.find(({ mapping }) => mapping === name) ?? (await readMappingFile(name, context));
  const missing = columnsOf(mapping).filter((column) => !has(column));
  if (missing.length > 0)
    throw new Fault(
      "bad_input",
      `The table has no column ${missing.map((column) => `"${column}"`).join(", ")}, which the mapping ${mapping.mapping} uses. Its columns are: ${shown}.`,
    );
  return mapping;
}

const HEADER_SHOWN = 500;

async function readMappingFile(path: string, context: CommandContext): Promise<Mapping> {
  refusePrivateTmp(path, context);
  const included = INCLUDED.map(({ mapping }) => mapping).join(", ");
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw cannotRead(path, error);
    throw new Fault(
      "bad_input",
      `There is no mapping "${path}": it is neither an included mapping (${included}) nor a file.`,
    );
  });
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    throw new Fault("bad_input", `The mapping ${path} is not valid JSON.`);
  }
  return readMapping(raw, path);
}

function readMapping(raw: unknown, from: string): Mapping {
  const parsed = mappingSchema.safeParse(raw, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap((issue) => describeIssue(issue, raw));
  throw new Fault("bad_input", `The mapping ${from} is not valid: ${problems.join("; ")}.`);
}

type Key = z.core.$ZodIssue["path"][number];

function describeIssue(issue: z.core.$ZodIssue, raw: unknown): string[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => `${formatPath([...issue.path, key], raw)} is not a known key`);
  const key = formatPath(issue.path, raw);
  return [`${key === "" ? "it" : key} ${problemOf(issue)}`];
}

/** Path of a key as written in the mapping file: `near.lng`, `type.values."Dead *"`. */
function formatPath(path: readonly Key[], raw: unknown): string {
  const [first, ...rest] = path.map(String);
  if (first === undefined) return "";
  // A single value is parsed as `{ values: { "*": value } }`, which is not what the file says.
  const value = typeof raw === "object" && raw !== null ? Object.entries(raw) : [];
  const isWritten = value.some(([key, chosen]) => key === first && isChoice(chosen));
  const asWritten = !isWritten && rest[0] === "values" && rest[1] === "*" ? rest.slice(2) : rest;
  return [first, ...asWritten]
    .map((part) => (/^[\p{L}\p{N}_-]+$/u.test(part) ? part : JSON.stringify(part)))
    .join(".");
}

function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined) return "is missing";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPES[issue.expected] ?? "of another type"}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "too_small":
      if (issue.origin === "string") return "must not be empty";
      return `must be ${issue.inclusive ? "at least" : "more than"} ${issue.minimum}`;
    case "too_big":
      if (issue.origin === "string") return `must have at most ${issue.maximum} characters`;
      if (issue.origin === "array") return `must have at most ${issue.maximum} entries`;
      return `must be at most ${issue.maximum}`;
    // These have our own messages.
    case "custom":
    case "invalid_format":
    case "invalid_union":
      return issue.message;
    default:
      return "is not valid";
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  array: 'a list, such as ["Town"]',
  object: "an object, { … }",
  record: "an object, { … }",
};

/** Columns of the table that a mapping reads. */
function columnsOf(mapping: Mapping): string[] {
  const choices = [
    mapping.type,
    mapping.species,
    mapping.country,
    mapping.near,
    mapping.size,
    mapping.sex,
    mapping.custody,
    mapping.goesOutside,
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
    mapping.landmark,
    mapping.time,
    mapping.description,
    mapping.microchip,
    ...choices.map((one) => one?.column ?? undefined),
  ];
  return [...new Set(columns.filter((one) => one !== undefined))];
}
