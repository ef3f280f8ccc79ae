import { writeGeneratedPart } from "../support/generated-part.ts";
import { aimsOf, searchName } from "./aims.ts";
import type { ContenderName } from "./contender.ts";
import { RADII_KM } from "./questions.ts";
import type { Results } from "./results.ts";
import { median, type Times } from "./times.ts";

/** Results of a run as Markdown, for the terminal and for docs/performance.md. */
export function report(results: Results): string {
  const { date, machine, isQuick, skipped } = results;
  const parts: readonly (readonly [title: string, text: string])[] = [
    ["Aims", aimsTable(results)],
    ["Size", sizeTable(results)],
    ["Searches in process", searchTable(results)],
    ["Newest, nearest and totals", manyKindsText(results)],
    ["Over HTTP", httpTable(results)],
    ["Beside what people would use instead", peersText(results)],
    ["Where the remaining time goes", whereText(results)],
  ];
  return [
    `\`bun run bench\` on ${date}: ${machine}.${isQuick ? " A quick run: its figures say little." : ""}`,
    ...skipped,
    METHOD,
    ...parts.flatMap(([title, text]) => (text === "" ? [] : [`## ${title}`, text])),
  ].join("\n\n");
}

/** Writes the generated part of docs/performance.md. */
export function writeReport(results: Results): Promise<void> {
  return writeGeneratedPart("docs/performance.md", "bun run bench --write", report(results));
}

const METHOD =
  "Alerts are made up around the towns of the world by their population (three quarters of the questions too), the same in every run. " +
  "Rounds are interleaved and the first one is left out; a question counts with the median of its rounds, a load with the median of its rounds. " +
  "Under load means `wrk` with 16 open connections on the same machine, so that it takes its part of the processors.";

function aimsTable(results: Results): string {
  const rows = aimsOf(results).map(({ aim, found, isMet }) => [
    aim,
    found,
    isMet ? "met" : "missed",
  ]);
  return rows.length === 0 ? "" : table(["Aim", "found", ""], rows);
}

function sizeTable({ sizes, atRest }: Results): string {
  const cells = (alerts: number) => {
    const [file, sources] = (["the one file", "from sources"] as const).map((program) =>
      atRest.find((row) => row.alerts === alerts && row.program === program),
    );
    const verbs = sizes.find((size) => size.alerts === alerts)?.inProcess.verbs ?? [];
    const both = (what: "startMs" | "residentMb", unit: string) =>
      [file, sources].map((row) => row?.[what].toFixed(0) ?? "–").join(" / ") + unit;
    return [
      counted(alerts),
      both("startMs", " ms"),
      both("residentMb", " MB"),
      ...VERBS.map(([name]) => {
        const verb = verbs.find((row) => row.name === name);
        return verb === undefined ? "–" : asTimes(verb);
      }),
    ];
  };
  const head = [
    "Alerts",
    "start, one file / sources",
    "resident at rest",
    ...VERBS.map(([, title]) => title),
  ];
  const rows = [...new Set(atRest.map(({ alerts }) => alerts))].map(cells);
  return `${table(head, rows)}\n\n${sizeNotes({ atRest })}`;
}

const VERBS = [
  ["insert one alert", "insert, ms"],
  ["insert, each of 1,000 at once", "each of 1,000 at once, ms"],
  ["matches of one alert", "matches, ms"],
  ["zones over a point", "zones over a point, ms"],
] as const;

function sizeNotes({ atRest }: Pick<Results, "atRest">): string {
  const files = atRest.filter(({ program }) => program === "the one file");
  const [empty, full] = [files[0], files.at(-1)];
  const isKnown = empty?.alerts === 0 && full !== undefined && full.alerts > 0;
  const bytes = isKnown ? ((full.residentMb - empty.residentMb) * 2 ** 20) / full.alerts : 0;
  const memory = isKnown
    ? ` An alert costs ${bytes.toFixed(0)} bytes of memory (what ${counted(full.alerts)} add, divided).`
    : "";
  return `Times are p50 / p99.${memory} An insert is on disk (fsync) and found by searches when it is done. There is a zone for ten alerts.`;
}

function searchTable({ sizes }: Results): string {
  const last = sizes.at(-1);
  if (last === undefined) return "";
  const { searches } = last.inProcess;
  const filters = [...new Set(searches.map(({ filter }) => filter))];
  const verbs = table(
    ["The verb: the alerts", ...RADII_KM.map(radius)],
    filters.map((filter) => [
      filter,
      ...RADII_KM.map((radiusKm) => {
        const row = searches.find((one) => one.filter === filter && one.radiusKm === radiusKm);
        return row === undefined ? "–" : asTimes(row.verb);
      }),
    ]),
  );
  return `Among ${counted(last.alerts)} alerts, pages of 20, ms, p50 / p99:\n\n${verbs}`;
}

/** Costs of the index by what it is asked for, over the kinds of query of `bench:search`. */
function manyKindsText({ manyKinds }: Results): string {
  if (manyKinds === null) return "";
  const byOperation = Map.groupBy(manyKinds.rows, ({ operation }) => operation);
  const rows = [...byOperation].map(([operation, kinds]) => {
    const slowest = kinds.reduce((a, b) => (b.p99Ms > a.p99Ms ? b : a));
    return [
      operation,
      String(kinds.length),
      short(median(kinds.map(({ p50Ms }) => p50Ms))),
      `${short(slowest.p99Ms)} (${searchName(slowest)})`,
    ];
  });
  const head = ["Asked for", "kinds of query", "p50 of the median kind, ms", "slowest p99, ms"];
  return `\`bun run bench:search\`, among ${counted(manyKinds.alerts)} alerts:\n\n${table(head, rows)}`;
}

function httpTable({ http }: Results): string {
  if (http.length === 0) return "";
  return `The real program and a bare \`Bun.serve\` that answers the same bytes from memory:\n\n${table(
    ["", "bytes", "requests a second", "p99, ms", "bare: requests a second", "p99, ms", "ratio"],
    http.map(({ name, bytes, requestsPerSecond, p99Ms, bare, ratio }) => [
      name,
      counted(bytes),
      counted(requestsPerSecond),
      p99Ms.toFixed(2),
      counted(bare.requestsPerSecond),
      bare.p99Ms.toFixed(2),
      ratio.toFixed(2),
    ]),
  )}`;
}

const TITLES: Readonly<Record<ContenderName, string>> = {
  "pet-alert": "this program",
  postgis: "PostGIS",
  sqlite: "SQLite R*Tree + FTS5",
  redis: "Redis GEOSEARCH",
};

function peersText({ sizes }: Results): string {
  const last = sizes.at(-1);
  if (last === undefined || last.comparison.names.length < 2) return "";
  const { names, agreed, times, loads } = last.comparison;
  const loaded = table(
    ["Requests a second (p99, ms)", ...names.map((name) => TITLES[name])],
    loads.map(({ mix, by }) => [
      mix,
      ...names.map((name) => {
        const run = by[name];
        return run === undefined
          ? "–"
          : `${counted(run.requestsPerSecond)} (${run.p99Ms.toFixed(run.p99Ms < 10 ? 1 : 0)})`;
      }),
    ]),
  );
  const timed = table(
    ["One answer in process, ms, p50 / p99", ...names.map((name) => TITLES[name])],
    times.map(({ radiusKm, filter, by }) => [
      `${radius(radiusKm)}, ${filter}`,
      ...names.map((name) => {
        const found = by[name];
        return found === undefined ? "–" : asTimes(found);
      }),
    ]),
  );
  return [
    `All on the same ${counted(last.alerts)} alerts; ${agreed} answers of each were compared, and are the same. ${FAIRNESS}`,
    ...(loads.length === 0 ? [] : [loaded]),
    timed,
  ].join("\n\n");
}

const FAIRNESS =
  "Each peer got what suits it best: PostgreSQL 15 with a GiST index on geography points, GIN on words, btrees with the time for each filter, distances over the sphere, ANALYZE and prepared statements by `Bun.SQL` on a unix socket; " +
  "SQLite in the asking process, the better of R*Tree and FTS5 chosen by hand for each question; Redis with a geo set and a time set for every filter, where sorting is left to who asks, and words cannot be asked for. " +
  "All of them keep each alert's JSON ready made and stand behind the same small `Bun.serve`, without the checks, limits and headers of ours.";

function whereText({ where, sizes }: Results): string {
  if (where.length === 0) return "";
  return `Of the one thread that answers, under load with searches within 50 km among ${counted(sizes.at(-1)?.alerts ?? 0)} alerts (by profile; what the runtime does counts for who called it):\n\n${table(
    ["Part", "share"],
    where.map(({ name, share }) => [name, `${(100 * share).toFixed(0)} %`]),
  )}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(head),
    line(head.map((_, nth) => (nth === 0 ? "---" : "--:"))),
    ...rows.map(line),
  ].join("\n");
}

function asTimes({ p50, p99 }: Times): string {
  return `${short(p50)} / ${short(p99)}`;
}

/** Two digits that count. */
function short(ms: number): string {
  return ms >= 10
    ? ms.toFixed(0)
    : ms >= 1
      ? ms.toFixed(1)
      : ms >= 0.1
        ? ms.toFixed(2)
        : ms.toFixed(3);
}

function radius(radiusKm: number | null): string {
  return radiusKm === null ? "no radius" : `${radiusKm} km`;
}

function counted(number: number): string {
  return Math.round(number).toLocaleString("en");
}
