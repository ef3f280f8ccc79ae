import { beforeAll, describe, expect, test } from "bun:test";
import { createGeocoder, type Located } from "../../src/places/geocoder.ts";
import { snap } from "../../src/values/point.ts";
import { placeName, placeText } from "../../src/places/place-name.ts";
import { openGazetteer } from "../../src/places/gazetteer.ts";
import { SPOTS, TOWNS_BESIDE_CITIES } from "../support/quarters.ts";
import type { Gazetteer } from "../../src/places/town.ts";

let gazetteer: Gazetteer;
let places: ReturnType<typeof createGeocoder>;
beforeAll(async () => {
  gazetteer = await openGazetteer();
  places = createGeocoder({ gazetteer });
});

function called(located: Located | null): string {
  if (located?.kind !== "known") throw new Error("the place is not known");
  return placeText(located.called);
}

const pin = (lat: number, lng: number) => placeText(placeName(gazetteer, snap(lat, lng)));
const text = (place: string, country?: string) => called(places.locate({ place, country }));

describe("a pin is called", () => {
  test.each([
    ["Friedrichshain, Berlin", 52.511, 13.459],
    ["Lyon 4e", 45.779, 4.828],
    ["Caluire-et-Cuire", 45.795, 4.847],
  ])("%s", (name, lat, lng) => {
    expect(pin(lat, lng)).toBe(name);
  });

  test("by its quarter and city in most spots that we know, and seldom by another quarter", () => {
    const answers = Object.entries(SPOTS).flatMap(([city, spots]) =>
      spots.map(([, lat, lng, quarters]) => {
        const name = placeName(gazetteer, snap(lat, lng));
        if (name.city !== city) return "wrong city";
        if (name.district === null) return "unknown";
        return quarters.split("; ").includes(name.district) ? "right" : "wrong";
      }),
    );
    const count = (wanted: string) => answers.filter((answer) => answer === wanted).length;

    expect(count("wrong city")).toBeLessThanOrEqual(2);
    expect(count("right")).toBeGreaterThanOrEqual(57);
    expect(count("wrong")).toBeLessThanOrEqual(4);
  });

  test("by the town beside a city that it lies in", () => {
    const towns = TOWNS_BESIDE_CITIES.map(([, lat, lng]) => placeName(gazetteer, snap(lat, lng)));
    const right = towns.filter(({ city }, nth) => city === TOWNS_BESIDE_CITIES[nth]![0]);

    expect(right.length).toBeGreaterThanOrEqual(16);
  });

  test("by the town alone at its centre, which people give who know only the town", () => {
    expect(text("Lyon")).toBe("Lyon");
    expect(text("Berlin")).toBe("Berlin");
    for (const town of ["Lyon", "Berlin", "Paris", "Wien"]) {
      const located = places.locate({ place: town });
      if (located?.kind !== "known") throw new Error("the place is not known");
      expect(placeName(gazetteer, located.point).district).toBeNull();
    }
  });
});

describe("a text is called", () => {
  test.each([
    ["Friedrichshain, Berlin", "Friedrichshain, Berlin"],
    ["Berlin Köpenick", "Köpenick, Berlin"],
    ["10245 Berlin", "Friedrichshain, Berlin"],
    ["69004 Lyon", "Lyon 4e"],
    ["Lyon 04", "Lyon 4e"],
    ["Paris 18", "Paris 18e"],
    ["Lyon 1er", "Lyon 1er"],
    ["Wien, Hernals", "Hernals, Vienna"],
    ["Zürich Kreis 5", "Kreis 5, Zürich"],
    ["69300 Caluire-et-Cuire", "Caluire-et-Cuire"],
    ["München", "München"],
    ["V5C, Canada", "Burnaby"],
    ["06097 Halle", "Halle (Saale)"],
    ["BS8", "Clifton, Bristol"],
  ])("from %p", (typed, name) => {
    expect(text(typed)).toBe(name);
  });

  test("by the named town, even where another is nearer to the pin that goes with it", () => {
    const pinned = (place: string, lat: number, lng: number) =>
      called(places.locate({ place, point: { lat, lng } }));

    expect(pinned("Lyon", 45.79, 4.85)).toBe("Lyon");
    expect(pinned("69004 Lyon", 45.78, 4.83)).toBe("Lyon 4e");
    expect(pinned("Paris", 48.9, 2.34)).toStartWith("Paris");
    expect(pinned("Berlin", 52.511, 13.459)).toBe("Friedrichshain, Berlin");
    expect(pinned("Caluire-et-Cuire", 45.78, 4.84)).toBe("Caluire-et-Cuire");
  });

  test("alike from the pin in the middle of what it names", () => {
    const quarters = ["Friedrichshain", "Paris 18e", "Lyon 4", "Kreuzberg, Berlin", "69004 Lyon"];
    for (const place of quarters) {
      const located = places.locate({ place });
      if (located?.kind !== "known") throw new Error("the place is not known");
      expect([place, pin(located.point.lat, located.point.lng)]).toEqual([place, called(located)]);
    }
  });
});
