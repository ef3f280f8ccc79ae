import { describe, expect, test } from "bun:test";
import { AGES, LANGUAGES, SEXES, SIZES, SPECIES } from "../../src/core/alerts/alert.ts";
import { BASE_COLORS } from "../../src/matching/coat-parser.ts";
import { createFrequency } from "../../src/matching/frequency.ts";
import { observationsOf } from "../../src/matching/fields.ts";
import { reasonText } from "../../src/core/matching/reasons.ts";
import { type Match, type MatchContext, scorePair } from "../../src/matching/score.ts";
import { createStatistics } from "../../src/matching/statistics.ts";
import { type MatchSubject, prepareSubject } from "../../src/matching/subject.ts";
import { snap } from "../../src/core/place.ts";
import { townPeople } from "../support/people.ts";
import { fc } from "../support/seed.ts";

const LOST: MatchSubject = {
  type: "lost",
  species: "cat",
  point: { lat: 45.77, lng: 4.83 },
  eventDate: "2026-05-01",
  name: "Mimi",
  breed: "Maine Coon",
  color: "grey tabby",
  size: "large",
  sex: "female",
  age: "adult",
  chipHash: null,
};
const FOUND: MatchSubject = { ...LOST, type: "found", name: null, eventDate: "2026-05-03" };

const described = fc.record({
  species: fc.constantFrom(...SPECIES),
  point: fc
    .record({
      lat: fc.double({ min: 45, max: 45.5, noNaN: true }),
      lng: fc.double({ min: 4.5, max: 5, noNaN: true }),
    })
    .map(({ lat, lng }) => snap(lat, lng)),
  somewhere: fc.constantFrom(null, null, { town: "Lyon", radiusKm: 5.5 }),
  eventDate: fc
    .integer({ min: 1, max: 28 })
    .map((day) => `2026-05-${String(day).padStart(2, "0")}`),
  name: fc.constantFrom(null, "Mimi", "Rex"),
  breed: fc.constantFrom(
    "unknown",
    "Labrador",
    "domestic shorthair",
    "Siamese",
    "pit bull mix",
    "budgie",
  ),
  color: fc.constantFrom(
    "unknown",
    "black",
    "grey tabby",
    "black and white",
    "orange",
    "brindle",
    "green",
  ),
  size: fc.constantFrom(...SIZES),
  sex: fc.constantFrom(...SEXES),
  age: fc.constantFrom(...AGES),
  chipHash: fc.constantFrom(null, null, "one", "two"),
});
const lostOne = described.map((about): MatchSubject => ({ ...about, type: "lost" }));
const foundOne = described.map((about): MatchSubject => ({ ...about, type: "found" }));

/** A town with other active alerts, so that density and frequency matter. */
function contextWith(others: readonly MatchSubject[]) {
  const statistics = createStatistics(townPeople);
  for (const [key, other] of others.entries()) statistics.put(key, other);
  return statistics.context;
}
const score = (
  a: MatchSubject,
  b: MatchSubject,
  others: readonly MatchSubject[] = [a, b],
): Match | null => scorePair(prepareSubject(a), prepareSubject(b), contextWith(others));

describe("a score", () => {
  test("is the same whichever alert comes first", () => {
    fc.assert(
      fc.property(
        lostOne,
        foundOne,
        fc.array(fc.oneof(lostOne, foundOne), { maxLength: 10 }),
        (lost, found, others) => {
          const all = [lost, found, ...others];
          expect(score(lost, found, all)).toEqual(score(found, lost, all));
        },
      ),
    );
  });

  test("is a whole percentage, high from 40, with the strongest reasons first", () => {
    fc.assert(
      fc.property(lostOne, foundOne, (lost, found) => {
        const match = score(lost, found);
        if (match === null) return;
        expect(Number.isInteger(match.score) && match.score >= 0 && match.score <= 100).toBe(true);
        expect(match.highConfidence).toBe(match.score >= 40);
        const weights = match.reasons.map(({ weight }) => Math.abs(weight));
        expect(weights).toEqual(weights.toSorted((a, b) => b - a));
      }),
    );
  });

  test("ignores fields that one side leaves blank, and lists them", () => {
    const blanks = {
      breed: "unknown",
      color: "unknown",
      size: "unknown",
      sex: "unknown",
      age: "unknown",
      name: null,
    } as const;
    const fieldOf = {
      breed: "breed",
      color: "coat",
      size: "size",
      sex: "sex",
      age: "age",
      name: "name",
    } as const;
    for (const [part, blank] of Object.entries(blanks) as [keyof typeof blanks, never][]) {
      for (const [lost, found] of [
        [{ ...LOST, [part]: blank }, FOUND],
        [LOST, { ...FOUND, [part]: blank }],
        [
          { ...LOST, [part]: blank },
          { ...FOUND, [part]: blank },
        ],
      ] as const) {
        const match = score(lost, found);

        expect(match?.notCompared).toContain(fieldOf[part]);
        expect(match?.reasons.map(({ field }) => field)).not.toContain(fieldOf[part]);
      }
    }
  });

  test("never rises with distance", () => {
    // The same density everywhere: a find in an empty place would have a higher prior.
    const context = contextWith([LOST, FOUND]);
    const density = context.densityAround(prepareSubject(FOUND));
    const asCrowded = { ...context, densityAround: () => density };
    const at = (steps: number) => {
      const moved = { ...FOUND, point: snap(45.77 + steps / 100, 4.83) };
      return (
        scorePair(prepareSubject(LOST), prepareSubject(moved), asCrowded)?.logOdds ?? -Infinity
      );
    };
    for (let steps = 1; steps < 40; steps++)
      expect(at(steps)).toBeLessThanOrEqual(at(steps - 1) + 1e-9);
  });

  test("never rises with the days between loss and find", () => {
    const on = (day: number) =>
      score(LOST, {
        ...FOUND,
        eventDate: new Date(Date.UTC(2026, 4, 1 + day)).toISOString().slice(0, 10),
      })?.logOdds ?? -Infinity;
    for (let day = 2; day < 100; day++) expect(on(day)).toBeLessThanOrEqual(on(day - 1) + 1e-9);
  });

  test("stays the same while a point moves inside its cell", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -0.0049, max: 0.0049, noNaN: true }),
        fc.double({ min: -0.0049, max: 0.0049, noNaN: true }),
        (lat, lng) => {
          const moved = { ...FOUND, point: { lat: 45.77 + lat, lng: 4.83 + lng } };
          expect(score(LOST, moved, [LOST, FOUND])).toEqual(score(LOST, FOUND, [LOST, FOUND]));
        },
      ),
    );
  });

  test("falls when all visible traits contradict", () => {
    const alike = score(LOST, FOUND);
    const other = score(LOST, {
      ...FOUND,
      color: "black",
      breed: "Siamese",
      sex: "male",
      size: "small",
      age: "baby",
    });

    expect(alike?.score).toBeGreaterThan(80);
    expect(other?.logOdds).toBeLessThan((alike?.logOdds ?? 0) - 3);
  });

  test("rises less for a common breed and coat than for rare ones", () => {
    const shorthairs = Array.from({ length: 200 }, (): MatchSubject => ({
      ...LOST,
      color: "black",
      breed: "domestic shorthair",
      point: { lat: 48, lng: 2 },
    }));
    const of = (color: string) =>
      score({ ...LOST, color }, { ...FOUND, color }, [LOST, FOUND, ...shorthairs])?.logOdds ?? 0;

    expect(of("calico")).toBeGreaterThan(of("black"));
  });
});

describe("two alerts cannot be a pair", () => {
  test("if both are lost, both are found, or the species differ", () => {
    expect(score(LOST, { ...LOST })).toBeNull();
    expect(score(FOUND, { ...FOUND })).toBeNull();
    expect(score(LOST, { ...FOUND, species: "dog" })).toBeNull();
  });

  test("if the find is more than three days before the loss", () => {
    expect(score(LOST, { ...FOUND, eventDate: "2026-04-27" })).toBeNull();
    expect(score(LOST, { ...FOUND, eventDate: "2026-04-28" })).not.toBeNull();
  });
});

describe("microchips", () => {
  test("that are equal give 100, whatever the other fields and places are", () => {
    fc.assert(
      fc.property(lostOne, foundOne, (lost, found) => {
        const match = score(
          { ...lost, chipHash: "same" },
          { ...found, chipHash: "same", point: { lat: -33, lng: 151 } },
        );
        expect([match?.score, match?.reasons[0]?.field]).toEqual([100, "chip"]);
      }),
    );
  });

  test("that differ give five at most, with the reason", () => {
    fc.assert(
      fc.property(lostOne, foundOne, (lost, found) => {
        const match = score({ ...lost, chipHash: "one" }, { ...found, chipHash: "two" });
        if (match === null) return;
        expect(match.score).toBeLessThanOrEqual(5);
        expect(match.reasons[0]?.field).toBe("chip");
      }),
    );
  });
});

describe("the statistics of an instance", () => {
  test("forget ended alerts as they were counted, not as they ended", () => {
    const edits = fc.array(
      fc.record({ key: fc.nat({ max: 9 }), alert: fc.option(fc.oneof(lostOne, foundOne)) }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(edits, (edits) => {
        const statistics = createStatistics(townPeople);
        const last = new Map<number, MatchSubject>();
        for (const { key, alert } of edits) {
          if (alert === null) statistics.drop(key);
          else statistics.put(key, alert);
          if (alert === null) last.delete(key);
          else last.set(key, alert);
        }

        const pair = (context: MatchContext) =>
          scorePair(prepareSubject(LOST), prepareSubject(FOUND), context);
        expect(pair(statistics.context)).toEqual(pair(contextWith([...last.values()])));
        for (const key of last.keys()) statistics.drop(key);
        expect(pair(statistics.context)).toEqual(pair(contextWith([])));
      }),
    );
  });

  test("forget each of many coats that were counted", () => {
    const frequency = createFrequency();
    const colors = BASE_COLORS.flatMap((one) => BASE_COLORS.map((two) => `${one} and ${two}`));
    const cats = colors.map((color) => ({ ...LOST, color }));
    const { trait } = observationsOf(LOST)[0]!;
    const before = Array.from(frequency.weights(trait));

    const receipts = cats.map((cat) => frequency.add(cat));
    const among = Array.from(frequency.weights(trait));
    for (const receipt of receipts) frequency.remove(receipt);

    expect(among).not.toEqual(before);
    expect(Array.from(frequency.weights(trait))).toEqual(before);
  });
});

test("reasons are phrases in every language without a position or a chip number", () => {
  fc.assert(
    fc.property(lostOne, foundOne, (lost, found) => {
      for (const reason of score(lost, found)?.reasons ?? []) {
        const texts = LANGUAGES.map((language) => reasonText(reason, language));
        for (const text of texts) expect(text).toMatch(/^\S.*\S$/);
        for (const text of texts) expect(text).not.toMatch(/\d\.\d{2}|undefined|null|\[object/);
      }
    }),
  );
});
