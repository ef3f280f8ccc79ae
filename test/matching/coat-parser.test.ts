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
    ["black", "black"],
    ["Black / White", "black white bicolor"],
    ["blk/wht", "black white bicolor"],
    ["B&W", "black white bicolor"],
    ["tuxedo", "black white bicolor"],
    ["grey tuxedo", "white grey bicolor"],
    ["silver", "grey"],
    ["blue", "grey"],
    ["ginger", "orange"],
    ["red and white", "white orange bicolor"],
    ["light cream", "tan"],
    ["Brn Tabby", "brown tabby"],
    ["grey tabby, white paws", "white grey tabby"],
    ["org mackerel tab", "orange tabby"],
    ["tortie", "black orange tortie"],
    ["Dilute Tor", "grey orange tortie"],
    ["brown tabby / tortie", "brown orange tortie"],
    ["tortoise shell", "black orange tortie"],
    ["tortoiseshell and white", "black white orange calico"],
    ["calico", "black white orange calico"],
    ["black, white and orange", "black white orange calico"],
    ["Seal Pt", "brown tan pointed"],
    ["Tortie Pt / Unknown", "black orange tan pointed"],
    ["lynx point", "tan pointed"],
    ["blue point, white paws", "white grey pointed"],
    ["solid black", "black solid"],
    ["all white", "white solid"],
  ])("in English: %s", (text, coat) => {
    expect(coatOf(text, "cat")).toBe(coat);
  });

  test.each<CoatReading>([
    ["noire", "black"],
    ["Noir et blanc", "black white bicolor"],
    ["N&B", "black white bicolor"],
    ["rousse", "orange"],
    ["gris tigré", "grey tabby"],
    ["tigrée brune, ventre blanc", "white brown tabby"],
    ["écaille de tortue", "black orange tortie"],
    ["tricolore", "black white orange calico"],
    ["bleu", "grey"],
    ["fauve", "tan"],
    ["crème", "tan"],
    ["tout noir", "black solid"],
    ["unie grise", "grey solid"],
  ])("in French: %s", (text, coat) => {
    expect(coatOf(text, "cat")).toBe(coat);
  });

  test.each<CoatReading>([
    ["negra", "black"],
    ["blanco y negro", "black white bicolor"],
    ["naranja", "orange"],
    ["gatos rojos", "orange"],
    ["gris atigrado", "grey tabby"],
    ["parda rayada", "brown tabby"],
    ["plateado", "grey"],
    ["carey", "black orange tortie"],
    ["cálico", "black white orange calico"],
    ["marrón con canela", "brown tan"],
    ["toda negra", "black solid"],
  ])("in Spanish: %s", (text, coat) => {
    expect(coatOf(text, "cat")).toBe(coat);
  });

  test.each<CoatReading>([
    ["schwarze Katze", "black"],
    ["schwarz-weiß", "black white bicolor"],
    ["Schwarzweiss", "black white bicolor"],
    ["S/W", "black white bicolor"],
    ["rot", "orange"],
    ["graugetigert mit weißem Latz", "white grey tabby"],
    ["rot getigerter Kater", "orange tabby"],
    ["dunkelbraun", "brown"],
    ["cremefarben", "tan"],
    ["Schildpatt", "black orange tortie"],
    ["dreifarbig", "black white orange calico"],
    ["Glückskatze", "black white orange calico"],
    ["Glueckskatze", "black white orange calico"],
    ["pechschwarz", "black"],
    ["einfarbig grau", "grey solid"],
  ])("in German: %s", (text, coat) => {
    expect(coatOf(text, "cat")).toBe(coat);
  });
});

describe("words that depend on the species", () => {
  test.each<CoatReading>([
    ["blue merle", "grey merle"],
    ["Br Brindle", "brown brindle"],
    ["bringé", "brindle"],
    ["gestromt", "brindle"],
    ["tigré", "brindle"],
    ["atigrado", "brindle"],
    ["Tricolor", "black white tan tricolor"],
    ["red tri", "white orange tan tricolor"],
    ["black, white and brown", "black white brown tricolor"],
    ["black and tan", "black tan"],
    ["noir et feu", "black tan"],
    ["yellow", "tan"],
    ["golden", "tan"],
    ["fauve", "tan"],
    ["choc", "brown"],
    ["liver and white, ticked", "white brown spotted"],
    ["schwarz gefleckt", "black spotted"],
    ["black and orange", "black orange"],
  ])("are read for a dog: %s", (text, coat) => {
    expect(coatOf(text, "dog")).toBe(coat);
  });

  test.each<CoatReading>([
    ["blue and yellow", "blue yellow"],
    ["grün-gelb", "green yellow"],
    ["verde con azul", "green blue"],
    ["gris à queue rouge", "grey red"],
    ["white and grey", "white grey"],
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
    ["inconnu", "dog"],
    ["desconocido", "dog"],
    ["unbekannt", "cat"],
    ["very pretty", "cat"],
    ["серая", "cat"],
    ["🐈‍⬛", "cat"],
    ["green eyes", "cat"],
    ["hellblaue Augen", "cat"],
    ["red collar", "dog"],
    ["tail with a spot", "dog"],
    ["constructor", "cat"],
  ] as const)("%s", (text, species) => {
    expect(readCoat(text, species)).toEqual({ colors: [], pattern: null });
  });

  test.each<CoatReading>([
    ["white with blue eyes", "white"],
    ["black, red collar", "black"],
    ["negro con collar rojo", "black"],
    ["noire, yeux verts", "black"],
    ["gris, ojos azules", "grey"],
    ["weiß mit rotem Halsband", "white"],
    ["grey, black collar, grey paws", "grey"],
    ["blue-eyed white", "white"],
    ["black, no white", "black"],
    ["noir, pas de blanc", "black"],
    ["negro sin blanco", "black"],
    ["black coat", "black"],
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
