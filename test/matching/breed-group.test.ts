import { describe, expect, test } from "bun:test";

import {
  BREED_GROUPS,
  BREED_TABLES,
  type BreedGroup,
  breedGroupSimilarity,
  readBreedGroups,
} from "../../src/matching/breed-group.ts";
import { tokenize } from "../../src/text/tokenize.ts";
import { fc } from "../support/seed.ts";
import { type Species, SPECIES } from "../../src/values/animal.ts";

type GroupReading = readonly [text: string, ...groups: BreedGroup[]];

describe("a dog's group is read from breed names", () => {
  test.each<GroupReading>([
    ["Labrador Retriever", "labrador"],
    ["Labrador-Mischling", "labrador"],
    ["Labradormix", "labrador"],
    ["fox red lab", "labrador"],
    ["Deutscher Schäferhund", "shepherd"],
    ["Schäferhündin", "shepherd"],
    ["Berger australien", "collie"],
    ["pitbull", "bull"],
    ["Pit Bull / Mix", "bull"],
    ["Chihuahua - Long Haired", "toy-spitz", "chihuahua"],
    ["Rauhaardackel", "wire-terrier", "dachshund"],
  ])("%s", (text, ...groups) => {
    expect(readBreedGroups("dog", text)).toEqual(groups);
  });

  test.each<GroupReading>([
    ["labrador/pit bull mix", "labrador", "bull"],
    ["croisement de berger allemand et husky", "shepherd", "husky"],
    ["Mix aus Dackel und Terrier", "wire-terrier", "dachshund"],
    ["Yorkshire Terrier x Jack Russell Terrier", "smooth-terrier", "toy-longhair"],
    ["retriever", "labrador", "golden-setter"],
  ])("finds each breed of a cross: %s", (text, ...groups) => {
    expect(readBreedGroups("dog", text)).toEqual(groups);
  });

  test.each<GroupReading>([
    ["dachsund", "dachshund"],
    ["labardor", "labrador"],
    ["goldenretreiver", "golden-setter"],
    ["bordercollie", "collie"],
  ])("finds misspelt names: %s", (text, ...groups) => {
    expect(readBreedGroups("dog", text)).toEqual(groups);
  });

  test.each([
    "",
    "unknown",
    "Mischling",
    "Mixed Breed, Medium (up to 44 lbs fully grown)",
    "américain de pelo largo",
    "small paddle of a sitter",
    "собака",
    "constructor",
  ])("finds no breed in: %s", (text) => {
    expect(readBreedGroups("dog", text)).toEqual([]);
  });
});

describe("a cat's group is read from breed names", () => {
  test.each<GroupReading>([
    ["DSH", "shorthair"],
    ["Domestic Shorthair / Mix", "shorthair"],
    ["chat de gouttière", "shorthair"],
    ["ragdoll", "longhair", "siamese"],
    ["Domestic Mediumhair / Siamese", "mediumhair", "siamese"],
  ])("%s", (text, ...groups) => {
    expect(readBreedGroups("cat", text)).toEqual(groups);
  });

  test.each(["", "unknown", "mix", "tabby", "chat", "gato", "labrador", "a person", "croisé"])(
    "finds no breed in: %s",
    (text) => {
      expect(readBreedGroups("cat", text)).toEqual([]);
    },
  );
});

describe("birds and other animals have a kind in place of a breed", () => {
  test.each<GroupReading>([
    ["perruche calopsitte", "cockatiel"],
    ["gris du Gabon", "parrot"],
    ["gallina", "fowl"],
  ])("bird: %s", (text, ...groups) => {
    expect(readBreedGroups("bird", text)).toEqual(groups);
  });

  test.each<GroupReading>([
    ["Kaninchen", "rabbit"],
    ["cochon d'Inde", "guinea-pig"],
    ["cochon", "pig"],
  ])("other: %s", (text, ...groups) => {
    expect(readBreedGroups("other", text)).toEqual(groups);
  });

  test("a word is read by its meaning for the species", () => {
    expect(readBreedGroups("cat", "chinchilla")).toEqual(["persian"]);
    expect(readBreedGroups("other", "chinchilla")).toEqual(["chinchilla"]);
    expect(readBreedGroups("dog", "bobtail")).toEqual(["shaggy"]);
    expect(readBreedGroups("cat", "bobtail")).toEqual(["bobtail"]);
  });
});

test("the most often licensed breeds of a city are all known", () => {
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
    ...dogs.filter((name) => readBreedGroups("dog", name).length === 0),
    ...cats.filter((name) => readBreedGroups("cat", name).length === 0),
  ];

  expect(dogs.length + cats.length).toBe(60);
  expect(unread).toEqual([]);
});

describe("the breed tables", () => {
  const named = {
    dog: groupsByName("dog"),
    cat: groupsByName("cat"),
    bird: groupsByName("bird"),
    other: groupsByName("other"),
  };

  test.each(SPECIES)(
    "read each name of a %s as the groups that list it, and no other",
    (species) => {
      for (const { name, groups } of named[species].values()) {
        expect([name, ...readBreedGroups(species, name)]).toEqual([name, ...groups]);
      }
    },
  );

  test.each(SPECIES)(
    "ignore case, accents, word order and punctuation in the name of a %s",
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
        fc.property(shuffled, ([{ groups }, words, separator]) => {
          const text = words
            .join(separator)
            .toUpperCase()
            .replace(/[AEIOU]/g, "$&\u0301");

          expect(readBreedGroups(species, text)).toEqual([...groups]);
        }),
        { numRuns: 500 },
      );
    },
  );

  test("give similarities and shares for known groups only, and a share for each group", () => {
    for (const species of SPECIES) {
      const { similarity, percent } = BREED_TABLES[species];
      const groups: readonly string[] = BREED_GROUPS[species];
      for (const [one, others] of Object.entries(similarity)) {
        for (const group of [one, ...Object.keys(others)]) expect(groups).toContain(group);
      }
      expect(Object.keys(percent).toSorted()).toEqual(groups.toSorted());
    }
  });

  test("read any text without an error", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.constantFrom(...SPECIES), (text, species) => {
        for (const group of readBreedGroups(species, text))
          expect(BREED_GROUPS[species]).toContain(group);
      }),
    );
  });
});

describe("the similarity of two groups", () => {
  test("is symmetric, from 0 to 1, and 1 only for the same group", () => {
    for (const a of SPECIES.flatMap((species) => BREED_GROUPS[species])) {
      for (const b of SPECIES.flatMap((species) => BREED_GROUPS[species])) {
        const near = breedGroupSimilarity(a, b);

        expect(near).toBe(breedGroupSimilarity(b, a));
        expect(near).toBeWithin(0, 1.001);
        expect(near === 1).toBe(a === b);
      }
    }
  });

  test("is above 0 only for groups that people confuse", () => {
    expect(breedGroupSimilarity("bull", "mastiff")).toBeGreaterThan(0.3);
    expect(breedGroupSimilarity("husky", "shepherd")).toBeGreaterThan(0.3);
    expect(breedGroupSimilarity("shorthair", "mediumhair")).toBeGreaterThan(
      breedGroupSimilarity("shorthair", "siamese"),
    );
    expect(breedGroupSimilarity("chihuahua", "mountain")).toBe(0);
    expect(breedGroupSimilarity("persian", "rex-hairless")).toBe(0);
    expect(breedGroupSimilarity("rabbit", "snake")).toBe(0);
  });
});

/** Each name of a species once, with all groups that list it. */
function groupsByName(
  species: Species,
): ReadonlyMap<string, { readonly name: string; readonly groups: readonly BreedGroup[] }> {
  const found = new Map<string, { name: string; groups: BreedGroup[] }>();
  for (const group of BREED_GROUPS[species]) {
    const { breeds } = BREED_TABLES[species].groups[group]!;
    for (const name of breeds.flatMap((names) => names.split(", "))) {
      const key = tokenize(name).toSorted().join(" ");
      const known = found.get(key) ?? { name, groups: [] };
      if (!known.groups.includes(group)) known.groups.push(group);
      found.set(key, known);
    }
  }
  return found;
}
