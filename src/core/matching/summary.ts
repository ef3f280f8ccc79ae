import type { Age, Language, Reader, Sex, Size, Species } from "../alerts/alert.ts";
import { LOCALES } from "../locale.ts";
import type { Coat } from "../../matching/coat-parser.ts";
import type { DistanceDetails } from "../../matching/evidence/distance.ts";
import type { Field } from "../../matching/fields.ts";
import { type Reason, reasonTexts } from "./reasons.ts";
import { HIGH_CONFIDENCE, type Match } from "../../matching/score.ts";
import type { PreparedSubject } from "../../matching/subject.ts";
import { de } from "./summary/de.ts";
import { en } from "./summary/en.ts";
import { es } from "./summary/es.ts";
import { fr } from "./summary/fr.ts";

/** Texts about a match, for a reader who knows one of the two animals. */
export type MatchTexts = {
  /** One sentence: why it may be the same animal, and what speaks against it. The same for both sides. */
  readonly summary: string;
  /** Advice about the fields that could not be compared; null if there are none. */
  readonly ask: string | null;
  /** Strongest first, for and against; the last one lists the fields that one of the two leaves blank. */
  readonly reasons: readonly string[];
};

/** The two alerts of a match: the reader's own and the other. */
export type MatchSides = {
  readonly mine: PreparedSubject;
  readonly other: PreparedSubject;
  /** Kind of person who can be asked about the other alert; null if there is none. */
  readonly asked: Reader | null;
};

export function matchTexts(match: Match, pair: MatchSides, language: Language): MatchTexts {
  return {
    summary: summarize(match, pair, language),
    ask: adviceOn(pair, language),
    reasons: reasonTexts(match, language),
  };
}

/** Weight (natural log likelihood ratio) from which evidence against a pair is part of the sentence: odds times 0.6. */
export const CONTRADICTION_WEIGHT_MIN = 0.5;
/** Traits in the sentence that both alerts share, strongest first; the list of reasons has them all. */
const SHARED_TRAITS_MAX = 3;

function summarize({ score, reasons }: Match, { mine, other }: MatchSides, language: Language) {
  const messages = MESSAGES[language];
  const against = reasons.filter(({ weight }) => weight <= -CONTRADICTION_WEIGHT_MIN);
  const differences = differencesOf(against, messages, language);
  const suffix = differences === "" ? "." : `${messages.but(differences)}.`;
  if (reasons.some(({ field, weight }) => field === "chip" && weight > 0)) {
    return messages.sameChip + suffix;
  }
  const species = mine.species === other.species ? mine.species : "other";
  const shared = sharedBy(reasons.filter(({ weight }) => weight > 0));
  const opening = score >= HIGH_CONFIDENCE ? messages.likely : messages.unlikely;
  return opening + messages.both(species, shared) + suffix;
}

/** Evidence for a pair that the sentence names. */
export type Shared = {
  readonly coat?: Coat;
  readonly size?: Exclude<Size, "unknown">;
  readonly sex?: Exclude<Sex, "unknown">;
  readonly age?: Exclude<Age, "unknown">;
  /** Further similarities, after the noun: "with the same name". */
  readonly also: readonly AlsoShared[];
  readonly place?: DistanceDetails;
  /** Days from the loss to the find, 0 or more. */
  readonly days?: number;
};
export type AlsoShared = "similar colours" | "same breed" | "similar breed" | "same name";

function sharedBy(reasons: readonly Reason[]): Shared {
  const traits = reasons.flatMap((reason) => traitOf(reason) ?? []).slice(0, SHARED_TRAITS_MAX);
  const also = traits.flatMap((trait) => trait.also ?? []);
  const circumstances = reasons.map((reason): Partial<Shared> => {
    if (reason.field === "distance") return { place: reason.details };
    return reason.field === "time" && reason.details.days >= 0 ? { days: reason.details.days } : {};
  });
  return Object.assign({}, ...traits, ...circumstances, { also });
}

/** Shared trait of a reason; null if the reason names none. */
function traitOf(reason: Reason): Partial<Shared> | null {
  switch (reason.field) {
    case "coat": {
      const { lost, similarity } = reason.details;
      if (similarity === "same") return { coat: lost };
      return similarity === "similar" ? { also: ["similar colours"] } : null;
    }
    case "breed": {
      const { similarity } = reason.details;
      return similarity === "different" ? null : { also: [`${similarity} breed`] };
    }
    case "name":
      return reason.details.similarity === "same" ? { also: ["same name"] } : null;
    case "size":
      return reason.details.similarity === "same" ? { size: reason.details.lost } : null;
    case "sex":
      return reason.details.similarity === "same" ? { sex: reason.details.lost } : null;
    case "age":
      return reason.details.similarity === "same" ? { age: reason.details.lost } : null;
    case "chip":
    case "species":
    case "distance":
    case "time":
      return null;
  }
}

/** Clauses about what speaks against a pair, joined; empty without any. Contrasted traits come last, in one clause. */
function differencesOf(
  against: readonly Reason[],
  messages: SummaryMessages,
  language: Language,
): string {
  const traits = against.flatMap((reason) => contrastOf(reason, messages) ?? []);
  const clauses = against.flatMap((reason) => clauseOf(reason, messages) ?? []);
  if (traits.length > 0) {
    const { and } = LOCALES[language];
    clauses.push(
      messages.contrast(and(traits.map(({ lost }) => lost)), and(traits.map(({ found }) => found))),
    );
  }
  const last = clauses.pop() ?? "";
  return clauses.length === 0 ? last : `${clauses.join(", ")}${messages.andClause}${last}`;
}

/** Trait of each animal, to be contrasted; null if the reason is no contrast of traits. */
function contrastOf(
  reason: Reason,
  { words }: SummaryMessages,
): { readonly lost: string; readonly found: string } | null {
  switch (reason.field) {
    case "coat": {
      const { lost, found } = reason.details;
      return { lost: words.coat(lost), found: words.coat(found) };
    }
    case "size": {
      const { lost, found } = reason.details;
      return { lost: words.size[lost], found: words.size[found] };
    }
    case "sex": {
      const { lost, found } = reason.details;
      return { lost: words.sex[lost], found: words.sex[found] };
    }
    case "age": {
      const { lost, found } = reason.details;
      return { lost: words.age[lost], found: words.age[found] };
    }
    case "species": {
      const { lost, found } = reason.details;
      return { lost: words.species[lost], found: words.species[found] };
    }
    case "chip":
    case "breed":
    case "name":
    case "distance":
    case "time":
      return null;
  }
}

/** Clause about a difference that is no contrast of traits, else null. */
function clauseOf(reason: Reason, { differs }: SummaryMessages): string | null {
  switch (reason.field) {
    case "chip":
    case "breed":
    case "name":
      return differs[reason.field];
    case "distance":
      return differs.distance(reason.details);
    case "time":
      return differs.time(reason.details.days);
    case "coat":
    case "size":
    case "sex":
    case "age":
    case "species":
      return null;
  }
}

/** Fields that a person can be asked about, in the order of the question. */
const ASKED_FIELDS = ["coat", "breed", "size", "sex", "age", "name"] as const;
export type AskedField = (typeof ASKED_FIELDS)[number];

/** Sentences about the fields that one of the two leaves blank: to ask the other side, or to check oneself. */
function adviceOn({ mine, other, asked }: MatchSides, language: Language): string | null {
  const messages = MESSAGES[language];
  const { and } = LOCALES[language];
  const blankIn = (subject: PreparedSubject) => (field: Field) =>
    // The finder of an animal does not know its name.
    subject.values[field] === null && !(field === "name" && subject.type === "found");
  const toAsk = ASKED_FIELDS.filter(blankIn(other));
  const toCheck = ASKED_FIELDS.filter(blankIn(mine)).filter(
    (field) => other.values[field] !== null,
  );
  const { ask, check } = messages;
  const sentences = [
    asked === null || toAsk.length === 0
      ? []
      : ask[asked](and(toAsk.map((field) => ask.fields[field]))),
    toCheck.length === 0 ? [] : check.fits(and(toCheck.map((field) => check.fields[field]))),
  ].flat();
  return sentences.length === 0 ? null : sentences.join(" ");
}

/** Messages of a language, built around whole phrases so that each keeps its own grammar. */
export type SummaryMessages = {
  /** Beginnings of the sentence, up to what both alerts describe: from a score of 40, and below. */
  readonly likely: string;
  readonly unlikely: string;
  /** Sentence about equal chips, without a full stop. Owners alone see it. */
  readonly sameChip: string;
  /** "both alerts describe a small grey tabby cat, lost, then found 2 days later, about 1 km away" */
  readonly both: (species: Species, shared: Shared) => string;
  /** Clauses after a semicolon: "; but the names differ". */
  readonly but: (clauses: string) => string;
  /** Separator before the last of several clauses, spaces included. */
  readonly andClause: string;
  readonly contrast: (lost: string, found: string) => string;
  readonly differs: {
    readonly chip: string;
    readonly breed: string;
    readonly name: string;
    readonly distance: (place: DistanceDetails) => string;
    /** `days` from the loss to the find; negative if the find came first. */
    readonly time: (days: number) => string;
  };
  /** Predicates of a contrast. */
  readonly words: {
    readonly coat: (coat: Coat) => string;
    readonly size: Readonly<Record<Exclude<Size, "unknown">, string>>;
    readonly sex: Readonly<Record<Exclude<Sex, "unknown">, string>>;
    readonly age: Readonly<Record<Exclude<Age, "unknown">, string>>;
    readonly species: Readonly<Record<Species, string>>;
  };
  /** Sentences about fields, and the fields as each sentence lists them. */
  readonly ask: Readonly<Record<Reader, (fields: string) => string>> & ListedFields;
  readonly check: { readonly fits: (fields: string) => string } & ListedFields;
};

type ListedFields = { readonly fields: Readonly<Record<AskedField, string>> };

const MESSAGES: Readonly<Record<Language, SummaryMessages>> = { en, fr, es, de };
