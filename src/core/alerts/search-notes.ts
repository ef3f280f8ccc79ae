import {
  EXCLUDED_COUNT_MAX,
  type Exclusion,
  type Explanation,
  type SearchFilter,
} from "./query-words.ts";

/** Sentences about a search that found nothing as it was written: words read otherwise, and what excluded everything. */
export function searchNotes({ corrections, exclusions }: Explanation): string[] {
  return [
    ...corrections.map(({ word, readAs }) => `No alert has "${word}"; it was read as "${readAs}".`),
    ...exclusions.map((each) => `Nothing found. Without ${excluded(each)}: ${countText(each)}.`),
  ];
}

const FILTERS: Readonly<Record<SearchFilter, string>> = {
  species: "the species",
  type: "the type",
  since: "the date",
  near: "the place",
};

function excluded({ by }: Exclusion): string {
  switch (by.kind) {
    case "words":
      return `"${by.words}"`;
    case "filter":
      return FILTERS[by.filter];
    case "all":
      return by.of === "words" ? "any words" : "species, type, date and place";
  }
}

function countText({ count }: Exclusion): string {
  if (count === EXCLUDED_COUNT_MAX) return `${count} alerts or more`;
  return count === 1 ? "1 alert" : `${count} alerts`;
}
