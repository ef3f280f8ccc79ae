import { parseArgs } from "node:util";
import { fuzz, routesWithoutSuccess, type Report } from "./fuzz.ts";
import { serviceInProcess, serviceOverHttp } from "./service.ts";
import { DEFECTS, errorsFound } from "./self-test.ts";

const USAGE = `Usage: bun run test:fuzz [--requests N] [--seed S] [--self-test]

Sends random requests (100,000 unless told otherwise) to every route and tool and looks at every answer: most in this
process, one in twenty-five over HTTP to the real program. --seed repeats a run. --self-test bends answers one way after
the other and shows that a run sees each.`;

const REQUESTS_DEFAULT = 100_000;
/** One in so many goes over HTTP. */
const HTTP_SHARE = 25;
/** Services in this process's children, each with its own part of the requests: as many as there are cores to use. */
const PARTS = 2;
const ACTIVITY_EVERY = 500;
const ACTIVITY_EVERY_OVER_HTTP = 1_500;
/** A seed has so many values. */
const SEEDS = 2 ** 31;

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: String(REQUESTS_DEFAULT) },
    seed: { type: "string", default: String(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) },
    "self-test": { type: "boolean", default: false },
    // How a run calls itself for one part of the requests.
    part: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const requests = Number(values.requests);
const seed = Number(values.seed) % SEEDS;

if (values.help || !(requests >= 1) || Number.isNaN(seed)) {
  console.log(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else if (values.part) {
  console.log(JSON.stringify(plain(await inProcess(requests, seed, console.error))));
} else if (values["self-test"]) {
  await showSelfTest();
} else {
  await showRun();
}

async function showRun(): Promise<void> {
  console.log(
    `seed ${seed} (bun run test:fuzz --requests ${requests} --seed ${seed} repeats this run)`,
  );
  const begun = performance.now();
  const overHttp = Math.ceil(requests / HTTP_SHARE);
  const each = Math.ceil((requests - overHttp) / PARTS);
  const reports = await Promise.all([
    ...Array.from({ length: PARTS }, (_, part) => inChild(each, seed + part)),
    overTheWire(overHttp, seed + PARTS),
  ]);
  const report = joined(reports);
  showTable(report);
  const { routes } = await routesOf();
  const missed = routesWithoutSuccess(routes, report).map((route) => `${route} never went well`);
  const errors = [...report.errors, ...(requests >= REQUESTS_DEFAULT ? missed : [])];
  const seconds = Math.round((performance.now() - begun) / 1_000);
  console.log(
    `\n${report.sent} requests to ${report.seen.size} routes in ${seconds} s, ${overHttp} of them over HTTP`,
  );
  for (const fault of errors) console.log(`\n${fault}`);
  console.log(`${errors.length === 0 ? 1 : 0} passed, ${errors.length} failed`);
  process.exitCode = errors.length === 0 ? 0 : 1;
}

async function inProcess(
  count: number,
  from: number,
  say: (line: string) => void,
): Promise<Report> {
  const service = await serviceInProcess(from);
  try {
    return await fuzz({
      service,
      routes: service.routes,
      requests: count,
      seed: from,
      activityEvery: ACTIVITY_EVERY,
      say,
    });
  } finally {
    await service.end();
  }
}

async function overTheWire(count: number, from: number): Promise<Report> {
  const { routes } = await routesOf();
  const service = await serviceOverHttp();
  try {
    return await fuzz({
      service,
      routes,
      requests: count,
      seed: from,
      activityEvery: ACTIVITY_EVERY_OVER_HTTP,
      say: () => {},
    });
  } finally {
    await service.end();
  }
}

async function routesOf() {
  const service = await serviceInProcess(0);
  await service.end();
  return service;
}

/** A report as JSON: its maps as lists. */
type PlainReport = Omit<Report, "seen"> & {
  readonly seen: readonly (readonly [string, readonly (readonly [number, number])[]])[];
};

function plain({ seen, ...rest }: Report): PlainReport {
  return { ...rest, seen: [...seen].map(([door, statuses]) => [door, [...statuses]]) };
}

/** A part of the run in a process of its own, so that every core has something to do. */
async function inChild(count: number, from: number): Promise<Report> {
  const child = Bun.spawn(
    [
      process.execPath,
      import.meta.path,
      "--part",
      "--requests",
      String(count),
      "--seed",
      String(from),
    ],
    { stdout: "pipe", stderr: "inherit" },
  );
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0)
    return {
      sent: 0,
      seen: new Map(),
      errors: [`the part with seed ${from} broke down: ${output}`],
    };
  const report: PlainReport = JSON.parse(output);
  return {
    ...report,
    seen: new Map(report.seen.map(([door, statuses]) => [door, new Map(statuses)])),
  };
}

function joined(reports: readonly Report[]): Report {
  const seen = new Map<string, Map<number, number>>();
  for (const report of reports)
    for (const [door, statuses] of report.seen) {
      const all = seen.get(door) ?? new Map<number, number>();
      seen.set(door, all);
      for (const [status, count] of statuses) all.set(status, (all.get(status) ?? 0) + count);
    }
  return {
    sent: reports.reduce((sum, { sent }) => sum + sent, 0),
    seen,
    errors: reports.flatMap(({ errors }) => (errors.length === 0 ? [] : [errors.join("\n")])),
  };
}

function showTable({ seen }: Report): void {
  const doors = [...seen].toSorted(([a], [b]) => pathOf(a).localeCompare(pathOf(b)));
  const width = Math.max(...doors.map(([door]) => door.length));
  for (const [door, statuses] of doors) {
    const counts = [...statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`);
    console.log(`${door.padEnd(width)}  ${counts.join(", ")}`);
  }
}

function pathOf(door: string): string {
  return door.split(" ")[1] ?? "";
}

async function showSelfTest(): Promise<void> {
  let missed = 0;
  for (const defect of DEFECTS) {
    const errors = (await errorsFound(defect, seed)).join("\n");
    const isSeen = defect.expected.test(errors);
    if (!isSeen) missed += 1;
    console.log(`${isSeen ? "seen  " : "MISSED"}  ${defect.name}: ${errors.split("\n")[0] ?? ""}`);
  }
  console.log(`${DEFECTS.length - missed} passed, ${missed} failed`);
  process.exitCode = missed === 0 ? 0 : 1;
}
