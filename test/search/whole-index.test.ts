import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { wordsOf } from "../../src/core/words.ts";
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
  tried,
  WALK_ONLY,
  walked,
} from "./indexed.ts";

describe("whatever was put, dropped and put again, in any order,", () => {
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

  test("a search by any way answers as if every alert had been tried", () => {
    const seen = { newest: 0, words: 0, together: 0, box: 0 };
    fc.assert(
      fc.property(rounds, (rounds) => {
        const model: Model = new Map();
        const indexes = [undefined, WALK_ONLY, BOX_ONLY, IMPATIENT].map((budget) =>
          createAlertIndex(budget && { budget }),
        );
        for (const [changes, queries] of rounds) {
          applyTo(model, changes);
          for (const index of indexes) {
            index.apply(changes);
            expect(index.size).toBe(model.size);
            for (const asked of queries) expect(index.search(asked)).toEqual(tried(model, asked));
          }
        }
        const [, walking, boxing, impatient] = indexes;
        expect(walking!.answered.box).toBe(0);
        seen.newest += walking!.answered.newest;
        seen.words += walking!.answered.words;
        seen.together += impatient!.answered.together;
        seen.box += boxing!.answered.box;
      }),
      { numRuns: 200 },
    );

    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
  });

  test("the pages of a search hold every alert that fits exactly once", () => {
    fc.assert(
      fc.property(changes, aQuery(KEYS), (changes, asked) => {
        const model: Model = new Map();
        applyTo(model, changes);
        const index = createAlertIndex();
        index.apply(changes);

        expect(walked(index, asked)).toEqual(tried(model, { ...asked, limit: Infinity }));
      }),
      { numRuns: 200 },
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
    ["little by little", 5],
    ["in a few steps", 700],
  ])(
    "stays right while it is tidied %s: after many edits, drops and alerts out of order",
    (_, movedAtOnce) => {
      fc.assert(
        fc.property(many, many, dropped, queries, (first, later, dropped, queries) => {
          const model: Model = new Map();
          const index = createAlertIndex({ movedAtOnce });
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
            const asked = queries[nth % queries.length]!;
            expect(index.search(asked)).toEqual(tried(model, asked));
          });

          expect(index.size).toBe(model.size);
          for (const asked of queries) expect(index.search(asked)).toEqual(tried(model, asked));
        }),
        { numRuns: 2, endOnFailure: true },
      );
    },
  );

  test("holds an alert once whose edit is taken back while the shelf is made anew", () => {
    const index = createAlertIndex({ movedAtOnce: 32 });
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

  test("answers from the walk where much fits, from the words where one is rare, from the box where little fits", () => {
    const index = createAlertIndex();
    index.apply(
      Array.from({ length: 20_000 }, (_, nth) =>
        put(
          alert(nth + 1, {
            point:
              nth % 1_000 === 7
                ? moved(LYON, (nth % 7) / 100, 0)
                : moved(PARIS, (nth % 30) / 100, (nth % 40) / 100),
            text: nth % 200 === 0 ? "Mimi" : "Rex",
          }),
        ),
      ),
    );

    index.search(query({ near: { point: PARIS, radiusKm: 50 } }));
    expect(index.answered).toEqual({ newest: 1, words: 0, together: 0, box: 0 });

    index.search(query({ near: { point: PARIS, radiusKm: 50 }, words: ["mimi"] }));
    expect(index.answered).toEqual({ newest: 1, words: 1, together: 0, box: 0 });

    const keys = index.search(query({ near: { point: LYON, radiusKm: 50 }, limit: 30 }));
    expect(index.answered).toEqual({ newest: 1, words: 1, together: 0, box: 1 });
    expect(keys).toEqual(Array.from({ length: 20 }, (_, nth) => 19_008 - 1_000 * nth));
  });

  test("where nothing fits, looks through the circle's box or the alerts with a word, whichever are fewer", () => {
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

    expect(index.search(query({ near: { point: PARIS, radiusKm: 50 }, words: ["mimi"] }))).toEqual(
      [],
    );
    expect(index.answered).toEqual({ newest: 0, words: 1, together: 0, box: 0 });

    expect(index.search(query({ near: { point: LYON, radiusKm: 50 }, words: ["rex"] }))).toEqual(
      [],
    );
    expect(index.answered).toEqual({ newest: 0, words: 1, together: 0, box: 1 });
  });

  test("lays two frequent beginnings that hardly ever stand together upon each other", () => {
    const index = createAlertIndex();
    index.apply(
      Array.from({ length: 20_000 }, (_, nth) => {
        const text = nth === 7 ? "x1 y1" : `${nth % 2 === 0 ? "x" : "y"}${nth % 50}`;
        return put(alert(nth, { text }));
      }),
    );

    expect(index.search(query({ words: ["x", "y"] }))).toEqual([7]);
    expect(index.answered).toEqual({ newest: 0, words: 0, together: 1, box: 0 });

    index.apply([put(alert(20_000, { text: "x2 y2" }))]);
    expect(index.search(query({ words: ["x", "y"] }))).toEqual([20_000, 7]);
    expect(index.answered).toEqual({ newest: 0, words: 0, together: 2, box: 0 });
  });

  test("finds what has two beginnings, whatever was published, changed or dropped since they were asked for", () => {
    const KEYS = 6_000;
    const WORDS = [..."abcdefghi"].map((letter) => letter.repeat(4));
    const aWord = fc.constantFrom(...WORDS);
    // Words hardly ever stand together.
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
    const aBeginning = fc
      .tuple(aWord, fc.integer({ min: 1, max: 4 }))
      .map(([word, letters]) => word.slice(0, letters));
    const first = fc.array(aPut(0, KEYS), { minLength: KEYS, maxLength: KEYS, size: "max" });
    const aRound = (nth: number) =>
      fc.record({
        newer: fc.array(aPut(KEYS + 10 * nth, KEYS + 10 * (nth + 1), 25), some),
        older: fc.array(aPut(0, KEYS), { maxLength: 1 }),
        dropped: fc.array(fc.nat(KEYS).map(drop), some),
        words: fc.tuple(aBeginning, aBeginning),
        since: fc.option(fc.nat(KEYS)),
        before: fc.option(fc.nat(KEYS + 2_000)),
      });
    const rounds = fc.tuple(...Array.from({ length: 200 }, (_, nth) => aRound(nth)));
    let together = 0;
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
          const asked = query({ ...about, limit: 2 });
          expect(index.search(asked)).toEqual(tried(model, asked));
        }
        together += index.answered.together;
      }),
      { numRuns: 10, endOnFailure: true },
    );

    expect(together).toBeGreaterThan(100);
  });

  test.each([
    ["all alerts", WALK_ONLY, "", "newest"],
    ["the alerts with one word", WALK_ONLY, "mimi", "words"],
    ["the alerts with any of many words", WALK_ONLY, "x", "words"],
    ["the box", BOX_ONLY, "", "box"],
    ["the box and a word", BOX_ONLY, "mimi", "box"],
  ] as const)(
    "is paged to its end by way of %s without a gap or a repetition",
    (_, budget, begin, way) => {
      const texts = Array.from({ length: 100_000 }, (_, nth) =>
        nth % 10 === 0 ? "mimi" : nth % 25 === 1 ? `x${nth % 400}` : "rex",
      );
      const index = createAlertIndex({ budget });
      index.apply(texts.map((text, nth) => put(alert(nth, { text }))));

      const near = { point: PARIS, radiusKm: 5 };
      const keys = walked(index, query({ near, words: wordsOf(begin), limit: 999 }));

      const fitting = [...texts.keys()].filter((nth) => texts[nth]!.startsWith(begin));
      expect(keys).toEqual(fitting.toReversed());
      expect(index.answered[way]).toBeGreaterThanOrEqual(fitting.length / 999 - 1);
    },
  );
});

function pages<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, nth) =>
    items.slice(nth * size, (nth + 1) * size),
  );
}
