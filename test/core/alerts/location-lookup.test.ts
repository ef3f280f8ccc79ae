import { beforeAll, describe, expect, test } from "bun:test";
import {
  createLocationLookup,
  type Located,
  type TownChoice,
  TOWNS_MAX,
} from "../../../src/core/alerts/location-lookup.ts";
import { openGazetteer } from "../../../src/geo/gazetteer.ts";

let towns: ReturnType<typeof createLocationLookup>;
beforeAll(async () => {
  towns = createLocationLookup({ gazetteer: await openGazetteer() });
});

const LYON = { lat: 45.75, lng: 4.85 };
const label = ({ name, countryCode, near }: TownChoice) =>
  `${name}, ${countryCode}${near === null ? "" : ` (${near})`}`;
const named = (place: string) => label(known(towns.locate({ place })).town);

function known(located: Located | null): Extract<Located, { kind: "known" }> {
  if (located?.kind !== "known") throw new Error("the place is not known");
  return located;
}

describe("a town is understood", () => {
  test.each([
    ["Lyon", "Lyon, FR"],
    ["  LYON ", "Lyon, FR"],
    ["Lyon, FR", "Lyon, FR"],
    ["Lyon, France", "Lyon, FR"],
    ["Lyon, Frankreich", "Lyon, FR"],
    ["Lyon, Francia", "Lyon, FR"],
    ["lyon frankreich", "Lyon, FR"],
    ["Londres, Royaume-Uni", "Londres, GB"],
    ["Birmingham, UK", "Birmingham, GB"],
    ["Paris, CA", "Paris, CA"],
    ["new york usa", "New York, US"],
    ["München, Deutschland", "München, DE"],
    ["Muenchen", "München, DE"],
    ["Milan, Italie", "Milan, IT"],
    ["St Étienne", "Saint-Étienne, FR"],
    ["St. Gallen", "Sankt Gallen, CH"],
    ["Frankfurt (Oder)", "Frankfurt (Oder), DE"],
    ["Springfield, Estados Unidos (cerca de Peoria)", "Springfield, US"],
  ])("from %p", (text, town) => {
    expect(named(text)).toBe(town);
  });

  test("in spite of a state's letters that are a country's as well", () => {
    expect(named("Portland, ME")).toBe("Portland, US");
    expect(named("Springfield, IL")).toBe("Springfield, US");
  });

  test("but not from the beginning of its name, nor from signs alone", () => {
    for (const place of ["Montréa", ",", "(", "?!"])
      expect(towns.locate({ place })?.kind).toBe("unknown");
  });

  test("in the end, however long the text is", () => {
    expect(towns.locate({ place: "a, ".repeat(100_000) })?.kind).toBe("unknown");
    expect(towns.locate({ place: "é".repeat(100_000) })?.kind).toBe("unknown");
  });
});

describe("namesakes", () => {
  test("come with the most populous first, told apart by their countries and by cities near them", () => {
    const { town, others } = known(towns.locate({ place: "Springfield" }));

    expect(label(town)).toBe("Springfield, US");
    expect(others.map(label).slice(0, 2)).toEqual([
      "Springfield, US (Hartford)",
      "Springfield, US (Peoria)",
    ]);
    const labels = [town, ...others].map(label);
    expect(new Set(labels).size).toBe(labels.length);
  });

  test("are rivals only where they are nearly as great", () => {
    const rivals = (place: string) => known(towns.locate({ place })).rivals.map(label);

    expect(rivals("Córdoba")).toContain("Córdoba, ES");
    expect(rivals("Lyon")).toEqual([]);
    expect(rivals("Paris")).toEqual([]);
    expect(known(towns.locate({ place: "Paris" })).others).not.toEqual([]);
  });
});

describe("a position", () => {
  test("is snapped, and belongs to the nearest town", () => {
    const { point, town } = known(towns.locate({ point: { lat: 45.757_813, lng: 4.832_011 } }));

    expect(point).toEqual({ lat: 45.76, lng: 4.83 });
    expect(label(town)).toBe("Lyon, FR");
  });

  test("wins over the middle of the town that is named with it", () => {
    const point = { lat: 45.68, lng: 4.94 };

    const located = known(towns.locate({ place: "Lyon, France", point }));

    expect(located).toMatchObject({ point, town: { name: "Lyon" }, others: [], rivals: [] });
  });

  test("tells which of several namesakes is meant", () => {
    const [other] = known(towns.locate({ place: "Springfield" })).others;

    const { town } = known(towns.locate({ place: label(other!), point: other!.point }));

    expect(town).toEqual(other!);
  });

  test("gives way to a town elsewhere that was typed over it", () => {
    expect(known(towns.locate({ place: "Paris", point: LYON })).town.name).toBe("Paris");
  });

  test("holds where the text names no town", () => {
    expect(known(towns.locate({ place: "at the old mill", point: LYON })).point).toEqual(LYON);
  });
});

test("nothing said is nowhere", () => {
  expect(towns.locate({})).toBeNull();
  expect(towns.locate({ place: "  " })).toBeNull();
});

test("a town nobody knows comes with names alike", () => {
  const alike = (place: string) => {
    const located = towns.locate({ place });
    return located?.kind === "unknown" ? located.alike.map(label) : null;
  };

  expect(alike("Bordaux")).toEqual(["Bordeaux, FR"]);
  expect(alike("Bordaux, France")).toEqual(["Bordeaux, FR"]);
  expect(alike("Xqzwv")).toEqual([]);
});

describe("a completion", () => {
  test("offers towns whose names begin so, those of that very name first", () => {
    expect(towns.completeTown("ly").map(label)[0]).toBe("Lyon, FR");
    expect(towns.completeTown("rom").map(label)[0]).toBe("Rom, IT");
    expect(towns.completeTown("lyon, fr").map(label)).toEqual(["Lyon, FR"]);
    expect(towns.completeTown("st et").map(label)[0]).toBe("Saint-Étienne, FR");
  });

  test("offers a few, each once, and none before two letters", () => {
    const offered = towns.completeTown("san");

    expect(offered).toHaveLength(TOWNS_MAX);
    expect(new Set(offered.map(label)).size).toBe(TOWNS_MAX);
    for (const text of ["", "l", " l ", "é"]) expect(towns.completeTown(text)).toEqual([]);
  });
});
