import type { Results } from "./results.ts";
import type { SearchRow } from "./search.ts";
import { median } from "./times.ts";

/** What was aimed at, and what a run found. */
export type Aim = {
  readonly aim: string;
  readonly found: string;
  readonly isMet: boolean;
};

const MILLION = 1_000_000;
const INDEX_P99_MS = 0.5;
const GROWTH_MAX = 4;
const START_SECONDS_MAX = 5;
const MEMORY_MB_MAX: readonly (readonly [alerts: number, megabytes: number])[] = [
  [10_000, 90],
  [MILLION, 450],
];
/** Requests a second for each of a bare server's that gives the same bytes, by the beginning of the row's name. */
const RATIOS: readonly (readonly [beginning: string, least: number])[] = [
  ["search, 50 km", 0.25],
  ["alert by slug", 0.4],
  ["tools/call", 0.15],
];
const TIMES_POSTGIS = 20;

/** Every aim that a run says something about. */
export function aimsOf(results: Results): Aim[] {
  return [
    ...searchAims(results),
    ...growthAims(results),
    ...restAims(results),
    ...httpAims(results),
    ...peerAims(results),
  ];
}

function searchAims({ manyKinds }: Results): Aim[] {
  if (manyKinds?.alerts !== MILLION) return [];
  const newest = manyKinds.rows.filter(({ operation }) => operation === "newest");
  return [
    {
      aim: `the index answers 99 of 100 searches among a million within ${INDEX_P99_MS} ms, whatever the radius, filter and words (\`bench:search\`)`,
      ...withinAim(newest.map((row) => ({ name: searchName(row), p99: row.p99Ms }))),
    },
  ];
}

/** Name of a kind of search: "50 km, species+type, two colours". */
export function searchName({ radiusKm, filter, words }: SearchRow): string {
  return `${radiusKm === "none" ? "no radius" : `${radiusKm} km`}, ${filter}, ${words}`;
}

function withinAim(kinds: readonly { readonly name: string; readonly p99: number }[]) {
  const within = kinds.filter(({ p99 }) => p99 <= INDEX_P99_MS);
  const slowest = kinds.toSorted((a, b) => b.p99 - a.p99)[0];
  return {
    found: `${within.length} of ${kinds.length} kinds; the slowest, ${slowest?.name}, ${slowest?.p99.toFixed(2)} ms`,
    isMet: within.length === kinds.length,
  };
}

function growthAims({ sizes }: Results): Aim[] {
  const at = (wanted: number) => sizes.find(({ alerts }) => alerts === wanted)?.inProcess.searches;
  const [before, after] = [at(MILLION / 10), at(MILLION)];
  if (before === undefined || after === undefined) return [];
  const growths = after.map(({ verb }, nth) => verb.p50 / before[nth]!.verb.p50);
  const most = Math.max(...growths);
  const slowest = kindName(after[growths.indexOf(most)]!);
  return [
    {
      aim: `from 100,000 to a million alerts a search costs at most ${GROWTH_MAX} times as much`,
      found: `${median(growths).toFixed(1)} times (median of the kinds), at most ${most.toFixed(1)} (${slowest})`,
      isMet: most <= GROWTH_MAX,
    },
  ];
}

function restAims({ atRest }: Results): Aim[] {
  const starts = atRest
    .filter(({ alerts, program }) => alerts === MILLION && program === "the one file")
    .map(({ startMs }) => ({
      aim: `starts with a million alerts in ${START_SECONDS_MAX} s`,
      found: `${(startMs / 1000).toFixed(1)} s`,
      isMet: startMs <= 1000 * START_SECONDS_MAX,
    }));
  const memory = MEMORY_MB_MAX.flatMap(([count, most]) =>
    atRest
      .filter(({ alerts, program }) => alerts === count && program === "the one file")
      .map(({ residentMb }) => ({
        aim: `at most ${most} MB at rest with ${count.toLocaleString("en")} alerts`,
        found: `${residentMb.toFixed(0)} MB`,
        isMet: residentMb <= most,
      })),
  );
  return [...starts, ...memory];
}

function httpAims({ http }: Results): Aim[] {
  return RATIOS.flatMap(([beginning, least]) => {
    const row = http.find(({ name }) => name.startsWith(beginning));
    if (row === undefined) return [];
    const { name, ratio } = row;
    return [
      {
        aim: `${name}: at least ${least} of a bare server's requests a second`,
        found: ratio.toFixed(2),
        isMet: ratio >= least,
      },
    ];
  });
}

function peerAims({ sizes }: Results): Aim[] {
  const loads = sizes.at(-1)?.comparison.loads ?? [];
  const mix = loads.find(({ mix: name }) => name === "50 and 500 km")?.by;
  const [ours, theirs] = [mix?.["pet-alert"], mix?.postgis];
  if (ours === undefined || theirs === undefined) return [];
  const times = ours.requestsPerSecond / theirs.requestsPerSecond;
  return [
    {
      aim: `at least ${TIMES_POSTGIS} times the requests a second of PostGIS on 50 and 500 km`,
      found: `${times.toFixed(1)} times`,
      isMet: times >= TIMES_POSTGIS,
    },
  ];
}

function kindName({ radiusKm, filter }: { radiusKm: number | null; filter: string }): string {
  return `${radiusKm === null ? "no radius" : `${radiusKm} km`}, ${filter}`;
}
