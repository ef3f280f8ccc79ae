import { describe, expect, test } from "bun:test";
import {
  AGES,
  LANGUAGES,
  type Language,
  SEXES,
  SIZES,
  SPECIES,
} from "../../../src/core/alerts/alert.ts";
import { scorePair } from "../../../src/matching/score.ts";
import { createStatistics } from "../../../src/matching/statistics.ts";
import { type MatchSubject, prepareSubject } from "../../../src/matching/subject.ts";
import { CONTRADICTION_WEIGHT_MIN, matchTexts } from "../../../src/core/matching/summary.ts";
import { townPeople } from "../../support/people.ts";
import { fc } from "../../support/seed.ts";

const BLANK: MatchSubject = {
  type: "lost",
  species: "cat",
  point: { lat: 45.77, lng: 4.83 },
  eventDate: "2026-05-01",
  name: null,
  breed: "unknown",
  color: "unknown",
  size: "unknown",
  sex: "unknown",
  age: "unknown",
  chipHash: null,
};
const LYON = { town: "Lyon", radiusKm: 5.5 };
const CHIP = "hash-of-250269812345678";

type Told = Readonly<Record<Language, string>>;
type Example = {
  readonly about: string;
  readonly lost: Partial<MatchSubject>;
  readonly found: Partial<MatchSubject>;
  /** In percent, in place of the score of two alerts on an empty instance. */
  readonly score?: number | undefined;
  readonly told: Told;
};

const EXAMPLES: readonly Example[] = [
  {
    about: "a contradiction in sex",
    lost: { color: "grey tabby", size: "small", sex: "male" },
    found: {
      color: "tabby, grey",
      size: "small",
      sex: "female",
      eventDate: "2026-05-03",
      point: { lat: 45.78, lng: 4.83 },
    },
    score: 60,
    told: {
      en: "This may be the same animal: both alerts describe a small grey tabby cat, lost, then found 2 days later, about 1 km away; but the lost animal is said to be male, while the found one is said to be female.",
      fr: "C’est peut-être le même animal\u202f: les deux alertes décrivent un chat gris tigré de petite taille, perdu, puis trouvé 2 jours plus tard, à environ 1 km de distance\u202f; mais l’animal perdu est décrit comme mâle, alors que l’animal trouvé est décrit comme femelle.",
      es: "Puede que sea el mismo animal: los dos avisos describen un gato gris atigrado de tamaño pequeño, perdido y encontrado 2 días después, a cerca de 1 km de distancia; pero el animal perdido se describe como macho, mientras que el encontrado se describe como hembra.",
      de: "Es könnte dasselbe Tier sein: Beide Meldungen beschreiben eine kleine, grau getigerte Katze, vermisst und 2 Tage später etwa 1 km entfernt gefunden; aber das vermisste Tier soll männlich sein, das gefundene dagegen weiblich.",
    },
  },
  {
    about: "nothing but the species, the place and the day",
    lost: {},
    found: {},
    score: 40,
    told: {
      en: "This may be the same animal: both alerts describe a cat, lost, then found the same day, less than 1 km away.",
      fr: "C’est peut-être le même animal\u202f: les deux alertes décrivent un chat, perdu, puis trouvé le même jour, à moins de 1 km de distance.",
      es: "Puede que sea el mismo animal: los dos avisos describen un gato, perdido y encontrado el mismo día, a menos de 1 km de distancia.",
      de: "Es könnte dasselbe Tier sein: Beide Meldungen beschreiben eine Katze, vermisst und am selben Tag weniger als 1 km entfernt gefunden.",
    },
  },
  {
    about: "the same name",
    lost: { species: "bird", name: "Kiwi", color: "green and yellow" },
    found: { species: "bird", name: "Kiwi", color: "yellow and green", eventDate: "2026-05-02" },
    score: 90,
    told: {
      en: "This may be the same animal: both alerts describe a green and yellow bird with the same name, lost, then found the next day, less than 1 km away.",
      fr: "C’est peut-être le même animal\u202f: les deux alertes décrivent un oiseau vert et jaune portant le même nom, perdu, puis trouvé le lendemain, à moins de 1 km de distance.",
      es: "Puede que sea el mismo animal: los dos avisos describen un ave verde y amarilla con el mismo nombre, perdida y encontrada al día siguiente, a menos de 1 km de distancia.",
      de: "Es könnte dasselbe Tier sein: Beide Meldungen beschreiben einen grün-gelben Vogel mit demselben Namen, vermisst und am nächsten Tag weniger als 1 km entfernt gefunden.",
    },
  },
  {
    about: "different sizes",
    lost: { species: "dog", color: "black", size: "small" },
    found: { species: "dog", color: "black", size: "large" },
    score: 45,
    told: {
      en: "This may be the same animal: both alerts describe a black dog, lost, then found the same day, less than 1 km away; but the lost animal is said to be small, while the found one is said to be large.",
      fr: "C’est peut-être le même animal\u202f: les deux alertes décrivent un chien noir, perdu, puis trouvé le même jour, à moins de 1 km de distance\u202f; mais l’animal perdu est décrit comme petit, alors que l’animal trouvé est décrit comme grand.",
      es: "Puede que sea el mismo animal: los dos avisos describen un perro negro, perdido y encontrado el mismo día, a menos de 1 km de distancia; pero el animal perdido se describe como pequeño, mientras que el encontrado se describe como grande.",
      de: "Es könnte dasselbe Tier sein: Beide Meldungen beschreiben einen schwarzen Hund, vermisst und am selben Tag weniger als 1 km entfernt gefunden; aber das vermisste Tier soll klein sein, das gefundene dagegen groß.",
    },
  },
  {
    about: "an unknown colour",
    lost: { color: "unknown", age: "adult", size: "medium" },
    found: { color: "orange", age: "adult", size: "medium" },
    score: 55,
    told: {
      en: "This may be the same animal: both alerts describe a medium-sized adult cat, lost, then found the same day, less than 1 km away.",
      fr: "C’est peut-être le même animal\u202f: les deux alertes décrivent un chat adulte de taille moyenne, perdu, puis trouvé le même jour, à moins de 1 km de distance.",
      es: "Puede que sea el mismo animal: los dos avisos describen un gato adulto de tamaño mediano, perdido y encontrado el mismo día, a menos de 1 km de distancia.",
      de: "Es könnte dasselbe Tier sein: Beide Meldungen beschreiben eine mittelgroße, ausgewachsene Katze, vermisst und am selben Tag weniger als 1 km entfernt gefunden.",
    },
  },
  {
    about: "only the town known",
    lost: { color: "black and white", somewhere: LYON },
    found: { color: "white and black", somewhere: LYON },
    score: 50,
    told: {
      en: "This may be the same animal: both alerts describe a black and white cat, lost, then found the same day, in the same town (Lyon).",
      fr: "C’est peut-être le même animal\u202f: les deux alertes décrivent un chat noir et blanc, perdu, puis trouvé le même jour, dans la même ville (Lyon).",
      es: "Puede que sea el mismo animal: los dos avisos describen un gato negro y blanco, perdido y encontrado el mismo día, en la misma localidad (Lyon).",
      de: "Es könnte dasselbe Tier sein: Beide Meldungen beschreiben eine schwarz-weiße Katze, vermisst und am selben Tag im selben Ort (Lyon) gefunden.",
    },
  },
  {
    about: "the town known of one side",
    lost: { color: "orange", somewhere: LYON },
    found: { color: "ginger", point: { lat: 45.79, lng: 4.85 } },
    score: 50,
    told: {
      en: "This may be the same animal: both alerts describe an orange cat, lost, then found the same day, in the same area (in or near Lyon).",
      fr: "C’est peut-être le même animal\u202f: les deux alertes décrivent un chat roux, perdu, puis trouvé le même jour, dans le même secteur (Lyon et environs).",
      es: "Puede que sea el mismo animal: los dos avisos describen un gato naranja, perdido y encontrado el mismo día, en la misma zona (Lyon y alrededores).",
      de: "Es könnte dasselbe Tier sein: Beide Meldungen beschreiben eine orangefarbene Katze, vermisst und am selben Tag in derselben Gegend (Lyon und Umgebung) gefunden.",
    },
  },
  {
    about: "places far apart",
    lost: { species: "dog", breed: "Cornish", color: "brindle", sex: "female", age: "senior" },
    found: {
      species: "dog",
      color: "brindle",
      sex: "female",
      age: "senior",
      point: { lat: 45.95, lng: 4.83 },
    },
    score: 41,
    told: {
      en: "This may be the same animal: both alerts describe an old female brindle dog, lost, then found the same day; but the two places are about 20 km apart.",
      fr: "C’est peut-être le même animal\u202f: les deux alertes décrivent un chien femelle âgé bringé, perdu, puis trouvé le même jour\u202f; mais les deux lieux sont à environ 20 km l’un de l’autre.",
      es: "Puede que sea el mismo animal: los dos avisos describen un perro hembra mayor bardino, perdido y encontrado el mismo día; pero los dos lugares están a unos 20 km uno del otro.",
      de: "Es könnte dasselbe Tier sein: Beide Meldungen beschreiben einen alten, weiblichen, gestromten Hund, vermisst und am selben Tag gefunden; aber die beiden Orte liegen etwa 20 km auseinander.",
    },
  },
  {
    about: "a find before the loss",
    lost: { species: "other", color: "brown", size: "small" },
    found: { species: "other", color: "brown", size: "small", eventDate: "2026-04-29" },
    score: 42,
    told: {
      en: "This may be the same animal: both alerts describe a small brown animal, lost and found less than 1 km apart; but by the dates given, it was found 2 days before it was lost.",
      fr: "C’est peut-être le même animal\u202f: les deux alertes décrivent un animal brun de petite taille, perdu et trouvé à moins de 1 km de distance\u202f; mais d’après les dates indiquées, il a été trouvé 2 jours avant la perte.",
      es: "Puede que sea el mismo animal: los dos avisos describen un animal marrón de tamaño pequeño, perdido y encontrado a menos de 1 km de distancia; pero según las fechas indicadas, se encontró 2 días antes de perderse.",
      de: "Es könnte dasselbe Tier sein: Beide Meldungen beschreiben ein kleines, braunes Tier, vermisst und weniger als 1 km entfernt gefunden; aber nach den angegebenen Daten wurde das Tier 2 Tage vor dem Verlust gefunden.",
    },
  },
  {
    about: "points, and a breed",
    lost: { breed: "Siamese", color: "seal point", sex: "female" },
    found: { breed: "siamese", color: "seal point", sex: "female", eventDate: "2026-05-05" },
    score: 80,
    told: {
      en: "This may be the same animal: both alerts describe a female brown and tan cat with points and of a similar breed, lost, then found 4 days later, less than 1 km away.",
      fr: "C’est peut-être le même animal\u202f: les deux alertes décrivent un chat femelle brun et fauve à pointes foncées de race proche, perdu, puis trouvé 4 jours plus tard, à moins de 1 km de distance.",
      es: "Puede que sea el mismo animal: los dos avisos describen un gato hembra marrón y canela con puntas oscuras de raza parecida, perdido y encontrado 4 días después, a menos de 1 km de distancia.",
      de: "Es könnte dasselbe Tier sein: Beide Meldungen beschreiben eine weibliche, braun-beigefarbene Katze mit dunklen Abzeichen und ähnlicher Rasse, vermisst und 4 Tage später weniger als 1 km entfernt gefunden.",
    },
  },
  {
    about: "a long time and different names",
    lost: { name: "Mimi", color: "tortoiseshell", age: "young" },
    found: { name: "Rex", color: "tortie", age: "young", eventDate: "2026-06-25" },
    score: 40,
    told: {
      en: "This may be the same animal: both alerts describe a young tortoiseshell cat, lost and found less than 1 km apart; but 55 days passed before it was found, and the names differ.",
      fr: "C’est peut-être le même animal\u202f: les deux alertes décrivent un jeune chat écaille de tortue, perdu et trouvé à moins de 1 km de distance\u202f; mais 55 jours se sont écoulés avant la découverte, et les noms diffèrent.",
      es: "Puede que sea el mismo animal: los dos avisos describen un gato joven carey, perdido y encontrado a menos de 1 km de distancia; pero pasaron 55 días hasta que se encontró, y los nombres no coinciden.",
      de: "Es könnte dasselbe Tier sein: Beide Meldungen beschreiben eine junge, schildpattfarbene Katze, vermisst und weniger als 1 km entfernt gefunden; aber gefunden wurde das Tier erst 55 Tage später, und die Namen sind verschieden.",
    },
  },
  {
    about: "a score below 40",
    lost: { color: "orange", size: "large", sex: "male" },
    found: { color: "black", size: "large", sex: "female" },
    score: 20,
    told: {
      en: "This is probably a different animal, although it could be the same one: both alerts describe a large cat, lost, then found the same day, less than 1 km away; but the lost animal is said to be orange and male, while the found one is said to be black and female.",
      fr: "C’est probablement un autre animal, mais ce pourrait être le même\u202f: les deux alertes décrivent un chat de grande taille, perdu, puis trouvé le même jour, à moins de 1 km de distance\u202f; mais l’animal perdu est décrit comme roux et mâle, alors que l’animal trouvé est décrit comme noir et femelle.",
      es: "Probablemente sea otro animal, aunque podría ser el mismo: los dos avisos describen un gato de tamaño grande, perdido y encontrado el mismo día, a menos de 1 km de distancia; pero el animal perdido se describe como naranja y macho, mientras que el encontrado se describe como negro y hembra.",
      de: "Wahrscheinlich ist es ein anderes Tier, es könnte aber auch dasselbe sein: Beide Meldungen beschreiben eine große Katze, vermisst und am selben Tag weniger als 1 km entfernt gefunden; aber das vermisste Tier soll orangefarben und männlich sein, das gefundene dagegen schwarz und weiblich.",
    },
  },
  {
    about: "equal chips, told to the owners",
    lost: { chipHash: CHIP },
    found: { species: "dog", chipHash: CHIP },
    told: {
      en: "This is almost certainly the same animal: both alerts have the same microchip number; but the lost animal is said to be a cat, while the found one is said to be a dog.",
      fr: "C’est presque certainement le même animal\u202f: les deux alertes portent le même numéro de puce\u202f; mais l’animal perdu est décrit comme un chat, alors que l’animal trouvé est décrit comme un chien.",
      es: "Es casi seguro que se trata del mismo animal: los dos avisos tienen el mismo número de microchip; pero el animal perdido se describe como un gato, mientras que el encontrado se describe como un perro.",
      de: "Es ist so gut wie sicher dasselbe Tier: Beide Meldungen haben dieselbe Chipnummer; aber das vermisste Tier soll eine Katze sein, das gefundene dagegen ein Hund.",
    },
  },
  {
    about: "similar colours",
    lost: { color: "siamese", age: "senior" },
    found: { color: "seal point", age: "senior" },
    score: 60,
    told: {
      en: "This may be the same animal: both alerts describe an old cat of a similar colour, lost, then found the same day, less than 1 km away.",
      fr: "C’est peut-être le même animal\u202f: les deux alertes décrivent un chat âgé aux couleurs proches, perdu, puis trouvé le même jour, à moins de 1 km de distance.",
      es: "Puede que sea el mismo animal: los dos avisos describen un gato mayor de colores parecidos, perdido y encontrado el mismo día, a menos de 1 km de distancia.",
      de: "Es könnte dasselbe Tier sein: Beide Meldungen beschreiben eine alte Katze mit ähnlichen Farben, vermisst und am selben Tag weniger als 1 km entfernt gefunden.",
    },
  },
];

/** Texts about a lost and a found alert, for the reader on one side; null if they are no pair. */
function textsOf(
  { lost, found, score }: Pick<Example, "lost" | "found" | "score">,
  language: Language,
  reader: "owner" | "finder" = "owner",
) {
  const pair = [
    prepareSubject({ ...BLANK, ...lost }),
    prepareSubject({ ...BLANK, ...found, type: "found" }),
  ] as const;
  const [mine, other] = reader === "owner" ? pair : pair.toReversed();
  const match = scorePair(mine!, other!, createStatistics(townPeople).context);
  if (match === null) return null;
  const asked = reader === "owner" ? "finder" : "owner";
  const told = matchTexts(
    { ...match, score: score ?? match.score },
    { mine: mine!, other: other!, asked },
    language,
  );
  return { ...told, match };
}

test.each(EXAMPLES)(
  "$about: one sentence, in four languages, the same for both sides",
  (example) => {
    for (const language of LANGUAGES) {
      expect(textsOf(example, language)?.summary).toBe(example.told[language]);
      expect(textsOf(example, language, "finder")?.summary).toBe(example.told[language]);
    }
  },
);

describe("the question to the other side", () => {
  const pair = {
    lost: { name: "Mimi", breed: "Siamese", color: "black", size: "small", sex: "female" },
    found: { breed: "Siamese", color: "black", age: "adult", size: "small" },
  } as const;

  test("names what the other alert does not say, and what it says alone", () => {
    expect(LANGUAGES.map((language) => textsOf(pair, language)?.ask)).toEqual([
      "Ask the finder about the sex: the alert does not say. Only the other alert gives the age: check whether this fits.",
      "Demandez le sexe de l’animal à la personne qui l’a trouvé\u202f: l’alerte n’en dit rien. Seule l’autre alerte indique l’âge\u202f: vérifiez si cela correspond.",
      "Pregunte a quien lo encontró por el sexo: el aviso no lo dice. Solo el otro aviso indica la edad: compruebe si encaja.",
      "Fragen Sie die Finderin oder den Finder nach dem Geschlecht: In der Meldung steht dazu nichts. Nur die andere Meldung nennt das Alter: Prüfen Sie, ob das passt.",
    ]);
  });

  test("is turned around for the finder, who is not told to check a name", () => {
    expect(LANGUAGES.map((language) => textsOf(pair, language, "finder")?.ask)).toEqual([
      "Ask the owner about the age: the alert does not say. Only the other alert gives the sex: check whether this fits.",
      "Demandez l’âge de l’animal à la famille\u202f: l’alerte n’en dit rien. Seule l’autre alerte indique le sexe\u202f: vérifiez si cela correspond.",
      "Pregunte a la familia por la edad: el aviso no lo dice. Solo el otro aviso indica el sexo: compruebe si encaja.",
      "Fragen Sie die Familie nach dem Alter: In der Meldung steht dazu nichts. Nur die andere Meldung nennt das Geschlecht: Prüfen Sie, ob das passt.",
    ]);
  });

  test("is about the name only if the owner can be asked", () => {
    const { lost, found } = pair;
    const nameless = {
      lost: { ...lost, ...found, sex: "male", name: null },
      found: { ...found, sex: "male" },
    } as const;

    expect(textsOf(nameless, "en")?.ask).toBe(null);
    expect(textsOf(nameless, "en", "finder")?.ask).toBe(
      "Ask the owner about the name: the alert does not say.",
    );
  });
});

describe("the sentence about any pair", () => {
  const described = fc.record({
    species: fc.constantFrom(...SPECIES),
    point: fc.record({
      lat: fc.double({ min: 45, max: 45.5, noNaN: true }),
      lng: fc.double({ min: 4.5, max: 5, noNaN: true }),
    }),
    somewhere: fc.constantFrom(null, null, { town: "Llanfairpwllgwyngyll", radiusKm: 5.5 }),
    eventDate: fc
      .integer({ min: 1, max: 28 })
      .map((day) => `2026-05-${String(day).padStart(2, "0")}`),
    name: fc.constantFrom(null, "Mimi", "Rex"),
    breed: fc.constantFrom("unknown", "Labrador", "domestic shorthair", "Siamese", "budgie"),
    color: fc.constantFrom(
      "unknown",
      "black",
      "grey tabby",
      "tabby",
      "black and white",
      "tricolor",
      "tortoiseshell",
      "blue merle",
      "seal point",
      "white, brown and orange, brindle",
      "green",
    ),
    size: fc.constantFrom(...SIZES),
    sex: fc.constantFrom(...SEXES),
    age: fc.constantFrom(...AGES),
    chipHash: fc.constantFrom(null, null, CHIP, "another"),
  });
  const anyPair = fc.record({
    lost: described,
    found: described,
    score: fc.option(fc.integer({ min: 0, max: 99 }), { nil: undefined }),
  });
  /** Limit of a text where every field differs; likely pairs need half of it. */
  const LENGTH_MAX = 600;

  test("is one short sentence without a position or a chip number", () => {
    fc.assert(
      fc.property(anyPair, fc.constantFrom(...LANGUAGES), (pair, language) => {
        const texts = textsOf(pair, language);
        if (texts === null) return;
        const { summary, ask } = texts;
        for (const text of [summary, ask ?? "."]) {
          expect(text.length).toBeLessThanOrEqual(LENGTH_MAX);
          expect(text).not.toMatch(/\d[.,]\d|\d{5}|hash|undefined|null|false|NaN/);
          expect(text).not.toMatch(/ {2}| [,;.]|[,;:] ?[.;]/);
        }
        expect(summary).toMatch(/^[^.]+\.$/);
      }),
      { numRuns: 1_000 },
    );
  });

  test("names every contradiction that weighs much", () => {
    fc.assert(
      fc.property(anyPair, fc.constantFrom(...LANGUAGES), (pair, language) => {
        const texts = textsOf(pair, language);
        if (texts === null) return;
        const { match } = texts;
        const subjects = {
          mine: prepareSubject({ ...BLANK, ...pair.lost }),
          other: prepareSubject({ ...BLANK, ...pair.found, type: "found" }),
          asked: null,
        } as const;
        for (const reason of match.reasons) {
          if (reason.weight > -CONTRADICTION_WEIGHT_MIN) continue;
          const reasons = match.reasons.filter((one) => one !== reason);
          expect(matchTexts({ ...match, reasons }, subjects, language).summary.length).toBeLessThan(
            matchTexts(match, subjects, language).summary.length,
          );
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("says that it may be the same animal from 40 percent, and that it is probably not below", () => {
    for (const language of LANGUAGES) {
      const opening = (score: number) =>
        textsOf({ lost: {}, found: {}, score }, language)?.summary.split(":")[0];

      expect(opening(40)).toBe(opening(99));
      expect(opening(39)).toBe(opening(1));
      expect(opening(39)).not.toBe(opening(40));
    }
  });

  test("has no word about chips unless they were compared", () => {
    fc.assert(
      fc.property(anyPair, fc.constantFrom(...LANGUAGES), ({ lost, found, score }, language) => {
        const pair = { lost, found: { ...found, chipHash: null }, score };
        expect(textsOf(pair, language)?.summary ?? "").not.toMatch(/chip|puce/i);
      }),
    );
  });
});
