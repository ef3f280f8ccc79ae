import { LOCALES } from "../../locale.ts";
import type { Coat } from "../../../matching/coat-parser.ts";
import type { DistanceDetails } from "../../../matching/evidence/distance.ts";
import { coatText } from "../reasons.ts";
import type { Shared, SummaryMessages } from "../summary.ts";

const words: SummaryMessages["words"] = {
  coat: (coat) => coatText(coat, "en"),
  size: { small: "small", medium: "medium-sized", large: "large", xlarge: "very large" },
  sex: { male: "male", female: "female" },
  age: { baby: "very young", young: "young", adult: "adult", senior: "old" },
  species: { dog: "a dog", cat: "a cat", bird: "a bird", other: "another kind of animal" },
};
const also = {
  "similar colours": "of a similar colour",
  "same breed": "of a similar breed",
  "similar breed": "of a similar type",
  "same name": "with the same name",
};
const NOUNS = { dog: "dog", cat: "cat", bird: "bird", other: "animal" };

const fields = {
  coat: "the colour",
  breed: "the breed",
  size: "the size",
  sex: "the sex",
  age: "the age",
  name: "the name",
};

export const en: SummaryMessages = {
  likely: "This may be the same animal: ",
  unlikely: "This is probably a different animal, although it could be the same one: ",
  sameChip: "This is almost certainly the same animal: both alerts have the same microchip number",
  both(species, shared) {
    const [coat, points] = coatParts(shared.coat);
    const phrase = [
      shared.size && words.size[shared.size],
      shared.age && words.age[shared.age],
      shared.sex && words.sex[shared.sex],
      coat,
      NOUNS[species],
    ].filter((word) => word);
    const article = /^[aeio]/.test(phrase[0] ?? "") ? "an" : "a";
    const after = LOCALES.en.and([...points, ...shared.also.map((one) => also[one])]);
    const animal = [article, ...phrase, after].filter((part) => part !== "").join(" ");
    return `both alerts describe ${animal}${lostAndFound(shared)}`;
  },
  but: (clauses) => `; but ${clauses}`,
  andClause: ", and ",
  contrast: (lost, found) =>
    `the lost animal is said to be ${lost}, while the found one is said to be ${found}`,
  differs: {
    chip: "the microchip numbers differ",
    breed: "the breed or appearance differs",
    name: "the names differ",
    distance(place) {
      switch (place.kind) {
        case "apart":
          return `the two places are ${distance(place.km)} apart`;
        case "centres apart":
          return `the two places are ${distance(place.km)} apart, measured from the centre of a town`;
        case "in town":
          return `only the town of both places is known (${place.town})`;
        case "around town":
          return `only the town of one of the places is known (${place.town})`;
      }
    },
    time: (days) =>
      days < 0
        ? `by the dates given, it was found ${days === -1 ? "the day" : `${-days} days`} before it was lost`
        : days > 1
          ? `${days} days passed before it was found`
          : `it was found ${later(days)}`,
  },
  words,
  ask: {
    owner: (fields) => `Ask the owner about ${fields}: the alert does not say.`,
    finder: (fields) => `Ask the finder about ${fields}: the alert does not say.`,
    shelter: (fields) => `Ask the shelter about ${fields}: the alert does not say.`,
    fields,
  },
  check: {
    fits: (fields) => `Only the other alert gives ${fields}: check whether this fits.`,
    fields,
  },
};

/** Words before the noun and after it: points come after it. */
function coatParts(coat: Coat | undefined): readonly [before: string, after: readonly string[]] {
  if (coat === undefined) return ["", []];
  if (coat.pattern !== "pointed") return [words.coat(coat), []];
  return [words.coat({ ...coat, pattern: null }), ["with points"]];
}

function lostAndFound({ place, days }: Shared): string {
  if (days === undefined)
    return place === undefined ? "" : `, lost and found ${where(place, "apart")}`;
  const when = `, lost, then found ${later(days)}`;
  return place === undefined ? when : `${when}, ${where(place, "away")}`;
}

function where(place: DistanceDetails, apart: "apart" | "away"): string {
  switch (place.kind) {
    case "apart":
      return `${distance(place.km)} ${apart}`;
    case "centres apart":
      return `${distance(place.km)} ${apart}, measured from the centre of a town`;
    case "in town":
      return `in the same town (${place.town})`;
    case "around town":
      return `in the same area (in or near ${place.town})`;
  }
}

const distance = (km: number) => (km < 1 ? "less than 1 km" : `about ${km} km`);

function later(days: number): string {
  if (days === 0) return "the same day";
  return days === 1 ? "the next day" : `${days} days later`;
}
