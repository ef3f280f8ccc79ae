import { describe, expect, test } from "bun:test";
import { type GoesOutside, SPECIES, type Species } from "../../src/core/alerts/alert.ts";
import { searchRadiusKm } from "../../src/matching/search-window.ts";
import { createFrequency } from "../../src/matching/frequency.ts";
import { createDensity } from "../../src/matching/density.ts";
import {
  type DistanceLawName,
  lawOf,
  logDensity,
} from "../../src/matching/evidence/distance-law.ts";
import { distance } from "../../src/matching/evidence/distance.ts";
import { compareField, type Field, FIELDS } from "../../src/matching/fields.ts";
import { BREED_GROUPS } from "../../src/matching/breed-group.ts";
import { PAIR_SHARE_PRIOR } from "../../src/matching/pair-share.ts";
import { priorLogOdds } from "../../src/matching/prior.ts";
import { rankMatches, scorePair } from "../../src/matching/score.ts";
import { type MatchSubject, prepareSubject } from "../../src/matching/subject.ts";
import {
  type Box,
  boxesAround,
  cellRadiusKm,
  distanceKm,
  EARTH_RADIUS_KM,
  type Point,
  snap,
} from "../../src/core/place.ts";
import { townPeople } from "../support/people.ts";

const CAT: MatchSubject = {
  type: "lost",
  species: "cat",
  point: { lat: 45.77, lng: 4.83 },
  eventDate: "2026-05-01",
  name: null,
  breed: "unknown",
  color: "unknown",
  size: "unknown",
  sex: "unknown",
  age: "unknown",
  chipHash: null,
};
const DOG: MatchSubject = { ...CAT, species: "dog" };

/** Weight of a field for two alerts that differ from the base as given; 0 if the field is not compared. */
function weight(
  field: Field,
  base: MatchSubject,
  lost: Partial<MatchSubject>,
  found: Partial<MatchSubject>,
  frequency = createFrequency(),
): number {
  const [a, b] = [
    prepareSubject({ ...base, ...lost }),
    prepareSubject({ ...base, ...found, type: "found" }),
  ];
  return compareField(field, a, b, { species: base.species, frequency })?.weight ?? 0;
}

describe("distance", () => {
  const apart = (base: MatchSubject, degrees: number) =>
    weight("distance", base, {}, { point: { lat: 45.77 + degrees, lng: 4.83 } });

  test("counts for two cats in the same cell and against two 10 km apart", () => {
    expect(apart(CAT, 0)).toBeGreaterThan(6);
    expect(apart(CAT, 0.09)).toBeLessThan(-1);
  });

  test("decreases faster for a cat than for a dog", () => {
    expect(apart(DOG, 0.04) - apart(DOG, 0)).toBeGreaterThan(apart(CAT, 0.04) - apart(CAT, 0));
  });

  test("decreases smoothly at 8 km, where the centres of the cells begin to be used", () => {
    for (const base of SPECIES.map((species) => ({ ...CAT, species }))) {
      const [sixth = 0, seventh = 0, eighth = 0] = [6, 7, 8].map(
        (rows) => apart(base, rows / 100) - apart(base, (rows + 1) / 100),
      );

      expect(seventh).toBeLessThan(sixth);
      expect(seventh).toBeGreaterThan(eighth);
    }
  });

  test("sums to the distance law over all cells", () => {
    // 1 / (1 + (10 km / median)^-shape)
    const laws = [
      ["cat", 0.926],
      ["dog", 0.851],
      ["bird", 0.766],
      ["other", 0.926],
    ] as const;
    // At 50 degrees cells of two widths are neighbours.
    for (const lat of [-33.87, 0, 45.77, 49.99, 50, 64.14]) {
      for (const [species, share] of laws) {
        expect(chanceWithin(10, snap(lat, 4.83), species)).toBeCloseTo(share, 2);
      }
    }
  });

  test("follows the owner's answer about a lost cat", () => {
    const at = (goesOutside: GoesOutside | null, rows: number) =>
      weight("distance", CAT, { goesOutside }, { point: { lat: 45.77 + rows / 100, lng: 4.83 } });

    for (const [rows, nearest] of [
      [0, "never"],
      [2, "often"],
      [5, "often"],
    ] as const) {
      const weights = {
        never: at("never", rows),
        unknown: at(null, rows),
        often: at("often", rows),
      };
      const { never, unknown, often } = weights;
      expect(never > unknown && unknown > often).toBe(nearest === "never");
      expect(never < often).toBe(nearest === "often");
      expect(at("sometimes", rows)).toBe(often);
    }
  });

  test("of a cat that goes outside is under 500 m in 58%, of one that does not in 88%", () => {
    const within = (law: DistanceLawName, km: number) => {
      const steps = 4_000;
      let chance = 0;
      for (let step = 0; step < steps; step++) {
        // Rings that are narrow near the centre, where the law is steep.
        const [inner, outer] = [step, step + 1].map((nth) => km * (nth / steps) ** 6);
        const middle = (inner! + outer!) / 2;
        chance += Math.exp(logDensity(middle, law)) * Math.PI * (outer! ** 2 - inner! ** 2);
      }
      return chance;
    };

    expect(within(lawOf("cat", "often"), 0.5)).toBeCloseTo(0.58, 2);
    expect(within(lawOf("cat", "often"), 0.315)).toBeCloseTo(0.5, 2);
    expect(within(lawOf("cat", "often"), 1.609)).toBeCloseTo(0.75, 2);
    expect(within(lawOf("cat", "never"), 0.5)).toBeCloseTo(0.88, 2);
    expect(within(lawOf("cat", "never"), 0.137)).toBeCloseTo(0.75, 2);
    expect(within(lawOf("cat"), 0.5)).toBeCloseTo(0.75, 2);
  });

  test("is the same for the same distance across the date line", () => {
    const fiji = { ...CAT, point: { lat: -17, lng: 179.99 } };
    const across = weight("distance", fiji, {}, { point: { lat: -17, lng: -180 } });
    const inland = weight(
      "distance",
      { ...fiji, point: { lat: -17, lng: 178 } },
      {},
      { point: { lat: -17, lng: 178.01 } },
    );

    expect(across).toBeCloseTo(inland, 6);
  });

  test("is weaker for two cells that meet at a pole than for one cell", () => {
    const beside = { ...CAT, point: { lat: 90, lng: 0 } };
    const same = weight("distance", beside, {}, {});

    for (const point of [
      { lat: 90, lng: -180 },
      { lat: 89.99, lng: 90 },
    ]) {
      expect(weight("distance", beside, {}, { point })).toBeLessThan(same);
    }
  });
});

describe("the distance of an alert with only a town", () => {
  const { lat, lng } = CAT.point;
  const town = (radiusKm: number) => ({ somewhere: { town: "Lyon", radiusKm } });
  const pinned = (km: number) => ({ point: snap(lat + km / KM_PER_DEGREE, lng) });
  const oddsOf = (lost: Partial<MatchSubject>, found: Partial<MatchSubject>, base = CAT) => {
    const [one, other] = [
      distance.read({ ...base, ...lost })!,
      distance.read({ ...base, ...found })!,
    ];
    const context = { species: base.species, frequency: createFrequency() };
    return Math.exp(distance.compare(one, other, context).logRatio);
  };

  test("is the mean over pins all over the town", () => {
    const towns = [
      [6, 6, 0],
      [6, 3, 5],
      [3, 4, 14],
    ] as const;
    for (const species of SPECIES) {
      for (const [radiusKm, otherRadiusKm, km] of towns) {
        const base = { ...CAT, species };
        const there = pinned(km).point;
        const pins = cellsWithin(radiusKm, CAT.point);
        const others = cellsWithin(otherRadiusKm, there);
        const odds = pins.map((point) =>
          mean(others.map((other) => oddsOf({ point }, { point: other }, base))),
        );

        const byName = oddsOf(town(radiusKm), { point: there, ...town(otherRadiusKm) }, base);

        expect(byName / mean(odds)).toBeGreaterThan(0.93);
        expect(byName / mean(odds)).toBeLessThan(1.07);
      }
    }
  });

  test("sums to the distance law over all cells around", () => {
    for (const radiusKm of [2, 6, 12])
      expect(chanceWithin(40, CAT.point, "cat", town(radiusKm))).toBeCloseTo(0.96, 1);
  });

  test("equals that of the cell for a town as large as its cell", () => {
    const cell = town(cellRadiusKm(CAT.point));

    expect(oddsOf(cell, cell) / oddsOf({}, {})).toBeCloseTo(1, 1);
  });

  test("is weaker for larger towns, and symmetric", () => {
    const weights = [1, 2, 4, 8, 16].map((radiusKm) => oddsOf(town(radiusKm), town(radiusKm)));

    expect(weights).toEqual(weights.toSorted((a, b) => b - a));
    expect(oddsOf(town(8), { ...pinned(3), ...town(2) })).toBeCloseTo(
      oddsOf({ ...pinned(3), ...town(2) }, town(8)),
      9,
    );
  });

  test("is described by the town, and in km only between towns", () => {
    const details = (lost: Partial<MatchSubject>, found: Partial<MatchSubject>) => {
      const [a, b] = [prepareSubject({ ...CAT, ...lost }), prepareSubject({ ...CAT, ...found })];
      const context = { species: "cat", frequency: createFrequency() } as const;
      return compareField("distance", a, b, context)?.details;
    };

    expect(details(town(6), town(6))).toEqual({ kind: "in town", town: "Lyon" });
    expect(details(pinned(4), town(6))).toEqual({ kind: "around town", town: "Lyon" });
    expect(details(pinned(9), town(6))).toEqual({ kind: "centres apart", km: 9 });
    expect(details(pinned(4), {})).toEqual({ kind: "apart", km: 4 });
  });

  test("is weighed by the density of the town, however many alerts are at its centre", () => {
    const density = createDensity(() => 30_000);
    const found = prepareSubject({ ...CAT, ...town(6), type: "found" });
    for (let nth = 0; nth < 100; nth++) density.add(prepareSubject({ ...CAT, type: "found" }));

    const { foundsPerKm2 } = density.around(found);
    expect(foundsPerKm2).toBeLessThan(100 / (Math.PI * 6 ** 2));
    expect(density.around({ ...found, somewhere: null }).foundsPerKm2).toBeGreaterThan(
      5 * foundsPerKm2,
    );
  });
});

const KM_PER_DEGREE = (EARTH_RADIUS_KM * Math.PI) / 180;

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

/** Chance, by the evidence, that an animal lost in this cell or town is found in a cell with its centre within `km`. */
function chanceWithin(
  km: number,
  middle: Point,
  species: Species,
  within: Pick<MatchSubject, "somewhere"> = {},
): number {
  const lost = distance.read({ ...CAT, point: middle, ...within })!;
  return cellsWithin(km, middle).reduce((sum, cell) => {
    const found = distance.read({ ...CAT, point: cell })!;
    const { logRatio } = distance.compare(lost, found, { species, frequency: createFrequency() });
    const perKm2 = Math.exp(logRatio) / (Math.PI * searchRadiusKm(species) ** 2);
    return sum + perKm2 * areaKm2(cell);
  }, 0);
}

/** Centres of all cells that have them within `km`. */
function cellsWithin(km: number, middle: Point): Point[] {
  return cellsIn(boxesAround(middle, km)).filter((cell) => distanceKm(middle, cell) <= km);
}

/** Centres of all cells in the boxes. */
function cellsIn(boxes: readonly Box[]): Point[] {
  const cells = boxes.flatMap(({ west, south, east, north }) =>
    range(south, north).flatMap((lat) => range(west, east).map((lng) => snap(lat, lng))),
  );
  return [...new Map(cells.map((cell) => [`${cell.lat} ${cell.lng}`, cell])).values()];
}

function range(from: number, to: number): number[] {
  const first = Math.floor(from * 100);
  const length = Math.ceil(to * 100) - first + 1;
  return Array.from({ length }, (_, nth) => (first + nth) / 100);
}

function areaKm2({ lat }: Point): number {
  const widthDegrees = Math.abs(lat) < 50 ? 0.01 : 0.02;
  return 0.01 * widthDegrees * KM_PER_DEGREE ** 2 * Math.cos((lat * Math.PI) / 180);
}

describe("time", () => {
  const after = (base: MatchSubject, days: number) =>
    weight(
      "time",
      base,
      {},
      { eventDate: new Date(Date.UTC(2026, 4, 1 + days)).toISOString().slice(0, 10) },
    );

  test("counts for a dog found the next day and against one found in the tenth week", () => {
    expect(after(DOG, 1)).toBeGreaterThan(2);
    expect(after(DOG, 70)).toBeLessThan(-2);
  });

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
  const coats = (base: MatchSubject, lost: string, found: string, frequency = createFrequency()) =>
    weight("coat", base, { color: lost }, { color: found }, frequency);

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

  test("learns the frequency of a coat from the active alerts", () => {
    const frequency = createFrequency();
    for (let nth = 0; nth < 500; nth++) frequency.add({ ...CAT, color: "calico" });

    expect(coats(CAT, "calico", "calico", frequency)).toBeLessThan(0.4);
    expect(coats(CAT, "black", "black", frequency)).toBeGreaterThan(coats(CAT, "black", "black"));
  });

  test("is neutral if no colour is understood", () => {
    expect(coats(CAT, "multi", "multi")).toBe(0);
  });
});

describe("breed", () => {
  const breeds = (base: MatchSubject, lost: string, found: string) =>
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
      const { observation } = prepareSubject({
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
    const differs = (base: MatchSubject) => weight("sex", base, { sex: "male" }, { sex: "female" });

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
  const names = (lost: string | null, found: string | null) =>
    weight("name", CAT, { name: lost }, { name: found });

  test("counts much if equal, little if different, and nothing if blank", () => {
    expect(names("Mimi", "MIMI")).toBeGreaterThan(4);
    expect(names("Mimi", "Lucky")).toBeGreaterThan(-1);
    expect(names("Mimi", "Lucky")).toBeLessThan(0);
    expect([names(null, null), names("Mimi", null), names("Mimi", "  ")]).toEqual([0, 0, 0]);
  });
});

describe("a match", () => {
  const context = {
    frequency: createFrequency(),
    densityAround: createDensity(townPeople).around,
    pairShare: () => PAIR_SHARE_PRIOR,
  };
  const FULL: MatchSubject = {
    ...DOG,
    name: "Rex",
    breed: "Labrador",
    color: "black",
    size: "large",
    sex: "male",
    age: "adult",
  };

  test("has log odds that are the sum of the prior and the weights of its fields", () => {
    const [lost, found] = [prepareSubject(FULL), prepareSubject({ ...FULL, type: "found" })];
    const comparison = { species: "dog", frequency: context.frequency } as const;
    const weights = FIELDS.map(
      (field) => compareField(field, lost, found, comparison)?.weight ?? 0,
    );

    const match = scorePair(lost, found, context);

    const around = { lost: context.densityAround(lost), found: context.densityAround(found) };
    const prior = priorLogOdds("dog", around, PAIR_SHARE_PRIOR);
    expect(match?.logOdds).toBeCloseTo(
      weights.reduce((sum, one) => sum + one, prior),
      9,
    );
  });

  test("by equal chips of different species gives the contradiction as a reason", () => {
    const match = scorePair(
      prepareSubject({ ...FULL, chipHash: "same" }),
      prepareSubject({ ...FULL, type: "found", species: "cat", chipHash: "same" }),
      context,
    );

    expect(match?.reasons.slice(0, 2).map(({ field }) => field)).toEqual(["chip", "species"]);
    expect([match?.score, Number.isFinite(match?.logOdds)]).toEqual([100, true]);
  });

  test("with a likelier candidate ranks first, up to the limit", () => {
    const candidates = [
      {
        id: "far",
        subject: prepareSubject({ ...FULL, type: "found", point: { lat: 45.9, lng: 5 } }),
      },
      { id: "near", subject: prepareSubject({ ...FULL, type: "found" }) },
      { id: "lost too", subject: prepareSubject(FULL) },
      { id: "white", subject: prepareSubject({ ...FULL, type: "found", color: "white" }) },
    ];

    const ranked = rankMatches(prepareSubject(FULL), candidates, context, 2);

    expect(ranked.map(({ candidate }) => candidate.id)).toEqual(["near", "white"]);
  });
});
