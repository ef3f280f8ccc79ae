import { ALERT_TYPES, type AlertType, type Species, SPECIES } from "../values/animal.ts";

/**
 * Row signature: a 32-bit filter that rejects most rows without reading them.
 *
 *   bits 0-4   kind of alert (species and type); DELETED is set once the row is deleted
 *   bits 5-31  Bloom filter with one hash: a bit for the three-letter prefix of each term
 *              (two characters in CJK scripts, where a character is a syllable or a word)
 *
 * A row whose signature lacks a bit of the query cannot match. A row that has all bits still has to be read.
 */
const KIND_BITS = 5;
const BLOOM_BITS = 32 - KIND_BITS;
const PREFIX_LETTERS = 3;
const PREFIX_LETTERS_CJK = 2;
/** Code unit from which the CJK blocks of Unicode begin. */
const CJK_FIRST = 0x2e80;
export const DELETED = 1 << (KIND_BITS - 1);

/** Number of kinds: every species with every type of alert. */
export const KINDS = SPECIES.length * ALERT_TYPES.length;
if (KINDS > DELETED) throw new Error("More kinds of alerts than a row signature has room for");

/** Kind of an alert, from 0 to `KINDS` - 1. */
export function kindNumber(species: Species, type: AlertType): number {
  return SPECIES.indexOf(species) * ALERT_TYPES.length + ALERT_TYPES.indexOf(type);
}

/** Species and type of each kind. */
export const KIND_NAMES = SPECIES.flatMap((species) =>
  ALERT_TYPES.map((type) => ({ species, type })),
);

/** Kind stored in a signature; `DELETED` or more if the row is deleted. */
export const kindOf = (signature: number) => signature & ((1 << KIND_BITS) - 1);
export const isDeleted = (signature: number) => (signature & DELETED) !== 0;

/** Bloom filter bit of a term or prefix; 0 if it is shorter than the prefix that is hashed. */
export function prefixBit(term: string): number {
  const letters = term.charCodeAt(0) < CJK_FIRST ? PREFIX_LETTERS : PREFIX_LETTERS_CJK;
  if (term.length < letters) return 0;
  let hash = 0;
  for (let at = 0; at < letters; at++) hash = hash * 31 + term.charCodeAt(at);
  hash = Math.imul(hash, 0x9e3779b1) >>> 16;
  return 1 << (KIND_BITS + (hash % BLOOM_BITS));
}
