import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeGeneratedPart } from "../support/generated-part.ts";
import { type Fault, MINUTES_VARIABLE, type Outcome, SEED_VARIABLE, Skipped } from "./fault.ts";

/** A fault that takes longer has hung. */
const FAULT_SECONDS_MAX = 1_800;
/** More for each minute of --minutes. */
const FAULT_SECONDS_PER_MINUTE = 120;
const DOCUMENT = "docs/reliability.md";
/** Scratch paths in findings. */
const SCRATCH = /\/\S*pet-alert-(?:fault|process|node|postgres)-[\w./-]+/g;

type Result = { readonly fault: string; readonly promise: string; readonly seconds: number } & (
  | { readonly kind: "ran"; readonly outcome: Outcome }
  | { readonly kind: "skipped" | "broke"; readonly why: string }
);

export type FaultRun = {
  readonly faults: readonly Fault[];
  /** Command that writes the table of these faults into docs/reliability.md. */
  readonly command: string;
  /** File that gets the results as JSON. */
  readonly results: string;
  /** Faults inflicted at the same time. */
  readonly lanes: number;
};

/**
 * Runs the command `NAME... [--seed TEXT] [--minutes N] [--quick] [--write]`: inflicts faults on the real program, each in its
 * own process group so that nothing outlives it. NAME is a part of a fault's name. Prints what was tried and what was lost.
 * Writes the results, and, with --write, the table in docs/reliability.md. Returns the exit code; 1: a promise was broken.
 */
export async function runFaults(about: FaultRun): Promise<number> {
  const { values: options, positionals } = parseArgs({
    args: Bun.argv.slice(2),
    allowPositionals: true,
    options: {
      seed: { type: "string" },
      minutes: { type: "string" },
      quick: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      /** The process of one fault: its exact name, and where it puts its result. */
      only: { type: "string" },
      into: { type: "string" },
    },
  });
  if (options.only !== undefined && options.into !== undefined)
    return runOne(about.faults, options.only, options.into);
  const chosen = about.faults.filter(
    ({ name, isLong = false }) =>
      (positionals.length === 0 || positionals.some(isIn(name))) && !(options.quick && isLong),
  );
  if (chosen.length === 0) {
    console.error(
      `There is no such fault. These are: ${about.faults.map(({ name }) => name).join("; ")}`,
    );
    return 2;
  }
  const seed = options.seed ?? String(crypto.getRandomValues(new Uint32Array(1))[0]);
  console.log(`seed ${seed} (again with --seed ${seed})`);
  const results = await runLanes(about.lanes, chosen, { seed, minutes: options.minutes });
  await Bun.write(
    about.results,
    `${JSON.stringify({ seed, bun: Bun.version, cores: cpus().length, results }, null, 2)}\n`,
  );
  return tellOf(about, results, options.write);
}

async function tellOf(
  about: FaultRun,
  results: readonly Result[],
  write: boolean,
): Promise<number> {
  const { passed, failed, skipped } = verdict(results);
  console.log(`\n${table(results)}`);
  if (write) await writeTable(about, results);
  if (skipped > 0) console.log(`${skipped} SKIPPED: this machine cannot make them.`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

/** Runs several faults at once, because they mostly wait. Returns the results in the order of the faults. */
async function runLanes(
  lanes: number,
  faults: readonly Fault[],
  choices: Choices,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = faults.entries();
  const lane = async () => {
    for (const [at, fault] of left) {
      console.log(`${fault.name}: begins`);
      const result = await runApart(fault, choices);
      results[at] = result;
      for (const sentence of troubles(result)) console.log(`${fault.name}: FAILED: ${sentence}`);
      if (result.kind === "skipped")
        console.log(`${fault.name}: SKIPPED, and so not shown: ${result.why}`);
      console.log(`${fault.name}: ended after ${result.seconds} s`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

type Choices = { readonly seed: string; readonly minutes: string | undefined };

function isIn(name: string): (part: string) => boolean {
  return (part) => name.toLowerCase().includes(part.toLowerCase());
}

/** Runs a fault in its own process group, so that everything it started ends with it. */
async function runApart({ name, promise }: Fault, { seed, minutes }: Choices): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "pet-alert-fault-"));
  // Databases run as another user in folders below.
  chmodSync(folder, 0o711);
  const into = join(folder, "result.json");
  const began = performance.now();
  const child = Bun.spawn([process.execPath, Bun.main, "--only", name, "--into", into], {
    env: {
      ...process.env,
      [SEED_VARIABLE]: seed,
      ...(minutes === undefined ? {} : { [MINUTES_VARIABLE]: minutes }),
      TMPDIR: folder,
    },
    stdout: "inherit",
    stderr: "inherit",
    detached: true,
  });
  const secondsMax = FAULT_SECONDS_MAX + Number(minutes ?? 0) * FAULT_SECONDS_PER_MINUTE;
  let isOver = false;
  const limit = setTimeout(() => {
    isOver = true;
    endGroup(child.pid);
  }, secondsMax * 1_000);
  const code = await child.exited;
  clearTimeout(limit);
  endGroup(child.pid);
  const seconds = Math.round((performance.now() - began) / 1_000);
  const file = Bun.file(into);
  const ending: unknown = (await file.exists()) ? await file.json() : null;
  forget(folder);
  if (ending !== null) return { fault: name, promise, seconds, ...(ending as Ending) };
  const why = isOver
    ? `it was not done after ${secondsMax} s`
    : `its process ended with ${code} and gave no result`;
  return { fault: name, promise, seconds, kind: "broke", why };
}

/** An interrupted fault may have left a disk mounted in the folder. */
function forget(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    console.log(`${folder} could not be removed`);
  }
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}

/** Result that the process of a fault writes. */
type Ending =
  | { readonly kind: "ran"; readonly outcome: Outcome }
  | { readonly kind: "skipped" | "broke"; readonly why: string };

async function runOne(faults: readonly Fault[], name: string, into: string): Promise<number> {
  const fault = faults.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`there is no fault "${name}"`);
  await Bun.write(into, JSON.stringify(await endingOf(fault)));
  // Processes and handles that it left open must not keep it alive.
  process.exit(0);
}

async function endingOf(fault: Fault): Promise<Ending> {
  try {
    const outcome = await fault.run((line) => console.log(`${fault.name}: ${line}`));
    return { kind: "ran", outcome };
  } catch (error) {
    if (error instanceof Skipped) return { kind: "skipped", why: error.message };
    return { kind: "broke", why: Bun.inspect(error) };
  }
}

/** Reasons why a result does not pass, in sentences. */
function troubles(result: Result): readonly string[] {
  switch (result.kind) {
    case "skipped":
      return process.env["CI"] ? [`skipped: ${result.why}`] : [];
    case "broke":
      return [result.why];
    case "ran":
      return result.outcome.failures;
  }
}

function verdict(results: readonly Result[]) {
  const failed = results.filter((result) => troubles(result).length > 0).length;
  const skipped = results.filter(({ kind }) => kind === "skipped").length;
  const passed = results.filter(
    (result) => result.kind === "ran" && troubles(result).length === 0,
  ).length;
  return { passed, failed, skipped };
}

/** Columns of a result: what was tried, and what was lost. */
function figures(result: Result): readonly [tried: string, lost: string] {
  if (result.kind !== "ran") return [result.kind, ""];
  const { tried, failures, lost = String(failures.length) } = result.outcome;
  return [tried, lost];
}

function table(results: readonly Result[]): string {
  return results
    .map((result) => {
      const { fault, promise } = result;
      const [tried, lost] = figures(result);
      return [
        `${troubles(result).length > 0 ? "FAILED " : ""}${fault} (${result.seconds} s): ${promise}`,
        `  tried  ${tried}`,
        `  lost   ${lost}`,
        ...troubles(result).map((sentence) => `  FAILED ${sentence}`),
        "",
      ].join("\n");
    })
    .join("\n");
}

/** Throws when the document has no place for the table, or when some faults did not run. */
async function writeTable(
  { faults, command }: FaultRun,
  results: readonly Result[],
): Promise<void> {
  if (results.length < faults.length)
    throw new Error(`${DOCUMENT} lists every fault: run them all to write its table`);
  const rows = [
    ["Fault", "Tried", "Lost"],
    ["---", "---", "---"],
    ...results.map((result) => [result.fault, ...figures(result)]),
  ].map(
    (row) =>
      `| ${row.map((cell) => cell.replaceAll("|", "\\|").replaceAll(SCRATCH, "DATA_DIR")).join(" | ")} |`,
  );
  const day = new Date().toISOString().slice(0, 10);
  const machine = `Run on ${day}, on ${cpus().length} cores, with Bun ${Bun.version}.`;
  await writeGeneratedPart(DOCUMENT, command, `${rows.join("\n")}\n\n${machine}`);
}
