import { describe, expect, test } from "bun:test";
import { type Language, LANGUAGES } from "../../../src/messages/languages.ts";
import { AGES, SEXES, SIZES, SPECIES } from "../../../src/values/animal.ts";
import { matchTexts } from "../../../src/core/matches/words.ts";
import { prepare } from "../../../src/matching/fields.ts";
import { score } from "../../../src/matching/score.ts";
import { createStatistics } from "../../../src/matching/statistics.ts";
import type { Subject } from "../../../src/matching/subject.ts";
import { BLANK_CAT, catWith, north, townPeople } from "../../support/subject.ts";
import { fc } from "../../support/seed.ts";

const CHIP = "hash-of-250269812345678";
const { context } = createStatistics(townPeople, 30);

function textsOf(
  lost: Partial<Subject>,
  found: Partial<Subject>,
  language: Language = "en",
  asked: "finder" | "owner" | null = "finder",
) {
  const [mine, other] = [catWith(lost), catWith({ ...found, type: "found" })].map(prepare);
  return matchTexts(
    score(mine!, other!, context)!,
    { mine: mine!, other: other!, asked },
    language,
  );
}

const GREY = { color: "grey tabby", size: "small", sex: "male" } as const;
const TOLD: Readonly<Record<Language, string>> = {
  en: "This may be the same animal: less than 1 km apart, found 1 day later, both grey tabby, both small; but one male, one female.",
  fr: "C’est peut-être le même animal\u202f: à moins de 1 km, trouvé 1 jour après, même couleur (gris tigré), même taille (petite)\u202f; mais un mâle et une femelle.",
  es: "Puede que sea el mismo animal: a menos de 1 km, encontrado 1 día después, mismo color (gris atigrado), mismo tamaño (pequeño); pero un macho y una hembra.",
  de: "Es könnte dasselbe Tier sein: weniger als 1 km entfernt, 1 Tag später gefunden, gleiche Farbe (grau getigert), gleiche Größe (klein); aber einmal männlich, einmal weiblich.",
};

describe("the sentence about a match", () => {
  test.each(LANGUAGES)("gives the strongest reasons for and those against, in %s", (language) => {
    const found = { ...GREY, sex: "female", eventDate: "2026-05-02" } as const;

    expect(textsOf(GREY, found, language).summary).toBe(TOLD[language]);
  });

  test("says below 40 percent that it is probably another animal", () => {
    const { summary } = textsOf(
      { color: "black" },
      { color: "white", point: north(BLANK_CAT.point, 9) },
    );

    expect(summary).toStartWith("This is probably a different animal");
    expect(summary).toContain("different colours (one black, one white)");
  });

  test("says only of equal chips that it is almost certain", () => {
    const { summary, reasons } = textsOf({ chipHash: CHIP }, { chipHash: CHIP, species: "dog" });

    expect(summary).toBe(
      "This is almost certainly the same animal: both alerts have the same microchip number; but different species.",
    );
    expect(reasons[0]).toBe("same microchip");
  });
});

describe("the question about a match", () => {
  test("is about what the other side can tell, and what only the other alert gives", () => {
    const { ask, reasons } = textsOf({ color: "black" }, { size: "small" });

    expect(ask).toBe(
      "Ask the finder about the colour, the breed, the sex and the age: the alert does not say. Only the other alert gives the size: check whether this fits.",
    );
    expect(reasons.at(-1)).toBe("not compared: colour, breed, size, sex, age, name");
  });
});

test("texts are whole phrases in every language, without a position, a chip number or a gap", () => {
  const about = fc.record({
    species: fc.constantFrom(...SPECIES),
    point: fc.integer({ min: 0, max: 30 }).map((cells) => north(BLANK_CAT.point, cells)),
    name: fc.constantFrom(null, "Mimi", "Rex"),
    breed: fc.constantFrom("unknown", "Labrador", "Siamese", "budgie"),
    color: fc.constantFrom("unknown", "black", "grey tabby", "calico", "black and white", "tabby"),
    size: fc.constantFrom(...SIZES),
    sex: fc.constantFrom(...SEXES),
    age: fc.constantFrom(...AGES),
    chipHash: fc.constantFrom(null, CHIP, "other"),
  });
  fc.assert(
    fc.property(about, about, fc.constantFrom(...LANGUAGES), (lost, found, language) => {
      const [mine, other] = [catWith(lost), catWith({ ...found, type: "found" })].map(prepare);
      const match = score(mine!, other!, context);
      if (match === null) return;
      const { summary, ask, reasons } = matchTexts(
        match,
        { mine: mine!, other: other!, asked: "finder" },
        language,
      );
      for (const text of [summary, ...reasons, ...(ask === null ? [] : [ask])]) {
        expect(text).toMatch(/^\S.*\S$/);
        expect(text).not.toMatch(/\d\.\d{2}|undefined|null|\[object|[{}]|  |12345678/);
      }
    }),
  );
});
