import { describe, expect, test } from "bun:test";
import { LANGUAGES } from "../../src/messages/languages.ts";

import { BASE_COLORS, COAT_WORDS, formsOf } from "../../src/matching/coat-lexicon.ts";
import { readCoat } from "../../src/matching/coat-parser.ts";
import { fc } from "../support/seed.ts";
import type { Species } from "../../src/values/animal.ts";

type CoatReading = readonly [text: string, coat: string];

/** Colours, then the pattern if there is one. */
function coatOf(text: string, species?: Species): string {
  const { colors, pattern } = readCoat(text, species);
  return [...colors, ...(pattern === null ? [] : [pattern])].join(" ");
}

describe("a cat's coat is parsed from its description", () => {
  test.each<CoatReading>([
    ["Black / White", "black white bicolor"],
    ["blk/wht", "black white bicolor"],
    ["B&W", "black white bicolor"],
    ["grey tuxedo", "white grey bicolor"],
    ["blue", "grey"],
    ["red and white", "white orange bicolor"],
    ["Brn Tabby", "brown tabby"],
    ["grey tabby, white paws", "white grey tabby"],
    ["tortie", "black orange tortie"],
    ["Dilute Tor", "grey orange tortie"],
    ["tortoiseshell and white", "black white orange calico"],
    ["black, white and orange", "black white orange calico"],
    ["Seal Pt", "brown tan pointed"],
    ["blue point, white paws", "white grey pointed"],
    ["solid black", "black solid"],
  ])("in English: %s", (text, coat) => {
    expect(coatOf(text, "cat")).toBe(coat);
  });

  test.each<CoatReading>([
    ["Noir et blanc", "black white bicolor"],
    ["N&B", "black white bicolor"],
    ["tigrée brune, ventre blanc", "white brown tabby"],
    ["écaille de tortue", "black orange tortie"],
    ["tout noir", "black solid"],
  ])("in French: %s", (text, coat) => {
    expect(coatOf(text, "cat")).toBe(coat);
  });

  test.each<CoatReading>([
    ["blanco y negro", "black white bicolor"],
    ["gatos rojos", "orange"],
    ["parda rayada", "brown tabby"],
    ["marrón con canela", "brown tan"],
    ["toda negra", "black solid"],
  ])("in Spanish: %s", (text, coat) => {
    expect(coatOf(text, "cat")).toBe(coat);
  });

  test.each<CoatReading>([
    ["schwarz-weiß", "black white bicolor"],
    ["Schwarzweiss", "black white bicolor"],
    ["graugetigert mit weißem Latz", "white grey tabby"],
    ["Schildpatt", "black orange tortie"],
    ["Glückskatze", "black white orange calico"],
    ["einfarbig grau", "grey solid"],
  ])("in German: %s", (text, coat) => {
    expect(coatOf(text, "cat")).toBe(coat);
  });
});

describe("words that depend on the species", () => {
  test.each<CoatReading>([
    ["blue merle", "grey merle"],
    ["tigré", "brindle"],
    ["Tricolor", "black white tan tricolor"],
    ["black, white and brown", "black white brown tricolor"],
    ["black and tan", "black tan"],
    ["yellow", "tan"],
    ["liver and white, ticked", "white brown spotted"],
    ["black and orange", "black orange"],
  ])("are read for a dog: %s", (text, coat) => {
    expect(coatOf(text, "dog")).toBe(coat);
  });

  test.each<CoatReading>([
    ["blue and yellow", "blue yellow"],
    ["grün-gelb", "green yellow"],
    ["gris à queue rouge", "grey red"],
  ])("are read for a bird: %s", (text, coat) => {
    expect(coatOf(text, "bird")).toBe(coat);
  });

  test("are read as fur without a species, and patterns of a single species are left out", () => {
    expect(coatOf("blue")).toBe("grey");
    expect(coatOf("black and orange")).toBe("black orange");
    expect(coatOf("striped", "other")).toBe("tabby");
  });
});

describe("words that are not about the coat", () => {
  test.each([
    ["", "cat"],
    ["unknown", "cat"],
    ["серая", "cat"],
    ["🐈‍⬛", "cat"],
    ["green eyes", "cat"],
    ["red collar", "dog"],
    ["tail with a spot", "dog"],
    ["constructor", "cat"],
  ] as const)("%s", (text, species) => {
    expect(readCoat(text, species)).toEqual({ colors: [], pattern: null });
  });

  test.each<CoatReading>([
    ["white with blue eyes", "white"],
    ["black, red collar", "black"],
    ["noire, yeux verts", "black"],
    ["grey, black collar, grey paws", "grey"],
    ["blue-eyed white", "white"],
    ["black, no white", "black"],
    ["schwarz ohne Weiß", "black"],
  ])("add nothing to the coat: %s", (text, coat) => {
    expect(coatOf(text, "cat")).toBe(coat);
  });

  test('include "collar" without a colour', () => {
    expect(readCoat("black, no collar", "dog").colors).toEqual(["black"]);
    expect(readCoat("collar, black", "dog").colors).toEqual(["black"]);
  });

  test('include "all" beside two colours', () => {
    expect(readCoat("black, all paws white", "cat").pattern).toBe("bicolor");
  });
});

describe("the coat lexicon", () => {
  const forms = LANGUAGES.flatMap((language) =>
    COAT_WORDS[language].flatMap(([sign, words]) =>
      words.flatMap((word) => formsOf(word, language)).map((form) => ({ form, sign })),
    ),
  );

  test("gives no form two meanings in two languages", () => {
    const signs = Map.groupBy(forms, ({ form }) => form.replace(/([aou])e/g, "$1"));
    const torn = [...signs].filter(([, told]) => new Set(told.map(({ sign }) => sign)).size > 1);

    expect(torn.map(([form]) => form)).toEqual([]);
  });

  test("reads each form of a colour as that colour for a bird", () => {
    const colors: readonly string[] = BASE_COLORS;
    for (const { form, sign } of forms.filter((each) => colors.includes(each.sign))) {
      expect([form, ...readCoat(form, "bird").colors]).toEqual([form, sign]);
    }
  });

  test("ignores case, accents, order and punctuation", () => {
    const said = fc.uniqueArray(fc.constantFrom(...forms.map(({ form }) => form)), {
      minLength: 1,
      maxLength: 5,
    });
    const between = fc.constantFrom(" ", "/", " / ", ", ", " - ", " & ", "; ", "\n", " (", ". ");
    const shuffled = said.chain((words) =>
      fc.tuple(
        fc.constant(words),
        fc.shuffledSubarray(words, { minLength: words.length }),
        between,
        fc.constantFrom(...([undefined, "dog", "cat", "bird", "other"] as const)),
      ),
    );

    fc.assert(
      fc.property(shuffled, ([words, again, separator, species]) => {
        const accented = again
          .join(separator)
          .toUpperCase()
          .replace(/[AEIOU]/g, "$&\u0301");

        expect(readCoat(accented, species)).toEqual(readCoat(words.join(" "), species));
      }),
      { numRuns: 500 },
    );
  });

  test("reads any text, with each colour once and in a fixed order", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const { colors } = readCoat(text, "cat");

        expect(colors).toEqual(BASE_COLORS.filter((color) => colors.includes(color)));
      }),
    );
  });
});
