import { DEMO_MESSAGES } from "../../messages/messages.ts";
import { type Language, languageOfCountry } from "../../messages/languages.ts";
import type { Description } from "../../core/alerts/alert.ts";
import { type Custody, eachField, type FieldValues } from "../../core/alerts/fields.ts";
import type { Age, Sex, Species } from "../../values/animal.ts";
import { DAY_MS, HOUR_MS } from "../../core/duration.ts";
import { isoDate } from "../../core/input.ts";
import { type Point, snap } from "../../values/point.ts";
import { type Gazetteer, placeName, type Town } from "../../places/places.ts";
import type { SightingDraft } from "../../core/sightings/sighting.ts";
import { type Area, offsetPoint } from "./area.ts";
import type { PicturedAnimal } from "./picture.ts";
import type { Random } from "./random.ts";
import breeds from "./breeds.json" with { type: "json" };

/** Breeds or kinds in English, with their usual size and colours. Other languages have theirs in `texts`. */
export const BREEDS = breeds as Readonly<
  Record<
    Species,
    readonly {
      readonly name: string;
      readonly size: Description["size"];
      readonly weight: number;
      readonly colors: readonly string[];
    }[]
  >
>;

/** Made-up alert. */
export type DemoAlert = {
  readonly about: Description;
  readonly language: Language;
  readonly point: Point;
  readonly publishedAt: number;
  /** Share of its lifetime that is left, above 0 and at most 1. */
  readonly lifeLeft: number;
  /** Time at which the animal came home; null for most. */
  readonly homeAt: number | null;
  readonly sightings: readonly SightingDraft[];
  readonly pictured: PicturedAnimal;
  /** Seeds of its pictures; none for some. */
  readonly pictures: readonly string[];
};

/** Species of lost animals, with weights. */
const SPECIES_MIX = [
  ["cat", 52],
  ["dog", 38],
  ["bird", 5],
  ["other", 5],
] as const;
const LOST_SHARE = 0.6;
/** Chance that a found alert right after a lost one is the same animal. 0.6 of them come after one: a fifth in all. */
const SAME_ANIMAL_SHARE = 1 / 3;
const DAYS_BACK = 60;
const DAYS_UNTIL_FOUND = 10;
const LIFE_LEFT_MIN = 0.1;

/** Standard deviation of the distance from the town centre, in km per square root of the population. */
const SPREAD_KM = 0.004;
const SPREAD_KM_MIN = 0.4;
const SPREAD_KM_MAX = 15;
/** Standard deviation of the distance an animal strays before it is found. */
const STRAYS_KM: Readonly<Record<Species, number>> = { cat: 0.6, dog: 2, bird: 2, other: 0.3 };

/** Every eighth lost animal is home again. */
const HOME_EVERY = 8;
/** Most days since an animal came home. */
const HOME_DAYS_MAX = 12;
const SEEN_SHARE = 0.3;
const SIGHTINGS_MAX = 3;
/** Numbers of pictures of an alert, with weights. */
const PICTURES_MIX = [
  [0, 1],
  [1, 6],
  [2, 2],
] as const;

/** Lost animal with all its facts; owners and finders know some of them. */
type DemoAnimal = {
  readonly species: Species;
  readonly name: string;
  readonly language: Language;
  /** In English, as `color`. */
  readonly breed: string;
  readonly color: string;
  readonly size: Description["size"];
  readonly sex: Sex;
  readonly age: Age;
  /** Index of its distinguishing mark in the texts. */
  readonly mark: number;
  readonly point: Point;
  readonly daysAgo: number;
};

/** Endless sequence of alerts. The same seed and area give the same alerts, except that dates count back from `now`. */
export function* generateAlerts(from: {
  readonly random: Random;
  readonly area: Area;
  readonly gazetteer: Gazetteer;
  readonly now: number;
}): Generator<DemoAlert, never> {
  const { random, area, gazetteer, now } = from;
  let lost: DemoAnimal | null = null;
  let lostCount = 0;
  for (;;) {
    const isLost = random.chance(LOST_SHARE);
    const isSame: boolean = !isLost && lost !== null && random.chance(SAME_ANIMAL_SHARE);
    const animal: DemoAnimal = isSame
      ? strayed(random, lost!)
      : drawAnimal(random, area.draw(random));
    lost = isLost ? animal : null;
    if (isLost) lostCount++;
    const point = snap(animal.point.lat, animal.point.lng);
    const publishedAt = publicationTime(random, animal.daysAgo, now);
    const isHome = isLost && lostCount % HOME_EVERY === 0;
    const sinceThenMs = Math.min(now - publishedAt, HOME_DAYS_MAX * DAY_MS);
    const texts = DEMO_MESSAGES[animal.language];
    yield {
      about: {
        ...eachField<FieldValues>((_, { unknown }) => unknown),
        ...(isLost ? ownersFields(random, animal) : findersFields(random, animal)),
        species: animal.species,
        color: texts.colors[animal.color] ?? animal.color,
        size: animal.size,
        eventDate: isoDate(now - animal.daysAgo * DAY_MS),
        ...placeName(gazetteer, point),
      },
      language: animal.language,
      point,
      publishedAt,
      lifeLeft: LIFE_LEFT_MIN + (1 - LIFE_LEFT_MIN) * random.next(),
      homeAt: isHome ? Math.round(now - sinceThenMs * random.next() * 0.9) : null,
      sightings:
        isLost && random.chance(SEEN_SHARE)
          ? sightingsOf(random, animal, gazetteer, publishedAt, now)
          : [],
      pictured: {
        species: animal.species,
        color: animal.color,
        collar: COLLARS[animal.mark] ?? null,
      },
      pictures: Array.from({ length: random.weighted(PICTURES_MIX) }, () => `${random.next()}`),
    };
  }
}

/** Collars by the index of their mark. */
const COLLARS = ["red", "blue"] as const;

/** Most hours from an event until its alert is published. */
const PUBLISHED_HOURS_MAX = 6;

/** Time within some hours of the event, and not after now. */
function publicationTime(random: Random, daysAgo: number, now: number): number {
  const eventAt = daysAgo === 0 ? now - (now % DAY_MS) : now - daysAgo * DAY_MS;
  const latest = Math.min(now, eventAt + PUBLISHED_HOURS_MAX * HOUR_MS);
  return Math.round(eventAt + (latest - eventAt) * random.next());
}

function sightingsOf(
  random: Random,
  animal: DemoAnimal,
  gazetteer: Gazetteer,
  after: number,
  now: number,
): SightingDraft[] {
  return Array.from({ length: 1 + random.below(SIGHTINGS_MAX) }, () => {
    const strayedTo = strayed(random, animal).point;
    const point = snap(strayedTo.lat, strayedTo.lng);
    return {
      point,
      ...placeName(gazetteer, point),
      seenAt: Math.round(after + (now - after) * random.next()),
      seenPart: null,
      note: random.of(DEMO_MESSAGES[animal.language].sightings),
      photos: [],
    };
  });
}

function drawAnimal(random: Random, town: Town): DemoAnimal {
  const species = random.weighted(SPECIES_MIX);
  const language = languageOfCountry(town.countryCode);
  const breed = random.weighted(BREEDS[species].map((one) => [one, one.weight] as const));
  const townKm = Math.sqrt(town.population) * SPREAD_KM;
  const spreadKm = Math.min(SPREAD_KM_MAX, Math.max(SPREAD_KM_MIN, townKm));
  return {
    species,
    language,
    name: random.of(DEMO_MESSAGES[language].names.split(" ")),
    breed: breed.name,
    color: random.of(breed.colors),
    size: breed.size,
    sex: random.chance(0.5) ? "male" : "female",
    age: random.weighted(AGE_MIX),
    mark: random.below(DEMO_MESSAGES[language].marks.length),
    point: offsetPoint(town.point, random.normal() * spreadKm, random.normal() * spreadKm),
    // The exponent favours recent days.
    daysAgo: Math.floor(random.next() ** 1.5 * DAYS_BACK),
  };
}

const AGE_MIX = [
  ["adult", 5],
  ["young", 3],
  ["senior", 2],
  ["baby", 1],
] as const;

function strayed(random: Random, animal: DemoAnimal): DemoAnimal {
  const km = STRAYS_KM[animal.species];
  return {
    ...animal,
    point: offsetPoint(animal.point, random.normal() * km, random.normal() * km),
    daysAgo: Math.max(0, animal.daysAgo - random.below(DAYS_UNTIL_FOUND + 1)),
  };
}

type VaryingFields = Pick<
  Description,
  "type" | "name" | "breed" | "sex" | "age" | "description" | "custody"
>;

function ownersFields(random: Random, animal: DemoAnimal): VaryingFields {
  return {
    type: "lost",
    name: random.chance(0.95) ? animal.name : null,
    breed: breedOf(animal),
    sex: animal.sex,
    age: animal.age,
    description: describe(animal, random.of(DEMO_MESSAGES[animal.language].lostStories)),
    custody: null,
  };
}

/** Finders know only what can be seen. */
function findersFields(random: Random, animal: DemoAnimal): VaryingFields {
  const knowsBreed = random.chance(0.65) || animal.species === "bird" || animal.species === "other";
  return {
    type: "found",
    name: random.chance(0.05) ? animal.name : null,
    breed: knowsBreed ? breedOf(animal) : "unknown",
    sex: random.chance(0.6) ? animal.sex : "unknown",
    age: random.chance(0.6) ? animal.age : "unknown",
    description: describe(animal, random.of(DEMO_MESSAGES[animal.language].foundStories)),
    custody: random.weighted(CUSTODY_MIX),
  };
}

const CUSTODY_MIX: readonly (readonly [Custody, number])[] = [
  ["finder", 45],
  ["seen_only", 25],
  ["shelter", 15],
  ["vet", 10],
  ["unknown", 5],
];

function breedOf({ language, breed }: DemoAnimal): string {
  return DEMO_MESSAGES[language].breeds[breed] ?? breed;
}

function describe({ species, language, mark }: DemoAnimal, story: string): string {
  const isFurry = species === "cat" || species === "dog";
  const { marks, disclaimer } = DEMO_MESSAGES[language];
  return [...(isFurry ? [marks[mark] ?? ""] : []), story, disclaimer].join(" ");
}
