import { z } from "zod";
import { CUSTODIES, TEXTS, type TextName } from "../core/alerts/fields.ts";
import { AGES, ALERT_TYPES, SEXES, SIZES, SPECIES } from "../values/animal.ts";
import { PHOTOS_MAX } from "../core/alerts/publication.ts";
import { Fault } from "../core/fault.ts";
import { dateFormatProblem } from "./date-format.ts";
import { jsonProblem } from "./json-problem.ts";
import { describeIssue, isChoice } from "./mapping-problem.ts";
import asm3Found from "./mappings/asm3-found.json" with { type: "json" };
import asm3Lost from "./mappings/asm3-lost.json" with { type: "json" };
import asm3Stray from "./mappings/asm3-stray.json" with { type: "json" };
import kingCounty from "./mappings/king-county.json" with { type: "json" };
import petPoint from "./mappings/petpoint.json" with { type: "json" };
import rescueGroups from "./mappings/rescuegroups.json" with { type: "json" };
import sonomaCounty from "./mappings/sonoma-county.json" with { type: "json" };

/** Marks rows to leave out, with the reason. */
export type Skip = { readonly skip: string };

/** Value for each row, by a column or the same for all rows. With a null column, `values` has one entry, `*`. */
export type ColumnChoice<Value> = {
  readonly column: string | null;
  readonly values: Readonly<Record<string, Value>>;
};

/** Characters of the name of a column, and of a value in a condition. */
export const MAPPED_TEXT_MAX = 200;

const column = z.string().trim().min(1).max(MAPPED_TEXT_MAX);

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

function orSkip<const Values extends readonly string[]>(values: Values) {
  return z.union([z.enum(values), z.strictObject({ skip: reason })], {
    error: `must be ${values.join(", ")} or {"skip": "the reason"}`,
  });
}

const circle = z.strictObject({
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
  radiusKm: z.number().positive().max(2_000),
});
export type MappingCircle = z.infer<typeof circle>;

/** Town or postcode, or a position, for rows that have no place of their own. */
export const mappingPlace = z.union(
  [
    z.string().trim().min(1).max(200),
    z.strictObject({
      lat: z.number().min(-90).max(90),
      lng: z.number().min(-180).max(180),
      city: z.string().trim().min(1).max(80).optional(),
    }),
  ],
  { error: 'must be a town, a postcode, or {"lat": 47.5, "lng": -122.3, "city": "Kent"}' },
);
export type MappingPlace = z.infer<typeof mappingPlace>;

const reason = z.string().trim().min(1).max(60);
const values = z.array(z.string().max(MAPPED_TEXT_MAX)).min(1).max(200);
/** Condition that rows must meet to be published. Values are compared as in `ColumnChoice`. */
const condition = z
  .strictObject({
    column,
    is: values.optional(),
    not: values.optional(),
    /** Reason under which the other rows are counted. */
    skip: reason.optional(),
  })
  .refine((one) => (one.is === undefined) !== (one.not === undefined), {
    error: 'must have either "is" or "not", a list of values',
  });
export type MappingCondition = z.infer<typeof condition>;

const dateColumn = z.strictObject({
  column,
  format: z
    .string()
    .max(60)
    .superRefine((format, context) => {
      const message = dateFormatProblem(format);
      if (message !== null) context.addIssue({ code: "custom", message });
    }),
});

/** Limits of age groups, in months. */
export const AGE_LIMITS = { babyUnderMonths: 6, youngUnderMonths: 24, seniorFromMonths: 96 };

/** Columns of the fields of free text. */
const columnsOfTexts = Object.fromEntries(TEXTS.map((name) => [name, column.optional()])) as Record<
  TextName,
  z.ZodOptional<typeof column>
>;

/** Mapping of a shelter's table to alerts. docs/import.md describes each key. */
const mappingSchema = z.strictObject({
  mapping: z.string().regex(/^[a-z0-9-]{1,40}$/, {
    error: "must be 1 to 40 lower-case letters, digits and hyphens",
  }),
  about: z.string().max(300).optional(),
  /** Questions of a suggested mapping. Nothing is published until they are answered and this key is deleted. */
  decide: z.string().trim().min(1).max(5_000).optional(),
  id: column,
  type: choice(orSkip(ALERT_TYPES)),
  species: choice(orSkip(SPECIES)),
  where: z.array(condition).max(20).default([]),
  date: dateColumn,
  country: choice(
    z.string().regex(/^[A-Z]{2}$/, { error: "must be two capitals, such as US" }),
  ).optional(),
  city: z.array(column).max(5).default([]),
  latitude: column.optional(),
  longitude: column.optional(),
  coordinates: column.optional(),
  postcode: column.optional(),
  place: choice(mappingPlace).optional(),
  near: choice(circle).optional(),
  ...columnsOfTexts,
  staffNames: z
    .string()
    .regex(/^(?:found|[^\p{L}\p{N}\s]{1,3})$/u, {
      error: 'must be "found" or a mark such as "*" at the beginning or end of such names',
    })
    .optional(),
  breedWords: z.record(z.string(), z.string()).default({}),
  colorWords: z.record(z.string(), z.string()).default({}),
  size: choice(z.enum(SIZES)).optional(),
  sex: choice(z.enum(SEXES)).optional(),
  age: z
    .strictObject({
      column,
      values: z.record(z.string(), z.enum(AGES)).default({}),
      babyUnderMonths: z.number().positive().default(AGE_LIMITS.babyUnderMonths),
      youngUnderMonths: z.number().positive().default(AGE_LIMITS.youngUnderMonths),
      seniorFromMonths: z.number().positive().default(AGE_LIMITS.seniorFromMonths),
    })
    .optional(),
  birthDate: dateColumn.optional(),
  custody: choice(z.enum(CUSTODIES)).optional(),
  /** Accepted and not read. */
  goesOutside: z.unknown().optional(),
  time: column.optional(),
  number: column.optional(),
  microchip: column.optional(),
  page: column.optional(),
  photos: z.array(column).max(PHOTOS_MAX).default([]),
  unknown: z.array(z.string()).default([]),
});
export type Mapping = z.infer<typeof mappingSchema>;

/** Mappings included in the program. */
const INCLUDED: readonly Mapping[] = [
  readMapping(kingCounty, "king-county"),
  readMapping(sonomaCounty, "sonoma-county"),
  readMapping(asm3Stray, "asm3-stray"),
  readMapping(asm3Found, "asm3-found"),
  readMapping(asm3Lost, "asm3-lost"),
  readMapping(rescueGroups, "rescuegroups"),
  readMapping(petPoint, "petpoint"),
];
/** Names of the mappings included in the program. */
export const INCLUDED_NAMES: readonly string[] = INCLUDED.map(({ mapping }) => mapping);

/** Included mapping with this name; null if there is none. */
export function includedMapping(name: string): Mapping | null {
  return INCLUDED.find(({ mapping }) => mapping === name) ?? null;
}

/** Included mapping whose columns a table has; null if there is none. */
export function mappingWithColumns(header: readonly string[]): Mapping | null {
  if (header.length === 0) return null;
  return INCLUDED.find((mapping) => missingColumns(mapping, header) === null) ?? null;
}

/** Sentence about the columns of a mapping that a table lacks; null if it has all of them. */
export function missingColumns(mapping: Mapping, header: readonly string[]): string | null {
  // A list without rows names no columns.
  if (header.length === 0) return null;
  const names = new Set(header.map((one) => one.toLowerCase()));
  const missing = columnsOf(mapping).filter((column) => !names.has(column.toLowerCase()));
  if (missing.length === 0) return null;
  const quoted = missing.map((column) => `"${column}"`).join(", ");
  return `The table has no column ${quoted}, which the mapping ${mapping.mapping} uses.`;
}

/** Mapping that a file holds. Throws `bad_input` with a sentence that names the file. */
export function parseMapping(text: string, path: string): Mapping {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    throw new Fault("bad_input", `The mapping ${path} is ${jsonProblem(text, error)}.`);
  }
  return readMapping(raw, path);
}

/** Throws `bad_input` if a mapping asks what only a person can decide. */
export function requireDecided(mapping: Mapping): void {
  const sentence = undecided(mapping);
  if (sentence !== null) throw new Fault("bad_input", sentence);
}

/** Sentence about the questions of a mapping; null if it has none. */
export function undecided({ mapping, decide }: Mapping): string | null {
  return decide === undefined
    ? null
    : `Nothing can be published by the mapping ${mapping} before you decide: ${decide} Then delete "decide" from it.`;
}

/** Sentence about a mapping that is neither included nor a file. */
export function noMapping(path: string): string {
  return `There is no mapping "${path}": it is neither an included mapping (${INCLUDED_NAMES.join(", ")}) nor a file.`;
}

function readMapping(raw: unknown, from: string): Mapping {
  const parsed = mappingSchema.safeParse(raw, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap((issue) => describeIssue(issue, raw));
  throw new Fault("bad_input", `The mapping ${from} is not valid: ${problems.join("; ")}.`);
}

/** Keys of a mapping that hold the name of a column, and those that hold one beside other things. */
const COLUMN_KEYS = [
  ...(["id", "latitude", "longitude", "coordinates", "postcode"] as const),
  ...(["time", "number", "microchip", "page", ...TEXTS] as const),
];
const CHOICE_KEYS = [
  ...(["type", "species", "date", "country", "place", "near"] as const),
  ...(["size", "sex", "age", "birthDate", "custody"] as const),
];

/** Columns of the table that a mapping needs: those of photos may be missing. */
function columnsOf(mapping: Mapping): string[] {
  const columns = [
    ...mapping.city,
    ...COLUMN_KEYS.map((key) => mapping[key]),
    ...mapping.where.map(({ column }) => column),
    ...CHOICE_KEYS.map((key) => mapping[key]?.column ?? undefined),
  ];
  return [...new Set(columns.filter((one) => one !== undefined))];
}
