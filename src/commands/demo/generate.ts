import type { Age, Custody, Description, Sex, Species } from "../../core/alerts/alert.ts";
import { DAY_MS } from "../../core/duration.ts";
import { isoDate } from "../../core/input.ts";
import { type Point, snap } from "../../core/place.ts";
import type { Gazetteer, Town } from "../../core/ports.ts";
import {
  BREEDS,
  FOUND_STORIES,
  LOST_STORIES,
  DISTINGUISHING_MARKS,
  NAMES,
  SPECIES_MIX,
} from "./animals.ts";
import { type Area, offsetPoint } from "./area.ts";
import type { Random } from "./random.ts";

/** Made-up alert. */
export type DemoAlert = {
  readonly about: Description;
  readonly point: Point;
  /** Share of its lifetime that is left, above 0 and at most 1. */
  readonly lifeLeft: number;
};

/** Last sentence of every description. */
const DISCLAIMER = "Made-up alert for trying the software.";

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

/** Lost animal with all its facts; owners and finders know some of them. */
type DemoAnimal = {
  readonly species: Species;
  readonly name: string;
  readonly breed: string;
  readonly color: string;
  readonly size: Description["size"];
  readonly sex: Sex;
  readonly age: Age;
  readonly mark: string;
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
  for (;;) {
    const isLost = random.chance(LOST_SHARE);
    const isSame: boolean = !isLost && lost !== null && random.chance(SAME_ANIMAL_SHARE);
    const animal: DemoAnimal = isSame
      ? strayed(random, lost!)
      : drawAnimal(random, area.draw(random));
    lost = isLost ? animal : null;
    const point = snap(animal.point.lat, animal.point.lng);
    const town = gazetteer.nearest(point);
    yield {
      about: {
        ...(isLost ? ownersFields(random, animal) : findersFields(random, animal)),
        species: animal.species,
        color: animal.color,
        size: animal.size,
        eventDate: isoDate(now - animal.daysAgo * DAY_MS),
        eventTime: null,
        city: town.name,
        landmark: null,
        countryCode: town.countryCode,
      },
      point,
      lifeLeft: LIFE_LEFT_MIN + (1 - LIFE_LEFT_MIN) * random.next(),
    };
  }
}

function drawAnimal(random: Random, town: Town): DemoAnimal {
  const species = random.weighted(SPECIES_MIX);
  const breed = random.weighted(BREEDS[species]);
  const townKm = Math.sqrt(town.population) * SPREAD_KM;
  const spreadKm = Math.min(SPREAD_KM_MAX, Math.max(SPREAD_KM_MIN, townKm));
  return {
    species,
    name: random.of(NAMES),
    breed: breed.name,
    color: random.of(breed.colors),
    size: breed.size,
    sex: random.chance(0.5) ? "male" : "female",
    age: random.weighted(AGE_MIX),
    mark: random.of(DISTINGUISHING_MARKS),
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
    breed: animal.breed,
    sex: animal.sex,
    age: animal.age,
    description: describe(animal, random.of(LOST_STORIES)),
    custody: null,
  };
}

/** Finders know only what can be seen. */
function findersFields(random: Random, animal: DemoAnimal): VaryingFields {
  const knowsBreed = random.chance(0.65) || animal.species === "bird" || animal.species === "other";
  return {
    type: "found",
    name: random.chance(0.05) ? animal.name : null,
    breed: knowsBreed ? animal.breed : "unknown",
    sex: random.chance(0.6) ? animal.sex : "unknown",
    age: random.chance(0.6) ? animal.age : "unknown",
    description: describe(animal, random.of(FOUND_STORIES)),
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

function describe({ species, mark }: DemoAnimal, story: string): string {
  const isFurry = species === "cat" || species === "dog";
  return [...(isFurry ? [mark] : []), story, DISCLAIMER].join(" ");
}
