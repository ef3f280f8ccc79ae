import { distanceKm, type Point, snap } from "../../src/values/point.ts";
import { readBreedGroups } from "../../src/matching/breed-group.ts";
import { readCoat } from "../../src/matching/coat-parser.ts";
import { ALERT_WORDS_MAX, tokenize } from "../../src/text/tokenize.ts";
import { createAlertIndex } from "../../src/search/alert-index.ts";
import { type Budget, DEFAULT_BUDGET } from "../../src/search/plan.ts";
import { fc } from "../support/seed.ts";
import { ALERT_TYPES, SPECIES } from "../../src/values/animal.ts";
import type {
  AlertIndex,
  Concept,
  IndexChange,
  IndexedAlert,
  IndexQuery,
} from "../../src/search/indexes.ts";

export const PARIS = snap(48.8566, 2.3522);
export const LYON = snap(45.764, 4.8357);
export const FIJI_WEST = snap(-16.8, 179.98);
export const FIJI_EAST = snap(-16.8, -179.98);

/** Ordered plans (scan, postings) only; the box plan may not even read an empty box. */
export const ORDERED_ONLY: Budget = { ordered: () => Infinity, box: () => -1 };
export const BOX_ONLY: Budget = { ...DEFAULT_BUDGET, ordered: () => 0, box: () => Infinity };
/** Gives each plan up after a few steps, so that every fallback is used. */
export const IMPATIENT: Budget = { ordered: () => 3, box: () => 5 };

type About = Partial<Omit<IndexedAlert, "texts">> & { readonly text?: string };

export function alert(publishedAt: number, { text = "Rex", ...about }: About = {}): IndexedAlert {
  const defaults = { point: PARIS, species: "dog", type: "lost", eventDate: "2026-05-01" } as const;
  return { publishedAt, ...defaults, texts: [text], ...about };
}

export const put = (alert: IndexedAlert): IndexChange => ({ kind: "put", alert });
export const drop = (publishedAt: number): IndexChange => ({ kind: "drop", publishedAt });

export function query(about: Partial<IndexQuery> = {}): IndexQuery {
  return { limit: 20, ...about };
}

export function indexOf(...alerts: readonly IndexedAlert[]) {
  const index = createAlertIndex();
  index.apply(alerts.map(put));
  return index;
}

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

/** In hundredths of a degree; mostly small, so that several alerts are in one cell. */
const anOffset = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -40, max: 40 }));
export const aPoint = fc.oneof(
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

/** The position of a caller may be unsnapped. */
const aCentre = fc.oneof(
  aPoint,
  aPoint.map(({ lat, lng }) => ({ lat: lat * 0.9999, lng: lng * 0.9999 })),
);

export function moved(point: Point, north: number, east: number): Point {
  const lat = Math.max(-90, Math.min(90, point.lat + north));
  return snap(lat, ((point.lng + east + 540) % 360) - 180);
}

const aText = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.constantFrom(...RARE_TEXTS) },
);

export function anAlert(keys: number): fc.Arbitrary<IndexedAlert> {
  return fc.record({
    publishedAt: fc.integer({ min: 1, max: keys }),
    point: aPoint,
    species: fc.constantFrom(...SPECIES),
    type: fc.constantFrom(...ALERT_TYPES),
    eventDate: fc.constantFrom("2026-05-01", "2026-05-02"),
    texts: fc.array(aText, { maxLength: 4 }),
    color: fc.constantFrom(...COLORS),
    breed: fc.constantFrom(...BREEDS),
  });
}
const COLORS = ["unknown", "grey tabby", "gris", "golden", "noir et blanc", "blue"];
const BREEDS = ["unknown", "Labrador", "labrador / pit bull", "Siamois", "budgie"];

export function aQuery(keys: number): fc.Arbitrary<IndexQuery> {
  const key = fc.option(fc.integer({ min: 0, max: keys + 1 }), { freq: 2, nil: undefined });
  const prefix = fc
    .tuple(fc.constantFrom(...TEXTS, ...RARE_TEXTS), fc.integer({ min: 1, max: 4 }))
    .map(([text, letters]) => tokenize(text.slice(0, letters)));
  return fc.record({
    near: fc.option(fc.record({ point: aCentre, radiusKm: fc.constantFrom(...RADII) }), {
      freq: 4,
      nil: undefined,
    }),
    species: fc.option(fc.constantFrom(...SPECIES), { freq: 1, nil: undefined }),
    type: fc.option(fc.constantFrom(...ALERT_TYPES), { freq: 1, nil: undefined }),
    since: key,
    words: fc.oneof(
      fc.constant([]),
      fc.array(prefix, { maxLength: 2 }).map((words) => words.flat()),
    ),
    concepts: fc.array(aConcept, { maxLength: 2 }),
    color: fc.constantFrom(undefined, undefined, "grey", "tan", "black", "blue"),
    breedGroup: fc.constantFrom(
      undefined,
      undefined,
      undefined,
      "labrador",
      "siamese",
      "budgerigar",
    ),
    before: key,
    limit: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(1_000)),
  });
}

const someWords = (lengths: { minLength: number; maxLength: number }) =>
  fc.uniqueArray(fc.constantFrom(...WHOLE_WORDS), lengths);
const WHOLE_WORDS = [...new Set([...TEXTS, ...RARE_TEXTS].flatMap((text) => tokenize(text)))];
const aConcept: fc.Arbitrary<Concept> = fc.record({
  species: fc.option(fc.constantFrom(...SPECIES), { freq: 1 }),
  alternatives: fc.array(
    fc.record({
      all: someWords({ minLength: 1, maxLength: 2 }),
      none: someWords({ minLength: 0, maxLength: 1 }),
    }),
    { maxLength: 4 },
  ),
});

function matchesConcept(alert: IndexedAlert, { species, alternatives }: Concept): boolean {
  const words = alert.texts.flatMap((text) => tokenize(text, ALERT_WORDS_MAX));
  return (
    alert.species === species ||
    alternatives.some(
      ({ all, none }) =>
        all.every((word) => words.includes(word)) && !none.some((word) => words.includes(word)),
    )
  );
}

export type Model = Map<number, IndexedAlert>;

export function applyTo(model: Model, changes: readonly IndexChange[]): void {
  for (const change of changes) {
    if (change.kind === "put") model.set(change.alert.publishedAt, change.alert);
    else model.delete(change.publishedAt);
  }
}

/** Answer of a test of every alert. */
export function bruteForce(model: Model, request: IndexQuery): number[] {
  const { near, species, type, since, before, words = [], concepts = [] } = request;
  const { color, breedGroup } = request;
  return [...model.values()]
    .filter(
      (alert) =>
        (near === undefined || distanceKm(near.point, alert.point) <= near.radiusKm) &&
        (species === undefined || alert.species === species) &&
        (type === undefined || alert.type === type) &&
        (since === undefined || alert.publishedAt >= since) &&
        (before === undefined || alert.publishedAt < before) &&
        (color === undefined ||
          readCoat(alert.color ?? "", alert.species).colors.includes(color)) &&
        (breedGroup === undefined ||
          readBreedGroups(alert.species, alert.breed ?? "").includes(breedGroup)) &&
        concepts.every((concept) => matchesConcept(alert, concept)) &&
        words.every((prefix) =>
          alert.texts
            .flatMap((text) => tokenize(text, ALERT_WORDS_MAX))
            .some((word) => word.startsWith(prefix)),
        ),
    )
    .map(({ publishedAt }) => publishedAt)
    .sort((a, b) => b - a)
    .slice(0, request.limit);
}

/** Keys of all pages of a search. */
export function allPages(index: AlertIndex, request: IndexQuery): number[] {
  const keys: number[] = [];
  for (let before = request.before; ; before = keys.at(-1)!) {
    const page = index.search({ ...request, before });
    keys.push(...page);
    if (page.length < request.limit) return keys;
  }
}
