import { describe, expect, test } from "bun:test";
import { animalHeadline } from "../../../src/core/alerts/alert-text.ts";
import { LOCALES } from "../../../src/messages/locale.ts";
import { isLargeAnimal, kindName } from "../../../src/core/alerts/animal-kind.ts";
import others from "../../../src/matching/data/others.json" with { type: "json" };

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
    { breed: "Haflinger Pferd" },
    { breed: "goat" },
    { breed: "vache" },
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
