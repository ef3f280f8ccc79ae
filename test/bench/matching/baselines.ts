import { distanceKm } from "../../../src/values/point.ts";
import { tokenize } from "../../../src/text/tokenize.ts";
import type { BenchAlert } from "./city.ts";

/** Score of a pair from 0 to 100; `order` can rank pairs of equal score. */
export type Scored = { readonly score: number; readonly order: number };

/**
 * Points table of shelter software: 5 points for each of species, breed, colour, age, sex, a word of the area, a
 * word of the features, the postcode, and being found within 14 days; 50 for the chip (which no alert here has); as
 * percent of 95. Breed and colour are equal when their words are.
 */
export function pointsTable(lost: BenchAlert, found: BenchAlert): Scored {
  const [a, b] = [lost.subject, found.subject];
  const days = (Date.parse(b.eventDate) - Date.parse(a.eventDate)) / 86_400_000;
  const points =
    5 * Number(a.species === b.species) +
    5 * Number(a.breed !== "unknown" && sameWords(a.breed, b.breed)) +
    5 * Number(sameWords(a.color, b.color)) +
    5 * Number(a.age !== "unknown" && a.age === b.age) +
    5 * Number(a.sex !== "unknown" && a.sex === b.sex) +
    5 * Number(lost.areaWords.some((word) => found.areaWords.includes(word))) +
    5 * Number(lost.featureWords.some((word) => found.featureWords.includes(word))) +
    5 * Number(lost.postcode === found.postcode) +
    5 * Number(Math.abs(days) <= 14);
  const score = (100 * points) / 95;
  return { score, order: score };
}

/** Distance baseline: nearest first; 100 points minus 10 for each km. */
export function distanceAlone(lost: BenchAlert, found: BenchAlert): Scored | null {
  if (lost.subject.species !== found.subject.species) return null;
  const km = distanceKm(lost.subject.point, found.subject.point);
  return { score: Math.max(0, 100 - 10 * km), order: -km };
}

const words = new Map<string, string>();

function sameWords(one: string, other: string): boolean {
  return inOrder(one) === inOrder(other);
}

function inOrder(text: string): string {
  const known = words.get(text);
  if (known !== undefined) return known;
  const sorted = tokenize(text).toSorted().join(" ");
  words.set(text, sorted);
  return sorted;
}
