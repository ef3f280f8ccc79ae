import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ALERT_TYPES, SPECIES } from "../../src/core/alert.ts";
import { distanceKm, type Point, snap } from "../../src/core/place.ts";
import type { AlertIndex, IndexChange, IndexedAlert, IndexQuery } from "../../src/core/ports.ts";
import { ALERT_WORDS_MAX, wordsOf } from "../../src/core/words.ts";
import { createAlertIndex } from "../../src/search/alert-index.ts";
import type { Budget } from "../../src/search/plan.ts";

const PARIS = snap(48.8566, 2.3522);
const LYON = snap(45.764, 4.8357);
const FIJI_WEST = snap(-16.8, 179.98);
const FIJI_EAST = snap(-16.8, -179.98);

/** Not even for a look at an empty box. */
const WALK_ONLY: Budget = { walk: () => Infinity, box: () => -1 };
const BOX_ONLY: Budget = { walk: () => 0, box: () => Infinity };
/** Gives each way up after a few steps, so that every fallback is taken. */
const IMPATIENT: Budget = { walk: () => 3, box: () => 5 };

type About = Partial<Omit<IndexedAlert, "texts">> & { readonly text?: string };

function alert(publishedAt: number, { text = "Rex", ...about }: About = {}): IndexedAlert {
  const said = { point: PARIS, species: "dog", type: "lost", eventDate: "2026-05-01" } as const;
  return { publishedAt, ...said, texts: [text], ...about };
}

const put = (alert: IndexedAlert): IndexChange => ({ kind: "put", alert });
const drop = (publishedAt: number): IndexChange => ({ kind: "drop", publishedAt });

function query(about: Partial<IndexQuery> = {}): IndexQuery {
  return {
    near: null,
    species: null,
    type: null,
    since: null,
    words: [],
    before: null,
    limit: 20,
    ...about,
  };
}

function indexOf(...alerts: readonly IndexedAlert[]) {
  const index = createAlertIndex();
  index.apply(alerts.map(put));
  return index;
}

describe("a search", () => {
  test("of an empty index finds nothing", () => {
    const index = createAlertIndex();

    const near = { point: PARIS, radiusKm: 50 };
    expect(index.search(query({ near, words: ["rex"] }))).toEqual([]);
    expect(index.size).toBe(0);
  });

  test("gives the newest alerts first and no more than asked for", () => {
    const index = indexOf(alert(1), alert(2), alert(3));

    expect(index.search(query({ limit: 2 }))).toEqual([3, 2]);
    expect(index.search(query({ limit: 0 }))).toEqual([]);
  });

  test("takes alerts published at `since` and leaves out those published at `before`", () => {
    const index = indexOf(alert(1), alert(2), alert(3), alert(4));

    expect(index.search(query({ since: 2, before: 4 }))).toEqual([3, 2]);
    expect(index.search(query({ since: 4, before: 4 }))).toEqual([]);
    expect(index.search(query({ since: 5 }))).toEqual([]);
  });

  test("takes alerts at exactly the radius and none beyond it, to the last bit of the distance", () => {
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

  test("reaches over the date line from both sides", () => {
    const index = indexOf(alert(1, { point: FIJI_WEST }), alert(2, { point: FIJI_EAST }), alert(3));

    for (const point of [FIJI_WEST, FIJI_EAST, snap(-16.8, 180)]) {
      expect(index.search(query({ near: { point, radiusKm: 10 } }))).toEqual([2, 1]);
    }
  });

  test("gives each alert once where one sheet lies on both sides of the date line", () => {
    const sides = [FIJI_WEST, FIJI_EAST].flatMap((side) =>
      Array.from({ length: 20 }, (_, nth) =>
        snap(side.lat, side.lng - (Math.sign(side.lng) * (nth % 5)) / 100),
      ),
    );
    const alerts = sides.map((point, nth) => alert(nth + 1, { point }));
    const near = { point: snap(-16.8, 180), radiusKm: 50 };
    for (const budget of [WALK_ONLY, BOX_ONLY]) {
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

  test("reaches over a pole", () => {
    const index = indexOf(
      alert(1, { point: snap(89.9, 10) }),
      alert(2, { point: snap(89.9, -170) }),
      alert(3, { point: snap(80, 10) }),
    );

    const near = { point: snap(89.95, 10), radiusKm: 30 };
    expect(index.search(query({ near }))).toEqual([2, 1]);
  });

  test("wants each word of the query to begin a word of the alert", () => {
    const index = indexOf(
      alert(1, { text: "Élan, golden retriever, Lyon" }),
      alert(2, { text: "金毛尋回犬 香港" }),
      alert(3, { text: "marigold" }),
    );

    expect(index.search(query({ words: wordsOf("GOLD elan") }))).toEqual([1]);
    expect(index.search(query({ words: wordsOf("gold") }))).toEqual([1]);
    expect(index.search(query({ words: wordsOf("金毛") }))).toEqual([2]);
    expect(index.search(query({ words: wordsOf("尋回犬") }))).toEqual([]);
    expect(index.search(query({ words: wordsOf("golden nowhere") }))).toEqual([]);
  });

  test("finds a word by its beginning among thousands, whether it came with many or alone", () => {
    const texts = Array.from({ length: 3_000 }, (_, nth) => String((nth * 7_919) % 10_007));
    const index = createAlertIndex();
    index.apply(texts.slice(0, 2_900).map((text, nth) => put(alert(nth, { text }))));
    texts.slice(2_900).forEach((text, nth) => index.apply([put(alert(2_900 + nth, { text }))]));

    for (const begin of ["1", "3", "9", "12", "99", "404", texts[7]!, texts[2_999]!, "x"]) {
      const fitting = [...texts.keys()].filter((nth) => texts[nth]!.startsWith(begin));
      expect(index.search(query({ words: [begin], limit: 3_000 }))).toEqual(fitting.toReversed());
    }
  });

  test("gives an alert once although two of its words begin as asked", () => {
    const others = Array.from({ length: 60 }, (_, nth) => alert(nth + 1));
    const index = indexOf(
      ...others,
      alert(61, { text: "gold goldfish" }),
      alert(62, { text: "golden" }),
    );

    expect(index.search(query({ words: ["gold"] }))).toEqual([62, 61]);
    expect(index.answered.words).toBe(1);
  });
});

describe("a change", () => {
  test("that drops an alert takes it out, and dropping what is not there does nothing", () => {
    const index = indexOf(alert(1), alert(2));

    index.apply([drop(1), drop(7)]);

    expect(index.search(query())).toEqual([2]);
    expect(index.size).toBe(1);
  });

  test("that puts a dropped alert back brings it to its old place in the order", () => {
    const index = indexOf(alert(1), alert(2), alert(3));

    index.apply([drop(2)]);
    index.apply([put(alert(2))]);

    expect(index.search(query())).toEqual([3, 2, 1]);
    expect(index.size).toBe(3);
  });

  test("of an alert's text, place and kind leaves nothing of the old ones", () => {
    const index = indexOf(alert(1), alert(2));

    index.apply([put(alert(1, { text: "Mimi", point: LYON, species: "cat", type: "found" }))]);

    expect(index.search(query({ words: ["rex"] }))).toEqual([2]);
    expect(index.search(query({ words: ["mimi"], species: "cat", type: "found" }))).toEqual([1]);
    expect(index.search(query({ near: { point: PARIS, radiusKm: 5 } }))).toEqual([2]);
    expect(index.search(query({ near: { point: LYON, radiusKm: 5 } }))).toEqual([1]);
    expect(index.size).toBe(2);
  });

  test("that says again what is known changes nothing", () => {
    const index = indexOf(alert(1), alert(2));

    index.apply([put(alert(1)), put(alert(1)), put(alert(2))]);

    expect(index.search(query())).toEqual([2, 1]);
    expect(index.size).toBe(2);
  });

  test("that takes an edit back leaves the alert there once", () => {
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

  test("counts by the last word where one batch says several things of an alert", () => {
    const index = createAlertIndex();

    index.apply([put(alert(2)), put(alert(1)), drop(2), put(alert(1, { text: "Mimi" }))]);

    expect(index.search(query())).toEqual([1]);
    expect(index.search(query({ words: ["mimi"] }))).toEqual([1]);
  });
});

const SPOTS: readonly Point[] = [
  PARIS,
  LYON,
  FIJI_WEST,
  FIJI_EAST,
  snap(-16.8, 180),
  snap(69.99, 20),
  { lat: 90, lng: 0 },
  { lat: 89.98, lng: -120 },
  { lat: -90, lng: -180 },
];
const TEXTS = [
  "rex",
  "Rexy",
  "re",
  "golden",
  "goldfish",
  "Élan",
  "elan 金毛",
  "金",
  "tan",
  "ß",
  "",
];
const RARE_TEXTS = ["mimi", "Mimosa", "mímo", "mi", "mimi mimosa"];
const RADII = [0.5, 5, 50, 500, 4_000, 20_016];

/** In hundredths of a degree; mostly small, so that alerts share cells. */
const anOffset = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -40, max: 40 }));
const aPoint = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...SPOTS), anOffset, anOffset)
      .map(([spot, north, east]) => moved(spot, north / 100, east / 100)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
      )
      .map(([lat, lng]) => snap(lat, lng)),
  },
);

/** A caller's own position need not be snapped. */
const aCentre = fc.oneof(
  aPoint,
  aPoint.map(({ lat, lng }) => ({ lat: lat * 0.9999, lng: lng * 0.9999 })),
);

function moved(point: Point, north: number, east: number): Point {
  const lat = Math.max(-90, Math.min(90, point.lat + north));
  return snap(lat, ((point.lng + east + 540) % 360) - 180);
}

const aText = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.constantFrom(...RARE_TEXTS) },
);

function anAlert(keys: number): fc.Arbitrary<IndexedAlert> {
  return fc.record({
    publishedAt: fc.integer({ min: 1, max: keys }),
    point: aPoint,
    species: fc.constantFrom(...SPECIES),
    type: fc.constantFrom(...ALERT_TYPES),
    eventDate: fc.constantFrom("2026-05-01", "2026-05-02"),
    texts: fc.array(aText, { maxLength: 4 }),
  });
}

function aQuery(keys: number): fc.Arbitrary<IndexQuery> {
  const key = fc.option(fc.integer({ min: 0, max: keys + 1 }), { freq: 2 });
  const begin = fc
    .tuple(fc.constantFrom(...TEXTS, ...RARE_TEXTS), fc.integer({ min: 1, max: 4 }))
    .map(([text, letters]) => wordsOf(text.slice(0, letters)));
  return fc.record({
    near: fc.option(fc.record({ point: aCentre, radiusKm: fc.constantFrom(...RADII) }), {
      freq: 4,
    }),
    species: fc.option(fc.constantFrom(...SPECIES), { freq: 1 }),
    type: fc.option(fc.constantFrom(...ALERT_TYPES), { freq: 1 }),
    since: key,
    words: fc.oneof(
      fc.constant([]),
      fc.array(begin, { maxLength: 2 }).map((words) => words.flat()),
    ),
    before: key,
    limit: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(1_000)),
  });
}

type Model = Map<number, IndexedAlert>;

function applyTo(model: Model, changes: readonly IndexChange[]): void {
  for (const change of changes) {
    if (change.kind === "put") model.set(change.alert.publishedAt, change.alert);
    else model.delete(change.publishedAt);
  }
}

/** The right answer by trying every alert. */
function tried(model: Model, asked: IndexQuery): number[] {
  const { near, species, type, since, before, words } = asked;
  return [...model.values()]
    .filter(
      (alert) =>
        (near === null || distanceKm(near.point, alert.point) <= near.radiusKm) &&
        (species === null || alert.species === species) &&
        (type === null || alert.type === type) &&
        (since === null || alert.publishedAt >= since) &&
        (before === null || alert.publishedAt < before) &&
        words.every((begin) =>
          alert.texts
            .flatMap((text) => wordsOf(text, ALERT_WORDS_MAX))
            .some((word) => word.startsWith(begin)),
        ),
    )
    .map(({ publishedAt }) => publishedAt)
    .sort((a, b) => b - a)
    .slice(0, asked.limit);
}

/** Every page of a search, one after the other. */
function walked(index: AlertIndex, asked: IndexQuery): number[] {
  const keys: number[] = [];
  for (let before = asked.before; ; before = keys.at(-1)!) {
    const page = index.search({ ...asked, before });
    keys.push(...page);
    if (page.length < asked.limit) return keys;
  }
}

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
    const seen = { newest: 0, words: 0, box: 0 };
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
        const [, walking, boxing] = indexes;
        expect(walking!.answered.box).toBe(0);
        seen.newest += walking!.answered.newest;
        seen.words += walking!.answered.words;
        seen.box += boxing!.answered.box;
      }),
      { numRuns: 200 },
    );

    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100);
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
    expect(index.answered).toEqual({ newest: 1, words: 0, box: 0 });

    index.search(query({ near: { point: PARIS, radiusKm: 50 }, words: ["mimi"] }));
    expect(index.answered).toEqual({ newest: 1, words: 1, box: 0 });

    const keys = index.search(query({ near: { point: LYON, radiusKm: 50 }, limit: 30 }));
    expect(index.answered).toEqual({ newest: 1, words: 1, box: 1 });
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
    expect(index.answered).toEqual({ newest: 0, words: 1, box: 0 });

    expect(index.search(query({ near: { point: LYON, radiusKm: 50 }, words: ["rex"] }))).toEqual(
      [],
    );
    expect(index.answered).toEqual({ newest: 0, words: 1, box: 1 });
  });

  test("does not walk all alerts for two frequent beginnings that hardly ever stand together", () => {
    const index = createAlertIndex();
    index.apply(
      Array.from({ length: 20_000 }, (_, nth) => {
        const text = nth === 7 ? "x1 y1" : `${nth % 2 === 0 ? "x" : "y"}${nth % 50}`;
        return put(alert(nth, { text }));
      }),
    );

    expect(index.search(query({ words: ["x", "y"] }))).toEqual([7]);
    expect(index.answered).toEqual({ newest: 0, words: 1, box: 0 });
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
      const texts = Array.from({ length: 40_000 }, (_, nth) =>
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
