import { describe, expect, test } from "bun:test";
import { animalHeadline } from "../../../src/core/alerts/alert-text.ts";
import { isLargeAnimal, kindName } from "../../../src/core/alerts/animal-kind.ts";
import { chipNumber, correctDraft, type Correction } from "../../../src/core/alerts/publication.ts";
import { isCopied } from "../../../src/core/matches/copied-alert.ts";
import others from "../../../src/matching/data/others.json" with { type: "json" };
import { LOCALES } from "../../../src/messages/locale.ts";
import { openGazetteer } from "../../../src/places/gazetteer.ts";
import { makeDraft } from "../../support/make.ts";
import { DAWN } from "../../support/time.ts";

const headline = (
  language: keyof typeof LOCALES,
  breed: string,
  type: "lost" | "found" = "found",
) => animalHeadline(LOCALES[language], { type, species: "other", breed });

describe("an animal that is no dog, cat or bird", () => {
  test("is named by its breed in every language", () => {
    const languages = ["en", "fr", "es", "de", "ar"] as const;
    expect(languages.map((language) => headline(language, "Hermann's tortoise"))).toEqual([
      "found tortoise",
      "tortue trouvée",
      "tortuga encontrada",
      "Schildkröte gefunden",
      "سلحفاة معثور عليها",
    ]);
    expect(languages.map((language) => headline(language, "Zwergkaninchen", "lost"))).toEqual([
      "lost rabbit",
      "lapin perdu",
      "conejo perdido",
      "Kaninchen vermisst",
      "أرنب مفقود",
    ]);
  });

  test("has the name that was written, where a kind has several", () => {
    expect(headline("en", "red-eared turtle")).toBe("found turtle");
    expect(headline("fr", "jument alezane")).toBe("jument trouvée");
    expect(headline("fr", "horse")).toBe("cheval trouvé");
  });

  test.each(["unknown", "", "axolotl", "rabbit or ferret", "very fluffy", "constructor"])(
    "is a pet if its breed is %p",
    (breed) => {
      expect(headline("en", breed)).toBe("found pet");
      expect(headline("fr", breed)).toBe("animal trouvé");
    },
  );

  test("has a name for each breed that matching knows", () => {
    const breeds = Object.values(others.groups).flatMap((group) => group.breeds);
    expect(Object.keys(LOCALES.en.kinds)).toEqual(breeds.map((names) => names.split(",")[0]!));
  });
});

test("a dog or a cat keeps its name, whatever its breed", () => {
  expect(kindName({ species: "dog", breed: "Pony" }, LOCALES.en.kinds)).toBeNull();
  expect(animalHeadline(LOCALES.en, { type: "lost", species: "dog", breed: "Pony" })).toBe(
    "lost dog",
  );
});

describe("a large animal", () => {
  test.each([
    { breed: "Shetland pony" },
    { breed: "goat" },
    { breed: "unknown", size: "xlarge" },
    { breed: "alpaca", size: "large" },
  ] as const)("is %p", (about) => {
    expect(isLargeAnimal({ species: "other", ...about })).toBe(true);
  });

  test.each([
    { species: "other", breed: "guinea pig" },
    { species: "other", breed: "rabbit", size: "large" },
    { species: "other", breed: "unknown" },
    { species: "dog", breed: "Great Dane", size: "xlarge" },
  ] as const)("is not %p", (about) => {
    expect(isLargeAnimal(about)).toBe(false);
  });
});

const gazetteer = await openGazetteer();

test.each([
  ["250269812345678", "250269812345678"],
  ["250 2698 1234 5678", "250269812345678"],
  ["0a1b2c3d4e", "0A1B2C3D4E"],
])("%s is a microchip number", (text, bare) => {
  expect(chipNumber(text)).toBe(bare);
});

test.each(["", "12345678", "000269812345678", "999141000123456", "ABCDEFGHIJ", "٢٥٠٢٦٩٨١٢٣٤٥٦٧٨"])(
  "%p is none",
  (text) => {
    expect(chipNumber(text)).toBeNull();
  },
);

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
    { breed: "06 12 34", color: "56 78" },
    { breed: "06 12 34", collar: "56 78", color: "black" },
  ])("loses a telephone number that two of its texts form: %p", (split) => {
    const { draft: cleaned, removed } = again(split);

    // Only what was given is said to be removed.
    expect(removed.map(({ field }) => field)).not.toContain("landmark");
    expect(removed.map(({ field }) => field)).toContain("breed");
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

const DESCRIPTION = "Shy, answers to nothing. A notch in the left ear, a white tip on the tail.";
const LOST = {
  ...makeDraft({
    type: "lost",
    name: "Mimi",
    color: "grey tabby with one white paw",
    breed: "European Shorthair",
    size: "small",
    sex: "female",
    age: "adult",
    description: DESCRIPTION,
    landmark: "Parc de la Tête d’Or",
  }),
  publishedAt: 1_000,
};
/** A find of which nothing stands in the lost alert. */
const FOUND = {
  ...makeDraft({
    type: "found",
    name: null,
    color: "grey, striped",
    breed: "unknown",
    size: "small",
    sex: "unknown",
    age: "adult",
    description: "Came to our door this morning, hungry.",
    landmark: null,
  }),
  publishedAt: 2_000,
  updatedAt: 2_000,
};
const isCopy = (find: Partial<typeof FOUND>, lost: Partial<typeof LOST> = {}) =>
  isCopied({ ...LOST, ...lost }, { ...FOUND, ...find });

describe("a find published after a loss", () => {
  test.each<[string, Partial<typeof FOUND>]>([
    ["the name", { name: "MIMI!" }],
    ["a part of the name", { name: "Mimi the cat" }],
    ["the description", { description: `${DESCRIPTION.toUpperCase()} ` }],
    ["most of the description", { description: `${DESCRIPTION} Please write to me.` }],
    ["a longer text", { color: "Grey tabby with one white paw" }],
    ["the landmark", { landmark: "parc de la Tête d'Or" }],
    [
      "all traits",
      { color: LOST.color, breed: LOST.breed, size: "small", sex: "female", age: "adult" },
    ],
  ])("repeats it by %s", (_, find) => {
    expect(isCopy(find)).toBe(true);
  });

  test("does not repeat it by traits that many animals share", () => {
    expect(isCopy({})).toBe(false);
    expect(isCopy({ color: "black", age: "unknown" }, { color: "black" })).toBe(false);
    expect(isCopy({ description: "Shy." }, { description: "Shy." })).toBe(false);
    expect(isCopy({ breed: "European Shorthair", sex: "male" })).toBe(false);
    const { size, sex, age } = LOST;
    expect(isCopy({ color: "grey tabby", size, sex, age }, { color: "grey tabby" })).toBe(false);
  });

  test("that waits for its confirmation repeats it, too, in either order", () => {
    const { publishedAt: _, updatedAt: _updatedAt, ...draft } = { ...FOUND, name: "Mimi" };
    expect(isCopied(LOST, draft)).toBe(true);
    expect(isCopied(draft, LOST)).toBe(true);
  });
});

test("a find published before the loss repeats it only if it was edited since", () => {
  const find = { name: "Mimi", description: DESCRIPTION, publishedAt: 999 };
  expect(isCopy({ ...find, updatedAt: 999 })).toBe(false);
  expect(isCopy({ ...find, updatedAt: 2_000 })).toBe(true);
});
