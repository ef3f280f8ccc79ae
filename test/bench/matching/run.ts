import { join } from "node:path";
import { parseArgs } from "node:util";
import { dayOf } from "../../../src/core/duration.ts";
import {
  CANDIDATES_MAX,
  NEIGHBOURS_MAX,
  shortlist,
} from "../../../src/core/matching/candidates.ts";
import { rankMatches } from "../../../src/matching/score.ts";
import { createStatistics } from "../../../src/matching/statistics.ts";
import { prepareSubject } from "../../../src/matching/subject.ts";
import { distanceKm } from "../../../src/core/place.ts";
import { writeGeneratedPart } from "../../support/generated-part.ts";
import { distanceAlone, pointsTable } from "./baselines.ts";
import { drawnCities, REPORTED } from "./cities.ts";
import { type City, makeCity, peoplePerKm2In, type CityPlan } from "./city.ts";
import { reliabilityDiagram } from "./diagram.ts";
import { type Measures, measures } from "./measure.ts";
import {
  FIRST_DAY_ALERTS,
  FIRST_DAY_PLACES,
  firstDayScores,
  instance,
  INSTANCE_PLACES,
  instancesOf,
  LEARNING,
  pool,
  type Pooled,
  SERVICES,
  TOGETHER,
} from "./first-day.ts";
import { openGazetteer } from "../../../src/geo/gazetteer.ts";
import { oracleFor } from "./oracle.ts";
import { type TrialResult, ourScore, publicScore, type Scorer, trial } from "./trial.ts";

/**
 * Benchmark of the score: `bun test/bench/matching/run.ts [seeds] [--seed S] [--write]`. Makes cities of lost and found alerts from
 * published figures (`parameters.ts`), scores every pair, and prints the results of the score, two baselines and an oracle
 * that knows how the cities were made. The same seeds give the same numbers. Times are of this machine.
 */
const USAGE = `Usage: bun run bench:matching [SEEDS] [--seed S] [--write]

Scores every pair of SEEDS made-up cities of each kind [8] with our score, two baselines and an oracle, and prints how
good each is. The same seeds give the same numbers; times are of this machine.

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
const seeds = Number(positionals[0] ?? 8);
const firstSeed = Number(options.seed);
if (!Number.isSafeInteger(seeds) || seeds < 1 || !Number.isSafeInteger(firstSeed)) {
  console.error(USAGE);
  process.exit(2);
}
const DRAWN = 4;
const SCORERS: readonly { readonly name: string; readonly of: (city: City) => Scorer }[] = [
  { name: "our score", of: ourScore },
  { name: "as others see it", of: publicScore },
  { name: "oracle", of: oracleFor },
  { name: "points table", of: () => pointsTable },
  { name: "distance alone", of: () => distanceAlone },
];

const HEAD =
  "                 recall at 1      5     10 | precision 40+  recall 40+ | calibration error";

const results = [...REPORTED, ...drawnCities(firstSeed, DRAWN)].map(report);
const ours = pooled(results.map(({ ours }) => ours));
console.log(`\nAll cities together, our score: ${row(ours.measures)}`);
printReliability(ours.measures);
printAims();
const answeredCats = answeredTable();
console.log(`\n${answeredCats}`);
const firstDay = await firstDayTables();
console.log(`\n${firstDay}`);
const timeOfACall = timeOfOneCall();
console.log(`\nTime of a call ${timeOfACall}`);
if (options.write) await writeTables();
const diagram = reliabilityDiagram(
  results.map(({ plan, ours: { measures } }) => ({ name: plan.name, bins: measures.bins })),
  ours.measures.bins,
);
await Bun.write(join(import.meta.dir, "reliability.svg"), diagram);

type Summed = { readonly outcomes: readonly TrialResult[]; readonly measures: Measures };
type CityResult = {
  readonly plan: CityPlan;
  readonly ours: Summed;
  readonly byName: Map<string, Measures>;
  /** Results for the cats whose owners answered, with the answers and without. */
  readonly answered: readonly Summed[];
};

function report(plan: CityPlan): CityResult {
  const cities = Array.from({ length: seeds }, (_, nth) => makeCity(plan, firstSeed + nth));
  const count = (type: string) =>
    mean(cities.map((city) => city.alerts.filter(({ subject }) => subject.type === type).length));
  console.log(
    `\n${plan.name}: ${seeds} cities of ${plan.radiusKm} km radius with about ${Math.round(count("lost"))} lost and ` +
      `${Math.round(count("found"))} found dogs and cats`,
  );
  console.log(HEAD);
  const summed = SCORERS.map(({ name, of }) => {
    const outcomes = cities.map((city) => trial(city, of(city)));
    const one = summedUp(outcomes);
    console.log(`  ${name.padEnd(15)}${row(one.measures)}`);
    return [name, one] as const;
  });
  const ours = summed[0]![1];
  printReliability(ours.measures);
  const answered = [ourScore, publicScore].map((of) =>
    summedUp(
      cities.map((city) =>
        trial(city, of(city), ({ subject: { goesOutside } }) => goesOutside != null),
      ),
    ),
  );
  return {
    plan,
    ours,
    answered,
    byName: new Map(summed.map(([name, one]) => [name, one.measures])),
  };
}

function summedUp(outcomes: readonly TrialResult[]): Summed {
  const truePairs = outcomes.reduce((sum, one) => sum + one.truePairs, 0);
  return {
    outcomes,
    measures: measures(
      outcomes.flatMap(({ pairs }) => pairs),
      outcomes.flatMap(({ ranks }) => ranks),
      truePairs,
    ),
  };
}

function pooled(parts: readonly Summed[]): Summed {
  return summedUp(parts.flatMap(({ outcomes }) => outcomes));
}

/** Writes the generated part of docs/matching.md. */
async function writeTables(): Promise<void> {
  const rows = results.flatMap(({ plan, byName }) =>
    ["our score", "as others see it", "oracle", "points table"].map((name, at) => {
      const { recallAt, precisionAt40, calibrationError } = byName.get(name)!;
      const precision = name === "points table" ? "" : percent(precisionAt40);
      const cells = [at === 0 ? plan.name : "", name, percent(recallAt[1]![1]), precision];
      return `| ${[...cells, calibrationError.toFixed(3)].join(" | ")} |`;
    }),
  );
  const { recallAt, precisionAt40, calibrationError } = ours.measures;
  const text = [
    "| City | | recall at 5 | precision at 40+ | calibration error |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
    `All cities together: recall at 5 ${percent(recallAt[1]![1])}, precision at 40 and more ${percent(precisionAt40)}, ` +
      `calibration error ${calibrationError.toFixed(3)}. Time of a call ${timeOfACall}.`,
    "",
    answeredCats,
    "",
    firstDay,
    "",
    `Printed on ${new Date().toISOString().slice(0, 10)}, ${seeds} cities of each kind, seeds from ${firstSeed}.`,
  ];
  await writeGeneratedPart("docs/matching.md", "bun run bench:matching --write", text.join("\n"));
}

/** Results for the cats whose owners said whether they go outside, as Markdown. */
function answeredTable(): string {
  const rows = ["with the answer", "without it"].map((name, nth) => {
    const { recallAt, precisionAt40, recallAt40, calibrationError } = pooled(
      results.map(({ answered }) => answered[nth]!),
    ).measures;
    const shares = [recallAt[0]![1], recallAt[1]![1], precisionAt40, recallAt40];
    return [name, ...shares.map(percent), calibrationError.toFixed(3)];
  });
  return [
    "Lost cats of these cities whose owners said whether they go outside, half of all lost cats.",
    table(
      [
        "Scored",
        "recall at 1",
        "recall at 5",
        "precision at 40+",
        "recall at 40+",
        "calibration error",
      ],
      rows,
    ),
  ].join("\n\n");
}

/** Results on young and little-used services, as Markdown. */
async function firstDayTables(): Promise<string> {
  const gazetteer = await openGazetteer();
  const scores = FIRST_DAY_PLACES.flatMap((place) =>
    FIRST_DAY_ALERTS.map((alerts, nth) => {
      const { contradiction, stranger, twin } = firstDayScores(gazetteer, place, alerts);
      return [nth === 0 ? place.name : "", alerts, contradiction, stranger, twin];
    }),
  );
  const instances = INSTANCE_PLACES.flatMap((place) =>
    FIRST_DAY_ALERTS.map((alerts, nth) => {
      const count = instancesOf(alerts);
      const pooled = pool(instance(place, alerts), count, firstSeed);
      return [nth === 0 ? place.name : "", alerts, count, ...pooledCells(pooled)];
    }),
  );
  const services = SERVICES.map(({ age, plan, instances }) => [
    plan.name,
    age,
    instances,
    ...pooledCells(pool(plan, instances, firstSeed)),
  ]);
  const learning = LEARNING.map(({ lost, plan, instances }) => {
    const pooled = pool(plan, instances, firstSeed);
    return [lost, instances, pooled.pairShare.toFixed(2), ...pooledCells(pooled)];
  });
  const pooledHead = ["pairs of 10+", "calibration error", "precision at 40+", "right", "wrong"];
  return [
    "Scores on the first day, cat or dog, whichever is worse, with so many alerts in all. Found in the same cell a day " +
      "after the loss: a stranger that contradicts in colour, size and sex; one of whom no more is known; a twin.",
    table(["Place", "alerts", "contradicts", "unknown", "twin"], scores),
    "Instances with so many alerts, half of them finds. Right and wrong: pairs of 40 and more for 100 losses.",
    table(["Place", "alerts", "instances", ...pooledHead], instances),
    "Services in a city of 850,000 that few or many people use.",
    table(["Service", "age", "instances", ...pooledHead], services),
    `Learning: ${100 * TOGETHER.coverage}% of all strays found are posted, but owners and finders use the service ` +
      "together, and a quarter of the lost dogs have their find posted. The dogs' multiple of the coverage is 0.40 at first.",
    table(["losses", "instances", "multiple learned", ...pooledHead], learning),
  ].join("\n\n");
}

function pooledCells({ pairs, measures, right, wrong }: Pooled): (string | number)[] {
  const error = Number.isNaN(measures.calibrationError)
    ? "none"
    : measures.calibrationError.toFixed(3);
  return [pairs, error, percent(measures.precisionAt40), right.toFixed(1), wrong.toFixed(1)];
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function printReliability({ bins }: Measures): void {
  console.log("  reliability of our score: pairs, mean score -> same animal in percent");
  const cells = bins.map(
    ({ pairs, meanScore, truePercent }) =>
      `${pairs}: ${meanScore.toFixed(0)} -> ${truePercent.toFixed(0)}`,
  );
  console.log(`  ${cells.join(" | ")}`);
}

function printAims(): void {
  console.log("\nAims");
  for (const { plan, byName } of results) {
    const [our, oracle, points] = ["our score", "oracle", "points table"].map((name) =>
      byName.get(name)!,
    ) as [Measures, Measures, Measures];
    const recallAt5 = (of: Measures) => of.recallAt[1]![1];
    console.log(`  ${plan.name}`);
    aim("calibration error", our.calibrationError, "<=", 0.05);
    aim(
      "precision at 40+",
      our.precisionAt40,
      ">=",
      0.7,
      `oracle ${percent(oracle.precisionAt40)}`,
    );
    aim("recall at 5 / oracle's", recallAt5(our) / recallAt5(oracle), ">=", 0.95);
    aim("recall at 5 / points table's", recallAt5(our) / recallAt5(points), ">=", 2);
  }
}

function aim(what: string, value: number, than: "<=" | ">=", bound: number, beside = ""): void {
  const isReached = than === "<=" ? value <= bound : value >= bound;
  const verdict = isReached ? "reached" : `missed by ${Math.abs(value - bound).toFixed(3)}`;
  console.log(
    `    ${what.padEnd(30)}${value.toFixed(3)} ${than} ${bound}  ${verdict} ${beside}`.trimEnd(),
  );
}

/** Computing time of a call with as many neighbours as allowed, without reading the likeliest of them. */
function timeOfOneCall(): string {
  const city = makeCity({ ...REPORTED[0]!, lost: 10_000 }, 1);
  const statistics = createStatistics(peoplePerKm2In(city));
  const cats = city.alerts
    .map(({ subject: alert }, key) => ({ key, alert, subject: prepareSubject(alert) }))
    .filter(({ subject }) => subject.species === "cat");
  for (const { key, alert } of cats) statistics.put(key, alert);
  const queries = cats.filter(({ subject }) => subject.type === "found").slice(0, 300);
  const others = cats.filter(({ subject }) => subject.type === "lost").slice(0, NEIGHBOURS_MAX);
  const byKey = new Map(others.map((other) => [other.key, other]));
  const times = queries.map(({ alert, subject }) => {
    const neighbours = others.map((other) => ({
      publishedAt: other.key,
      point: other.subject.point,
      km: distanceKm(subject.point, other.subject.point),
      day: dayOf(other.alert.eventDate),
    }));
    const start = performance.now();
    const chosen = shortlist(neighbours, alert, statistics, CANDIDATES_MAX, () => 0);
    const read = chosen.flatMap(({ publishedAt }) => byKey.get(publishedAt) ?? []);
    rankMatches(subject, read, statistics.context, 10);
    return performance.now() - start;
  });
  const sorted = times.toSorted((a, b) => a - b);
  return (
    `with ${others.length} neighbours, the likeliest ${CANDIDATES_MAX} of them scored: ` +
    `median ${sorted[150]!.toFixed(2)} ms, 99% within ${sorted[297]!.toFixed(2)} ms`
  );
}

function row({ recallAt, precisionAt40, recallAt40, calibrationError }: Measures): string {
  const recalls = recallAt.map(([, recall]) => percent(recall).padStart(7)).join("");
  return (
    `      ${recalls} | ${percent(precisionAt40).padStart(13)} ${percent(recallAt40).padStart(11)} | ` +
    `${calibrationError.toFixed(3).padStart(17)}`
  );
}

function percent(share: number): string {
  return Number.isNaN(share) ? "none" : share.toFixed(3);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
