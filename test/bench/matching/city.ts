import { lifetimeMs } from "../../../src/core/alerts/lifetime.ts";
import type { Age, AlertType, Sex, Size } from "../../../src/values/animal.ts";
import type { Subject } from "../../../src/matching/subject.ts";
import { cellRadiusKm, type Point, snap } from "../../../src/values/point.ts";
import { type Random, randomFrom } from "../../../src/commands/demo/random.ts";
import { AGE_SHARES, type Animal, NAMES, POPULATIONS } from "./animals.ts";
import { COUNTRY_DENSITY, townPeoplePerKm2 } from "../../../src/places/extent.ts";
import type { PeoplePerKm2 } from "../../../src/matching/density.ts";
import { MARKS } from "./marks.ts";
import { type Chances, observing, type Observing } from "./observing.ts";
import {
  type BenchSpecies,
  type DistanceGroup,
  type Figures,
  RENEWED,
  SPECIES_SHARES,
} from "./parameters.ts";

/** Parameters of a city. The same plan and seed give the same city. */
export type CityPlan = {
  readonly name: string;
  readonly centre: Point;
  readonly radiusKm: number;
  /** Number of quarters where people live; three in ten live anywhere within the radius. */
  readonly quarters: number;
  /** Approximate number of active lost alerts. */
  readonly lost: number;
  readonly figures: Figures;
  /** People in the city. */
  readonly people: number;
  /** Posted finds per day whose owner posts nothing; without it as many as `figures.ownerPosted` gives. */
  readonly straysPerDay?: number;
};

/** Active alerts of a city on one day. */
export type City = {
  readonly plan: CityPlan;
  readonly alerts: readonly BenchAlert[];
  /** Where people live. */
  readonly quarters: readonly Quarter[];
};

export type BenchAlert = {
  readonly subject: Subject & { readonly species: BenchSpecies };
  /** Number of the animal, equal on both sides of a true pair. */
  readonly animal: number;
  /** Further input of the points table: words of the area, postcode, words of the features. */
  readonly areaWords: readonly string[];
  readonly postcode: string | null;
  readonly featureWords: readonly string[];
};

/** Normal distribution of homes. Km east and north of the centre. */
export type Quarter = {
  readonly east: number;
  readonly north: number;
  readonly spreadKm: number;
  readonly share: number;
};

export const ANYWHERE_SHARE = 0.3;
/** Day on which the city is looked at, in days since 1970. */
export const TODAY = 20_600;
const DAY_MS = 86_400_000;
export const KM_PER_DEGREE = 111.195;

/**
 * Further input of the points table, from the exact place; our own figures. People name the street (the addresses of King County's
 * records are blocks) or the quarter, a postcode covers 16 km², and one mark goes by one of two wordings.
 */
const AREA_WORDS = [
  { name: "street", sideKm: 0.3, named: 0.7 },
  { name: "quarter", sideKm: 2, named: 0.4 },
] as const;
const POSTCODE_KM = 4;
const POSTCODE_NAMED = { lost: 1, found: 0.8 } as const;
const FEATURE_NAMED = 0.5;
const FEATURE_WORDINGS = 2;

export function makeCity(plan: CityPlan, seed: number): City {
  const random = randomFrom(`${plan.name} ${seed}`);
  const quarters = madeQuarters(plan, random);
  const observers = {
    lost: observing("lost", plan.figures.noise),
    found: observing("found", plan.figures.noise),
  };
  const alerts: BenchAlert[] = [];
  let animals = 0;

  function post(type: AlertType, at: Place, time: number, seen: SeenAnimal): void {
    if (!isActive(type, seen.animal.species, TODAY - time, random)) return;
    const observer = observers[type];
    const exact = pointAt(plan.centre, at);
    alerts.push({
      subject: described(type, seen, snap(exact.lat, exact.lng), time, observer, random),
      animal: seen.number,
      areaWords: AREA_WORDS.flatMap(({ name, sideKm, named }) =>
        random.chance(named) ? [`${name} ${patch(at, sideKm)}`] : [],
      ),
      postcode: random.chance(POSTCODE_NAMED[type]) ? patch(at, POSTCODE_KM) : null,
      featureWords: seen.marks.flatMap((mark) =>
        random.chance(FEATURE_NAMED) ? [`${mark} ${random.below(FEATURE_WORDINGS)}`] : [],
      ),
    });
  }

  for (const species of ["dog", "cat"] as const) {
    const { perDay, daysBack } = losses(plan, species);
    const lostHomes: { readonly home: Place; readonly coat: string }[] = [];
    for (let nth = 0; nth < Math.round(perDay * daysBack); nth++) {
      const seen = drawnAnimal(species, animals++, random);
      const home = drawnHome(plan, quarters, random);
      const lostAt = TODAY - random.next() * daysBack;
      post("lost", home, lostAt, seen);
      lostHomes.push({ home, coat: seen.animal.coat });
      if (!random.chance(plan.figures.foundAndPosted[species])) continue;
      const foundAt = lostAt + drawnDelay(plan.figures.delays[species], random);
      const km = drawnDistance(plan.figures.distances[species], random);
      const bearing = random.next() * 2 * Math.PI;
      const place = {
        east: home.east + km * Math.cos(bearing),
        north: home.north + km * Math.sin(bearing),
      };
      if (foundAt <= TODAY) post("found", place, foundAt, seen);
    }
    const strays = straysPerDay(plan, species) * STRAY_DAYS_BACK;
    for (let nth = 0; nth < Math.round(strays); nth++) {
      const isLookalike = lostHomes.length > 0 && random.chance(plan.figures.lookalikes);
      const like = isLookalike ? random.of(lostHomes) : null;
      const seen = drawnAnimal(species, animals++, random, like?.coat);
      const place = like === null ? drawnHome(plan, quarters, random) : inStreet(like.home, random);
      post("found", place, TODAY - random.next() * STRAY_DAYS_BACK, seen);
    }
  }
  return { plan, alerts, quarters };
}

/** Posted losses per day that give about the planned number of active alerts, and the age of the oldest ones. */
export function losses(
  plan: CityPlan,
  species: BenchSpecies,
): { perDay: number; daysBack: number } {
  const life = lifetimeMs("lost", species) / DAY_MS;
  const perDay = (plan.lost * SPECIES_SHARES[species]) / (life * (1 + RENEWED));
  return { perDay, daysBack: 2 * life };
}

const STRAY_DAYS_BACK = 60;

/** Finds per day whose owner posts nothing. */
export function straysPerDay(plan: CityPlan, species: BenchSpecies): number {
  if (plan.straysPerDay !== undefined) return plan.straysPerDay;
  const { foundAndPosted, ownerPosted } = plan.figures;
  return losses(plan, species).perDay * foundAndPosted[species] * (1 / ownerPosted - 1);
}

/** Radius from which the gazetteer knows the quarters as towns of their own. */
const TOWNS_KM_MIN = 12;

/** People per km² as the gazetteer would know them: the towns, and nothing of their quarters. */
export function peoplePerKm2In({ plan, quarters }: City): PeoplePerKm2 {
  const towns =
    plan.radiusKm < TOWNS_KM_MIN
      ? [{ east: 0, north: 0, people: plan.people }]
      : quarters.map((one) => ({
          ...one,
          people: (one.share / (1 - ANYWHERE_SHARE)) * plan.people,
        }));
  return (point, spreadKm) => {
    const { east, north } = placeOf(plan.centre, point);
    return towns.reduce((sum, town) => {
      const km = Math.hypot(east - town.east, north - town.north);
      return sum + townPeoplePerKm2(town.people, km, spreadKm);
    }, COUNTRY_DENSITY);
  };
}

function patch({ east, north }: Place, sideKm: number): string {
  return `${Math.floor(east / sideKm)} ${Math.floor(north / sideKm)}`;
}

type Place = { readonly east: number; readonly north: number };
type SeenAnimal = {
  readonly animal: Animal;
  readonly number: number;
  readonly age: (typeof AGE_SHARES)[number][0];
  readonly name: string;
  readonly marks: readonly string[];
};

function isActive(
  type: AlertType,
  species: BenchSpecies,
  ageDays: number,
  random: Random,
): boolean {
  const life = lifetimeMs(type, species) / DAY_MS;
  return ageDays <= life || (ageDays <= 2 * life && random.chance(RENEWED));
}

function described(
  type: AlertType,
  { animal, age, name }: SeenAnimal,
  point: Point,
  time: number,
  observer: Observing,
  random: Random,
): BenchAlert["subject"] {
  const day = Math.floor(time) + drawn(observer.dayOff, random);
  return {
    type,
    species: animal.species,
    point,
    radiusKm: cellRadiusKm(point),
    town: null,
    publishedAt: Math.round(time * DAY_MS),
    eventDate: new Date(day * DAY_MS).toISOString().slice(0, 10),
    name: drawn(observer.name(name), random),
    breed: drawn(observer.breed(animal), random) ?? "unknown",
    color: drawn(observer.color(animal), random),
    size: (drawn(observer.size(animal), random) ?? "unknown") satisfies Size,
    sex: (drawn(observer.sex(animal), random) ?? "unknown") satisfies Sex,
    age: (drawn(observer.age(age), random) ?? "unknown") satisfies Age,
    chipHash: null,
  };
}

function drawn<Value>(chances: Chances<Value>, random: Random): Value {
  return random.weighted([...chances]);
}

function drawnAnimal(
  species: BenchSpecies,
  number: number,
  random: Random,
  coat?: string,
): SeenAnimal {
  const population = POPULATIONS[species];
  return {
    animal: random.weighted(
      coat === undefined ? population : population.filter(([animal]) => animal.coat === coat),
    ),
    number,
    age: random.weighted(AGE_SHARES),
    name: random.weighted(NAMES),
    marks: [random.of(MARKS), random.of(MARKS)].slice(0, random.below(3)),
  };
}

const QUARTER_KM_MIN = 0.7;

function madeQuarters(plan: CityPlan, random: Random): Quarter[] {
  const weights = Array.from({ length: plan.quarters }, (_, rank) => 1 / (rank + 2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => ({
    ...inDisc(plan.radiusKm * 0.8, random),
    spreadKm: Math.max(QUARTER_KM_MIN, plan.radiusKm * (0.06 + 0.1 * random.next())),
    share: ((1 - ANYWHERE_SHARE) * weight) / total,
  }));
}

export function drawnHome(plan: CityPlan, quarters: readonly Quarter[], random: Random): Place {
  if (random.chance(ANYWHERE_SHARE)) return inDisc(plan.radiusKm, random);
  const quarter = random.weighted(quarters.map((one) => [one, one.share] as const));
  return {
    east: quarter.east + quarter.spreadKm * random.normal(),
    north: quarter.north + quarter.spreadKm * random.normal(),
  };
}

const STREET_KM = 0.15;

function inStreet({ east, north }: Place, random: Random): Place {
  return { east: east + STREET_KM * random.normal(), north: north + STREET_KM * random.normal() };
}

function inDisc(radiusKm: number, random: Random): Place {
  const km = radiusKm * Math.sqrt(random.next());
  const bearing = random.next() * 2 * Math.PI;
  return { east: km * Math.cos(bearing), north: km * Math.sin(bearing) };
}

export function pointAt(centre: Point, { east, north }: Place): Point {
  const perDegree = KM_PER_DEGREE * Math.cos((centre.lat * Math.PI) / 180);
  return { lat: centre.lat + north / KM_PER_DEGREE, lng: centre.lng + east / perDegree };
}

export function placeOf(centre: Point, { lat, lng }: Point): Place {
  const perDegree = KM_PER_DEGREE * Math.cos((centre.lat * Math.PI) / 180);
  return { east: (lng - centre.lng) * perDegree, north: (lat - centre.lat) * KM_PER_DEGREE };
}

/** Standard deviation of the logarithm of a log-normal, from its median and 97.5% point. */
export function delaySpread({ median, upper }: { median: number; upper: number }): number {
  return Math.log(upper / median) / 1.96;
}

function drawnDelay(delay: { median: number; upper: number }, random: Random): number {
  return delay.median * Math.exp(delaySpread(delay) * random.normal());
}

function drawnDistance(groups: readonly DistanceGroup[], random: Random): number {
  const law = random.weighted(groups.map((one) => [one, one.share] as const));
  switch (law.law) {
    case "weibull":
      return law.scaleKm * (-Math.log(1 - random.next())) ** (1 / law.shape);
    case "log-uniform":
      return law.fromKm * (law.toKm / law.fromKm) ** random.next();
  }
}
