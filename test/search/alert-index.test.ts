import { describe, expect, test } from "bun:test";
import { distanceKm, snap } from "../../src/values/point.ts";
import { tokenize } from "../../src/text/tokenize.ts";
import { createAlertIndex } from "../../src/search/alert-index.ts";
import {
  alert,
  allPages,
  anAlert,
  aPoint,
  applyTo,
  aQuery,
  BOX_ONLY,
  bruteForce,
  drop,
  FIJI_EAST,
  FIJI_WEST,
  IMPATIENT,
  indexOf,
  LYON,
  type Model,
  moved,
  ORDERED_ONLY,
  PARIS,
  put,
  query,
} from "./model.ts";
import { fc, runs } from "../support/seed.ts";
import type {
  AlertDistance,
  AlertIndex,
  AlertMark,
  DistanceQuery,
  IndexQuery,
} from "../../src/search/indexes.ts";

const KEYS = 80;
const changes = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: anAlert(KEYS).map(put) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: KEYS }).map(drop) },
  ),
  { maxLength: 120, size: "max" },
);

describe("after alerts were put, dropped and put again, in any order,", () => {
  const rounds = fc.array(
    fc.tuple(changes, fc.array(aQuery(KEYS), { minLength: 1, maxLength: 8 })),
    { minLength: 1, maxLength: 5 },
  );

  test("every plan of a search, a count and a map gives the answer of a test of every alert", () => {
    fc.assert(
      fc.property(rounds, fc.integer({ min: 1, max: 60 }), (rounds, countMax) => {
        const model: Model = new Map();
        const indexes = [undefined, ORDERED_ONLY, BOX_ONLY, IMPATIENT].map((budget) =>
          createAlertIndex(budget && { budget }),
        );
        for (const [changes, queries] of rounds) {
          applyTo(model, changes);
          for (const index of indexes) index.apply(changes);
          for (const request of queries) {
            const { before: _, limit, ...unpaged } = request;
            const all = bruteForce(model, { ...request, limit: Infinity });
            const newest = bruteForce(model, { ...unpaged, limit: Infinity });
            const marks = newest.slice(0, limit).map((key) => markOf(model.get(key)!));
            const nearest = byDistance(model, distanceQuery(request));
            for (const index of indexes) {
              expect(index.size).toBe(model.size);
              expect(index.search(request)).toEqual(all.slice(0, limit));
              expect(allPages(index, request)).toEqual(all);
              expect(index.marks({ ...unpaged, limit }).map(markOf)).toEqual(marks);
              expect(index.count(request, countMax)).toBe(Math.min(countMax, newest.length));
              expect(pagesByDistance(index, distanceQuery(request))).toEqual(nearest);
            }
          }
        }
      }),
      { numRuns: runs(200) },
    );
  });

  test("a search by distance loses and repeats no alert while others are published and dropped between its pages", () => {
    fc.assert(
      fc.property(
        changes,
        aQuery(KEYS).map(distanceQuery),
        fc.array(anAlert(KEYS), { minLength: 1, maxLength: 60 }),
        (changes, request, newer) => {
          const model: Model = new Map();
          applyTo(model, changes);
          const index = createAlertIndex();
          index.apply(changes);
          const before = byDistance(model, request);

          const found = pagesByDistance(index, { ...request, limit: 3 }, (page) => {
            const [added] = newer.slice(page - 1, page);
            if (added !== undefined)
              index.apply([put({ ...added, publishedAt: KEYS + 1 + page }), drop(KEYS + page)]);
          });

          expect(found.filter(({ publishedAt }) => publishedAt <= KEYS)).toEqual(before);
          expect(new Set(found.map(({ publishedAt }) => publishedAt)).size).toBe(found.length);
        },
      ),
      { numRuns: runs(200) },
    );
  });
});

describe("an index of few alerts", () => {
  test("includes alerts at exactly the radius and none beyond it, to the last bit of the distance", () => {
    fc.assert(
      fc.property(aPoint, aPoint, (centre, point) => {
        const index = indexOf(alert(1, { point }));
        const km = distanceKm(centre, point);

        expect(index.search(query({ near: { point: centre, radiusKm: km } }))).toEqual([1]);
        expect(
          index.search(query({ near: { point: centre, radiusKm: km * (1 - 3e-16) } })),
        ).toEqual(km * (1 - 3e-16) < km ? [] : [1]);
      }),
      { numRuns: 500 },
    );
  });

  test("returns each alert once if an R-tree has alerts on both sides of the date line", () => {
    const sides = [FIJI_WEST, FIJI_EAST].flatMap((side) =>
      Array.from({ length: 20 }, (_, nth) =>
        snap(side.lat, side.lng - (Math.sign(side.lng) * (nth % 5)) / 100),
      ),
    );
    const alerts = sides.map((point, nth) => alert(nth + 1, { point }));
    const near = { point: snap(-16.8, 180), radiusKm: 50 };
    for (const budget of [ORDERED_ONLY, BOX_ONLY]) {
      const index = createAlertIndex({ budget });
      index.apply(alerts.map(put));

      expect(index.search(query({ near, limit: 100 }))).toEqual(
        alerts.map(({ publishedAt }) => publishedAt).toReversed(),
      );
    }
    const days = { first: 0, last: 99_999, own: 0 };
    const found = indexOf(...alerts).nearest({
      ...near,
      species: "dog",
      type: "lost",
      days,
      limit: 100,
    });
    expect(new Set(found.map(({ publishedAt }) => publishedAt)).size).toBe(found.length);
    expect(found).toHaveLength(alerts.length);
  });

  test("matches alerts that have a word with each prefix of the query", () => {
    const index = indexOf(
      alert(1, { text: "Élan, golden retriever, Lyon" }),
      alert(2, { text: "金毛尋回犬 香港" }),
      alert(3, { text: "marigold" }),
    );

    expect(index.search(query({ words: tokenize("GOLD elan") }))).toEqual([1]);
    expect(index.search(query({ words: tokenize("gold") }))).toEqual([1]);
    expect(index.search(query({ words: tokenize("金毛") }))).toEqual([2]);
    expect(index.search(query({ words: tokenize("尋回犬") }))).toEqual([]);
    expect(index.search(query({ words: tokenize("golden nowhere") }))).toEqual([]);
  });

  test("finds a word by a prefix among thousands, added in a batch or one by one", () => {
    const texts = Array.from({ length: 3_000 }, (_, nth) => String((nth * 7_919) % 10_007));
    const index = createAlertIndex();
    index.apply(texts.slice(0, 2_900).map((text, nth) => put(alert(nth, { text }))));
    texts.slice(2_900).forEach((text, nth) => index.apply([put(alert(2_900 + nth, { text }))]));

    for (const prefix of ["1", "3", "9", "12", "99", "404", texts[7]!, texts[2_999]!, "x"]) {
      const matching = [...texts.keys()].filter((nth) => texts[nth]!.startsWith(prefix));
      expect(index.search(query({ words: [prefix], limit: 3_000 }))).toEqual(matching.toReversed());
    }
  });

  test("returns an alert once if two of its words have the prefix", () => {
    const others = Array.from({ length: 60 }, (_, nth) => alert(nth + 1));
    const index = indexOf(
      ...others,
      alert(61, { text: "gold goldfish" }),
      alert(62, { text: "golden" }),
    );

    expect(index.search(query({ words: ["gold"] }))).toEqual([62, 61]);
  });

  test("finds a restored alert in its place, even if that was indexed meanwhile", () => {
    const index = createAlertIndex({ budget: BOX_ONLY });
    const numbered = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, nth) => put(alert(from + nth)));
    index.apply(numbered(0, 40));
    index.apply([drop(5)]);
    index.apply(numbered(40, 140));

    index.apply([put(alert(5))]);

    const near = { point: PARIS, radiusKm: 5 };
    expect(index.search(query({ near, limit: 200 }))).toHaveLength(140);
    expect(index.search(query({ near, before: 7, limit: 2 }))).toEqual([6, 5]);
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
  const fraction = fc.double({ min: 0, max: 1, noNaN: true });
  const queries = fc.array(aQuery(KEYS), { minLength: 40, maxLength: 40, size: "max" });

  test.each([
    ["in many small steps", 5],
    ["in a few steps", 700],
  ])(
    "answers correctly while it is compacted %s, after many edits, drops and alerts out of order",
    (_, rowsPerStep) => {
      fc.assert(
        fc.property(
          many,
          many,
          dropped,
          queries,
          fraction,
          (first, later, dropped, queries, fraction) => {
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
            for (const request of queries) {
              expect(index.search(request)).toEqual(bruteForce(model, request));
              const all = bruteForce(model, { ...request, before: undefined, limit: Infinity });
              expect(index.count(request, 1_001)).toBe(Math.min(1_001, all.length));
              const byKm = distanceQuery(request);
              const nearest = byDistance(model, byKm);
              const from = Math.floor(fraction * nearest.length);
              const after = nearest[from - 1] ?? null;
              const page = nearest.slice(from, from + request.limit);
              expect(index.searchByDistance({ ...byKm, after })).toEqual(page);
            }
          },
        ),
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

      const marks = index.marks({ near: { point: PARIS, radiusKm: 200 }, limit: 1_000 });
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

    for (const point of [PARIS, LYON, moved(PARIS, 1, 1)]) {
      for (const words of [[], ["mimi"], ["rex"], ["r"], ["zzz"]]) {
        const request = query({ near: { point, radiusKm: 50 }, words, limit: 30 });
        expect(index.search(request)).toEqual(bruteForce(model, request));
        const wide = distanceQuery({ ...request, near: { point, radiusKm: 500 } });
        expect(index.searchByDistance(wide)).toEqual(byDistance(model, wide).slice(0, 30));
      }
    }
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
        since: fc.option(fc.nat(KEYS), { nil: undefined }),
        before: fc.option(fc.nat(KEYS + 2_000), { nil: undefined }),
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
      { numRuns: runs(4), endOnFailure: true },
    );
  });

  test.each([
    ["all alerts", ORDERED_ONLY, ""],
    ["one posting list", ORDERED_ONLY, "mimi"],
    ["many posting lists", ORDERED_ONLY, "x"],
    ["the box", BOX_ONLY, ""],
    ["the box, with a word", BOX_ONLY, "mimi"],
  ] as const)("pages through %s to the end without a gap or a repetition", (_, budget, prefix) => {
    const texts = Array.from({ length: 20_000 }, (_, nth) =>
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

const distanceQuery = ({ near, before: _before, ...rest }: IndexQuery): DistanceQuery => ({
  ...rest,
  near: near ?? { point: PARIS, radiusKm: 20_016 },
  after: null,
});

/** All matches of a search by distance, from a test of every alert. */
function byDistance(model: Model, request: DistanceQuery): AlertDistance[] {
  return bruteForce(model, { ...request, before: undefined, limit: Infinity })
    .map((publishedAt) => ({
      publishedAt,
      km: distanceKm(request.near.point, model.get(publishedAt)!.point),
    }))
    .sort((a, b) => a.km - b.km || b.publishedAt - a.publishedAt);
}

function pagesByDistance(
  index: AlertIndex,
  request: DistanceQuery,
  between: (page: number) => void = () => {},
): AlertDistance[] {
  const found: AlertDistance[] = [];
  for (let pages = 1; ; pages++) {
    const page = index.searchByDistance({ ...request, after: found.at(-1) ?? null });
    found.push(...page);
    if (page.length < request.limit) return found;
    between(pages);
  }
}
