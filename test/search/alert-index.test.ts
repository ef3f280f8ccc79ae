import { describe, expect, test } from "bun:test";
import { distanceKm, snap } from "../../src/values/point.ts";
import { tokenize } from "../../src/text/tokenize.ts";
import { createAlertIndex } from "../../src/search/alert-index.ts";
import {
  alert,
  aPoint,
  BOX_ONLY,
  drop,
  FIJI_EAST,
  FIJI_WEST,
  indexOf,
  LYON,
  PARIS,
  put,
  query,
  ORDERED_ONLY,
} from "./model.ts";
import { fc } from "../support/seed.ts";

describe("a search", () => {
  test("of an empty index finds nothing", () => {
    const index = createAlertIndex();

    const near = { point: PARIS, radiusKm: 50 };
    expect(index.search(query({ near, words: ["rex"] }))).toEqual([]);
    expect(index.size).toBe(0);
  });

  test("returns the newest alerts first, at most `limit`", () => {
    const index = indexOf(alert(1), alert(2), alert(3));

    expect(index.search(query({ limit: 2 }))).toEqual([3, 2]);
    expect(index.search(query({ limit: 0 }))).toEqual([]);
  });

  test("includes alerts published at `since` and excludes those published at `before`", () => {
    const index = indexOf(alert(1), alert(2), alert(3), alert(4));

    expect(index.search(query({ since: 2, before: 4 }))).toEqual([3, 2]);
    expect(index.search(query({ since: 4, before: 4 }))).toEqual([]);
    expect(index.search(query({ since: 5 }))).toEqual([]);
  });

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

  test("crosses the date line from both sides", () => {
    const index = indexOf(alert(1, { point: FIJI_WEST }), alert(2, { point: FIJI_EAST }), alert(3));

    for (const point of [FIJI_WEST, FIJI_EAST, snap(-16.8, 180)]) {
      expect(index.search(query({ near: { point, radiusKm: 10 } }))).toEqual([2, 1]);
    }
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

  test("crosses a pole", () => {
    const index = indexOf(
      alert(1, { point: snap(89.9, 10) }),
      alert(2, { point: snap(89.9, -170) }),
      alert(3, { point: snap(80, 10) }),
    );

    const near = { point: snap(89.95, 10), radiusKm: 30 };
    expect(index.search(query({ near }))).toEqual([2, 1]);
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
});

describe("a change", () => {
  test("that drops an alert removes it; dropping an unknown key does nothing", () => {
    const index = indexOf(alert(1), alert(2));

    index.apply([drop(1), drop(7)]);

    expect(index.search(query())).toEqual([2]);
    expect(index.size).toBe(1);
  });

  test("that puts a dropped alert again restores its place in the order", () => {
    const index = indexOf(alert(1), alert(2), alert(3));

    index.apply([drop(2)]);
    index.apply([put(alert(2))]);

    expect(index.search(query())).toEqual([3, 2, 1]);
    expect(index.size).toBe(3);
  });

  test("that restores an alert finds it in its place, even if that was indexed meanwhile", () => {
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

  test("of an alert's text, place and kind removes the old ones", () => {
    const index = indexOf(alert(1), alert(2));

    index.apply([put(alert(1, { text: "Mimi", point: LYON, species: "cat", type: "found" }))]);

    expect(index.search(query({ words: ["rex"] }))).toEqual([2]);
    expect(index.search(query({ words: ["mimi"], species: "cat", type: "found" }))).toEqual([1]);
    expect(index.search(query({ near: { point: PARIS, radiusKm: 5 } }))).toEqual([2]);
    expect(index.search(query({ near: { point: LYON, radiusKm: 5 } }))).toEqual([1]);
    expect(index.size).toBe(2);
  });

  test("that repeats a known alert has no effect", () => {
    const index = indexOf(alert(1), alert(2));

    index.apply([put(alert(1)), put(alert(1)), put(alert(2))]);

    expect(index.search(query())).toEqual([2, 1]);
    expect(index.size).toBe(2);
  });

  test("that reverts an edit leaves the alert in the index once", () => {
    const index = indexOf(alert(1), alert(2));

    index.apply([put(alert(1, { text: "Mimi" }))]);
    index.apply([put(alert(1))]);

    expect(index.search(query())).toEqual([2, 1]);
    expect(index.search(query({ words: ["mimi"] }))).toEqual([]);
    expect(index.size).toBe(2);
  });

  test("of an alert older than all others puts it last", () => {
    const index = indexOf(alert(5), alert(6));

    index.apply([put(alert(3)), put(alert(4))]);

    expect(index.search(query())).toEqual([6, 5, 4, 3]);
    expect(index.search(query({ since: 4, before: 6, limit: 1 }))).toEqual([5]);
  });

  test("is the last one of its alert if a batch has several", () => {
    const index = createAlertIndex();

    index.apply([put(alert(2)), put(alert(1)), drop(2), put(alert(1, { text: "Mimi" }))]);

    expect(index.search(query())).toEqual([1]);
    expect(index.search(query({ words: ["mimi"] }))).toEqual([1]);
  });
});
