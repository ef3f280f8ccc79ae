import { mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Fault, Skipped } from "../chaos/fault.ts";
import type { Weakening } from "../chaos/weakened.ts";
import { searchAll } from "../chaos/client.ts";
import type { Program } from "../support/process.ts";
import { builtProgram, onDatabase, tryAll } from "./with-and-without.ts";

const REPOSITORY = join(import.meta.dir, "../..");
const LOAD_MS = 12_000;

/** A migration that is no addition for the program before it. */
const TAKE_AWAY: Weakening = {
  module: "db/postgres/migrations/all.ts",
  name: "MIGRATIONS",
  instead: `[
    ...original.MIGRATIONS,
    { name: "taking_away", sql: "alter table short_code add column kind text not null", programs: 1 },
  ]`,
};

/** Node 0 runs the program as it was before the newest migration; the others bring the new one, and migrate beside it. */
export const upgrade: Fault = {
  name: "a release beside the one before",
  promise:
    "nodes of two releases serve one database at the same time, and all agree on what is stored",
  async run(say) {
    const { program: older, commit } = await programBeforeMigration();
    const outcome = await tryAll(
      [["migrations that only add", TAKE_AWAY]],
      (program) =>
        onDatabase(({ url }) => ({
          purpose: "two releases",
          url,
          program,
          programs: { 0: older },
          async inflict(service) {
            await Bun.sleep(LOAD_MS);
            const found = await searchAll(service.fetchOf(0));
            return found.length > 0 ? [] : ["the older program has published nothing"];
          },
        })),
      say,
    );
    return { ...outcome, tried: `the program before ${commit} beside this one, ${outcome.tried}` };
  },
};

/** Executable built from the commit before the newest migration. */
async function programBeforeMigration(): Promise<{ program: Program; commit: string }> {
  const commit = await git("log", "-1", "--format=%h", "--", "db/postgres/migrations/*.sql");
  const before = await git("rev-parse", "--verify", "--quiet", `${commit}^`);
  if (commit === "" || before === "")
    throw new Skipped("the commit before the newest migration is not in this clone");
  const root = mkdtempSync(join(tmpdir(), "pet-alert-before-"));
  const unpacked = Bun.spawn(
    [
      "sh",
      "-c",
      'git archive "$1" src db deploy package.json tsconfig.json | tar x -C "$2"',
      "sh",
    ].concat(before, root),
    { cwd: REPOSITORY, stderr: "inherit" },
  );
  if ((await unpacked.exited) !== 0) throw new Error(`${before} could not be unpacked`);
  symlinkSync(join(REPOSITORY, "node_modules"), join(root, "node_modules"));
  // Made when packages are installed, and in no commit.
  const gazetteer = Bun.spawn([process.execPath, "src/geo/pack.ts"], { cwd: root });
  await gazetteer.exited;
  const { build } = (await import(
    join(root, "deploy/build.ts")
  )) as typeof import("../../deploy/build.ts");
  return { program: await builtProgram(build), commit };
}

async function git(...words: readonly string[]): Promise<string> {
  const child = Bun.spawn(["git", ...words], { cwd: REPOSITORY, stdout: "pipe", stderr: "ignore" });
  return (await new Response(child.stdout).text()).trim();
}
