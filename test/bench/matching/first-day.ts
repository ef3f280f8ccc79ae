import { scorePair } from "../../../src/matching/score.ts";
import { createStatistics } from "../../../src/matching/statistics.ts";
import { type MatchSubject, prepareSubject } from "../../../src/matching/subject.ts";
import { type Point, snap } from "../../../src/core/place.ts";
import type { Gazetteer } from "../../../src/core/ports.ts";
import { COUNTRY_DENSITY } from "../../../src/geo/extent.ts";
import { makeCity, type CityPlan, pointAt } from "./city.ts";
import { type Measures, measures } from "./measure.ts";
import { SOURCES } from "./parameters.ts";
import { type TrialResult, ourScore, readCity, trial } from "./trial.ts";

/** Instances on which little or nothing was posted yet, and services that few people use. */

/** Places of three pairs on the first day; the points are in the middle of real towns. */
export const FIRST_DAY_PLACES: readonly {
  readonly name: string;
  readonly centre: Point;
  /** Radius in km within which the other alerts are. */
  readonly radiusKm: number;
}[] = [
  { name: "open country (Lozère)", centre: { lat: 44.5, lng: 3.4 }, radiusKm: 15 },
  { name: "town of 50,000 (Annecy)", centre: { lat: 45.9, lng: 6.12 }, radiusKm: 2 },
  { name: "city of 500,000 (Lyon)", centre: { lat: 45.76, lng: 4.84 }, radiusKm: 6 },
  {
    name: "city of 5,000,000 (Saint Petersburg)",
    centre: { lat: 59.94, lng: 30.32 },
    radiusKm: 18,
  },
];
export const FIRST_DAY_ALERTS = [2, 10, 50, 200] as const;

const ANIMAL = {
  name: null,
  breed: "unknown",
  color: "grey tabby",
  size: "small",
  sex: "female",
  age: "adult",
  chipHash: null,
} as const;
const COLORS = ["black", "black and white", "grey tabby", "orange", "white", "brown"];

/** Scores of three finds, each the only one of its kind among the alerts: cats and dogs, the worst of both. */
export function firstDayScores(
  gazetteer: Pick<Gazetteer, "peoplePerKm2">,
  { centre, radiusKm }: (typeof FIRST_DAY_PLACES)[number],
  alerts: number,
): { readonly contradiction: number; readonly stranger: number; readonly twin: number } {
  const point = snap(centre.lat, centre.lng);
  const scores = (["cat", "dog"] as const).map((species) => {
    const lost: MatchSubject = { ...ANIMAL, type: "lost", species, point, eventDate: "2026-05-01" };
    const found = { ...lost, type: "found", eventDate: "2026-05-02" } as const;
    const scoreOf = (find: MatchSubject) => {
      const statistics = createStatistics(gazetteer.peoplePerKm2);
      const others = Array.from({ length: alerts - 2 }, (_, nth): MatchSubject => ({
        ...lost,
        type: nth % 2 === 0 ? "found" : "lost",
        color: COLORS[nth % COLORS.length]!,
        point: around(centre, radiusKm, nth, alerts),
      }));
      for (const [key, alert] of [lost, find, ...others].entries()) statistics.put(key, alert);
      const [one, other] = [prepareSubject(lost), prepareSubject(find)];
      return scorePair(one, other, statistics.context)!.score;
    };
    return {
      contradiction: scoreOf({ ...found, color: "black", size: "large", sex: "male" }),
      stranger: scoreOf({
        ...found,
        color: "unknown",
        size: "unknown",
        sex: "unknown",
        age: "unknown",
      }),
      twin: scoreOf(found),
    };
  });
  return {
    contradiction: Math.max(...scores.map((one) => one.contradiction)),
    stranger: Math.max(...scores.map((one) => one.stranger)),
    twin: Math.min(...scores.map((one) => one.twin)),
  };
}

/** The nth of many points that are spread evenly over a disc: H. Vogel's sunflower, 1979. */
function around(centre: Point, radiusKm: number, nth: number, points: number): Point {
  const km = radiusKm * Math.sqrt((nth + 0.5) / points);
  const bearing = nth * Math.PI * (3 - Math.sqrt(5));
  const { lat, lng } = pointAt(centre, {
    east: km * Math.cos(bearing),
    north: km * Math.sin(bearing),
  });
  return snap(lat, lng);
}

/** Stray dogs or cats a year for 1,000 people: figures of 2019 (`density.ts`), a little below what the score assumes. */
const STRAYS_A_YEAR = 4.75;
/** Share of the lost animals that somebody finds; the score assumes two in five. */
const FOUND_SHARE = { dog: 0.5, cat: 0.35 };

/**
 * Service with that share of all finds posted. Owners and finders use it independently of each other, or together: then
 * the find of a posted loss is posted more often than others, by the factor `together`.
 */
export function service(
  name: string,
  place: Pick<CityPlan, "radiusKm" | "people">,
  { lost, coverage, together = 1 }: { lost: number; coverage: number; together?: number },
): CityPlan {
  const people = place.people + COUNTRY_DENSITY * Math.PI * place.radiusKm ** 2;
  return {
    name,
    centre: { lat: 46.2, lng: 5.2 },
    radiusKm: place.radiusKm,
    quarters: 14,
    lost,
    people: place.people,
    straysPerDay: ((people * STRAYS_A_YEAR) / 1000 / 365) * coverage,
    figures: {
      ...SOURCES,
      foundAndPosted: {
        dog: FOUND_SHARE.dog * coverage * together,
        cat: FOUND_SHARE.cat * coverage * together,
      },
    },
  };
}

/** Instance with so many alerts in all, half of them finds, in a place with so many people. */
export function instance(
  place: { readonly name: string } & Pick<CityPlan, "radiusKm" | "people">,
  alerts: number,
): CityPlan {
  const everyFind = service(place.name, place, { lost: 1, coverage: 1 });
  const active = 2 * everyFind.straysPerDay! * ACTIVE_DAYS;
  const coverage = Math.min(1, alerts / 2 / active);
  return service(`${place.name} ${alerts}`, place, { lost: alerts / 2, coverage });
}

/** Mean days for which a find is active: 30, and a quarter of them renewed. */
const ACTIVE_DAYS = 37.5;

export const INSTANCE_PLACES = [
  { name: "open country", radiusKm: 20, people: 0 },
  { name: "town of 50,000", radiusKm: 3, people: 50_000 },
  { name: "city of 500,000", radiusKm: 8, people: 500_000 },
  { name: "city of 5,000,000", radiusKm: 22, people: 5_000_000 },
] as const;
/** Instances made for each number of alerts: those with few alerts make few pairs. */
export const instancesOf = (alerts: number) => Math.min(1_200, Math.ceil(8_000 / alerts));
const CITY = { radiusKm: 9, people: 850_000 };

/** Services with few and with many losses, and how many of each are made: few losses make few pairs. */
export const SERVICES = (
  [
    [0.01, 800, 16],
    [0.05, 600, 16],
    [0.25, 160, 6],
    [0.6, 60, 4],
  ] as const
).flatMap(([coverage, young, old]) => {
  const name = `${100 * coverage}% posted`;
  return [
    { age: "15 losses", instances: young, plan: service(name, CITY, { lost: 15, coverage }) },
    { age: "400 losses", instances: old, plan: service(name, CITY, { lost: 400, coverage }) },
  ];
});

/** Services with a coverage of 5%, whose owners and finders use it together: half of the lost dogs found are posted. */
export const TOGETHER = { coverage: 0.05, together: 10 } as const;
export const LEARNING = (
  [
    [10, 100],
    [40, 40],
    [150, 16],
    [600, 4],
  ] as const
).map(([lost, instances]) => ({
  lost,
  instances,
  plan: service("together", CITY, { lost, ...TOGETHER }),
}));

/** Pooled results of many instances of a plan. */
export type Pooled = {
  readonly instances: number;
  readonly measures: Measures;
  /** Pairs that score 10 and more. */
  readonly pairs: number;
  /** Right and wrong pairs of 40 and more, for 100 losses. */
  readonly right: number;
  readonly wrong: number;
  /** Mean of what the dogs' share of pairs was learned to be. */
  readonly pairShare: number;
};

export function pool(plan: CityPlan, instances: number, seed: number): Pooled {
  const outcomes: TrialResult[] = [];
  let losses = 0;
  let pairShare = 0;
  for (let nth = 0; nth < instances; nth++) {
    const city = makeCity(plan, 999 + seed + nth);
    losses += city.alerts.filter(({ subject }) => subject.type === "lost").length;
    const read = readCity(city);
    outcomes.push(trial(city, ourScore(city, read)));
    pairShare += read.context.pairShare("dog") / instances;
  }
  const pairs = outcomes.flatMap((outcome) => outcome.pairs);
  const high = pairs.filter(({ score }) => score >= 40);
  const right = high.filter(({ isSame }) => isSame).length;
  return {
    instances,
    measures: measures(
      pairs,
      outcomes.flatMap(({ ranks }) => ranks),
      outcomes.reduce((sum, { truePairs }) => sum + truePairs, 0),
    ),
    pairs: pairs.filter(({ score }) => score >= 10).length,
    right: (100 * right) / losses,
    wrong: (100 * (high.length - right)) / losses,
    pairShare,
  };
}
