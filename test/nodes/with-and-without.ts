import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../../deploy/build.ts";
import { type Bite, biteOf } from "../chaos/fault.ts";
import { type Weakening, without } from "../chaos/weakened.ts";
import { createDatabase } from "../support/postgres.ts";
import type { Program } from "../support/process.ts";
import { type Run, type RunOptions, underLoad } from "./under-load.ts";

const SHOWN_MAX = 5;

/** Runs on a database of its own. */
export async function onDatabase(
  options: (database: Awaited<ReturnType<typeof createDatabase>>) => RunOptions,
): Promise<Run> {
  const database = await createDatabase();
  return underLoad(options(database));
}

/** Runs once with all defences, and once without each of them. */
export async function tryAll(
  defences: readonly (readonly [string, ...Weakening[]])[],
  run: (program: Program, isWeak?: boolean) => Promise<Run>,
  say: (line: string) => void,
) {
  const real = await run(await builtProgram());
  say(real.tried);
  const bites: Bite[] = [];
  for (const [defence, ...weakenings] of defences) {
    const { failures } = await run(await weakProgram(...weakenings), true);
    const bite = biteOf(defence, failures, failures.slice(0, SHOWN_MAX).join("; ") || "nothing");
    bites.push(bite);
    say(`without ${defence}: ${bite.found}`);
  }
  return {
    tried: real.tried,
    lost: String(real.failures.length),
    failures: real.failures.slice(0, SHOWN_MAX),
    bites,
  };
}

/** The executable: it starts three times as fast as the sources, which matters where nodes are killed. */
export async function builtProgram(make = build): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), "pet-alert-built-"));
  const file = join(folder, "pet-alert");
  await make(file, "this machine");
  return { command: [file], cwd: folder };
}

/** The executable without some defences. */
export async function weakProgram(...weakenings: readonly Weakening[]): Promise<Program> {
  return without(weakenings, async (copy) => {
    const { build } = await copy.load<typeof import("../../deploy/build.ts")>("deploy/build.ts");
    return builtProgram(build);
  });
}
