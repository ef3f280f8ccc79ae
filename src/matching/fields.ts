import { breed } from "./breed-evidence.ts";
import { age, sex, size } from "./size-sex-age-evidence.ts";
import { coat } from "./color-evidence.ts";
import { distance } from "./distance-evidence.ts";
import type { Evidence } from "./evidence.ts";
import { name } from "./name-evidence.ts";
import { time } from "./time-evidence.ts";
import type { Subject } from "./subject.ts";

/** Compared fields. A new field is its evidence, one line here, and its messages (the compiler asks for them). */
const TABLE = { distance, time, coat, breed, size, sex, age, name };

/**
 * Weights of evidence against a pair where they are not 1: pairs that differ are less often the same animal than the
 * figures of a single field predict. Fitted (`test/bench/matching/fit.ts`).
 */
const AGAINST: Readonly<Partial<Record<Field, number>>> = {
  coat: 1.2,
  size: 1.8,
  sex: 1.4,
  age: 1.5,
};

export type Field = keyof typeof TABLE;
export const FIELDS = Object.keys(TABLE) as readonly Field[];

type ValueOf<One> = One extends Evidence<infer Value, infer _> ? Value : never;
type DetailsOf<One> = One extends Evidence<infer _, infer Details> ? Details : never;
type ValueByField = { [F in Field]: ValueOf<(typeof TABLE)[F]> };
/** Details of each field that its message needs. */
type DetailsByField = { [F in Field]: DetailsOf<(typeof TABLE)[F]> };
/** Parsed value of each field of an alert; null if blank. */
export type FieldValues = { readonly [F in Field]: ValueByField[F] | null };

/** The table in a type that pairs the values of a field's `read` with its `compare`. */
const EVIDENCE: { readonly [F in Field]: Evidence<ValueByField[F], DetailsByField[F]> } = TABLE;

export type FieldFinding<F extends Field = Field> = {
  [One in F]: {
    readonly field: One;
    readonly weight: number;
    readonly details: DetailsByField[One];
  };
}[F];

/** Subject with its texts parsed, so that comparing two is a little arithmetic. */
export type PreparedSubject = Omit<
  Subject,
  "eventDate" | "name" | "breed" | "color" | "size" | "sex" | "age"
> & { readonly values: FieldValues };

export function prepare(subject: Subject): PreparedSubject {
  const { type, species, point, radiusKm, town, publishedAt, chipHash } = subject;
  const values = Object.fromEntries(
    FIELDS.map((field) => [field, EVIDENCE[field].read(subject)]),
  ) as unknown as FieldValues;
  return { type, species, point, radiusKm, town, publishedAt, chipHash, values };
}

/** Evidence from one field of two animals; null if either leaves it blank, or species have each their own values. */
export function compareField<F extends Field>(
  field: F,
  lost: PreparedSubject,
  found: PreparedSubject,
): FieldFinding<F> | null {
  const lostValue = lost.values[field];
  const foundValue = found.values[field];
  if (lostValue === null || foundValue === null) return null;
  const finding = EVIDENCE[field].compare(lostValue, foundValue, lost.species);
  if (finding === null) return null;
  const { logRatio, details } = finding;
  return { field, weight: logRatio < 0 ? logRatio * (AGAINST[field] ?? 1) : logRatio, details };
}
