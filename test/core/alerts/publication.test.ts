import { describe, expect, test } from "bun:test";
import { chipNumber, type Correction, correctDraft } from "../../../src/core/alerts/publication.ts";
import { openGazetteer } from "../../../src/places/gazetteer.ts";
import { makeDraft } from "../../support/make.ts";
import { DAWN } from "../../support/time.ts";

const gazetteer = await openGazetteer();

test.each([
  ["250269812345678", "250269812345678"],
  ["250 2698 1234 5678", "250269812345678"],
  ["985-141-000-123-456", "985141000123456"],
  ["123456789", "123456789"],
  ["0a1b2c3d4e", "0A1B2C3D4E"],
])("%s is a microchip number", (text, bare) => {
  expect(chipNumber(text)).toBe(bare);
});

test.each([
  "",
  "12345678",
  "1234567890123456",
  "25026981234567",
  "000269812345678",
  "899141000123456",
  "999141000123456",
  "ABCDEFGHIJ",
  "٢٥٠٢٦٩٨١٢٣٤٥٦٧٨",
])("%p is none", (text) => {
  expect(chipNumber(text)).toBeNull();
});

describe("a corrected alert", () => {
  const { point, city, photos } = makeDraft({ photos: ["a", "b"] });
  const draft = makeDraft({ photos });
  const again = (correction: Correction, of = draft) =>
    correctDraft(of, correction, DAWN, gazetteer);

  test("is as it was where nothing is said, but for an address made anew", () => {
    expect(again({})).toEqual({ draft, removed: [] });
  });

  test("has the place of its pin to about 1 km, with the town and country there", () => {
    expect(again({ lat: 46.204_391, lng: 6.143_158 }).draft).toMatchObject({
      point: { lat: 46.2, lng: 6.14 },
      city: "Genève",
      countryCode: "CH",
    });
  });

  test("keeps the town its owner named while the pin stays in its cell", () => {
    const own = makeDraft({ city: "Villeurbanne" });

    const { draft: same } = again({ lat: 45.7741, lng: 4.8321 }, own);

    expect([same.point, same.city]).toEqual([point, "Villeurbanne"]);
    expect(city).toBe("Lyon");
  });

  test.each([
    { name: "06 12", breed: "34 56 78", color: "black" },
    { name: "06 12", color: "34 56 78" },
    { breed: "06 12 34", color: "56 78" },
    { color: "06 12 34", breed: "56 78" },
    { breed: "06 12 34", collar: "56 78", color: "black" },
  ])("loses a telephone number that two of its texts form: %p", (split) => {
    const { draft: cleaned } = again(split);

    expect([cleaned.name, cleaned.breed, cleaned.color, cleaned.collar]).toEqual([
      null,
      "unknown",
      "unknown",
      null,
    ]);
  });

  test("needs both halves of a position", () => {
    expect(() => again({ lat: 46 })).toThrow("lng is required");
    expect(() => again({ lng: 6 })).toThrow("lat is required");
  });

  test("shows the pictures that are named, none where none is, and the same where nothing is said", () => {
    expect(again({ photos: ["c"] }).draft.photos).toEqual(["c"]);
    expect(again({ photos: [] }).draft.photos).toEqual([]);
    expect(again({ name: "Bo" }).draft.photos).toEqual(["a", "b"]);
  });

  test("says what was taken out, and has no old name in its address", () => {
    const { draft: fresh, removed } = again({ name: "", description: "Call 06 12 34 56 78" });

    expect(fresh.description).toBe("Call [removed]");
    expect(removed).toEqual([{ field: "description", kinds: ["phone"] }]);
    expect(fresh.slug).toBe(`lost-cat-grey-lyon-${fresh.shortCode.toLowerCase()}`);
  });
});
