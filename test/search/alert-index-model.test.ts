import { describe, expect, test } from "bun:test";
import type { Point } from "../../src/values/point.ts";
import { tokenize } from "../../src/text/tokenize.ts";
import { createAlertIndex } from "../../src/search/alert-index.ts";
import {
  alert,
  anAlert,
  applyTo,
  aQuery,
  BOX_ONLY,
  drop,
  IMPATIENT,
  LYON,
  type Model,
  moved,
  PARIS,
  put,
  query,
  bruteForce,
  ORDERED_ONLY,
  allPages,
} from "./model.ts";
import { fc, runs } from "../support/seed.ts";
import type { AlertMark } from "../../src/search/indexes.ts";

describe("after alerts were put, dropped and put again, in any order,", () => {
  const KEYS = 80;
  const changes = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: anAlert(KEYS).map(put) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: KEYS }).map(drop) },
    ),
    { maxLength: 120, size: "max" },
  );
  const rounds = fc.array(
    fc.tuple(changes, fc.array(aQuery(KEYS), { minLength: 1, maxLength: 8 })),
    { minLength: 1, maxLength: 5 },
  );

  test("every query plan gives the answer of a test of every alert", () => {
    fc.assert(
      fc.property(rounds, (rounds) => {
        const model: Model = new Map();
        const indexes = [undefined, ORDERED_ONLY, BOX_ONLY, IMPATIENT].map((budget) =>
          createAlertIndex(budget && { budget }),
        );
        for (const [changes, queries] of rounds) {
          applyTo(model, changes);
          for (const index of indexes) {
            index.apply(changes);
            expect(index.size).toBe(model.size);
            for (const request of queries)
              expect(index.search(request)).toEqual(bruteForce(model, request));
          }
        }
      }),
      { numRuns: runs(200) },
    );
  });

  test("every query plan marks the newest alerts where they are", () => {
    fc.assert(
      fc.property(rounds, (rounds) => {
        const model: Model = new Map();
        const indexes = [undefined, ORDERED_ONLY, BOX_ONLY, IMPATIENT].map((budget) =>
          createAlertIndex(budget && { budget }),
        );
        for (const [changes, queries] of rounds) {
          applyTo(model, changes);
          for (const index of indexes) {
            index.apply(changes);
            for (const { before: _, limit, ...request } of queries) {
              const newest = bruteForce(model, { ...request, before: null, limit });
              const expected = newest.map((key) => markOf(model.get(key)!));
              expect(index.marks(request, limit).map(markOf)).toEqual(expected);
            }
          }
        }
      }),
      { numRuns: runs(100) },
    );
  });

  test("the pages of a search hold every match exactly once", () => {
    fc.assert(
      fc.property(changes, aQuery(KEYS), (changes, request) => {
        const model: Model = new Map();
        applyTo(model, changes);
        const index = createAlertIndex();
        index.apply(changes);

        expect(allPages(index, request)).toEqual(
          bruteForce(model, { ...request, limit: Infinity }),
        );
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("an index of many alerts around a few places", () => {
  const KEYS = 6_000;
  const many = fc.array(anAlert(KEYS), { minLength: 3_000, maxLength: 3_000, size: "max" });
  const dropped = fc.array(fc.integer({ min: 1, max: KEYS }), {
    minLength: 1_500,
    maxLength: 1_500,
    size: "max",
  });
  const queries = fc.array(aQuery(KEYS), { minLength: 40, maxLength: 40, size: "max" });

  test.each([
    ["at once", 10_000],
    ["in many small steps", 5],
    ["in a few steps", 700],
  ])(
    "answers correctly while it is compacted %s, after many edits, drops and alerts out of order",
    (_, rowsPerStep) => {
      fc.assert(
        fc.property(many, many, dropped, queries, (first, later, dropped, queries) => {
          const model: Model = new Map();
          const index = createAlertIndex({ rowsPerStep });
          // All at once, then one by one, then in pages of the store's size.
          const batches = [
            first.map(put),
            ...later.slice(0, 300).map((alert) => [put(alert)]),
            dropped.map(drop),
            ...pages(later.map(put), 500),
          ];

          batches.forEach((changes, nth) => {
            applyTo(model, changes);
            index.apply(changes);
            const request = queries[nth % queries.length]!;
            expect(index.search(request)).toEqual(bruteForce(model, request));
          });

          expect(index.size).toBe(model.size);
          for (const request of queries)
            expect(index.search(request)).toEqual(bruteForce(model, request));
        }),
        { numRuns: runs(2), endOnFailure: true },
      );
    },
  );

  test("holds an alert once if its edit is reverted during a compaction", () => {
    const index = createAlertIndex({ rowsPerStep: 32 });
    index.apply(Array.from({ length: 2_000 }, (_, nth) => put(alert(nth + 1))));
    const edited = Array.from({ length: 70 }, (_, nth) => 1_920 + nth);
    for (const key of edited) index.apply([put(alert(key, { text: "Mimi" }))]);

    index.apply([put(alert(1_925))]);
    for (let step = 0; step < 100; step++) index.apply([]);

    expect(index.size).toBe(2_000);
    expect(index.search(query({ before: 1_927, limit: 3 }))).toEqual([1_926, 1_925, 1_924]);
    expect(index.search(query({ words: ["mimi"], limit: 100 }))).toEqual(
      edited.filter((key) => key !== 1_925).toReversed(),
    );
  });

  test("marks the newest among more than fit on a map", () => {
    const alerts = Array.from({ length: 20_000 }, (_, nth) =>
      alert(nth + 1, { point: moved(PARIS, (nth % 30) / 100, (nth % 40) / 100) }),
    );
    const newest = alerts.slice(-1_000).map(markOf).toReversed();
    for (const budget of [ORDERED_ONLY, BOX_ONLY]) {
      const index = createAlertIndex({ budget });
      index.apply(alerts.map(put));

      const marks = index.marks(query({ near: { point: PARIS, radiusKm: 200 } }), 1_000);
      expect(marks.map(markOf)).toEqual(newest);
    }
  });

  test("finds many matches in a crowd, few among rare words, and a few far from the crowd", () => {
    const index = createAlertIndex();
    const alerts = Array.from({ length: 20_000 }, (_, nth) =>
      alert(nth + 1, {
        point:
          nth % 1_000 === 7
            ? moved(LYON, (nth % 7) / 100, 0)
            : moved(PARIS, (nth % 30) / 100, (nth % 40) / 100),
        text: nth % 200 === 0 ? "Mimi" : "Rex",
      }),
    );
    index.apply(alerts.map(put));
    const model: Model = new Map(alerts.map((one) => [one.publishedAt, one]));

    for (const point of [PARIS, LYON]) {
      for (const words of [[], ["mimi"], ["rex"]]) {
        const request = query({ near: { point, radiusKm: 50 }, words, limit: 30 });
        expect(index.search(request)).toEqual(bruteForce(model, request));
      }
    }
  });

  test("finds nothing where a word and a place never occur together", () => {
    const index = createAlertIndex();
    index.apply(
      Array.from({ length: 20_000 }, (_, nth) =>
        put(
          nth % 100 === 0
            ? alert(nth, { point: LYON, text: "Mimi" })
            : alert(nth, { point: moved(PARIS, (nth % 30) / 100, (nth % 40) / 100) }),
        ),
      ),
    );

    const near = (point: Point) => ({ point, radiusKm: 50 });
    expect(index.search(query({ near: near(PARIS), words: ["mimi"] }))).toEqual([]);
    expect(index.search(query({ near: near(LYON), words: ["rex"] }))).toEqual([]);
  });

  test("finds the one alert with two frequent prefixes, and later a newer one", () => {
    const index = createAlertIndex();
    index.apply(
      Array.from({ length: 20_000 }, (_, nth) => {
        const text = nth === 7 ? "x1 y1" : `${nth % 2 === 0 ? "x" : "y"}${nth % 50}`;
        return put(alert(nth, { text }));
      }),
    );

    expect(index.search(query({ words: ["x", "y"] }))).toEqual([7]);

    index.apply([put(alert(20_000, { text: "x2 y2" }))]);
    expect(index.search(query({ words: ["x", "y"] }))).toEqual([20_000, 7]);
  });

  test("finds alerts with two prefixes after alerts were published, edited and dropped since an earlier search", () => {
    const KEYS = 6_000;
    const WORDS = [..."abcdefghi"].map((letter) => letter.repeat(4));
    const aWord = fc.constantFrom(...WORDS);
    // Two words in one alert are rare.
    const aText = (single: number) =>
      fc.oneof(
        { weight: single, arbitrary: aWord },
        { weight: 1, arbitrary: fc.tuple(aWord, aWord).map((two) => two.join(" ")) },
      );
    const aPut = (from: number, to: number, single = 50) =>
      fc
        .tuple(fc.integer({ min: from, max: to - 1 }), aText(single))
        .map(([key, text]) => put(alert(key, { text })));
    const some = { minLength: 5, maxLength: 5, size: "max" } as const;
    const aPrefix = fc
      .tuple(aWord, fc.integer({ min: 1, max: 4 }))
      .map(([word, letters]) => word.slice(0, letters));
    const first = fc.array(aPut(0, KEYS), { minLength: KEYS, maxLength: KEYS, size: "max" });
    const aRound = (nth: number) =>
      fc.record({
        newer: fc.array(aPut(KEYS + 10 * nth, KEYS + 10 * (nth + 1), 25), some),
        older: fc.array(aPut(0, KEYS), { maxLength: 1 }),
        dropped: fc.array(fc.nat(KEYS).map(drop), some),
        words: fc.tuple(aPrefix, aPrefix),
        since: fc.option(fc.nat(KEYS)),
        before: fc.option(fc.nat(KEYS + 2_000)),
      });
    const rounds = fc.tuple(...Array.from({ length: 200 }, (_, nth) => aRound(nth)));
    fc.assert(
      fc.property(first, rounds, (first, rounds) => {
        const model: Model = new Map();
        const index = createAlertIndex();
        applyTo(model, first);
        index.apply(first);
        for (const { newer, older, dropped, ...about } of rounds) {
          const changes = [...newer, ...older, ...dropped];
          applyTo(model, changes);
          index.apply(changes);
          const request = query({ ...about, limit: 2 });
          expect(index.search(request)).toEqual(bruteForce(model, request));
        }
      }),
      { numRuns: runs(10), endOnFailure: true },
    );
  });

  test.each([
    ["all alerts", ORDERED_ONLY, ""],
    ["one posting list", ORDERED_ONLY, "mimi"],
    ["many posting lists", ORDERED_ONLY, "x"],
    ["the box", BOX_ONLY, ""],
    ["the box, with a word", BOX_ONLY, "mimi"],
  ] as const)("pages through %s to the end without a gap or a repetition", (_, budget, prefix) => {
    const texts = Array.from({ length: 100_000 }, (_, nth) =>
      nth % 10 === 0 ? "mimi" : nth % 25 === 1 ? `x${nth % 400}` : "rex",
    );
    const index = createAlertIndex({ budget });
    index.apply(texts.map((text, nth) => put(alert(nth, { text }))));

    const near = { point: PARIS, radiusKm: 5 };
    const keys = allPages(index, query({ near, words: tokenize(prefix), limit: 999 }));

    const matching = [...texts.keys()].filter((nth) => texts[nth]!.startsWith(prefix));
    expect(keys).toEqual(matching.toReversed());
  });
});

function markOf({ point, species, type }: AlertMark): string {
  return [point.lat, point.lng, species, type].join();
}

function pages<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, nth) =>
    items.slice(nth * size, (nth + 1) * size),
  );
}
