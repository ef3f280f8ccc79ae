import type { Age, Custody, Description, Sex, Species } from "../../core/alert.ts";
import { DAY_MS } from "../../core/duration.ts";
import { isoDate } from "../../core/input.ts";
import { type Point, snap } from "../../core/place.ts";
import type { Gazetteer, Place } from "../../core/ports.ts";
import { BREEDS, FOUND_STORIES, LOST_STORIES, MARKS, NAMES, SPECIES_MIX } from "./animals.ts";
import { type Area, pointBeside } from "./area.ts";
import type { Random } from "./random.ts";

/** An alert nobody wrote. */
export type MadeUp = {
  readonly about: Description;
  readonly point: Point;
  /** How much of its life it has before it, above 0 and at most 1. */
  readonly lifeLeft: number;
};

/** What a made-up alert says of itself. */
const CONFESSION = "Made-up alert for trying the software.";

const LOST_SHARE = 0.6;
/** A found alert right after a lost one is the same animal this often: 0.6 of them come after one, so a fifth of all. */
const SAME_ANIMAL_SHARE = 1 / 3;
const DAYS_BACK = 60;
const DAYS_UNTIL_FOUND = 10;
const LIFE_LEFT_MIN = 0.1;

/** How far from the middle people live, in km for the root of the population. */
const SPREAD_KM = 0.004;
const SPREAD_KM_MIN = 0.4;
const SPREAD_KM_MAX = 15;
/** How far an animal strays before it is found. */
const STRAYS_KM: Readonly<Record<Species, number>> = { cat: 0.6, dog: 2, bird: 2, other: 0.3 };

/** What is so, before anybody tells it. */
type Case = {
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

/** Alerts without end; with the same chance and area always the same ones, save that days count back from `now`. */
export function* madeUpAlerts(from: {
  readonly random: Random;
  readonly area: Area;
  readonly gazetteer: Gazetteer;
  readonly now: number;
}): Generator<MadeUp, never> {
  const { random, area, gazetteer, now } = from;
  let lost: Case | null = null;
  for (;;) {
    const isLost = random.chance(LOST_SHARE);
    const isSame: boolean = !isLost && lost !== null && random.chance(SAME_ANIMAL_SHARE);
    const animal: Case = isSame ? strayed(random, lost!) : drawn(random, area.draw(random));
    lost = isLost ? animal : null;
    const point = snap(animal.point.lat, animal.point.lng);
    const town = gazetteer.nearest(point);
    yield {
      about: {
        ...(isLost ? toldByOwner(random, animal) : toldByFinder(random, animal)),
        species: animal.species,
        color: animal.color,
        size: animal.size,
        eventDate: isoDate(now - animal.daysAgo * DAY_MS),
        city: town.name,
        countryCode: town.countryCode,
      },
      point,
      lifeLeft: LIFE_LEFT_MIN + (1 - LIFE_LEFT_MIN) * random.next(),
    };
  }
}

function drawn(random: Random, town: Place): Case {
  const species = random.weighted(SPECIES_MIX);
  const breed = random.weighted(BREEDS[species]);
  const root = Math.sqrt(town.population) * SPREAD_KM;
  const spreadKm = Math.min(SPREAD_KM_MAX, Math.max(SPREAD_KM_MIN, root));
  return {
    species,
    name: random.of(NAMES),
    breed: breed.name,
    color: random.of(breed.colors),
    size: breed.size,
    sex: random.chance(0.5) ? "male" : "female",
    age: random.weighted(AGE_MIX),
    mark: random.of(MARKS),
    point: pointBeside(town.point, random.bell() * spreadKm, random.bell() * spreadKm),
    // More of them lately.
    daysAgo: Math.floor(random.next() ** 1.5 * DAYS_BACK),
  };
}

const AGE_MIX = [
  ["adult", 5],
  ["young", 3],
  ["senior", 2],
  ["baby", 1],
] as const;

function strayed(random: Random, animal: Case): Case {
  const km = STRAYS_KM[animal.species];
  return {
    ...animal,
    point: pointBeside(animal.point, random.bell() * km, random.bell() * km),
    daysAgo: Math.max(0, animal.daysAgo - random.below(DAYS_UNTIL_FOUND + 1)),
  };
}

type Told = Pick<
  Description,
  "type" | "name" | "breed" | "sex" | "age" | "description" | "custody"
>;

/** An owner knows the animal. */
function toldByOwner(random: Random, animal: Case): Told {
  return {
    type: "lost",
    name: random.chance(0.95) ? animal.name : null,
    breed: animal.breed,
    sex: animal.sex,
    age: animal.age,
    description: inWords(animal, random.of(LOST_STORIES)),
    custody: null,
  };
}

/** A finder sees what can be seen. */
function toldByFinder(random: Random, animal: Case): Told {
  const knowsBreed = random.chance(0.65) || animal.species === "bird" || animal.species === "other";
  return {
    type: "found",
    name: random.chance(0.05) ? animal.name : null,
    breed: knowsBreed ? animal.breed : "unknown",
    sex: random.chance(0.6) ? animal.sex : "unknown",
    age: random.chance(0.6) ? animal.age : "unknown",
    description: inWords(animal, random.of(FOUND_STORIES)),
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

function inWords({ species, mark }: Case, story: string): string {
  const isFurry = species === "cat" || species === "dog";
  return [...(isFurry ? [mark] : []), story, CONFESSION].join(" ");
}
