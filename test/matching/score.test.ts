import { describe, expect, test } from "bun:test";
import { AGES, SEXES, SIZES, SPECIES } from "../../src/values/animal.ts";
import { prepare } from "../../src/matching/fields.ts";
import { type Match, score as scoreOf } from "../../src/matching/score.ts";
import { createStatistics } from "../../src/matching/statistics.ts";
import type { Subject } from "../../src/matching/subject.ts";
import { cellRadiusKm, snap } from "../../src/values/point.ts";
import { townPeople } from "../support/subject.ts";
import { fc } from "../support/seed.ts";

const LOST: Subject = {
  type: "lost",
  town: null,
  radiusKm: cellRadiusKm({ lat: 45.77, lng: 4.83 }),
  publishedAt: 0,
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
const FOUND: Subject = { ...LOST, type: "found", name: null, eventDate: "2026-05-03" };

const described = fc.record({
  species: fc.constantFrom(...SPECIES),
  point: fc
    .record({
      lat: fc.double({ min: 45, max: 45.5, noNaN: true }),
      lng: fc.double({ min: 4.5, max: 5, noNaN: true }),
    })
    .map(({ lat, lng }) => snap(lat, lng)),
  area: fc.constantFrom(
    { town: null, radiusKm: 0.5 },
    { town: null, radiusKm: 0.5 },
    { town: "Lyon", radiusKm: 5.5 },
  ),
  publishedAt: fc.constantFrom(0, 1),
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
const lostOne = described.map(({ area, ...about }): Subject => ({
  ...about,
  ...area,
  type: "lost",
}));
const foundOne = described.map(({ area, ...about }): Subject => ({
  ...about,
  ...area,
  type: "found",
}));

/** A town with other active alerts, so that density matters. */
function contextWith(others: readonly Subject[]) {
  const statistics = createStatistics(townPeople, 30);
  for (const one of others) if (one.type === "found") statistics.density.add(one);
  return statistics.context;
}
const score = (a: Subject, b: Subject, others: readonly Subject[] = [a, b]): Match | null =>
  scoreOf(prepare(a), prepare(b), contextWith(others));

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
    const density = context.density.around(FOUND);
    const asCrowded = { ...context, density: { around: () => density } };
    const at = (steps: number) => {
      const moved = { ...FOUND, point: snap(45.77 + steps / 100, 4.83) };
      return scoreOf(prepare(LOST), prepare(moved), asCrowded)?.logOdds ?? -Infinity;
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

describe("the evidence of a match", () => {
  test("is the sum of its reasons' weights, whatever the prior", () => {
    const match = score(LOST, FOUND)!;
    const sum = match.reasons.reduce((total, { weight }) => total + weight, 0);

    expect(match.evidence).toBeGreaterThan(0);
    expect(Math.abs(match.evidence - sum)).toBeLessThan(0.2);
  });

  test("by equal chips of different species gives the contradiction as a reason", () => {
    const match = score(
      { ...LOST, chipHash: "same" },
      { ...FOUND, species: "dog", chipHash: "same" },
    );

    expect(match?.reasons.slice(0, 2).map(({ field }) => field)).toEqual(["chip", "species"]);
    expect([match?.score, Number.isFinite(match?.logOdds)]).toEqual([100, true]);
  });
});
