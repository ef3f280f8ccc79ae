import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeGeneratedPart } from "../support/generated-part.ts";
import { FAULTS } from "./faults.ts";
import { type Fault, type Outcome, SEED_VARIABLE, Skipped } from "./fault.ts";

// `bun run test:faults [NAME...] [--seed TEXT] [--write] [--from FILE]`: inflicts faults on the real program, two at a
// time, each in its own process group so that nothing outlives it. NAME is a part of a fault's name. Prints what was tried,
// what was lost, and what the same check found with each defence switched off. Writes results.json and, with --write, the
// table in docs/reliability.md. --from reports an earlier results.json instead. Exit code 1: a promise was broken, or a
// check missed the fault with its defence switched off.

/** A fault that takes longer has hung. */
const FAULT_SECONDS_MAX = 1_800;
const LANES = 2;
const DOCUMENT = "docs/reliability.md";
const COMMAND = "bun run test:faults --write";
const RESULTS = join(import.meta.dir, "results.json");
/** Scratch paths in findings. */
const SCRATCH = /\/\S*pet-alert-(?:fault|process)-[\w./-]+/g;

type Result = { readonly fault: string; readonly promise: string; readonly seconds: number } & (
  | { readonly kind: "ran"; readonly outcome: Outcome }
  | { readonly kind: "skipped" | "broke"; readonly why: string }
);

const { values: options, positionals: wanted } = parseArgs({
  args: Bun.argv.slice(2),
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    write: { type: "boolean" },
    from: { type: "string" },
    /** The process of one fault: its exact name, and where it puts its result. */
    only: { type: "string" },
    into: { type: "string" },
  },
});

process.exitCode =
  options.only !== undefined && options.into !== undefined
    ? await runOne(options.only, options.into)
    : options.from !== undefined
      ? await tellOf((await Bun.file(options.from).json()).results)
      : await runAll();

async function runAll(): Promise<number> {
  const chosen = FAULTS.filter(({ name }) => wanted.length === 0 || wanted.some(isIn(name)));
  if (chosen.length === 0) {
    console.error(
      `There is no such fault. These are: ${FAULTS.map(({ name }) => name).join("; ")}`,
    );
    return 2;
  }
  const seed = options.seed ?? String(crypto.getRandomValues(new Uint32Array(1))[0]);
  console.log(`seed ${seed} (again with --seed ${seed})`);
  const results = await runLanes(chosen, seed);
  await Bun.write(
    RESULTS,
    `${JSON.stringify({ seed, bun: Bun.version, cores: cpus().length, results }, null, 2)}\n`,
  );
  return tellOf(results);
}

async function tellOf(results: readonly Result[]): Promise<number> {
  const { passed, failed, skipped } = verdict(results);
  console.log(`\n${table(results)}`);
  if (options.write) await writeTable(results);
  if (skipped > 0) console.log(`${skipped} SKIPPED: this machine cannot make them.`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

/** Runs several faults at once, because they mostly wait. Returns the results in the order of the faults. */
async function runLanes(faults: readonly Fault[], seed: string): Promise<Result[]> {
  const results: Result[] = [];
  const left = faults.entries();
  const lane = async () => {
    for (const [at, fault] of left) {
      console.log(`${fault.name}: begins`);
      const result = await runApart(fault, seed);
      results[at] = result;
      for (const sentence of troubles(result)) console.log(`${fault.name}: FAILED: ${sentence}`);
      if (result.kind === "skipped")
        console.log(`${fault.name}: SKIPPED, and so not shown: ${result.why}`);
      console.log(`${fault.name}: ended after ${result.seconds} s`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}

function isIn(name: string): (part: string) => boolean {
  return (part) => name.toLowerCase().includes(part.toLowerCase());
}

/** Runs a fault in its own process group, so that everything it started ends with it. */
async function runApart({ name, promise }: Fault, seed: string): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "pet-alert-fault-"));
  const into = join(folder, "result.json");
  const began = performance.now();
  const child = Bun.spawn([process.execPath, import.meta.path, "--only", name, "--into", into], {
    env: { ...process.env, [SEED_VARIABLE]: seed, TMPDIR: folder },
    stdout: "inherit",
    stderr: "inherit",
    detached: true,
  });
  let isOver = false;
  const limit = setTimeout(() => {
    isOver = true;
    endGroup(child.pid);
  }, FAULT_SECONDS_MAX * 1_000);
  const code = await child.exited;
  clearTimeout(limit);
  endGroup(child.pid);
  const seconds = Math.round((performance.now() - began) / 1_000);
  const file = Bun.file(into);
  const ending: unknown = (await file.exists()) ? await file.json() : null;
  forget(folder);
  if (ending !== null) return { fault: name, promise, seconds, ...(ending as Ending) };
  const why = isOver
    ? `it was not done after ${FAULT_SECONDS_MAX} s`
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

async function runOne(name: string, into: string): Promise<number> {
  const fault = FAULTS.find((one) => one.name === name);
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
    case "ran": {
      const { failures, bites } = result.outcome;
      const blind = bites
        .filter(({ bit }) => !bit)
        .map(({ defence, found }) => `without ${defence} the check found nothing: ${found}`);
      const unproved = bites.length === 0 ? ["no defence was switched off"] : [];
      return [...failures, ...blind, ...unproved];
    }
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

/** Columns of a result in the table. */
function columns(result: Result): readonly string[] {
  const { fault, promise } = result;
  if (result.kind !== "ran") return [fault, promise, result.kind, "", ""];
  const { tried, lost, bites } = result.outcome;
  const bitten = bites.map(({ defence, found }) => `${defence}: ${found}`).join("; ");
  return [fault, promise, tried, lost, bitten];
}

function table(results: readonly Result[]): string {
  return results
    .map((result) => {
      const [fault, promise, tried, lost] = columns(result);
      const bites = result.kind === "ran" ? result.outcome.bites : [];
      return [
        `${troubles(result).length > 0 ? "FAILED " : ""}${fault} (${result.seconds} s): ${promise}`,
        `  tried  ${tried}`,
        `  lost   ${lost}`,
        ...troubles(result).map((sentence) => `  FAILED ${sentence}`),
        ...bites.map(
          ({ defence, found, bit }) =>
            `  without ${defence}: ${found}${bit ? "" : " (DID NOT BITE)"}`,
        ),
        "",
      ].join("\n");
    })
    .join("\n");
}

/** Throws when the document has no place for the table, or when some faults did not run. */
async function writeTable(results: readonly Result[]): Promise<void> {
  if (results.length < FAULTS.length)
    throw new Error(`${DOCUMENT} lists every fault: run them all to write its table`);
  const rows = [
    ["Fault", "What holds", "Tried", "Lost", "Found with the defence switched off"],
    ["---", "---", "---", "---", "---"],
    ...results.map(columns),
  ].map(
    (row) =>
      `| ${row.map((cell) => cell.replaceAll("|", "\\|").replaceAll(SCRATCH, "DATA_DIR")).join(" | ")} |`,
  );
  await writeGeneratedPart(DOCUMENT, COMMAND, rows.join("\n"));
}
