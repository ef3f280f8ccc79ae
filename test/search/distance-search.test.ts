import { describe, expect, test } from "bun:test";
import { distanceKm } from "../../src/values/point.ts";
import { createAlertIndex } from "../../src/search/alert-index.ts";
import {
  alert,
  anAlert,
  applyTo,
  aQuery,
  bruteForce,
  drop,
  FIJI_EAST,
  FIJI_WEST,
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
import type { AlertDistance, AlertIndex, DistanceQuery } from "../../src/search/indexes.ts";

const KEYS = 80;
const changesOf = (keys: number, count: number) =>
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: anAlert(keys).map(put) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: keys }).map(drop) },
    ),
    { minLength: count / 2, maxLength: count, size: "max" },
  );
const aDistanceQuery = (keys: number): fc.Arbitrary<DistanceQuery> =>
  aQuery(keys).map(({ near, before: _before, ...rest }) => ({
    ...rest,
    near: near ?? { point: PARIS, radiusKm: 20_016 },
    after: null,
  }));

/** All matches of a search by distance, from a test of every alert. */
function byDistance(model: Model, request: DistanceQuery): AlertDistance[] {
  return bruteForce(model, { ...request, before: null, limit: Infinity })
    .map((publishedAt) => ({
      publishedAt,
      km: distanceKm(request.near.point, model.get(publishedAt)!.point),
    }))
    .sort((a, b) => a.km - b.km || b.publishedAt - a.publishedAt);
}

function allPages(
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

describe("a search by distance", () => {
  test("gives the nearest matches first, with every filter, across the date line and poles, after any changes", () => {
    fc.assert(
      fc.property(changesOf(KEYS, 120), fc.array(aDistanceQuery(KEYS)), (changes, queries) => {
        const model: Model = new Map();
        applyTo(model, changes);
        const index = createAlertIndex();
        index.apply(changes);

        for (const request of queries) {
          const matches = byDistance(model, request);
          expect(index.searchByDistance(request)).toEqual(matches.slice(0, request.limit));
          expect(allPages(index, request)).toEqual(matches);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  test("gives the nearest matches among thousands, from any page", () => {
    fc.assert(
      fc.property(
        changesOf(6_000, 6_000),
        fc.array(aDistanceQuery(6_000), { minLength: 30, maxLength: 30, size: "max" }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (changes, queries, fraction) => {
          const model: Model = new Map();
          applyTo(model, changes);
          const index = createAlertIndex();
          index.apply(changes);

          for (const request of queries) {
            const matches = byDistance(model, request);
            const from = Math.floor(fraction * matches.length);
            expect(
              index.searchByDistance({ ...request, after: matches[from - 1] ?? null }),
            ).toEqual(matches.slice(from, from + request.limit));
          }
        },
      ),
      { numRuns: runs(8), endOnFailure: true },
    );
  });

  test("loses and repeats no alert while others are published and dropped between its pages", () => {
    fc.assert(
      fc.property(
        changesOf(KEYS, 120),
        aDistanceQuery(KEYS),
        fc.array(anAlert(KEYS), { minLength: 1, maxLength: 60 }),
        (changes, request, newer) => {
          const model: Model = new Map();
          applyTo(model, changes);
          const index = createAlertIndex();
          index.apply(changes);
          const before = byDistance(model, request);

          const found = allPages(index, { ...request, limit: 3 }, (page) => {
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

  test("gives the newest first among alerts in one cell, across the edges of pages", () => {
    const index = indexOf(...Array.from({ length: 50 }, (_, nth) => alert(nth + 1)));

    const near = { point: PARIS, radiusKm: 5 };
    const found = allPages(index, { ...query(), near, after: null, limit: 7 });

    expect(found.map(({ publishedAt }) => publishedAt)).toEqual(
      Array.from({ length: 50 }, (_, nth) => 50 - nth),
    );
  });

  test("finds the nearest on both sides of the date line", () => {
    const index = indexOf(
      alert(1, { point: moved(FIJI_WEST, 0, -0.05) }),
      alert(2, { point: FIJI_EAST }),
      alert(3),
    );

    const near = { point: FIJI_WEST, radiusKm: 50 };
    const found = index.searchByDistance({ ...query(), near, after: null });
    expect(found.map(({ publishedAt }) => publishedAt)).toEqual([2, 1]);
  });

  test("finds few matches far from the centre of a crowd, and rare words in it", () => {
    const alerts = Array.from({ length: 20_000 }, (_, nth) =>
      alert(nth + 1, {
        point:
          nth % 1_000 === 7
            ? moved(LYON, (nth % 7) / 100, 0)
            : moved(PARIS, (nth % 30) / 100, (nth % 40) / 100),
        text: nth % 200 === 0 ? "Mimi" : "Rex",
      }),
    );
    const index = indexOf(...alerts);
    const model: Model = new Map(alerts.map((one) => [one.publishedAt, one]));

    for (const point of [PARIS, LYON, moved(PARIS, 1, 1)]) {
      for (const words of [[], ["mimi"], ["rex"], ["r"], ["zzz"]]) {
        const { before: _, ...rest } = query({ words, limit: 30 });
        const request = { ...rest, near: { point, radiusKm: 500 }, after: null };
        expect(index.searchByDistance(request)).toEqual(byDistance(model, request).slice(0, 30));
      }
    }
  });
});

describe("a count", () => {
  test("is the number of matches up to its bound, by every plan", () => {
    fc.assert(
      fc.property(
        changesOf(KEYS, 120),
        fc.array(aQuery(KEYS)),
        fc.integer({ min: 1, max: 60 }),
        (changes, queries, max) => {
          const model: Model = new Map();
          applyTo(model, changes);
          for (const budget of [undefined, ORDERED_ONLY]) {
            const index = createAlertIndex(budget && { budget });
            index.apply(changes);
            for (const request of queries) {
              const all = { ...request, before: null, limit: Infinity };
              expect(index.count(request, max)).toBe(Math.min(max, bruteForce(model, all).length));
            }
          }
        },
      ),
      { numRuns: runs(200) },
    );
  });

  test("is exact below its bound among thousands", () => {
    fc.assert(
      fc.property(
        changesOf(6_000, 6_000),
        fc.array(aQuery(6_000), { minLength: 30, maxLength: 30, size: "max" }),
        (changes, queries) => {
          const model: Model = new Map();
          applyTo(model, changes);
          const index = createAlertIndex();
          index.apply(changes);
          for (const request of queries) {
            const all = { ...request, before: null, limit: Infinity };
            const expected = bruteForce(model, all).length;
            expect(index.count(request, 1_001)).toBe(Math.min(1_001, expected));
          }
        },
      ),
      { numRuns: runs(8), endOnFailure: true },
    );
  });
});
