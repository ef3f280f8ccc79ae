import { type Animal, AGE_SHARES, NAMES, POPULATIONS, shares } from "./animals.ts";
import type { Scored } from "./baselines.ts";
import type { BenchAlert, City } from "./city.ts";
import { landing, unrelatedFinds } from "./oracle-place.ts";
import { delayChances } from "./oracle-time.ts";
import { type Chances, observing, type Observing } from "./observing.ts";
import type { BenchSpecies } from "./parameters.ts";

/**
 * Upper bound for a scorer that sees one pair at a time: knows every table the city was made from, where people live and
 * how many alerts there are, and sums over all animals that could be meant. It reads the same fields as the score, and
 * like it only the cells of the points.
 */
export function oracleFor(city: City): (lost: BenchAlert, found: BenchAlert) => Scored | null {
  const { figures } = city.plan;
  const observers = {
    lost: observing("lost", figures.noise),
    found: observing("found", figures.noise),
  };
  const readers = { dog: animalReader("dog", observers), cat: animalReader("cat", observers) };
  const landings = { dog: landing(city, "dog"), cat: landing(city, "cat") };
  const unrelated = { dog: unrelatedFinds(city, "dog"), cat: unrelatedFinds(city, "cat") };
  const delays = {
    dog: delayChances(figures.delays.dog, observers),
    cat: delayChances(figures.delays.cat, observers),
  };

  return (lost, found) => {
    const { species } = lost.subject;
    if (found.subject.species !== species) return null;
    const days =
      (Date.parse(found.subject.eventDate) - Date.parse(lost.subject.eventDate)) / 86_400_000;
    const prior =
      (figures.foundAndPosted[species] * landings[species](lost, found) * delays[species](days)) /
      unrelated[species](found.subject.point);
    // No description can make such a pair worth showing.
    if (prior < 1e-8) return scored(prior);
    return scored(
      prior * readers[species](lost, found) * ageRatio(lost, found) * nameRatio(lost, found),
    );
  };

  function ageRatio({ subject: lost }: BenchAlert, { subject: found }: BenchAlert): number {
    const ofLost = (age: (typeof AGE_SHARES)[number][0]) =>
      chance(observers.lost.age(age), known(lost.age));
    const ofFound = (age: (typeof AGE_SHARES)[number][0]) =>
      chance(observers.found.age(age), known(found.age));
    return ratio(AGE_SHARES, ofLost, ofFound);
  }

  function nameRatio({ subject: lost }: BenchAlert, { subject: found }: BenchAlert): number {
    if (lost.name === null || found.name === null) return 1;
    const named = observers.found.name(lost.name);
    const unrelated = shares(NAMES).find(([name]) => name === found.name)?.[1] ?? 1;
    return (named.get(found.name) ?? 0) / ((1 - (named.get(null) ?? 0)) * unrelated);
  }
}

function scored(odds: number): Scored {
  return { score: (100 * odds) / (1 + odds), order: odds };
}

/** Likelihood ratio of breed, colour, size and sex together: P(both | one animal) / P(both | two). */
function animalReader(
  species: BenchSpecies,
  observers: { readonly lost: Observing; readonly found: Observing },
): (lost: BenchAlert, found: BenchAlert) => number {
  const population = POPULATIONS[species];
  const weights = Float64Array.from(population, ([, share]) => share);
  const vectors = new WeakMap<BenchAlert, { chances: Float64Array; total: number }>();

  function vectorOf(alert: BenchAlert) {
    const known = vectors.get(alert);
    if (known !== undefined) return known;
    const { subject } = alert;
    const by = observers[subject.type];
    const breed = subject.breed === "unknown" ? null : subject.breed;
    const size = subject.size === "unknown" ? null : subject.size;
    const sex = subject.sex === "unknown" ? null : subject.sex;
    const chanceOf = (animal: Animal) =>
      chance(by.color(animal), subject.color) *
      chance(by.breed(animal), breed) *
      chance(by.size(animal), size) *
      chance(by.sex(animal), sex);
    const chances = Float64Array.from(population, ([animal]) => chanceOf(animal));
    const vector = { chances, total: dot(weights, chances) };
    vectors.set(alert, vector);
    return vector;
  }

  return (lost, found) => {
    const [a, b] = [vectorOf(lost), vectorOf(found)];
    let both = 0;
    for (let nth = 0; nth < weights.length; nth++) {
      both += weights[nth]! * a.chances[nth]! * b.chances[nth]!;
    }
    return both / (a.total * b.total);
  };
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, one, nth) => sum + one * b[nth]!, 0);
}

function ratio<Value>(
  prior: readonly (readonly [Value, number])[],
  a: (value: Value) => number,
  b: (value: Value) => number,
): number {
  let [both, onlyA, onlyB] = [0, 0, 0];
  for (const [value, share] of prior) {
    both += share * a(value) * b(value);
    onlyA += share * a(value);
    onlyB += share * b(value);
  }
  return both / (onlyA * onlyB);
}

function chance<Value>(
  chances: Chances<Value | null> | Chances<Value>,
  value: Value | null,
): number {
  return (chances as Chances<Value | null>).get(value) ?? 0;
}

function known<Value extends string>(value: Value | "unknown"): Value | null {
  return value === "unknown" ? null : value;
}
