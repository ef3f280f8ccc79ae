import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Program } from "../support/process.ts";

/** One exact piece of the sources, and what stands in its place. */
export type Weakening = {
  /** "db/sqlite/open.ts" */
  readonly file: string;
  readonly piece: string;
  readonly instead: string;
};

/** A copy of the program with a defence switched off. */
export type Weakened = {
  /** Start it with `serve` and `run` of test/support/process.ts. */
  readonly program: Program;
  /** Where the copy lies. */
  readonly root: string;
  /**
   * A module of the copy, src, db, test/support and test/faults among them: what it imports is weakened too.
   * `load<typeof import("../../db/sqlite/open.ts")>("db/sqlite/open.ts")`
   */
  load<Module>(file: string): Promise<Module>;
  /** The copy's test/support/world.ts. */
  worlds(): Promise<Worlds>;
  forget(): void;
};

/** What makes a world, of the program as it is or of a copy. */
export type Worlds = typeof import("../support/world.ts");

const REPOSITORY = join(import.meta.dir, "../..");
const COPIED = [
  "src",
  "db",
  "test/support",
  "test/faults",
  "test/fuzz",
  "test/db/fixtures",
  "package.json",
  "tsconfig.json",
];

/**
 * Copies the sources into a scratch folder and takes defences out of the copy, so that the product needs no switch for
 * it. Throws when a piece does not stand in its file exactly once: then the defence has moved, and this must follow.
 */
export async function weakened(...weakenings: readonly Weakening[]): Promise<Weakened> {
  const root = mkdtempSync(join(tmpdir(), "pet-alert-weakened-"));
  const forget = () => rmSync(root, { recursive: true, force: true });
  try {
    for (const name of COPIED)
      cpSync(join(REPOSITORY, name), join(root, name), { recursive: true });
    symlinkSync(join(REPOSITORY, "node_modules"), join(root, "node_modules"));
    for (const weakening of weakenings) await weaken(root, weakening);
  } catch (error) {
    forget();
    throw error;
  }
  const load = <Module>(file: string) => import(join(root, file)) as Promise<Module>;
  return {
    program: { command: [process.execPath, "src/main.ts"], cwd: root },
    root,
    load,
    worlds: () => load<Worlds>("test/support/world.ts"),
    forget,
  };
}

/** What becomes of the same with a copy that lacks these defences. The copy is forgotten, whatever happens. */
export async function without<Result>(
  weakenings: readonly Weakening[],
  work: (copy: Weakened) => Promise<Result>,
): Promise<Result> {
  const copy = await weakened(...weakenings);
  try {
    return await work(copy);
  } finally {
    copy.forget();
  }
}

async function weaken(root: string, { file, piece, instead }: Weakening): Promise<void> {
  const path = join(root, file);
  const text = await Bun.file(path).text();
  const found = text.split(piece).length - 1;
  if (found !== 1)
    throw new Error(`the defence to switch off stands ${found} times in ${file}: ${piece}`);
  // A function, because "$&" in a replacement text would mean something.
  await Bun.write(
    path,
    text.replace(piece, () => instead),
  );
}
