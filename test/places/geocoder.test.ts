import { beforeAll, describe, expect, test } from "bun:test";
import {
  createGeocoder,
  type Located,
  type LocationInput,
  type TownChoice,
  TOWNS_MAX,
} from "../../src/places/geocoder.ts";
import { placesNamed } from "../../src/places/place-text.ts";
import { townLabel } from "../../src/places/place-name.ts";
import { distanceKm } from "../../src/values/point.ts";
import { openGazetteer } from "../../src/places/gazetteer.ts";

let towns: ReturnType<typeof createGeocoder>;
beforeAll(async () => {
  towns = createGeocoder({ gazetteer: await openGazetteer() });
});

const LYON = { lat: 45.75, lng: 4.85 };
const label = ({ name, countryCode, near }: TownChoice) =>
  `${name}, ${countryCode}${near === null ? "" : ` (${near})`}`;
const named = (place: string) => label(known(towns.locate({ place })).town);
const choices = (input: LocationInput) => {
  const located = towns.locate(input);
  return located?.kind === "ask" ? located.choices.map(label) : null;
};

function known(located: Located | null): Extract<Located, { kind: "known" }> {
  if (located?.kind !== "known") throw new Error("the place is not known");
  return located;
}

describe("a town is understood", () => {
  test.each([
    ["Lyon", "Lyon, FR"],
    ["  LYON ", "Lyon, FR"],
    ["Lyon, France", "Lyon, FR"],
    ["lyon frankreich", "Lyon, FR"],
    ["Londres, Royaume-Uni", "Londres, GB"],
    ["Birmingham, UK", "Birmingham, GB"],
    ["Paris, CA", "Paris, CA"],
    ["München, Deutschland", "München, DE"],
    ["Muenchen", "München, DE"],
    ["St Étienne", "Saint-Étienne, FR"],
    ["St. Gallen", "Sankt Gallen, CH"],
    ["Frankfurt (Oder)", "Frankfurt (Oder), DE"],
    ["Springfield, Estados Unidos (cerca de Peoria)", "Springfield, US (Peoria)"],
  ])("from %p", (text, town) => {
    expect(named(text)).toBe(town);
  });

  test("in spite of a state's letters that are a country's as well", () => {
    expect(named("Portland, ME")).toBe("Portland, US");
    expect(named("Springfield, IL")).toBe("Springfield, US");
  });

  test.each([
    ["Paris, Texas", "Paris, US"],
    ["paris tx", "Paris, US"],
    ["Perth, WA", "Perth, AU"],
    ["Newport, Wales", "Newport, GB"],
  ])("with its state, province or part of the country from %p", (text, town) => {
    expect(named(text)).toBe(town);
  });

  test.each([
    ["Clifton, Bristol", 51.46, -2.62],
    ["Kreuzberg, Berlin", 52.5, 13.4],
    ["Lyon 4e arrondissement", 45.78, 4.83],
    ["Paris 11ème", 48.86, 2.38],
    ["Hamburg-Altona", 53.55, 9.93],
    ["kreis 10 zürich", 47.4, 8.5],
    ["Halle, Sachsen-Anhalt", 51.48, 11.97],
    ["Buchs AG", 47.39, 8.08],
    ["Blyes", 45.85, 5.25],
  ])("as a district or village from %p", (text, lat, lng) => {
    // Nobody's country is known, but a village alone is asked about.
    const country = text === "Blyes" ? "FR" : undefined;
    const { point, unread } = known(towns.locate({ place: text, country }));
    expect(distanceKm(point, { lat, lng })).toBeLessThan(2);
    expect(unread).toBeNull();
  });

  test.each([
    ["69004", "FR", 45.78, 4.83],
    ["69004 Lyon", null, 45.78, 4.83],
    ["F-69004", null, 45.78, 4.83],
    ["BS8 2QA", null, 51.45, -2.64],
    ["Clifton, Bristol BS8", null, 51.45, -2.64],
    ["K1A 0B1", null, 45.42, -75.7],
    ["Springfield, IL 62704", null, 39.77, -89.69],
    ["98101-1234", null, 47.61, -122.33],
    ["10115", "DE", 52.53, 13.39],
    ["10115", "US", 40.81, -73.96],
    ["1067", "DE", 51.06, 13.71],
    ["00901", "US", 18.47, -66.11],
    ["00-002 Warszawa", null, 52.24, 21.01],
  ])("as a postcode from %p for a reader in %p", (text, country, lat, lng) => {
    const { point, unread } = known(towns.locate({ place: text, country: country ?? undefined }));
    expect(distanceKm(point, { lat, lng })).toBeLessThan(3);
    expect(unread).toBeNull();
  });

  test("by its postcode and town, which understood again give the same place", () => {
    const { town } = known(towns.locate({ place: "69004", country: "FR" }));
    expect(label(town)).toBe("69004 Lyon, FR");
    expect(known(towns.locate({ place: "69004 Lyon, France" })).town).toEqual(town);
  });

  test("at least as the city, if nobody knows the part of it", () => {
    const located = known(towns.locate({ place: "Croix-Rousse, Lyon" }));
    expect(label(located.town)).toBe("Lyon, FR");
    expect(located.unread).toBe("Croix-Rousse");
    expect(known(towns.locate({ place: "Freiburg, Dreisamtal" })).unread).toBe("Dreisamtal");
  });

  test.each([
    ["clifton bristol", 51.46, -2.62, null],
    ["kreis 10 zürich", 47.41, 8.5, null],
    ["wicker park chicago", 41.85, -87.65, "wicker park"],
    ["Lyon-Part-Dieu", 45.75, 4.85, "Part Dieu"],
  ])("by its city without a comma from %p", (text, lat, lng, unread) => {
    const located = known(towns.locate({ place: text }));
    expect(distanceKm(located.point, { lat, lng })).toBeLessThan(2);
    expect(located.unread).toBe(unread);
  });

  test("not from a part of it, if there is a pin", () => {
    const point = { lat: 45.75, lng: 4.85 };
    expect(known(towns.locate({ place: "the old mill in Reading", point })).point).toEqual(point);
  });

  test("in the reader's country, unless namesakes elsewhere are far more populous", () => {
    const inCountry = (country: string, place: string) =>
      label(known(towns.locate({ place, country })).town);
    expect(inCountry("US", "Birmingham")).toBe("Birmingham, US");
    expect(inCountry("GB", "Birmingham")).toBe("Birmingham, GB");
    expect(inCountry("AU", "Perth")).toBe("Perth, AU");
    expect(inCountry("ES", "Valencia")).toBe("Valencia, ES");
    expect(inCountry("GB", "Saint Albans")).toBe("St Albans, GB");
  });

  test("in the country that is given with it", () => {
    const given = (countryCode: string, place: string) => towns.locate({ place, countryCode });
    expect(label(known(given("ES", "Valencia")).town)).toBe("Valencia, ES");
    expect(label(known(given("uk", "Birmingham")).town)).toBe("Birmingham, GB");
    expect(label(known(given("DE", "10115")).town)).toBe("10115 Berlin, DE");
    expect(choices({ place: "Genève", countryCode: "FR" })).toEqual(["Genève, CH"]);
    expect(choices({ place: "06600", countryCode: "MX" })).toContain("06600 Antibes, FR");
  });

  test("but not from the beginning of its name, nor from signs alone", () => {
    for (const place of ["Montréa", ",", "(", "?!"])
      expect(towns.locate({ place })?.kind).toBe("unknown");
  });

  test("up to 200 characters: what follows is not read", () => {
    expect(towns.locate({ place: "a, ".repeat(66) })?.kind).toBe("unknown");
    const lyon = towns.locate({ place: "Lyon" });
    expect(towns.locate({ place: `Lyon${" ".repeat(200)}, Texas` })).toEqual(lyon);
  });
});

describe("it is asked which place is meant", () => {
  test("where several namesakes are nearly as populous, told apart by their countries and by cities near them", () => {
    expect(choices({ place: "Córdoba" })).toEqual(["Córdoba, AR", "Córdoba, ES"]);
    expect(choices({ place: "Springfield" })?.slice(0, 3)).toEqual([
      "Springfield, US (Columbia)",
      "Springfield, US (Hartford)",
      "Springfield, US (Peoria)",
    ]);
    expect(choices({ place: "Neustadt", country: "DE" })?.length).toBeGreaterThan(1);
    expect(choices({ place: "Lyon" })).toBeNull();
    expect(choices({ place: "Paris" })).toBeNull();
    expect(known(towns.locate({ place: "Paris" })).others).not.toEqual([]);
  });

  test("of a name that lies abroad, with those of the reader's country first", () => {
    expect(choices({ place: "London", country: "US" })?.[0]).toStartWith("London, US");
    expect(choices({ place: "London", country: "US" })).toContain("London, GB");
    expect(choices({ place: "Ehrenfeld", country: "DE" })).toEqual(["Ehrenfeld, AT"]);
    expect(choices({ place: "Garmisch", country: "DE" })).toEqual(["Garmisch-Partenkirchen, DE"]);
    expect(choices({ place: "Clifton, Bristol", country: "FR" })).toEqual(["Clifton, GB"]);
    expect(choices({ place: "Clifton, Bristol, UK", country: "FR" })).toBeNull();
    expect(choices({ place: "Saint-Denis", country: "FR" })?.slice(0, 2)).toEqual([
      "Saint-Denis, FR",
      "Saint-Denis, RE",
    ]);
  });

  test.each([
    ["06600", "MX"],
    ["01001", "UA"],
    ["69004", "DE"],
    ["BS8 2QA", "FR"],
    ["69004 Lyon", "DE"],
    ["69004", undefined],
  ])("of postcode %p for a reader in %p", (place, country) => {
    expect(choices({ place, country })).not.toBeNull();
  });

  test("of a small town that is only a part of the text", () => {
    expect(choices({ place: "Villa Crespo", country: "AR" })).toEqual(["Crespo, AR"]);
    expect(choices({ place: "San Giminiano" })).toEqual(["San, ML"]);
  });

  test("unless it lies in the instance's country", async () => {
    const german = createGeocoder({ gazetteer: await openGazetteer() }, () => "DE");
    const kind = (place: string, country?: string) => german.locate({ place, country })?.kind;

    expect(kind("Köln", "FR")).toBe("known");
    expect(kind("10115")).toBe("known");
    // Its number is one of many countries, perhaps the reader's.
    expect(kind("10115", "MX")).toBe("ask");
    expect(kind("10115 Berlin", "MX")).toBe("known");
    expect(kind("10115", "US")).toBe("ask");
    expect(kind("Lyon")).toBe("ask");
    expect(choices({ place: "Ehrenfeld" })).toEqual(["Ehrenfeld, AT"]);
  });

  test("and every choice, written back, is understood", () => {
    for (const input of [
      { place: "Springfield" },
      { place: "Neustadt", country: "DE" },
      { place: "Paris", country: "US" },
      { place: "06600", country: "MX" },
      { place: "1000" },
    ]) {
      const located = towns.locate(input);
      const offered = located?.kind === "ask" ? located.choices : [];
      expect(offered.length).toBeGreaterThan(1);
      for (const choice of offered)
        expect(known(towns.locate({ place: townLabel(choice), country: "NZ" })).point).toEqual(
          choice.point,
        );
    }
  });
});

describe("a position", () => {
  test("is snapped, and belongs to the nearest town", () => {
    const { point, town } = known(towns.locate({ point: { lat: 45.757_813, lng: 4.832_011 } }));

    expect(point).toEqual({ lat: 45.76, lng: 4.83 });
    expect(label(town)).toBe("Lyon 5e, FR");
    expect(town.city).toBe("Lyon");
  });

  test("wins over the middle of the town that is named with it", () => {
    const point = { lat: 45.68, lng: 4.94 };

    const located = known(towns.locate({ place: "Lyon, France", point }));

    expect(located).toMatchObject({ point, town: { name: "Lyon" }, others: [] });
    expect(known(towns.locate({ place: "at the old mill", point: LYON })).point).toEqual(LYON);
    expect(known(towns.locate({ place: "Paris", point: LYON })).town.name).toBe("Paris");
  });

  test("tells which of several namesakes is meant", () => {
    const { others } = known(towns.locate({ place: "Springfield, Illinois" }));
    const located = towns.locate({ place: "Springfield" });
    const [, other] = located?.kind === "ask" ? located.choices : others;

    const { town } = known(towns.locate({ place: label(other!), point: other!.point }));

    expect(town.point).toEqual(other!.point);
  });
});

test("nothing said is nowhere", () => {
  expect(towns.locate({})).toBeNull();
  expect(towns.locate({ place: "  " })).toBeNull();
});

test("a country in the text does not lead out of the one that is looked in", async () => {
  const gazetteer = await openGazetteer();
  const inUS = placesNamed(gazetteer, "Vancouver, Canada", { countryCode: "US" });
  expect(inUS.places.filter(({ countryCode }) => countryCode !== "US")).toEqual([]);
});

test("a town nobody knows comes with names alike", () => {
  const alike = (place: string) => {
    const located = towns.locate({ place });
    return located?.kind === "unknown" ? located.alike.map(label) : null;
  };

  expect(alike("Bordaux")).toEqual(["Bordeaux, FR"]);
  expect(alike("Bordaux, France")).toEqual(["Bordeaux, FR"]);
  expect(alike("Allice Springs")).toEqual(["Alice Springs, AU"]);
  expect(alike("Xqzwv")).toEqual([]);
});

test("a name nobody knows is not that of a town abroad which is only somewhat alike", () => {
  const alike = (place: string, country: string) => {
    const located = towns.locate({ place, country });
    return located?.kind === "unknown" ? located.alike.map(label) : null;
  };

  expect(alike("Montmartre", "FR")).toEqual([]);
  expect(alike("Malasaña", "ES")).toEqual([]);
  expect(alike("Bordaux", "DE")).toEqual(["Bordeaux, FR"]);
});

describe("a completion", () => {
  test("offers towns whose names begin so, those of that very name first", () => {
    expect(towns.completeTown("ly").map(label)[0]).toBe("Lyon, FR");
    expect(towns.completeTown("rom").map(label)[0]).toBe("Rom, IT");
    expect(towns.completeTown("lyon, fr").map(label)[0]).toBe("Lyon, FR");
    expect(towns.completeTown("st et").map(label)[0]).toBe("Saint-Étienne, FR");
  });

  test("offers a few, each once, and none before two letters", () => {
    const offered = towns.completeTown("san");

    expect(offered).toHaveLength(TOWNS_MAX);
    expect(new Set(offered.map(label)).size).toBe(TOWNS_MAX);
    for (const text of ["", "l", " l ", "é"]) expect(towns.completeTown(text)).toEqual([]);
  });
});

test("a text is looked up a bounded number of times, each of its names once", async () => {
  const gazetteer = await openGazetteer();
  const looked: string[] = [];
  const { locate } = createGeocoder({
    gazetteer: {
      ...gazetteer,
      find(...asked) {
        looked.push(JSON.stringify(asked));
        return gazetteer.find(...asked);
      },
    },
  });
  for (const place of [
    "1000 1010 1050 1060 1070 1080",
    "Les Bad-山 Nova-Saint New 1010-XI,4,",
    "Springfield near Springfield near Springfield near Springfield",
    "1000 2000 3000 4000 5000 6000 ste Saue Moen Duer Clif Bris, UK, UK, UK",
  ]) {
    looked.length = 0;
    locate({ place, country: "US" });
    expect(new Set(looked).size).toBe(looked.length);
    expect(looked.length).toBeLessThanOrEqual(500);
  }
});
