import type { Language } from "../../messages/languages.ts";
import { MATCH_MESSAGES, type MatchMessages } from "../../messages/messages.ts";
import type {
  Coat,
  DistanceDetails,
  Field,
  Match,
  Pattern,
  PreparedSubject,
  Reason,
} from "../../matching/matching.ts";
import type { Reader } from "../alerts/alert.ts";

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
type MatchSides = {
  readonly mine: PreparedSubject;
  readonly other: PreparedSubject;
  /** Kind of person who can be asked about the other alert; null if there is none. */
  readonly asked: Reader | null;
};

export function matchTexts(match: Match, sides: MatchSides, language: Language): MatchTexts {
  const messages = MATCH_MESSAGES[language];
  const { notCompared } = match;
  const fields = notCompared.map((field) => messages.fields[field]).join(", ");
  return {
    summary: summaryOf(match, messages),
    ask: adviceOn(sides, messages),
    reasons: [
      ...match.reasons.map((reason) => reasonText(reason, messages)),
      ...(notCompared.length === 0 ? [] : [messages.notCompared({ fields })]),
    ],
  };
}

/** Advice about a find that repeats the lost alert, before that about the fields. */
export function askAboutCopy({ ask }: MatchTexts, language: Language): string {
  const { copied } = MATCH_MESSAGES[language];
  return ask === null ? copied : `${copied} ${ask}`;
}

/** Weight (natural log likelihood ratio) from which evidence against a pair is part of the sentence: odds times 0.6. */
const AGAINST_WEIGHT = -0.5;
/** Reasons for a pair in the sentence, strongest first; the list of reasons has them all. */
const REASONS_FOR_MAX = 5;

function summaryOf({ highConfidence, reasons }: Match, messages: MatchMessages): string {
  const isSameChip = reasons.some(({ field, weight }) => field === "chip" && weight > 0);
  const likeliness = highConfidence ? "likely" : "unlikely";
  const opening = messages.opening[isSameChip ? "sameChip" : likeliness];
  const textOf = (reason: Reason) => reasonText(reason, messages);
  const pros = isSameChip ? [] : reasons.filter(({ weight }) => weight > 0);
  const cons = reasons.filter(({ weight }) => weight <= AGAINST_WEIGHT);
  const because = pros.slice(0, REASONS_FOR_MAX).map(textOf).join(", ");
  const against = cons.map(textOf).join(", ");
  const { sentence } = messages;
  if (because === "")
    return against === "" ? sentence.bare({ opening }) : sentence.against({ opening, against });
  return against === ""
    ? sentence.for({ opening, reasons: because })
    : sentence.both({ opening, reasons: because, against });
}

/** A reason as text: "about 1 km apart", "both grey tabby". True whichever of the two alerts the reader looks at. */
function reasonText(reason: Reason, messages: MatchMessages): string {
  switch (reason.field) {
    case "chip":
      return messages.chip[reason.details.similarity];
    case "breed":
      return messages.breed[reason.details.similarity];
    case "name":
      return messages.name[reason.details.similarity];
    case "species":
      return messages.species;
    case "distance":
      return distanceText(reason.details, messages);
    case "time": {
      const { days } = reason.details;
      if (days === 0) return messages.time.sameDay;
      return days > 0 ? messages.time.after({ days }) : messages.time.before({ days: -days });
    }
    case "coat": {
      const { lost, found, similarity } = reason.details;
      const [one, other] = [coatText(lost, messages), coatText(found, messages)];
      return similarity === "same"
        ? messages.coat.same({ coat: one })
        : messages.coat[similarity]({ one, other });
    }
    case "size": {
      const { lost, found } = reason.details;
      const [one, other] = [messages.sizes[lost], messages.sizes[found]];
      return lost === found
        ? messages.size.same({ value: one })
        : messages.size.different({ one, other });
    }
    case "sex": {
      const { lost, found } = reason.details;
      return messages.sex[lost === found ? lost : "different"];
    }
    case "age": {
      const { lost, found } = reason.details;
      const [one, other] = [messages.ages[lost], messages.ages[found]];
      return lost === found
        ? messages.age.same({ value: one })
        : messages.age.different({ one, other });
    }
  }
}

function distanceText(details: DistanceDetails, { distance }: MatchMessages): string {
  switch (details.kind) {
    case "apart":
      return details.km < 1 ? distance.near : distance.apart({ km: details.km });
    case "centres apart":
      return distance.centresApart({ km: details.km });
    case "in town":
      return distance.inTown({ town: details.town });
    case "around town":
      return distance.aroundTown({ town: details.town });
  }
}

/** A coat as text: "grey and white tabby". Tortie and calico are named without their colours. */
function coatText({ colors, pattern }: Coat, messages: MatchMessages): string {
  const patternName = isNamed(pattern) ? messages.patterns[pattern] : "";
  if (pattern === "tortie" || pattern === "calico" || colors.length === 0) return patternName;
  // White last, as people say it: "black and white".
  const named = colors
    .toSorted((a, b) => Number(a === "white") - Number(b === "white"))
    .map((color) => messages.colors[color])
    .reduce((one, other) => messages.twoColors({ one, other }));
  return patternName === "" ? named : messages.patterned({ colors: named, pattern: patternName });
}

/** Patterns that the colours imply are not named. */
function isNamed(
  pattern: Pattern | null,
): pattern is Exclude<Pattern, "tricolor" | "bicolor" | "solid"> {
  return pattern !== null && !["tricolor", "bicolor", "solid"].includes(pattern);
}

/** Fields that a person can be asked about, in the order of the question. */
const ASKED_FIELDS = ["coat", "breed", "size", "sex", "age", "name"] as const;

/** Sentences about the fields that one of the two leaves blank: to ask the other side, or to check oneself. */
function adviceOn({ mine, other, asked }: MatchSides, messages: MatchMessages): string | null {
  const blankIn = (subject: PreparedSubject) => (field: Field) =>
    // The finder of an animal does not know its name.
    subject.values[field] === null && !(field === "name" && subject.type === "found");
  const toAsk = ASKED_FIELDS.filter(blankIn(other));
  const toCheck = ASKED_FIELDS.filter(blankIn(mine)).filter(
    (field) => other.values[field] !== null,
  );
  const sentences: string[] = [];
  if (asked !== null && toAsk.length > 0) {
    const fields = messages.and(toAsk.map((field) => messages.asked[field]));
    sentences.push(messages.ask[asked]({ fields }));
  }
  if (toCheck.length > 0) {
    const fields = messages.and(toCheck.map((field) => messages.checked[field]));
    sentences.push(messages.check({ fields }));
  }
  return sentences.length === 0 ? null : sentences.join(" ");
}
