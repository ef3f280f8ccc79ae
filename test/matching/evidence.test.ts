import { describe, expect, test } from "bun:test";
import { BREED_GROUPS } from "../../src/matching/breed-group.ts";
import { densityAt } from "../../src/matching/distance-evidence.ts";
import { compareField, type Field, prepare } from "../../src/matching/fields.ts";
import type { Subject } from "../../src/matching/subject.ts";
import { cellRadiusKm, EARTH_RADIUS_KM, snap } from "../../src/values/point.ts";
import { catWith } from "../support/subject.ts";
import { SPECIES } from "../../src/values/animal.ts";

const CAT = catWith();
const DOG: Subject = { ...CAT, species: "dog" };

/** Weight of a field for two alerts that differ from the base as given; 0 if the field is not compared. */
function weight(
  field: Field,
  base: Subject,
  lost: Partial<Subject>,
  found: Partial<Subject>,
): number {
  const [a, b] = [prepare({ ...base, ...lost }), prepare({ ...base, ...found, type: "found" })];
  return compareField(field, a, b)?.weight ?? 0;
}

describe("distance", () => {
  test("has nearly all animals within 300 km, whatever area the points stand for", () => {
    for (const species of ["cat", "dog"] as const) {
      for (const radiusKm of [0.5, 3, 8]) {
        let share = 0;
        for (let step = 0; step < 30_000; step++) {
          const [inner, outer] = [step / 100, (step + 1) / 100];
          const area = Math.PI * (outer ** 2 - inner ** 2);
          share += densityAt((inner + outer) / 2, radiusKm, species) * area;
        }
        expect(share).toBeGreaterThan(0.8);
        expect(share).toBeLessThan(1.25);
      }
    }
  });
});

describe("the distance of an alert with only a town", () => {
  const { lat, lng } = CAT.point;
  const town = (radiusKm: number) => ({ town: "Lyon", radiusKm });
  const pinned = (km: number) => ({ point: snap(lat + km / KM_PER_DEGREE, lng) });
  const KM_PER_DEGREE = (EARTH_RADIUS_KM * Math.PI) / 180;

  test("is weaker for larger towns, and symmetric", () => {
    const weights = [cellRadiusKm(CAT.point), 1, 2, 4, 8, 16].map((radiusKm) =>
      weight("distance", CAT, town(radiusKm), town(radiusKm)),
    );

    expect(weights).toEqual(weights.toSorted((a, b) => b - a));
    expect(weight("distance", CAT, town(8), { ...pinned(3), ...town(2) })).toBeCloseTo(
      weight("distance", CAT, { ...pinned(3), ...town(2) }, town(8)),
      9,
    );
  });

  test("is described by the town, and in km only between towns", () => {
    const details = (lost: Partial<Subject>, found: Partial<Subject>) => {
      const [a, b] = [prepare({ ...CAT, ...lost }), prepare({ ...CAT, ...found })];
      return compareField("distance", a, b)?.details;
    };

    expect(details(town(6), town(6))).toEqual({ kind: "in town", town: "Lyon" });
    expect(details(pinned(4), town(6))).toEqual({ kind: "around town", town: "Lyon" });
    expect(details(pinned(9), town(6))).toEqual({ kind: "centres apart", km: 9 });
    expect(details(pinned(4), {})).toEqual({ kind: "apart", km: 4 });
  });
});

describe("time", () => {
  const after = (base: Subject, days: number) =>
    weight(
      "time",
      base,
      {},
      { eventDate: new Date(Date.UTC(2026, 4, 1 + days)).toISOString().slice(0, 10) },
    );

  test("allows more time for a cat than for a dog", () => {
    expect(after(CAT, 40)).toBeGreaterThan(after(DOG, 40));
  });

  test("accepts dates that are a day off, and less so those further off", () => {
    expect(after(CAT, -1)).toBeLessThan(after(CAT, 0));
    expect(after(CAT, -2)).toBeLessThan(after(CAT, -1));
    expect(after(CAT, -3)).toBeLessThanOrEqual(after(CAT, -2));
  });
});

describe("coat", () => {
  const coats = (base: Subject, lost: string, found: string) =>
    weight("coat", base, { color: lost }, { color: found });

  test("counts a shared rare coat more than a common one", () => {
    expect(coats(CAT, "calico", "calico")).toBeGreaterThan(coats(CAT, "black", "black"));
    expect(coats(DOG, "blue merle", "blue merle")).toBeGreaterThan(coats(DOG, "black", "black"));
  });

  test("accepts two words for one coat, and similar colours", () => {
    expect(coats(CAT, "ginger", "orange tabby")).toBeGreaterThan(0.5);
    expect(coats(DOG, "black and tan", "black and brown")).toBeGreaterThan(0.5);
    expect(coats(DOG, "golden", "light brown")).toBeGreaterThan(-1);
  });

  test("counts solid and tabby, or black and white, against the pair without excluding it", () => {
    for (const [lost, found] of [
      ["black", "orange tabby"],
      ["black", "white"],
      ["grey", "calico"],
    ] as const) {
      expect(coats(CAT, lost, found)).toBeLessThan(-1.5);
      expect(coats(CAT, lost, found)).toBeGreaterThan(-4.5);
    }
  });
});

describe("breed", () => {
  const breeds = (base: Subject, lost: string, found: string) =>
    weight("breed", base, { breed: lost }, { breed: found });

  test("is weak evidence, stronger for a rare breed group", () => {
    expect(breeds(DOG, "Labrador", "lab mix")).toBeGreaterThan(0.5);
    expect(breeds(DOG, "Labrador", "lab mix")).toBeLessThan(2);
    expect(breeds(CAT, "Cornish Rex", "Cornish Rex")).toBeGreaterThan(
      breeds(CAT, "domestic shorthair", "DSH") + 2,
    );
  });

  test("counts breeds that people confuse as a smaller difference than others", () => {
    expect(breeds(DOG, "Siberian Husky", "German Shepherd")).toBeGreaterThan(
      breeds(DOG, "Siberian Husky", "Chihuahua") + 0.5,
    );
    expect(breeds(DOG, "Siberian Husky", "Chihuahua")).toBeGreaterThan(-2.5);
  });

  test("knows the frequency of each breed group", () => {
    for (const species of SPECIES) {
      const { observation } = prepare({
        ...CAT,
        species,
        breed: "husky bengal budgie rabbit",
      }).values.breed!;
      expect(observation.trait.prior).toHaveLength(BREED_GROUPS[species].length);
    }
  });
});

describe("size, sex and age", () => {
  test("a size two steps apart counts against the pair, the next size hardly counts", () => {
    expect(weight("size", DOG, { size: "small" }, { size: "small" })).toBeGreaterThan(0.4);
    expect(Math.abs(weight("size", DOG, { size: "small" }, { size: "medium" }))).toBeLessThan(0.6);
    expect(weight("size", DOG, { size: "small" }, { size: "large" })).toBeLessThan(-1.2);
  });

  test("a different sex counts against the pair, mildly for cats", () => {
    const differs = (base: Subject) => weight("sex", base, { sex: "male" }, { sex: "female" });

    expect(differs(CAT)).toBeLessThan(-0.5);
    expect(differs(CAT)).toBeGreaterThan(-1.5);
    expect(differs(DOG)).toBeLessThan(differs(CAT));
  });

  test("a baby is not a senior, but an adult may be one", () => {
    expect(weight("age", CAT, { age: "baby" }, { age: "senior" })).toBeLessThan(-2);
    expect(weight("age", CAT, { age: "adult" }, { age: "senior" })).toBeGreaterThan(-1);
    expect(weight("age", CAT, { age: "baby" }, { age: "baby" })).toBeGreaterThan(1);
  });
});

describe("name", () => {
  const names = (lost: string | null, found: string | null, foundAt: number | null = 0) =>
    weight("name", CAT, { name: lost }, { name: found, publishedAt: foundAt });

  test("counts much if equal, little if different, and nothing if blank", () => {
    expect(names("Mimi", "MIMI")).toBeGreaterThan(4);
    expect(names("Mimi", "Lucky")).toBeGreaterThan(-1);
    expect(names("Mimi", "Lucky")).toBeLessThan(0);
    expect([names(null, null), names("Mimi", null), names("Mimi", "  ")]).toEqual([0, 0, 0]);
  });

  test("counts nothing if it could be copied from the lost alert, and still against if it differs", () => {
    expect([names("Mimi", "Mimi", 1), names("Mimi", "Mimi", null)]).toEqual([0, 0]);
    expect(names("Mimi", "Lucky", 1)).toBeLessThan(0);
    const edited = { name: "Mimi", publishedAt: -1, updatedAt: 1 };
    expect(weight("name", CAT, { name: "Mimi" }, edited)).toBe(0);
  });
});
