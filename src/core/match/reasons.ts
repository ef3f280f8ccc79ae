import type { Language, Species } from "../alert.ts";
import type { Field, FieldFinding, SaidBy } from "./fields.ts";
import { de } from "./words/de.ts";
import { en } from "./words/en.ts";
import { es } from "./words/es.ts";
import { fr } from "./words/fr.ts";

/** Why a score is what it is: one field, and how much it speaks for (above 0) or against the pair (below 0). */
export type Reason =
  FieldFinding | ReasonFrom<"chip", SaidOfChips> | ReasonFrom<"species", SaidOfSpecies>;

/** `weight` is a natural log likelihood ratio: 0.7 doubles the odds, -0.7 halves them. */
type ReasonFrom<Source, Said> = {
  readonly field: Source;
  readonly weight: number;
  readonly said: Said;
};
/** Never the number: who knows it could claim the animal. */
export type SaidOfChips = { readonly is: "same" | "different" };
export type SaidOfSpecies = { readonly lost: Species; readonly found: Species };

type SaidByReason = SaidBy & { readonly chip: SaidOfChips; readonly species: SaidOfSpecies };

/** Every sentence of a language: short, without a full stop, true whichever of the two a reader looks at. */
export type ReasonSentences = {
  readonly [Source in keyof SaidByReason]: (said: SaidByReason[Source]) => string;
};

/** A reason as a person reads it: "about 1 km apart", "both grey tabby", "sex differs". */
export function reasonInWords(reason: Reason, language: Language): string {
  return sentence(SENTENCES[language], reason);
}

/** A field as it stands in "not compared: size, sex". */
export function fieldInWords(field: Field, language: Language): string {
  return FIELD_NAMES[language][field];
}

const SENTENCES: Readonly<Record<Language, ReasonSentences>> = {
  en: en.reasons,
  fr: fr.reasons,
  es: es.reasons,
  de: de.reasons,
};
const FIELD_NAMES: Readonly<Record<Language, FieldNames>> = {
  en: en.fields,
  fr: fr.fields,
  es: es.fields,
  de: de.fields,
};

export type FieldNames = Readonly<Record<Field, string>>;

/** What a language has to say. */
export type ReasonWords = { readonly reasons: ReasonSentences; readonly fields: FieldNames };

function sentence<Source extends keyof SaidByReason>(
  sentences: ReasonSentences,
  reason: { readonly field: Source; readonly said: SaidByReason[Source] },
): string {
  return sentences[reason.field](reason.said);
}
