import { parseArgs } from "node:util";
import { fuzz, routesWithoutSuccess, type Report } from "./fuzz.ts";
import { serviceInProcess, serviceOverHttp } from "./service.ts";

const USAGE = `Usage: bun run test:fuzz [--requests N] [--seed S]

Sends random requests (100,000 unless told otherwise) to every route and tool and looks at every answer: most in this
process, one in twenty-five over HTTP to the real program. --seed repeats a run.`;

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
    // How a run calls itself for one part of the requests.
    part: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const requests = Number(values.requests);
const seed = Number(values.seed) % SEEDS;
const { routes } = await routesOf();

if (values.help || !(requests >= 1) || Number.isNaN(seed)) {
  console.log(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else if (values.part) {
  console.log(JSON.stringify(await inProcess()));
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
  const report = joined(
    await Promise.all([
      ...Array.from({ length: PARTS }, (_, part) => inChild(each, seed + part)),
      overTheWire(overHttp, seed + PARTS),
    ]),
  );
  for (const [route, counts] of Object.entries(report.seen).toSorted())
    console.log(`${route.padEnd(60)} ${JSON.stringify(counts).replace(/[{}"]/g, "")}`);
  const missed = routesWithoutSuccess(routes, report).map((route) => `${route} never went well`);
  const errors = [...report.errors, ...(requests >= REQUESTS_DEFAULT ? missed : [])];
  const seconds = Math.round((performance.now() - begun) / 1_000);
  console.log(`\n${report.sent} requests in ${seconds} s, ${overHttp} of them over HTTP`);
  for (const error of errors) console.log(`\n${error}`);
  console.log(`${errors.length === 0 ? 1 : 0} passed, ${errors.length} failed`);
  process.exitCode = errors.length === 0 ? 0 : 1;
}

async function inProcess(): Promise<Report> {
  const service = await serviceInProcess(seed);
  const activityEvery = ACTIVITY_EVERY;
  try {
    return await fuzz({ service, routes, requests, seed, activityEvery, say: console.error });
  } finally {
    await service.end();
  }
}

async function overTheWire(count: number, from: number): Promise<Report> {
  const service = await serviceOverHttp();
  const activityEvery = ACTIVITY_EVERY_OVER_HTTP;
  try {
    const say = () => {};
    return await fuzz({ service, routes, requests: count, seed: from, activityEvery, say });
  } finally {
    await service.end();
  }
}

async function routesOf() {
  const service = await serviceInProcess(0);
  await service.end();
  return service;
}

/** A part of the run in a process of its own, so that every core has something to do. */
async function inChild(count: number, from: number): Promise<Report> {
  const options = ["--part", "--requests", String(count), "--seed", String(from)];
  const child = Bun.spawn([process.execPath, import.meta.path, ...options], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) === 0) return JSON.parse(output);
  return { sent: 0, seen: {}, errors: [`the part with seed ${from} broke down: ${output}`] };
}

function joined(reports: readonly Report[]): Report {
  const seen: Record<string, Record<string, number>> = {};
  for (const report of reports)
    for (const [route, counts] of Object.entries(report.seen))
      for (const [status, count] of Object.entries(counts)) {
        const all = (seen[route] ??= {});
        all[status] = (all[status] ?? 0) + count;
      }
  return {
    sent: reports.reduce((sum, { sent }) => sum + sent, 0),
    seen,
    errors: reports.flatMap(({ errors }) => (errors.length === 0 ? [] : [errors.join("\n")])),
  };
}
