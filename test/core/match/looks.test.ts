import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import { SPECIES } from "../../../src/core/alert.ts";
import { CAT_LOOKS } from "../../../src/core/match/cat-looks.ts";
import { DOG_LOOKS } from "../../../src/core/match/dog-looks.ts";
import {
  type Look,
  lookNearness,
  LOOKS,
  readLooks,
  typicalSize,
} from "../../../src/core/match/looks.ts";
import { wordsOf } from "../../../src/core/words.ts";

type Reading = readonly [text: string, ...looks: Look[]];

describe("a dog's look is read from breed names", () => {
  test.each<Reading>([
    ["Labrador Retriever", "labrador"],
    ["black lab", "labrador"],
    ["Retriever, Labrador", "labrador"],
    ["Labrador-Mischling", "labrador"],
    ["Aust Shepherd", "collie"],
    ["Border Terr", "wire-terrier"],
    ["Labradormix", "labrador"],
    ["croisée labrador", "labrador"],
    ["mestiza de labrador", "labrador"],
    ["fox red lab", "labrador"],
    ["GSD", "shepherd"],
    ["Berger allemand", "shepherd"],
    ["pastor aleman", "shepherd"],
    ["Deutscher Schäferhund", "shepherd"],
    ["Schaeferhund", "shepherd"],
    ["Schäferhündin", "shepherd"],
    ["chien de berger", "shepherd"],
    ["Berger australien", "collie"],
    ["Aussie", "collie"],
    ["Anatolian Shepherd", "mountain"],
    ["pitbull", "bull"],
    ["Pit Bull / Mix", "bull"],
    ["Terrier, American Pit Bull", "bull"],
    ["staffie", "bull"],
    ["amstaff", "bull"],
    ["Bouledogue français", "flat-face"],
    ["American Bulldog", "bull"],
    ["Boston Terrier", "flat-face"],
    ["Mops", "flat-face"],
    ["carlin", "flat-face"],
    ["yorkie", "toy-longhair"],
    ["Shitzu", "toy-longhair"],
    ["Tibetan Terrier", "shaggy"],
    ["terrier mix", "wire-terrier"],
    ["Zwergschnauzer", "wire-terrier"],
    ["Riesenschnauzer", "shaggy"],
    ["chi", "chihuahua"],
    ["chiwawa", "chihuahua"],
    ["Chihuahua - Long Haired", "toy-spitz", "chihuahua"],
    ["Rauhaardackel", "wire-terrier", "dachshund"],
    ["perro salchicha", "dachshund"],
    ["teckel", "dachshund"],
    ["goldendoodle", "doodle"],
    ["caniche", "poodle"],
    ["perro de aguas español", "poodle"],
    ["maltipoo", "poodle", "bichon"],
    ["bichón maltés", "bichon"],
    ["galgo", "sighthound"],
    ["podenco", "sighthound"],
    ["épagneul breton", "spaniel"],
    ["Bodeguero", "smooth-terrier"],
    ["patou", "mountain"],
    ["bouvier bernois", "mountain"],
    ["bouvier australien", "cattle-dog"],
  ])("%s", (text, ...looks) => {
    expect(readLooks("dog", text)).toEqual(looks);
  });

  test.each<Reading>([
    ["labrador/pit bull mix", "labrador", "bull"],
    ["Pit bull x Labrador", "labrador", "bull"],
    ["croisement de berger allemand et husky", "shepherd", "husky"],
    ["cruce de pastor alemán con mastín", "shepherd", "mountain"],
    ["Mix aus Dackel und Terrier", "wire-terrier", "dachshund"],
    ["German Shepherd / English Bulldog", "shepherd", "flat-face"],
    ["Yorkshire Terrier x Jack Russell Terrier", "smooth-terrier", "toy-longhair"],
    ["Dachshund / Chihuahua - Smooth Coated", "chihuahua", "dachshund"],
    ["retriever", "labrador", "golden-setter"],
  ])("several of a cross: %s", (text, ...looks) => {
    expect(readLooks("dog", text)).toEqual(looks);
  });

  test.each<Reading>([
    ["dachsund", "dachshund"],
    ["rotweiller", "rottweiler"],
    ["chihuaha", "chihuahua"],
    ["labardor", "labrador"],
    ["goldenretreiver", "golden-setter"],
    ["pomeranean", "toy-spitz"],
    ["doberman", "rottweiler"],
    ["bordercollie", "collie"],
    ["schnautzer", "wire-terrier"],
  ])("misspelt: %s", (text, ...looks) => {
    expect(readLooks("dog", text)).toEqual(looks);
  });

  test.each([
    "",
    "unknown",
    "mix",
    "Mischling",
    "croisé",
    "mestizo",
    "mongrel",
    "cross breed",
    "Mixed Breed, Medium (up to 44 lbs fully grown)",
    "hund",
    "américain de pelo largo",
    "short-haired, german, small",
    "chien",
    "small paddle of a sitter",
    "collier rouge",
    "собака",
    "constructor",
  ])("none of: %s", (text) => {
    expect(readLooks("dog", text)).toEqual([]);
  });
});

describe("a cat's look is read from breed names", () => {
  test.each<Reading>([
    ["DSH", "shorthair"],
    ["Domestic Shorthair / Mix", "shorthair"],
    ["européen", "shorthair"],
    ["chat de gouttière", "shorthair"],
    ["común europeo", "shorthair"],
    ["EKH", "shorthair"],
    ["Hauskatze", "shorthair"],
    ["Domestic Medium Hair", "mediumhair"],
    ["poil mi-long", "mediumhair"],
    ["Halblanghaar", "mediumhair"],
    ["DLH", "longhair"],
    ["angora", "longhair"],
    ["Main Coon", "longhair"],
    ["Norwegische Waldkatze", "longhair"],
    ["skogkatt", "longhair"],
    ["sacré de Birmanie", "longhair", "siamese"],
    ["ragdoll", "longhair", "siamese"],
    ["Himalayan", "longhair", "persian", "siamese"],
    ["siamesa", "siamese"],
    ["Siamkatze", "siamese"],
    ["Perser", "persian"],
    ["Exotic Shorthair", "persian"],
    ["Chartreux", "british"],
    ["Kartäuser", "british"],
    ["Kartaeuser", "british"],
    ["BKH", "british"],
    ["azul ruso", "british"],
    ["bengal", "spotted"],
    ["Devon Rex", "rex-hairless"],
    ["Sphinx", "rex-hairless"],
    ["Scottish Fold", "fold"],
    ["Manx", "bobtail"],
    ["Domestic Mediumhair / Siamese", "mediumhair", "siamese"],
  ])("%s", (text, ...looks) => {
    expect(readLooks("cat", text)).toEqual(looks);
  });

  test.each(["", "unknown", "mix", "tabby", "chat", "gato", "labrador", "a person", "croisé"])(
    "none of: %s",
    (text) => {
      expect(readLooks("cat", text)).toEqual([]);
    },
  );
});

describe("other animals are told apart by kind", () => {
  test.each<Reading>([
    ["perruche calopsitte", "cockatiel"],
    ["Wellensittich", "budgerigar"],
    ["gris du Gabon", "parrot"],
    ["gallina", "fowl"],
    ["racing pigeon", "pigeon"],
  ])("bird: %s", (text, ...looks) => {
    expect(readLooks("bird", text)).toEqual(looks);
  });

  test.each<Reading>([
    ["Kaninchen", "rabbit"],
    ["lapin bélier", "rabbit"],
    ["cochon d'Inde", "guinea-pig"],
    ["cochon", "pig"],
    ["tortuga", "tortoise"],
    ["Igel", "hedgehog"],
  ])("other: %s", (text, ...looks) => {
    expect(readLooks("other", text)).toEqual(looks);
  });

  test("a word means what it means for its species", () => {
    expect(readLooks("cat", "chinchilla")).toEqual(["persian"]);
    expect(readLooks("other", "chinchilla")).toEqual(["chinchilla"]);
    expect(readLooks("dog", "bobtail")).toEqual(["shaggy"]);
    expect(readLooks("cat", "bobtail")).toEqual(["bobtail"]);
  });
});

test("the breeds most often licensed in a city are all known", () => {
  const dogs =
    `Labrador Retriever, Golden Retriever, Chihuahua, Standard Poodle, Miniature Poodle, German Shepherd,
    Border Collie, Australian Shepherd, Australian Cattle Dog, Pit Bull, Shih Tzu, Beagle, Pug, Boxer, Yorkshire Terrier,
    Miniature Schnauzer, Pomeranian, Dachshund, Maltese, Jack Russell Terrier, Siberian Husky, Havanese, Boston Terrier,
    French Bulldog, Cocker Spaniel, Cavalier King Charles Spaniel, Bichon Frise, Pembroke Welsh Corgi, Shiba Inu,
    Rat Terrier, Miniature Pinscher, Rottweiler, Bernese Mountain Dog, German Shorthaired Pointer, Lhasa Apso, Vizsla,
    Rhodesian Ridgeback, Greyhound, West Highland White Terrier, Doberman Pinscher, Chow Chow, English Springer Spaniel,
    Wheaten Terrier, Cairn Terrier, Great Dane`.split(",");
  const cats =
    `Domestic Shorthair, Domestic Medium Hair, Domestic Longhair, American Shorthair, Siamese, Maine Coon,
    Russian Blue, Ragdoll, Siberian, Manx, Persian, Bengal, Norwegian Forest Cat, Snowshoe, Abyssinian`.split(
      ",",
    );

  const unread = [
    ...dogs.filter((name) => readLooks("dog", name).length === 0),
    ...cats.filter((name) => readLooks("cat", name).length === 0),
  ];

  expect(dogs.length + cats.length).toBe(60);
  expect(unread).toEqual([]);
});

describe("the tables", () => {
  const named = {
    dog: looksByName(breedsOfDogs()),
    cat: looksByName(Object.entries(CAT_LOOKS) as [Look, string][]),
  };

  test.each(["dog", "cat"] as const)(
    "each name of a %s is read back to the groups it stands in, and to no other",
    (species) => {
      for (const { name, looks } of named[species].values()) {
        expect([name, ...readLooks(species, name)]).toEqual([name, ...looks]);
      }
    },
  );

  test.each(["dog", "cat"] as const)(
    "case, accents, order of words and punctuation in the name of a %s do not matter",
    (species) => {
      const name = fc.constantFrom(...named[species].values());
      const shuffled = name.chain((one) =>
        fc.tuple(
          fc.constant(one),
          fc.shuffledSubarray(one.name.split(/\s+/), { minLength: one.name.split(/\s+/).length }),
          fc.constantFrom(" ", ", ", " - ", ". ", "\n"),
        ),
      );

      fc.assert(
        fc.property(shuffled, ([{ looks }, words, separator]) => {
          const text = words
            .join(separator)
            .toUpperCase()
            .replace(/[AEIOU]/g, "$&\u0301");

          expect(readLooks(species, text)).toEqual([...looks]);
        }),
        { numRuns: 500 },
      );
    },
  );

  test("one look belongs to one species", () => {
    const all = SPECIES.flatMap((species) => LOOKS[species]);

    expect(all.length).toBe(new Set(all).size);
  });

  test("any text at all is read", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.constantFrom(...SPECIES), (text, species) => {
        for (const look of readLooks(species, text)) expect(LOOKS[species]).toContain(look);
      }),
    );
  });
});

describe("nearness of looks", () => {
  test("is symmetric, between 0 and 1, and 1 only for equals", () => {
    for (const a of SPECIES.flatMap((species) => LOOKS[species])) {
      for (const b of SPECIES.flatMap((species) => LOOKS[species])) {
        const near = lookNearness(a, b);

        expect(near).toBe(lookNearness(b, a));
        expect(near).toBeWithin(0, 1.001);
        expect(near === 1).toBe(a === b);
      }
    }
  });

  test("joins what people take for each other and nothing else", () => {
    expect(lookNearness("bull", "mastiff")).toBeGreaterThan(0.3);
    expect(lookNearness("husky", "shepherd")).toBeGreaterThan(0.3);
    expect(lookNearness("shorthair", "mediumhair")).toBeGreaterThan(
      lookNearness("shorthair", "siamese"),
    );
    expect(lookNearness("chihuahua", "mountain")).toBe(0);
    expect(lookNearness("persian", "rex-hairless")).toBe(0);
    expect(lookNearness("rabbit", "snake")).toBe(0);
  });

  test("no look of one species is near one of another", () => {
    for (const dog of LOOKS.dog) {
      for (const cat of LOOKS.cat) expect(lookNearness(dog, cat)).toBe(0);
    }
  });
});

describe("usual size", () => {
  test("is known of dogs that come in one size", () => {
    expect(typicalSize("chihuahua")).toBe("small");
    expect(typicalSize("spaniel")).toBe("medium");
    expect(typicalSize("labrador")).toBe("large");
    expect(typicalSize("mountain")).toBe("xlarge");
  });

  test("is not known of poodles, toy to standard, nor of cats", () => {
    expect(typicalSize("poodle")).toBeNull();
    expect(typicalSize("longhair")).toBeNull();
  });
});

function breedsOfDogs(): [Look, string][] {
  return Object.entries(DOG_LOOKS).map(([look, { breeds }]) => [look as Look, breeds]);
}

/** Each name once, with all groups that name it. */
function looksByName(
  table: readonly (readonly [Look, string])[],
): ReadonlyMap<string, { readonly name: string; readonly looks: readonly Look[] }> {
  const found = new Map<string, { name: string; looks: Look[] }>();
  for (const [look, breeds] of table) {
    for (const name of breeds.split(/[,;]/).map((each) => each.trim().replace(/\s+/g, " "))) {
      const key = wordsOf(name).toSorted().join(" ");
      const known = found.get(key) ?? { name, looks: [] };
      if (!known.looks.includes(look)) known.looks.push(look);
      found.set(key, known);
    }
  }
  return found;
}
