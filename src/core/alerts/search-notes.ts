import {
  EXCLUDED_COUNT_MAX,
  type Exclusion,
  type Explanation,
  type SearchFilter,
} from "./query-words.ts";

/** Sentences about a search that found nothing as it was written: words read otherwise, and what excluded everything. */
export function searchNotes({ corrections, exclusions }: Explanation): string[] {
  return [
    ...corrections.map(
      ({ word, readAs }) => `No alert contains "${word}"; searched for "${readAs}" instead.`,
    ),
    ...(exclusions.length === 0 ? [] : [`Nothing found. ${exclusions.map(without).join("; ")}.`]),
  ];
}

function without(exclusion: Exclusion, nth: number): string {
  return `${nth === 0 ? "Without" : "without"} ${excluded(exclusion)}: ${countText(exclusion)}`;
}

const FILTERS: Readonly<Record<SearchFilter, string>> = {
  species: "the species",
  type: "the type",
  since: "the date",
  near: "the place",
  color: "the colour",
  breedGroup: "the breed",
  organisation: "the organisation",
};

function excluded({ by }: Exclusion): string {
  switch (by.kind) {
    case "words":
      return `"${by.words}"`;
    case "filter":
      return FILTERS[by.filter];
    case "all":
      return by.of === "words" ? "the words" : "the species, type, date and place";
  }
}

function countText({ count }: Exclusion): string {
  if (count === EXCLUDED_COUNT_MAX) return `at least ${count} alerts`;
  return count === 1 ? "1 alert" : `${count} alerts`;
}
