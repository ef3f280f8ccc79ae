import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../../deploy/build.ts";
import { openGazetteer } from "../../src/places/gazetteer.ts";
import { scratchFolder } from "../support/process.ts";
import { installPackages } from "../support/debian-packages.ts";
import { alertsFolder, scratch } from "./alerts.ts";
import { compare } from "./comparison.ts";
import { benchHttp, type Effort } from "./http.ts";
import type { InProcess } from "./in-process.ts";
import { PEERS } from "./peers/all.ts";
import type { Peer } from "./peers/peer.ts";
import { type Kind, questionsAbout } from "./questions.ts";
import { writeReport, report } from "./report.ts";
import { measureAtRest } from "./rest.ts";
import { type Results, thisMachine } from "./results.ts";
import { benchSearch } from "./search.ts";
import { whereTimeGoes } from "./where.ts";
import { hasWrk } from "./wrk.ts";

const USAGE = `Usage: bun run bench [--quick] [--sizes 10000,100000] [--no-peers] [--write] [--from FILE]

Measures this program with so many alerts, in process and over HTTP, beside what people would use instead, on the same
alerts and questions. Alerts and loaded peers are kept in ${scratch("")} for the next run.
What is missing is installed where the one who runs it is root on Debian, and skipped elsewhere: wrk, PostgreSQL 15
with PostGIS, Redis.

  --quick     one size, one short round: whether everything runs, not how fast it is
  --sizes     how many alerts [10000,100000,1000000]
  --no-peers  this program alone
  --write     writes the generated part of docs/performance.md
  --from      tells the results of an earlier run, measures nothing`;

const RESULTS = join(import.meta.dir, "results");
const QUICK: Plan = {
  sizes: [5_000],
  rounds: 1,
  starts: 1,
  questions: 60,
  load: { warmUps: 0, rounds: 1, seconds: 1 },
  isWhole: false,
};
const WHOLE = {
  sizes: [10_000, 100_000, 1_000_000],
  rounds: 3,
  starts: 3,
  questions: 300,
  load: { warmUps: 1, rounds: 3, seconds: 2 },
  isWhole: true,
};
type Plan = typeof WHOLE;
const WRK = "wrk";
const NO_NETWORK: Pick<Results, "http" | "where"> = { http: [], where: [] };

if (import.meta.main) {
  // What was started ends with it.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      sizes: { type: "string" },
      "no-peers": { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      from: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const results: Results =
    values.from === undefined ? await measured(values) : await Bun.file(values.from).json();
  console.log(`\n${report(results)}`);
  if (values.write) await writeReport(results);
}

async function measured(wishes: {
  readonly quick: boolean;
  readonly sizes?: string | undefined;
  readonly "no-peers": boolean;
}): Promise<Results> {
  const plan: Plan = {
    ...(wishes.quick ? QUICK : WHOLE),
    ...(wishes.sizes === undefined ? {} : { sizes: wishes.sizes.split(",").map(Number) }),
  };
  const wanted = wishes["no-peers"] ? [] : PEERS;
  install(wanted);
  const { peers, skipped } = withoutMissing(wanted);
  const results: Results = {
    date: new Date().toISOString().slice(0, 10),
    machine: thisMachine(),
    isQuick: wishes.quick,
    skipped,
    ...(await measure(plan, peers)),
  };
  mkdirSync(RESULTS, { recursive: true });
  const file = join(RESULTS, `${new Date().toISOString().replaceAll(":", "")}.json`);
  await Bun.write(file, JSON.stringify(results, null, 2));
  say(`written to ${file}`);
  return results;
}

async function measure(
  plan: Plan,
  peers: readonly Peer[],
): Promise<Pick<Results, "atRest" | "sizes" | "manyKinds" | "http" | "where">> {
  const gazetteer = await openGazetteer();
  const effort = hasWrk() ? plan.load : null;
  const sizes: Results["sizes"][number][] = [];
  let last: { folder: string; kinds: readonly Kind[] } | undefined;
  for (const alerts of plan.sizes) {
    say(`${alerts} alerts: making them, or taking those of an earlier run`);
    const folder = await alertsFolder(alerts);
    const kinds = await questionsAbout(folder, gazetteer, plan.questions);
    say(`${alerts} alerts: in process`);
    const inProcess = await measureInProcess(folder, kinds, plan.rounds);
    const comparison = await compare(folder, peers, kinds, plan.rounds, effort, (line) =>
      say(`${alerts} alerts: ${line}`),
    );
    sizes.push({ alerts, inProcess, comparison });
    last = { folder, kinds };
  }
  say("at rest");
  const atRest = await measureProgram([...(plan.isWhole ? [0] : []), ...plan.sizes], plan.starts);
  const network = last === undefined || !hasWrk() ? NO_NETWORK : await overHttp(last, plan.load);
  // Last: it holds a million alerts in this process.
  const manyKinds = plan.isWhole ? allKindsOf(Math.max(...plan.sizes)) : null;
  return { atRest, sizes, manyKinds, ...network };
}

async function overHttp(
  { folder, kinds }: { readonly folder: string; readonly kinds: readonly Kind[] },
  load: Effort,
): Promise<Pick<Results, "http" | "where">> {
  say("over HTTP, beside a bare server");
  const http = await benchHttp(folder, load);
  say("where the time goes");
  return { http, where: await whereTimeGoes(folder, profiled(kinds)) };
}

function allKindsOf(alerts: number) {
  say(`${alerts} other alerts: every kind of question`);
  return benchSearch(alerts);
}

/** Pages of alerts around people, the most usual question. */
function profiled(kinds: readonly Kind[]) {
  return kinds
    .filter(({ radiusKm, filter }) => radiusKm === 50 && filter === "no filter")
    .flatMap(({ questions }) => questions);
}

/** In a process of its own, whose memory holds nothing else. */
async function measureInProcess(
  folder: string,
  kinds: readonly Kind[],
  rounds: number,
): Promise<InProcess> {
  const kindsFile = scratch(`kinds-${process.pid}.json`);
  await Bun.write(kindsFile, JSON.stringify(kinds));
  const program = join(import.meta.dir, "in-process.ts");
  const child = Bun.spawn([process.execPath, program, folder, kindsFile, String(rounds)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = await new Response(child.stdout).text();
  await Bun.file(kindsFile).delete();
  if ((await child.exited) !== 0) throw new Error("the bench in process failed");
  return JSON.parse(output);
}

async function measureProgram(counts: readonly number[], starts: number) {
  const folder = scratchFolder();
  const oneFile = join(folder.path, "pet-alert");
  await build(oneFile, "this machine");
  const rows = await measureAtRest(oneFile, counts, starts);
  folder.forget();
  return rows;
}

/** Installs missing packages; peers that still miss one are skipped later. */
function install(peers: readonly Peer[]): void {
  const packages = [...(hasWrk() ? [] : [WRK]), ...peers.flatMap((peer) => peer.missing())];
  if (packages.length === 0) return;
  say(`installing ${packages.join(", ")}`);
  installPackages(packages);
}

function withoutMissing(wanted: readonly Peer[]) {
  const skipped = hasWrk() ? [] : [`Nothing was put under load: the package ${WRK} is missing.`];
  const peers = wanted.filter((peer) => {
    const missing = peer.missing();
    if (missing.length > 0)
      skipped.push(`${peer.title} was skipped: ${missing.join(", ")} is missing.`);
    return missing.length === 0;
  });
  for (const line of skipped) say(line);
  return { peers, skipped };
}

function say(line: string): void {
  const seconds = (performance.now() / 1000).toFixed(0).padStart(5);
  console.error(`${seconds} s  ${line}`);
}
