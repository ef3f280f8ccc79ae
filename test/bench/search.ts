import { heapStats } from "bun:jsc";
import { isoDate } from "../../src/core/input.ts";
import { snap } from "../../src/values/point.ts";
import { TOTAL_MAX } from "../../src/core/alerts/search.ts";
import { readQueryWords } from "../../src/core/alerts/query-words.ts";
import { createAlertIndex } from "../../src/search/alert-index.ts";
import { SPECIES } from "../../src/values/animal.ts";
import type { IndexChange, IndexedAlert, IndexQuery } from "../../src/search/indexes.ts";

/**
 * How fast searches are in process: `bun test/bench/search.ts [ALERTS] [KIND]`, where only kinds of question are asked
 * whose line has KIND in it. Alerts lie around 3,000 towns of very unequal size, most of them in the middle latitudes;
 * the same seed gives the same alerts and questions.
 */
const QUERIES = 1_000;
/** Each question is asked in as many rounds, and the least time counts: the machine does other work as well. */
const ROUNDS = 3;
const LIMIT = 20;
const P99_MS_AIM = 0.5;
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

/** Made-up alerts, a second apart. */
export function alertsAroundTowns(count: number): IndexedAlert[] {
  return Array.from({ length: count }, (_, nth) => {
    const town = towns[drawn(townsByWeight)]!;
    const chance = random();
    const name = random() < 0.7 ? names[skewed(names.length)]! : "";
    const breed = breeds[skewed(breeds.length)]!;
    return {
      publishedAt: FIRST + nth * 1000,
      point: snap(town.lat + spread(0.12), town.lng + spread(0.18)),
      species: chance < 0.55 ? "dog" : chance < 0.92 ? "cat" : chance < 0.97 ? "bird" : "other",
      type: random() < 0.7 ? "lost" : "found",
      eventDate: isoDate(FIRST + nth * 1000),
      texts: [name, breed, `${COLOURS[skewed(9)]} ${COLOURS[skewed(9)]}`, town.name],
    };
  });
}

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
const FILTERS: Record<string, (alerts: number) => Partial<IndexQuery>> = {
  "no filter": () => ({}),
  "species+type": () => ({
    species: SPECIES[Math.floor(random() * 4)]!,
    type: random() < 0.5 ? "lost" : "found",
  }),
  page: (alerts) => ({ before: FIRST + Math.floor(random() * alerts) * 1000 }),
  since: (alerts) => ({ since: FIRST + Math.floor((0.9 + 0.1 * random()) * alerts) * 1000 }),
};

/** Calls of the index: a page of the newest, a page of the nearest, and a total. */
const OPERATIONS = ["newest", "nearest", "count"] as const;

/** How long one kind of question took, in milliseconds. */
export type SearchRow = {
  readonly operation: (typeof OPERATIONS)[number];
  /** "50", "none". */
  readonly radiusKm: string;
  readonly filter: string;
  readonly words: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Of a question, on average. */
  readonly answers: number;
};
export type SearchFigures = {
  readonly alerts: number;
  readonly loadMs: number;
  readonly bytesPerAlert: number;
  readonly rows: readonly SearchRow[];
};

/** Asks an index of so many alerts every kind of question whose name `wanted` takes. */
export function benchSearch(
  alerts: number,
  wanted: (kind: string) => boolean = () => true,
  tell: (row: SearchRow) => void = () => {},
): SearchFigures {
  const changes = alertsAroundTowns(alerts).map((alert): IndexChange => ({ kind: "put", alert }));
  const index = createAlertIndex();
  const bytesBefore = heapBytes();
  const loadStart = performance.now();
  index.apply(changes);
  const loadMs = performance.now() - loadStart;
  const bytesPerAlert = (heapBytes() - bytesBefore) / alerts;

  const rows: SearchRow[] = [];
  for (const radiusKm of [5, 50, 500, null]) {
    for (const [filter, filterOf] of Object.entries(FILTERS)) {
      for (const [words, wordsIn] of Object.entries(WORDS)) {
        const near = () => (radiusKm === null ? undefined : { point: somewhere(), radiusKm });
        // Drawn even where nobody wants them, so that a part of the questions is the same as in the whole.
        const queries = Array.from({ length: QUERIES }, (): IndexQuery => ({
          near: near(),
          ...readQueryWords(wordsIn()),
          limit: LIMIT,
          ...filterOf(alerts),
        }));
        for (const operation of OPERATIONS) {
          const kind = { operation, radiusKm: String(radiusKm ?? "none"), filter, words };
          if (operation === "nearest" && radiusKm === null) continue;
          // A page is counted from its first row, and ordered by distance from its first alert.
          if (operation !== "newest" && filter === "page") continue;
          if (!wanted(Object.values(kind).join(" "))) continue;
          const row = { ...kind, ...timesOf(index, queries, operation) };
          rows.push(row);
          tell(row);
        }
      }
    }
  }
  return { alerts, loadMs, bytesPerAlert, rows };
}

function timesOf(
  index: ReturnType<typeof createAlertIndex>,
  queries: readonly IndexQuery[],
  operation: SearchRow["operation"],
) {
  const ask = {
    newest: (query: IndexQuery) => index.search(query).length,
    nearest: ({ near, ...query }: IndexQuery) =>
      index.searchByDistance({ ...query, near: near!, after: null }).length,
    count: (query: IndexQuery) => index.count(query, TOTAL_MAX + 1),
  }[operation];
  for (const query of queries.slice(0, 300)) ask(query);
  let answers = 0;
  const times = queries.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    queries.forEach((query, nth) => {
      const start = performance.now();
      answers += ask(query);
      times[nth] = Math.min(times[nth]!, performance.now() - start);
    });
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]!;
  return {
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    answers: answers / queries.length / ROUNDS,
  };
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

if (import.meta.main) {
  const [count = "1000000", kind = ""] = Bun.argv.slice(2);
  console.log("asked    radius  filter        words           p50 ms   p99 ms   max ms  answers");
  const { alerts, loadMs, bytesPerAlert, rows } = benchSearch(
    Number(count),
    (name) => name.includes(kind),
    (row) => {
      const times = [row.p50Ms, row.p99Ms, row.maxMs].map((ms) => ms.toFixed(3).padStart(8));
      console.log(
        `${row.operation.padEnd(8)} ${row.radiusKm.padEnd(7)} ${row.filter.padEnd(13)} ${row.words.padEnd(14)}`,
        ...times,
        row.answers.toFixed(1).padStart(8),
        "",
      );
    },
  );
  const newest = rows.filter(({ operation }) => operation === "newest");
  const fast = newest.filter(({ p99Ms }) => p99Ms <= P99_MS_AIM).length;
  console.log(
    `\n${alerts} alerts in ${loadMs.toFixed(0)} ms, ${bytesPerAlert.toFixed(0)} bytes each;`,
    `99 of 100 searches, newest first, within ${P99_MS_AIM} ms in ${fast} of ${newest.length} kinds`,
  );
}
