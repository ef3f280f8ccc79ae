import type { Age, Language, Sex, Size, Species } from "../alerts/alert.ts";
import type { BaseColor, Coat, Pattern } from "../../matching/coat-parser.ts";
import type { Similarity } from "../../matching/evidence/evidence.ts";
import type { DetailsByField, Field, FieldFinding } from "../../matching/fields.ts";
import { de } from "./reasons/de.ts";
import { en } from "./reasons/en.ts";
import { es } from "./reasons/es.ts";
import { fr } from "./reasons/fr.ts";
import type { Match } from "../../matching/score.ts";

/** Reason for a score: one field, and how strongly it speaks for (above 0) or against the pair (below 0). */
export type Reason =
  FieldFinding | ReasonFrom<"chip", ChipDetails> | ReasonFrom<"species", SpeciesDetails>;

/** `weight` is a natural log likelihood ratio: 0.7 doubles the odds, -0.7 halves them. */
type ReasonFrom<Source, Details> = {
  readonly field: Source;
  readonly weight: number;
  readonly details: Details;
};
/** Never the number: anyone who knows it could claim the animal. */
type ChipDetails = { readonly similarity: "same" | "different" };
type SpeciesDetails = { readonly lost: Species; readonly found: Species };

/** Reasons of a match as text, strongest first, then the fields that one of the two leaves blank. */
export function reasonTexts({ reasons, notCompared }: Match, language: Language): string[] {
  const blank = notCompared.map((field) => fieldLabel(field, language)).join(", ");
  return [
    ...reasons.map((reason) => reasonText(reason, language)),
    ...(blank === "" ? [] : [`${MESSAGES[language].notCompared} ${blank}`]),
  ];
}

/** Label of a field in "not compared: size, sex". */
export function fieldLabel(field: Field, language: Language): string {
  return MESSAGES[language].fields[field];
}

/** A reason as text: "about 1 km apart", "both grey tabby". */
export function reasonText(reason: Reason, language: Language): string {
  const messages = MESSAGES[language];
  switch (reason.field) {
    case "chip":
      return messages.chip[reason.details.similarity];
    case "species":
      return messages.species;
    case "distance":
      return distanceText(reason.details, messages.distance);
    case "time": {
      const { days } = reason.details;
      if (days === 0) return messages.time.sameDay;
      return days > 0 ? messages.time.after(days) : messages.time.before(-days);
    }
    case "coat": {
      const { lost, found, similarity } = reason.details;
      const [one, other] = [coatText(lost, language), coatText(found, language)];
      return similarity === "same"
        ? messages.coat.same(one)
        : messages.coat[similarity](one, other);
    }
    case "breed":
      return messages.breed[reason.details.similarity];
    case "size": {
      const { same, different, values } = messages.size;
      const { lost, found, similarity } = reason.details;
      return similarity === "same" ? same(values[lost]) : different(values[lost], values[found]);
    }
    case "sex":
      return reason.details.similarity === "same"
        ? messages.sex.same[reason.details.lost]
        : messages.sex.different;
    case "age": {
      const { same, different, values } = messages.age;
      const { lost, found, similarity } = reason.details;
      return similarity === "same" ? same(values[lost]) : different(values[lost], values[found]);
    }
    case "name":
      return messages.name[reason.details.similarity];
  }
}

function distanceText(
  details: DetailsByField["distance"],
  messages: ReasonMessages["distance"],
): string {
  switch (details.kind) {
    case "apart":
      return details.km < 1 ? messages.near : messages.apart(details.km);
    case "centres apart":
      return messages.centresApart(details.km);
    case "in town":
      return messages.inTown(details.town);
    case "around town":
      return messages.aroundTown(details.town);
  }
}

/** A coat as text: "grey and white tabby". Tortie and calico are named without their colours. */
export function coatText({ colors, pattern }: Coat, language: Language): string {
  const messages = MESSAGES[language].coat;
  const patternName = isNamed(pattern) ? messages.patterns[pattern] : "";
  if (pattern === "tortie" || pattern === "calico") return patternName;
  // White last, as people say it: "black and white".
  const inOrder = colors.toSorted((a, b) => Number(a === "white") - Number(b === "white"));
  const colorNames = inOrder.map((color) => messages.colors[color]).join(messages.and);
  return [colorNames, patternName].filter((part) => part !== "").join(" ");
}

/** Patterns that the colours imply are not named. */
type NamedPattern = Exclude<Pattern, "tricolor" | "bicolor" | "solid">;

function isNamed(pattern: Pattern | null): pattern is NamedPattern {
  return pattern !== null && !["tricolor", "bicolor", "solid"].includes(pattern);
}

/** Messages of a language: short, without a full stop, and true whichever of the two alerts the reader looks at. */
export type ReasonMessages = {
  readonly chip: Readonly<Record<"same" | "different", string>>;
  readonly species: string;
  readonly distance: {
    readonly near: string;
    readonly apart: (km: number) => string;
    readonly centresApart: (km: number) => string;
    readonly inTown: (town: string) => string;
    readonly aroundTown: (town: string) => string;
  };
  readonly time: {
    readonly sameDay: string;
    readonly after: (days: number) => string;
    readonly before: (days: number) => string;
  };
  readonly coat: {
    readonly colors: Readonly<Record<BaseColor, string>>;
    readonly patterns: Readonly<Record<NamedPattern, string>>;
    /** Separator of two colours, spaces included. */
    readonly and: string;
    readonly same: (coat: string) => string;
    readonly similar: (one: string, other: string) => string;
    readonly different: (one: string, other: string) => string;
  };
  readonly breed: Readonly<Record<Similarity, string>>;
  readonly size: ChoiceMessages<Size>;
  readonly sex: {
    readonly same: Readonly<Record<Exclude<Sex, "unknown">, string>>;
    readonly different: string;
  };
  readonly age: ChoiceMessages<Age>;
  readonly name: Readonly<Record<"same" | "different", string>>;
  readonly notCompared: string;
  readonly fields: Readonly<Record<Field, string>>;
};

type ChoiceMessages<Value extends string> = {
  readonly values: Readonly<Record<Exclude<Value, "unknown">, string>>;
  readonly same: (value: string) => string;
  readonly different: (one: string, other: string) => string;
};

const MESSAGES: Readonly<Record<Language, ReasonMessages>> = { en, fr, es, de };
