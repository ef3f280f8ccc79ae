import { parseArgs } from "node:util";
import { LEARNED_PER_OWNER } from "../../../src/core/matches/find-matches.ts";
import { openGazetteer } from "../../../src/places/gazetteer.ts";
import { writeGeneratedPart } from "../../support/generated-part.ts";
import { distanceAlone, pointsTable } from "./baselines.ts";
import { drawnCities, REPORTED } from "./cities.ts";
import { type City, type CityPlan, makeCity } from "./city.ts";
import { FIRST_DAY_ALERTS, FIRST_DAY_PLACES, firstDayScores } from "./first-day.ts";
import { type Measures, measures } from "./measure.ts";
import { oracleFor } from "./oracle.ts";
import {
  ourScore,
  readCity,
  type Scorer,
  trial,
  type TrialResult,
  type Twin,
  twinsIn,
} from "./trial.ts";
import { instanceOf, WORLDS } from "./worlds.ts";

/**
 * Benchmark of the score: `bun test/bench/matching/run.ts [seeds] [--seed S] [--write]`. Makes cities of lost and found
 * alerts from published figures (`parameters.ts`), scores every pair, and prints the results of the score, two baselines
 * and an oracle that knows how the cities were made. The same seeds give the same numbers.
 */
const USAGE = `Usage: bun run bench:matching [SEEDS] [--seed S] [--write]

Scores every pair of SEEDS made-up cities of each kind [2] with our score, two baselines and an oracle, and prints how
good each is. The same seeds give the same numbers.

  --seed S  first of the seeds [1], which also draws the last of the cities: others check the score on fresh cities
  --write   writes the generated part of docs/matching.md`;
const { values: options, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  allowPositionals: true,
  options: {
    write: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}
const seeds = Number(positionals[0] ?? 2);
const firstSeed = Number(options.seed);
if (!Number.isSafeInteger(seeds) || seeds < 1 || !Number.isSafeInteger(firstSeed)) {
  console.error(USAGE);
  process.exit(2);
}
const DRAWN = 3;
const TWINS_OF_CITY = 40;
const SCORERS: readonly { readonly name: string; readonly of: (city: City) => Scorer }[] = [
  { name: "our score", of: ourScore },
  { name: "oracle", of: oracleFor },
  { name: "points table", of: () => pointsTable },
  { name: "distance alone", of: () => distanceAlone },
];

const cities = [...REPORTED, ...drawnCities(firstSeed, DRAWN)].map(scoredCity);
const full = table(
  ["Full city", "recall at 5", "precision at 40+", "calibration error"],
  cities.map(({ plan, results }) => {
    const each = (of: (measures: Measures) => number, scorers: number) =>
      results
        .slice(0, scorers)
        .map(({ measures }) => share(of(measures)))
        .join(", ");
    return [
      plan.name,
      each(({ recallAt }) => recallAt[1]![1], SCORERS.length),
      each(({ precisionAt40 }) => precisionAt40, 2),
      each(({ calibrationError }) => calibrationError, 2),
    ];
  }),
);
console.log(full);
const ours = pooled(cities.flatMap(({ results }) => results[0]!.outcomes));
console.log(`\nReliability in full cities, mean score -> same animal: ${reliability(ours)}\n`);
const worlds = table(
  [
    "Service",
    "pairs of 10+",
    "error",
    "precision",
    "right",
    "wrong",
    "recall at 5",
    "oracle's",
    "twins",
  ],
  WORLDS.map(scoredWorld),
);
console.log(`${worlds}\n`);
const gazetteer = await openGazetteer();
const firstDay = table(
  ["Place", "alerts", "contradicts", "unknown", "twin", "twin in the next cell"],
  FIRST_DAY_PLACES.flatMap((place) =>
    FIRST_DAY_ALERTS.map((alerts, nth) => {
      const scores = firstDayScores(gazetteer, place, alerts);
      const { contradiction, stranger, twin, twinBeside } = scores;
      return [nth === 0 ? place.name : "", alerts, contradiction, stranger, twin, twinBeside];
    }),
  ),
);
console.log(firstDay);
if (options.write) {
  const text = [
    "Ours, the oracle's, points table's, distance alone's:",
    "",
    full,
    "",
    "Services: right and wrong pairs of 40 and more for 100 losses; twins: the share of the oracle's 40 and more that is ours, too, and elsewhere our mean distance from it.",
    "",
    worlds,
    "",
    "First day: cat or dog, whichever is worse.",
    "",
    firstDay,
    "",
    `Printed on ${new Date().toISOString().slice(0, 10)}, ${seeds} cities of each kind, seeds from ${firstSeed}.`,
  ];
  await writeGeneratedPart("docs/matching.md", "bun run bench:matching --write", text.join("\n"));
}

function scoredCity(plan: CityPlan) {
  const made = Array.from({ length: seeds }, (_, nth) => makeCity(plan, firstSeed + nth));
  const results = SCORERS.map(({ name, of }) => {
    const outcomes = made.map((city) => trial(city, of(city)));
    return { name, outcomes, measures: pooled(outcomes) };
  });
  return { plan, results };
}

function scoredWorld(world: (typeof WORLDS)[number]): (string | number)[] {
  const outcomes: TrialResult[] = [];
  const oracles: TrialResult[] = [];
  const twins: Twin[] = [];
  let losses = 0;
  for (let nth = 0; nth < world.instances * seeds; nth++) {
    const city = instanceOf(world, firstSeed + nth);
    losses += city.alerts.filter(({ subject }) => subject.type === "lost").length;
    const read = readCity(city, world.oneOwner ? LEARNED_PER_OWNER : undefined);
    const [scorer, oracle] = [ourScore(city, read), oracleFor(city)];
    outcomes.push(trial(city, scorer));
    oracles.push(trial(city, oracle));
    twins.push(...twinsIn(city, scorer, oracle, Math.ceil(TWINS_OF_CITY / world.instances)));
  }
  const { recallAt, precisionAt40, calibrationError, bins } = pooled(outcomes);
  const told = outcomes.flatMap(({ pairs }) => pairs).filter(({ score }) => score >= 40);
  const right = told.filter(({ isSame }) => isSame).length;
  const sure = twins.filter(({ oracle }) => oracle >= 40);
  const others = twins.filter(({ oracle }) => oracle < 40);
  const apart = mean(others.map(({ ours, oracle }) => Math.abs(ours - oracle)));
  return [
    world.name,
    bins.reduce((sum, { pairs }) => sum + pairs, 0),
    share(calibrationError),
    share(precisionAt40),
    ((100 * right) / losses).toFixed(1),
    ((100 * (told.length - right)) / losses).toFixed(1),
    share(recallAt[1]![1]),
    share(pooled(oracles).recallAt[1]![1]),
    `${share(mean(sure.map(({ ours }) => Number(ours >= 40))))}, ${others.length === 0 ? "none" : apart.toFixed(0)}`,
  ];
}

function pooled(outcomes: readonly TrialResult[]): Measures {
  return measures(
    outcomes.flatMap(({ pairs }) => pairs),
    outcomes.flatMap(({ ranks }) => ranks),
    outcomes.reduce((sum, { truePairs }) => sum + truePairs, 0),
  );
}

function reliability({ bins }: Measures): string {
  return bins
    .map(
      ({ pairs, meanScore, truePercent }) =>
        `${pairs}: ${meanScore.toFixed(0)} -> ${truePercent.toFixed(0)}`,
    )
    .join(" | ");
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}

function share(value: number): string {
  return Number.isNaN(value) ? "none" : value.toFixed(3);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
