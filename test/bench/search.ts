import { heapStats } from "bun:jsc";
import { SPECIES } from "../../src/core/alert.ts";
import { snap } from "../../src/core/place.ts";
import type { IndexChange, IndexQuery } from "../../src/core/ports.ts";
import { wordsOf } from "../../src/core/words.ts";
import { createAlertIndex } from "../../src/search/alert-index.ts";

/**
 * How fast searches are: `bun test/bench/search.ts [alerts]`. Alerts lie around 3,000 towns of very unequal size,
 * most of them in the middle latitudes; the same seed gives the same alerts and questions.
 */
const alerts = Number(Bun.argv[2] ?? 1_000_000);
const QUERIES = 1_000;
/** Each question is asked in as many rounds, and the least time counts: the machine does other work as well. */
const ROUNDS = 3;
const LIMIT = 20;
const FIRST = 1_700_000_000_000;

const random = randomFrom(7);
const towns = Array.from({ length: 3_000 }, (_, rank) => ({
  lat: random() < 0.8 ? 35 + random() * 20 : -40 + random() * 80,
  lng: random() < 0.5 ? -5 + random() * 30 : -120 + random() * 260,
  name: syllables(3),
  weight: 1 / (rank + 5),
}));
const names = Array.from({ length: 4_000 }, () => syllables(2));
const breeds = Array.from({ length: 250 }, () => `${syllables(2)} ${syllables(2)}`);
const COLOURS = [
  "black",
  "brown",
  "white",
  "grey",
  "tabby",
  "ginger",
  "brindle",
  "cream",
  "tricolour",
];
const townsByWeight = cumulative(towns.map(({ weight }) => weight));

const changes = Array.from({ length: alerts }, (_, nth): IndexChange => {
  const town = towns[drawn(townsByWeight)]!;
  const chance = random();
  const name = random() < 0.7 ? names[skewed(names.length)]! : "";
  const breed = breeds[skewed(breeds.length)]!;
  return {
    kind: "put",
    alert: {
      publishedAt: FIRST + nth * 1000,
      point: snap(town.lat + spread(0.12), town.lng + spread(0.18)),
      species: chance < 0.55 ? "dog" : chance < 0.92 ? "cat" : chance < 0.97 ? "bird" : "other",
      type: random() < 0.7 ? "lost" : "found",
      // Joined, not added: a string that was added up is finished, and takes its memory, when first read.
      text: [name, breed, COLOURS[skewed(9)], COLOURS[skewed(9)], town.name].join(" "),
    },
  };
});

const index = createAlertIndex();
const bytesBefore = heapBytes();
const loadStart = performance.now();
index.apply(changes);
const loadMs = performance.now() - loadStart;
const bytes = heapBytes() - bytesBefore;
console.log(
  `${alerts} alerts in ${loadMs.toFixed(0)} ms, ${(bytes / alerts).toFixed(0)} bytes each\n`,
);

const WORDS = {
  "no words": () => "",
  "a colour": () => COLOURS[skewed(9)]!,
  "a name": () => names[skewed(names.length)]!,
  "a breed": () => breeds[skewed(breeds.length)]!,
  "two colours": () => `${COLOURS[skewed(9)]} ${COLOURS[Math.floor(random() * 9)]}`,
  "breed, colour": () => `${breeds[skewed(breeds.length)]} ${COLOURS[Math.floor(random() * 9)]}`,
  "one letter": () => syllables(1).slice(0, 1),
  "no such": () => "zzz",
};
const FILTERS: Record<string, () => Partial<IndexQuery>> = {
  "no filter": () => ({}),
  "species+type": () => ({
    species: SPECIES[Math.floor(random() * 4)]!,
    type: random() < 0.5 ? "lost" : "found",
  }),
  page: () => ({ before: FIRST + Math.floor(random() * alerts) * 1000 }),
  since: () => ({ since: FIRST + Math.floor((0.9 + 0.1 * random()) * alerts) * 1000 }),
};

console.log("radius  filter        words           p50 ms   p99 ms   max ms  answers  ways");
for (const radiusKm of [5, 50, 500, null]) {
  for (const [filterName, filter] of Object.entries(FILTERS)) {
    for (const [wordsName, words] of Object.entries(WORDS)) {
      report(radiusKm, filterName, filter, wordsName, words);
    }
  }
}

function report(
  radiusKm: number | null,
  filterName: string,
  filter: () => Partial<IndexQuery>,
  wordsName: string,
  words: () => string,
): void {
  const queries = Array.from({ length: QUERIES }, (): IndexQuery => ({
    near: radiusKm === null ? null : { point: somewhere(), radiusKm },
    species: null,
    type: null,
    since: null,
    words: wordsOf(words()),
    before: null,
    limit: LIMIT,
    ...filter(),
  }));
  for (const query of queries.slice(0, 300)) index.search(query);
  const before = { ...index.answered };
  let answers = 0;
  const times = queries.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    queries.forEach((query, nth) => {
      const start = performance.now();
      answers += index.search(query).length;
      times[nth] = Math.min(times[nth]!, performance.now() - start);
    });
  }
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    times[Math.floor(share * (times.length - 1))]!.toFixed(3).padStart(8);
  const took = (["newest", "words", "box"] as const).map(
    (way) => `${way} ${index.answered[way] - before[way]}`,
  );
  console.log(
    `${String(radiusKm ?? "none").padEnd(7)} ${filterName.padEnd(13)} ${wordsName.padEnd(14)}`,
    at(0.5),
    at(0.99),
    at(1),
    (answers / QUERIES / ROUNDS).toFixed(1).padStart(8),
    "",
    took.join(" "),
  );
}

/** Objects and typed arrays alike. */
function heapBytes(): number {
  Bun.gc(true);
  return heapStats().heapSize;
}

/** Half near where people are, a quarter near any town, a quarter anywhere. */
function somewhere() {
  const chance = random();
  if (chance > 0.75) return snap(random() * 140 - 70, random() * 360 - 180);
  const town = towns[chance < 0.5 ? drawn(townsByWeight) : Math.floor(random() * towns.length)]!;
  return snap(town.lat + spread(0.1), town.lng + spread(0.1));
}

/** Mulberry32, a small generator with a seed (T. Ettinger, public domain). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** About normal around 0. */
function spread(deviation: number): number {
  return (random() + random() + random() + random() - 2) * Math.sqrt(3) * deviation;
}

/** A whole number below `below`, small ones far more often. */
function skewed(below: number): number {
  return Math.floor(below * random() ** 3);
}

function syllables(count: number): string {
  const part = () =>
    "bdfgklmnprstvz"[Math.floor(random() * 14)]! + "aeiou"[Math.floor(random() * 5)]!;
  return Array.from({ length: count }, part).join("") + "nrsx"[Math.floor(random() * 4)]!;
}

function cumulative(weights: readonly number[]): number[] {
  let sum = 0;
  return weights.map((weight) => (sum += weight));
}

function drawn(sums: readonly number[]): number {
  const wanted = random() * sums.at(-1)!;
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
