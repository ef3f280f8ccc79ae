import { z } from "zod";
import { clockField } from "../input.ts";
import { AGES, SEXES, SIZES } from "../../values/animal.ts";
import { dateField } from "../written-time.ts";

/** Current location of a found animal, as its publisher says. */
export const CUSTODIES = ["finder", "shelter", "vet", "seen_only", "unknown"] as const;

export type Custody = (typeof CUSTODIES)[number];

/** Field of an alert that its publisher fills in: how it is read, kept and shown. */
export type Field = {
  /** `line` and `text` are free text of one or several lines, from which contact details are removed. */
  readonly kind: "line" | "text" | "choice" | "day" | "clock";
  /** Input of forms, tools and tables. */
  readonly input: z.ZodType;
  /** Value in JSON. */
  readonly output: z.ZodType;
  /** Value of an alert that does not say. */
  readonly unknown: null | "unknown" | "";
  /** Most characters of a text. */
  readonly max?: number;
  /** Values to choose from. */
  readonly values?: readonly string[];
  readonly isRequired?: boolean;
  /** Told of found animals only. */
  readonly isOfFinds?: boolean;
  /** About where and when, not about the animal. */
  readonly isOfEvent?: boolean;
  /** Tells the look in a few words, such as on cards and posters. */
  readonly isLook?: boolean;
  /** Searched by words. */
  readonly isSearched?: boolean;
  /** In the summaries that tools list. */
  readonly isInSummary?: boolean;
  /** Headings of the columns that `import --suggest` takes for it, the likeliest first. */
  readonly headings?: readonly RegExp[];
};

const text = z.string();

const line = (max: number, about: string) =>
  ({ kind: "line", max, input: text.max(max).describe(about).optional() }) as const;

function choice<const Values extends readonly string[]>(values: Values, about: string) {
  const output = z.enum(values);
  const input = z.enum(values).describe(about).optional();
  return { kind: "choice", values, input, output, unknown: "unknown" } as const;
}

/** Fields of an alert besides its type, species and place, in the order of forms and inputs. */
export const FIELDS = {
  name: {
    ...line(60, "The animal's name"),
    output: text.nullable(),
    unknown: null,
    isSearched: true,
    isInSummary: true,
  },
  color: {
    ...line(80, "Colours and markings"),
    input: text.trim().min(1).max(80).describe("Colours and markings"),
    output: text,
    unknown: "unknown",
    isRequired: true,
    isLook: true,
    isSearched: true,
    isInSummary: true,
    headings: [/colou?r|farbe|couleur/, /\brobe\b|pelage|\bfell\b|pelaje|\bcapa\b/],
  },
  breed: {
    ...line(80, "Breed or look"),
    output: text,
    unknown: "unknown",
    isLook: true,
    isSearched: true,
    isInSummary: true,
    headings: [/breed|rasse|\brace\b|raza/],
  },
  collar: {
    ...line(60, "Its collar, such as red with a bell; public"),
    output: text.nullable(),
    unknown: null,
    isLook: true,
    isSearched: true,
    headings: [/collar|collier|halsband/],
  },
  size: { ...choice(SIZES, "Its size"), isInSummary: true },
  sex: choice(SEXES, "Its sex"),
  age: choice(AGES, "Its age"),
  description: {
    ...line(2_000, "What helps to recognise it; public"),
    kind: "text",
    output: text.nullable(),
    unknown: null,
  },
  eventDate: {
    kind: "day",
    input: dateField
      .describe("Day it was lost or found, also yesterday; today when absent")
      .optional(),
    /** YYYY-MM-DD. */
    output: text.describe("Day it was lost or found"),
    unknown: "",
    isOfEvent: true,
    isInSummary: true,
  },
  eventTime: {
    kind: "clock",
    input: clockField.describe("Local, HH:MM; public").optional(),
    /** By the clocks of the place. */
    output: text.nullable().describe("Local, HH:MM"),
    unknown: null,
    isOfEvent: true,
  },
  landmark: {
    ...line(80, "Known place nearby; public"),
    output: text.nullable(),
    unknown: null,
    isOfEvent: true,
  },
  custody: {
    ...choice(CUSTODIES, "Where a found animal is now"),
    output: z.enum(CUSTODIES).nullable().describe("Where a found animal is, says its publisher"),
    isOfFinds: true,
  },
} as const satisfies Readonly<Record<string, Field>>;

export type FieldName = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

/** Values of the fields of an alert. */
export type FieldValues = {
  readonly [Name in FieldName]: z.infer<(typeof FIELDS)[Name]["output"]>;
};

/** Names of the fields for which the condition holds. */
export function fieldsWhere(isWanted: (field: Field) => boolean | undefined): FieldName[] {
  return FIELD_NAMES.filter((name) => isWanted(FIELDS[name]));
}

/** Object with a value for each field. */
export function eachField<Values extends { readonly [Name in FieldName]?: unknown }>(
  valueOf: (name: FieldName, field: Field) => unknown,
): Values {
  const values: Partial<Record<FieldName, unknown>> = {};
  for (const name of FIELD_NAMES) values[name] = valueOf(name, FIELDS[name]);
  return values as Values;
}

/** True for free text, of which contact details are removed. */
export function isFreeText({ kind }: Field): boolean {
  return kind === "line" || kind === "text";
}

/** Names of the fields of some kinds. */
type NamesOf<Kind extends Field["kind"]> = {
  [Name in FieldName]: (typeof FIELDS)[Name]["kind"] extends Kind ? Name : never;
}[FieldName];
export type TextName = NamesOf<"line" | "text">;
export type ChoiceName = NamesOf<"choice">;
export const TEXTS = fieldsWhere(isFreeText) as readonly TextName[];

/** False for a field that only alerts about found animals tell. */
export function isFieldOf(type: "lost" | "found", { isOfFinds = false }: Field): boolean {
  return type === "found" || !isOfFinds;
}
