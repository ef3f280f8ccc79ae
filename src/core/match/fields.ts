import type { MatchSubject, Subject } from "./subject.ts";
import type { About, Evidence } from "./evidence/evidence.ts";
import { age } from "./evidence/age.ts";
import { coat } from "./evidence/coat.ts";
import { look } from "./evidence/look.ts";
import { name } from "./evidence/name.ts";
import { place } from "./evidence/place.ts";
import { sex } from "./evidence/sex.ts";
import { size } from "./evidence/size.ts";
import { time } from "./evidence/time.ts";
import type { Account } from "./trait.ts";

/** What is compared. A new field is one file, one line here, and its sentences (which the compiler asks for). */
const TABLE = { place, time, coat, look, size, sex, age, name };

/**
 * How far the evidence of a field may be added up as if it were independent of the others; 1 (wholly) where nothing
 * stands. Fitted: see `score.ts`.
 */
const TRUST: Readonly<Partial<Record<Field, number>>> = { place: 0.94 };

export type Field = keyof typeof TABLE;
export const FIELDS = Object.keys(TABLE) as readonly Field[];

type SeenIn<One> = One extends Evidence<infer Seen, infer _> ? Seen : never;
type SaidIn<One> = One extends Evidence<infer _, infer Said> ? Said : never;
type SeenBy = { [F in Field]: SeenIn<(typeof TABLE)[F]> };
/** What a sentence about each field needs to know. */
export type SaidBy = { [F in Field]: SaidIn<(typeof TABLE)[F]> };
/** What an alert says, field by field; null where it says nothing. */
export type Seen = { readonly [F in Field]: SeenBy[F] | null };

/** The same table, told to the compiler so that a field's reader and its judge are known to fit. */
const EVIDENCE: { readonly [F in Field]: Evidence<SeenBy[F], SaidBy[F]> } = TABLE;

export type FieldFinding<F extends Field = Field> = {
  [One in F]: { readonly field: One; readonly weight: number; readonly said: SaidBy[One] };
}[F];

export function readFields(alert: MatchSubject): Seen {
  return Object.fromEntries(
    FIELDS.map((field) => [field, EVIDENCE[field].read(alert)]),
  ) as unknown as Seen;
}

/** What one field tells of two animals, or null when one of them leaves it blank. */
export function compareField<F extends Field>(
  field: F,
  lost: Subject,
  found: Subject,
  about: About,
): FieldFinding<F> | null {
  const evidence = EVIDENCE[field];
  const ofLost = lost.seen[field];
  const ofFound = found.seen[field];
  if (ofLost === null || ofFound === null) return null;
  // What counts as common, and what there is to tell, is each species' own.
  if (evidence.account !== undefined && lost.species !== found.species) return null;
  const { logRatio, said } = evidence.weigh(ofLost, ofFound, about);
  return { field, weight: (TRUST[field] ?? 1) * logRatio, said };
}

/** Fields of which commonness counts what alerts say. */
export const COUNTED: readonly Field[] = FIELDS.filter(
  (field) => EVIDENCE[field].account !== undefined,
);

/** What commonness counts of an alert; its other fields are not read. */
export function accountsOf(alert: MatchSubject): Account[] {
  const accounts: Account[] = [];
  for (const field of COUNTED) {
    const account = accountIn(field, alert);
    if (account !== undefined) accounts.push(account);
  }
  return accounts;
}

function accountIn<F extends Field>(field: F, alert: MatchSubject): Account | undefined {
  const seen = EVIDENCE[field].read(alert);
  return seen === null ? undefined : EVIDENCE[field].account?.(seen);
}
