import { breed } from "./evidence/breed.ts";
import { age, sex, size } from "./evidence/choice.ts";
import { coat } from "./evidence/coat.ts";
import { distance } from "./evidence/distance.ts";
import type { ComparisonContext, Evidence } from "./evidence/evidence.ts";
import { name } from "./evidence/name.ts";
import { time } from "./evidence/time.ts";
import type { MatchSubject, PreparedSubject } from "./subject.ts";
import type { Observation } from "./trait.ts";

/** Compared fields. A new field is its evidence, one line here, and its messages (the compiler asks for them). */
const TABLE = { distance, time, coat, breed, size, sex, age, name };

/** Weights of evidence for and against a pair where they are not 1. Fitted: see `score.ts`. */
const TRUST: Readonly<Partial<Record<Field, { readonly for: number; readonly against: number }>>> =
  {
    distance: { for: 0.98, against: 0.98 },
    coat: { for: 1.2, against: 1.2 },
    size: { for: 1, against: 1.8 },
    sex: { for: 1, against: 1.4 },
    age: { for: 1, against: 1.5 },
  };

export type Field = keyof typeof TABLE;
export const FIELDS = Object.keys(TABLE) as readonly Field[];

type ValueOf<One> = One extends Evidence<infer Value, infer _> ? Value : never;
type DetailsOf<One> = One extends Evidence<infer _, infer Details> ? Details : never;
type ValueByField = { [F in Field]: ValueOf<(typeof TABLE)[F]> };
/** Details of each field that its message needs. */
export type DetailsByField = { [F in Field]: DetailsOf<(typeof TABLE)[F]> };
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

export function readFields(alert: MatchSubject): FieldValues {
  return Object.fromEntries(
    FIELDS.map((field) => [field, EVIDENCE[field].read(alert)]),
  ) as unknown as FieldValues;
}

/** Evidence from one field of two animals; null if either leaves it blank. */
export function compareField<F extends Field>(
  field: F,
  lost: PreparedSubject,
  found: PreparedSubject,
  context: ComparisonContext,
): FieldFinding<F> | null {
  const evidence = EVIDENCE[field];
  const lostValue = lost.values[field];
  const foundValue = found.values[field];
  if (lostValue === null || foundValue === null) return null;
  // Each species has its own traits and frequencies.
  if (evidence.observation !== undefined && lost.species !== found.species) return null;
  const { logRatio, details } = evidence.compare(lostValue, foundValue, context);
  const trust = TRUST[field]?.[logRatio < 0 ? "against" : "for"] ?? 1;
  return { field, weight: trust * logRatio, details };
}

/** Fields whose observations are counted in the frequencies. */
export const OBSERVED_FIELDS: readonly Field[] = FIELDS.filter(
  (field) => EVIDENCE[field].observation !== undefined,
);

/** Observations of an alert to count; its other fields are not parsed. */
export function observationsOf(alert: MatchSubject): Observation[] {
  const observations: Observation[] = [];
  for (const field of OBSERVED_FIELDS) {
    const observation = observationIn(field, alert);
    if (observation !== undefined) observations.push(observation);
  }
  return observations;
}

function observationIn<F extends Field>(field: F, alert: MatchSubject): Observation | undefined {
  const value = EVIDENCE[field].read(alert);
  return value === null ? undefined : EVIDENCE[field].observation?.(value);
}
