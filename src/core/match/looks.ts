import type { Size, Species } from "../alert.ts";
import { wordsOf } from "../words.ts";
import { CAT_LOOKS, CAT_NEARNESS, type CatLook } from "./cat-looks.ts";
import { DOG_LOOKS, DOG_NEARNESS, type DogLook } from "./dog-looks.ts";

/**
 * A group of breeds and kinds that look alike to people who are no experts. Breeds named by sight are wrong more often
 * than right (Voith 2009, 2013; Olson 2015), the look is what an owner and a finder have in common.
 */
export type Look = DogLook | CatLook | BirdLook | OtherLook;

/** How near groups are to a lay eye, each pair named once; what is not named is 0. */
export type Nearness<L extends string> = {
  readonly [one in L]?: { readonly [other in L]?: number };
};

/**
 * The looks that a free text names in English, French, Spanish or German, in the order of the tables: several for a
 * cross ("labrador / pit bull"), none for a bare "mix", "unknown" or what no table knows. Within what "/", "x", "and"
 * and their like set apart the order of words does not matter, and a longer name hides the shorter ones in it:
 * "Retriever, Labrador" is a Labrador, "Boston terrier" no terrier.
 */
export function readLooks(species: Species, text: string): readonly Look[] {
  const lexicon = LEXICONS[species];
  const found = new Set<string>();
  for (const part of text.split(BETWEEN_BREEDS, PARTS_MAX)) {
    const words = new Set(
      wordsOf(part, PART_WORDS_MAX).flatMap((word) => knownForm(word, lexicon) ?? []),
    );
    for (const look of longest(namesAmong(words, lexicon)).flatMap((name) => name.looks)) {
      found.add(look);
    }
  }
  return LOOKS[species].filter((look) => found.has(look));
}

/** How near two groups are to a lay eye: 1 for the same, 0 for what nobody confuses; symmetric. */
export function lookNearness(a: Look, b: Look): number {
  return a === b ? 1 : (NEARNESS.get(`${a} ${b}`) ?? 0);
}

/** The usual grown size of a look of dogs; null for other animals and where a group holds small and large. */
export function typicalSize(look: Look): Exclude<Size, "unknown"> | null {
  return isDogLook(look) ? DOG_LOOKS[look].size : null;
}

function isDogLook(look: Look): look is DogLook {
  return Object.hasOwn(DOG_LOOKS, look);
}

const PARTS_MAX = 10;
const PART_WORDS_MAX = 20;
/** What stands between the two breeds of a cross. A comma does not: registers write "Retriever, Labrador". */
const BETWEEN_BREEDS =
  /[/&+;|()]|(?<![\p{L}\p{M}\p{N}])(?:x|×|and|und|et|y|with|mit|avec|con|or|oder|ou)(?![\p{L}\p{M}\p{N}])/iu;
/** They add nothing to a name, and people leave them out. */
const CONNECTIVES: ReadonlySet<string> = new Set(["de", "du", "des", "d", "del", "l", "a", "of"]);

/** One name of a group or of several: all its words must be there. */
type Name = { readonly words: readonly string[]; readonly looks: readonly string[] };

type Lexicon = {
  readonly words: ReadonlySet<string>;
  /** Those that may be misspelt, by their first letter, which is seldom wrong. */
  readonly longWords: ReadonlyMap<string, readonly string[]>;
  /** Names by their first word. */
  readonly names: ReadonlyMap<string, readonly Name[]>;
};

function namesAmong(words: ReadonlySet<string>, lexicon: Lexicon): readonly Name[] {
  return [...words]
    .flatMap((word) => lexicon.names.get(word) ?? [])
    .filter((name) => name.words.every((word) => words.has(word)));
}

function longest(names: readonly Name[]): readonly Name[] {
  return names.filter(
    (name) =>
      !names.some(
        (other) =>
          other.words.length > name.words.length &&
          name.words.every((word) => other.words.includes(word)),
      ),
  );
}

/** The word of the tables that a written word stands for: itself, its stem, or what it misspells by one letter. */
function knownForm(word: string, lexicon: Lexicon): string | null {
  if (lexicon.words.has(word)) return word;
  for (const [ending, instead, stemLengthMin] of ENDINGS) {
    const stem = word.slice(0, -ending.length) + instead;
    if (word.endsWith(ending) && stem.length >= stemLengthMin && lexicon.words.has(stem)) {
      return stem;
    }
  }
  const near = lexicon.longWords.get(word[0] ?? "") ?? [];
  return near.find((known) => isMisspelt(word, known)) ?? null;
}

/** Endings, what stands for them in the tables, and the shortest stem they are taken from: "chien" is no "chi". */
const ENDINGS: readonly (readonly [ending: string, instead: string, stemLengthMin: number])[] = [
  // German compounds: "Labradormischling", "Schäferhündin", "Pudeldame".
  ["mischling", "", 3],
  ["mix", "", 3],
  ["hundin", "hund", 3],
  ["hundin", "", 3],
  ["hund", "", 5],
  ["rude", "", 5],
  ["welpe", "", 5],
  ["dame", "", 5],
  ["kater", "", 4],
  ["katze", "", 4],
  // Plurals and feminines.
  ["s", "", 3],
  ["es", "", 5],
  ["en", "", 5],
  ["e", "", 5],
  ["n", "", 5],
  ["a", "", 5],
];
/** Shorter names have too many plain words for neighbours: poodle and paddle, setter and sitter. */
const MISSPELT_LENGTH_MIN = 7;

/** One letter wrong, missing or too many, or two neighbours swapped. */
function isMisspelt(word: string, known: string): boolean {
  if (Math.abs(word.length - known.length) > 1) return false;
  let at = 0;
  while (at < word.length && word[at] === known[at]) at++;
  const [rest, wanted] = [word.slice(at), known.slice(at)];
  return (
    rest.slice(1) === wanted.slice(1) ||
    rest.slice(1) === wanted ||
    rest === wanted.slice(1) ||
    (rest.slice(2) === wanted.slice(2) && rest[0] === wanted[1] && rest[1] === wanted[0])
  );
}

/** Birds and other animals by kind, set out as the breeds of dogs. */
const BIRD_LOOKS = {
  budgerigar: `
    Budgerigar, Budgie, Parakeet, Perruche, Perruche ondulée, Periquito, Perico, Wellensittich, Welli, Sittich;
    Lovebird, Inséparable, Agapornis, Agaporni, Inseparable, Unzertrennliche;
    Parrotlet, Sperlingspapagei`,
  cockatiel: `Cockatiel, Calopsitte, Perruche calopsitte, Ninfa, Carolina, Cocotilla, Nymphensittich, Nymphe`,
  parrot: `
    Parrot, Perroquet, Loro, Cotorra, Papagei;
    African Grey, Grey Parrot, Gris du Gabon, Yaco, Loro gris, Graupapagei;
    Amazon, Amazone, Amazona, Amazonenpapagei;
    Macaw, Ara, Guacamayo;
    Conure, Sun Conure, Conuro, Sonnensittich;
    Quaker, Quaker Parrot, Monk Parakeet, Perruche moine, Cotorra argentina, Mönchssittich;
    Ring-necked Parakeet, Ringneck, Perruche à collier, Halsbandsittich, Alexandersittich;
    Eclectus, Edelpapagei;
    Senegal Parrot, Youyou;
    Pionus, Caique`,
  cockatoo: `Cockatoo, Cacatoès, Cacatúa, Kakadu, Galah, Corella`,
  songbird: `
    Canary, Canari, Serin, Canario, Kanarienvogel, Kanari;
    Finch, Zebra Finch, Pinson, Diamant mandarin, Pinzón, Diamante mandarín, Zebrafink, Fink, Mandarin;
    Goldfinch, Chardonneret, Jilguero, Stieglitz;
    Sparrow, Moineau, Gorrión, Spatz, Sperling;
    Mynah, Myna, Mainate, Beo`,
  pigeon: `Pigeon, Dove, Colombe, Tourterelle, Paloma, Tórtola, Taube, Brieftaube, Racing Pigeon, Pigeon voyageur`,
  fowl: `
    Fowl, Chicken, Hen, Rooster, Cock, Poultry, Poule, Coq, Gallina, Gallo, Pollo, Huhn, Henne, Hahn;
    Turkey, Dinde, Pavo, Truthahn, Pute;
    Guinea Fowl, Pintade, Pintada, Perlhuhn;
    Peacock, Peafowl, Paon, Pavo real, Pfau;
    Quail, Caille, Codorniz, Wachtel`,
  waterfowl: `
    Duck, Canard, Pato, Ente;
    Goose, Oie, Oca, Ganso, Gans;
    Swan, Cygne, Cisne, Schwan`,
  raptor: `
    Falcon, Faucon, Halcón, Falke;
    Hawk, Buse, Harris Hawk, Bussard, Wüstenbussard;
    Owl, Hibou, Chouette, Búho, Lechuza, Eule;
    Eagle, Aigle, Águila, Adler`,
  crow: `Crow, Raven, Magpie, Corbeau, Corneille, Pie, Cuervo, Urraca, Krähe, Rabe, Elster, Jackdaw, Dohle`,
} as const;

const OTHER_LOOKS = {
  rabbit: `Rabbit, Bunny, Lapin, Lapin nain, Lapin bélier, Conejo, Conejito, Kaninchen, Zwergkaninchen, Hase, Lop, Lionhead, Hare`,
  "guinea-pig": `Guinea Pig, Cochon d'Inde, Cobaye, Cobaya, Cuy, Conejillo de Indias, Meerschweinchen, Cavy`,
  rodent: `
    Hamster, Dwarf Hamster, Goldhamster, Hámster;
    Mouse, Souris, Ratón, Maus;
    Rat, Rata, Ratte;
    Gerbil, Gerbille, Jerbo, Rennmaus;
    Degu, Octodon;
    Squirrel, Écureuil, Ardilla, Eichhörnchen`,
  chinchilla: `Chinchilla`,
  ferret: `Ferret, Furet, Hurón, Frettchen, Frett`,
  hedgehog: `Hedgehog, Hérisson, Erizo, Igel`,
  tortoise: `Tortoise, Turtle, Terrapin, Tortue, Tortuga, Schildkröte, Landschildkröte, Sulcata`,
  snake: `Snake, Serpent, Serpiente, Culebra, Schlange, Python, Ball Python, Pitón, Boa, Corn Snake, Kornnatter, Natter`,
  lizard: `
    Lizard, Lézard, Lagarto, Echse;
    Iguana, Iguane, Leguan;
    Bearded Dragon, Dragon barbu, Dragón barbudo, Bartagame;
    Gecko, Leopardgecko;
    Chameleon, Caméléon, Camaleón, Chamäleon`,
  horse: `
    Horse, Cheval, Jument, Caballo, Yegua, Pferd, Stute;
    Pony, Poney, Poni;
    Donkey, Âne, Burro, Asno, Esel, Mule, Mulo`,
  goat: `
    Goat, Chèvre, Bouc, Cabra, Ziege;
    Sheep, Mouton, Brebis, Oveja, Schaf, Lamb, Agneau`,
  pig: `Pig, Cochon, Cerdo, Schwein, Potbellied Pig, Pot-bellied Pig, Minischwein, Hängebauchschwein, Cochon vietnamien`,
  cow: `Cow, Calf, Bull, Vache, Veau, Vaca, Ternero, Kuh, Kalb, Rind`,
} as const;

type BirdLook = keyof typeof BIRD_LOOKS;
type OtherLook = keyof typeof OTHER_LOOKS;

/** All looks of a species, in the order of its table. */
export const LOOKS: Readonly<Record<Species, readonly Look[]>> = {
  dog: Object.keys(DOG_LOOKS) as DogLook[],
  cat: Object.keys(CAT_LOOKS) as CatLook[],
  bird: Object.keys(BIRD_LOOKS) as BirdLook[],
  other: Object.keys(OTHER_LOOKS) as OtherLook[],
};

const BIRD_NEARNESS: Nearness<BirdLook> = {
  budgerigar: { cockatiel: 0.4, parrot: 0.4, songbird: 0.3 },
  cockatoo: { cockatiel: 0.4, parrot: 0.3 },
  parrot: { cockatiel: 0.3 },
  fowl: { waterfowl: 0.1 },
};

const OTHER_NEARNESS: Nearness<OtherLook> = {
  rodent: { "guinea-pig": 0.4, chinchilla: 0.4 },
  rabbit: { "guinea-pig": 0.2 },
};

const TABLES: readonly Nearness<string>[] = [
  DOG_NEARNESS,
  CAT_NEARNESS,
  BIRD_NEARNESS,
  OTHER_NEARNESS,
];

/** Each pair both ways round. */
const NEARNESS: ReadonlyMap<string, number> = new Map(
  TABLES.flatMap((table) =>
    Object.entries(table).flatMap(([one, others = {}]) =>
      Object.entries(others).flatMap(([other, near = 0]): [string, number][] => [
        [`${one} ${other}`, near],
        [`${other} ${one}`, near],
      ]),
    ),
  ),
);

const LEXICONS: Readonly<Record<Species, Lexicon>> = {
  dog: lexiconOf(Object.entries(DOG_LOOKS).map(([look, { breeds }]) => [look, breeds])),
  cat: lexiconOf(Object.entries(CAT_LOOKS)),
  bird: lexiconOf(Object.entries(BIRD_LOOKS)),
  other: lexiconOf(Object.entries(OTHER_LOOKS)),
};

function lexiconOf(table: readonly (readonly [look: string, breeds: string])[]): Lexicon {
  const looksByName = new Map<string, string[]>();
  for (const [look, breeds] of table) {
    for (const key of breeds.split(/[,;]/).flatMap(keysOf)) {
      const looks = looksByName.get(key) ?? [];
      if (!looks.includes(look)) looksByName.set(key, [...looks, look]);
    }
  }
  const names = [...looksByName].map(([key, looks]) => ({ words: key.split(" "), looks }));
  const words = new Set(names.flatMap((name) => name.words));
  const longWords = [...words].filter((word) => word.length >= MISSPELT_LENGTH_MIN);
  return {
    words,
    longWords: Map.groupBy(longWords, (word) => word[0] ?? ""),
    names: Map.groupBy(names, (name) => name.words[0] ?? ""),
  };
}

/** The words of a name in one order, and the name as one word. */
function keysOf(name: string): string[] {
  const words = wordsOf(name);
  if (words.length === 0) return [];
  return [
    words
      .filter((word) => !CONNECTIVES.has(word))
      .toSorted()
      .join(" "),
    words.join(""),
  ];
}
