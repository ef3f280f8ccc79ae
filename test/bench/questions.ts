import { readQueryWords } from "../../src/core/alerts/query-words.ts";
import { type Random, randomFrom } from "../../src/commands/demo/random.ts";
import { offsetPoint } from "../../src/commands/demo/area.ts";
import { type Point, snap } from "../../src/values/point.ts";
import { snakeCase } from "../../src/http/middleware/field-names.ts";
import { PUBLISHED_FROM, PUBLISHED_UNTIL, rowsIn } from "./alerts.ts";
import { ALERT_TYPES, SPECIES } from "../../src/values/animal.ts";
import type { Gazetteer } from "../../src/places/town.ts";

/** A question as the REST interface takes it, times as ISO 8601. Every page has 20 alerts. */
export type Question = {
  readonly lat?: number;
  readonly lng?: number;
  readonly radiusKm?: number;
  readonly species?: string;
  readonly type?: string;
  readonly since?: string;
  readonly q?: string;
  readonly cursor?: string;
};

/** Questions of one kind: a radius and a filter. */
export type Kind = {
  readonly radiusKm: number | null;
  readonly filter: string;
  readonly questions: readonly Question[];
};

export const PAGE = 20;
export const RADII_KM = [5, 50, 500, null] as const;
const SEED = "questions";
/** So many centres in ten lie where most people live, the others in the town nearest to anywhere. */
const BY_POPULATION = 0.75;
const SPREAD_KM = 10;
const FREQUENT_WORDS = 8;
/** A rare word stands in at most one alert of so many. */
const RARE_SHARE = 10_000;

/** The same questions for the same data folder: `count` of every radius and filter. */
export async function questionsAbout(
  folder: string,
  gazetteer: Gazetteer,
  count: number,
): Promise<Kind[]> {
  const { frequentWords, rareWords } = await wordsIn(folder);
  const random = randomFrom(SEED);
  const filters: Readonly<Record<string, () => Question>> = {
    "no filter": () => ({}),
    species: () => ({ species: random.of(SPECIES) }),
    type: () => ({ type: random.of(ALERT_TYPES) }),
    "species and type": () => ({ species: random.of(SPECIES), type: random.of(ALERT_TYPES) }),
    "last three days": () => ({ since: moment(0.9) }),
    "frequent word": () => ({ q: random.of(frequentWords) }),
    "rare word": () => ({ q: random.of(rareWords) }),
    "two words": () => ({ q: `${random.of(frequentWords)} ${random.of(frequentWords)}` }),
    "deep page": () => ({ cursor: moment(random.next()) }),
    "deep page, species": () => ({ cursor: moment(random.next()), species: random.of(SPECIES) }),
  };
  return RADII_KM.flatMap((radiusKm) =>
    Object.entries(filters).map(([filter, filtered]) => ({
      radiusKm,
      filter,
      questions: Array.from({ length: count }, () => ({
        ...(radiusKm === null ? {} : { ...somewhere(random, gazetteer), radiusKm }),
        ...filtered(),
      })),
    })),
  );
}

/**
 * The most frequent words, and words that stand in few alerts. Without names that have synonyms: the other contenders know
 * none.
 */
async function wordsIn(folder: string) {
  const counts = new Map<string, number>();
  let alerts = 0;
  for await (const { words } of rowsIn(folder)) {
    alerts++;
    for (const word of words.split(" ")) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const plain = [...counts].filter(([word]) => readQueryWords(word).concepts.length === 0);
  const byCount = plain.toSorted(([, a], [, b]) => b - a);
  const few = Math.max(1, alerts / RARE_SHARE);
  return {
    frequentWords: byCount.slice(0, FREQUENT_WORDS).map(([word]) => word),
    rareWords: plain.flatMap(([word, count]) => (count <= few ? [word] : [])),
  };
}

export const API = "/api/v1";

/** The address of a question below `API`. */
export function pathOf(question: Question): string {
  const parts = Object.entries(question).map(
    ([name, value]: [string, string | number]) => `${snakeCase(name)}=${encodeURIComponent(value)}`,
  );
  return `/alerts?${parts.join("&")}`;
}

function somewhere(random: Random, gazetteer: Gazetteer): Point {
  const town = random.chance(BY_POPULATION)
    ? gazetteer.draw(random.next())
    : gazetteer.nearest(anywhere(random));
  const { lat, lng } = offsetPoint(
    town.point,
    random.normal() * SPREAD_KM,
    random.normal() * SPREAD_KM,
  );
  return snap(lat, lng);
}

function anywhere(random: Random): Point {
  const lat = (Math.asin(2 * random.next() - 1) * 180) / Math.PI;
  return snap(lat, 360 * random.next() - 180);
}

function moment(share: number): string {
  return new Date(PUBLISHED_FROM + share * (PUBLISHED_UNTIL - PUBLISHED_FROM)).toISOString();
}
