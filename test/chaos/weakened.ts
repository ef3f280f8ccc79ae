import { cpSync, existsSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { CapName } from "../../src/core/caps.ts";
import type { Program } from "../support/process.ts";

/**
 * An export of a module and the expression that replaces it for every module that imports it. The expression may use
 * `original`, the unchanged module: `{ ...original.CAPS, matchEmailsPerAlert: { max: 1e9, windowMs: 1 } }`.
 */
export type Weakening = {
  /** "src/core/caps.ts" */
  readonly module: string;
  readonly name: string;
  readonly instead: string;
};

/** Caps raised so high that nobody reaches them. */
export function withoutCaps(...names: readonly CapName[]): Weakening {
  const raised = names.map((name) => `${name}: { ...original.CAPS.${name}, max: 1e9 }`);
  return {
    module: "src/core/caps.ts",
    name: "CAPS",
    instead: `{ ...original.CAPS, ${raised.join(", ")} }`,
  };
}

/** A copy of the program with defences switched off. */
export type Weakened = {
  /** Start it with `serve` and `run` of test/support/process.ts. */
  readonly program: Program;
  /** Folder of the copy. */
  readonly root: string;
  /**
   * Imports a module of the copy (src, db, test/support, test/chaos, ...), so that its imports are weakened too:
   * `load<typeof import("../../db/sqlite/open.ts")>("db/sqlite/open.ts")`
   */
  load<Module>(file: string): Promise<Module>;
  /** The copy's test/support/world.ts. */
  worlds(): Promise<Worlds>;
  remove(): void;
};

/** Module that creates test worlds: of the program as it is, or of a copy. */
export type Worlds = typeof import("../support/world.ts");

const REPOSITORY = join(import.meta.dir, "../..");
const COPIED = [
  "src",
  "db",
  "test",
  "deploy",
  "docs",
  "bunfig.toml",
  "package.json",
  "tsconfig.json",
];

/**
 * Copies the sources into a scratch folder and replaces exports in the copy, so that the product needs no switch for
 * it. Throws when a module has no export of that name.
 */
export async function weakened(...weakenings: readonly Weakening[]): Promise<Weakened> {
  const root = mkdtempSync(join(tmpdir(), "pet-alert-weakened-"));
  const forget = () => rmSync(root, { recursive: true, force: true });
  try {
    for (const name of COPIED)
      cpSync(join(REPOSITORY, name), join(root, name), { recursive: true });
    symlinkSync(join(REPOSITORY, "node_modules"), join(root, "node_modules"));
    for (const weakening of weakenings) await replaceExport(root, weakening);
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
    remove: forget,
  };
}

/** Runs `work` against a copy without these defences, then deletes the copy. */
export async function without<Result>(
  weakenings: readonly Weakening[],
  work: (copy: Weakened) => Promise<Result>,
): Promise<Result> {
  const copy = await weakened(...weakenings);
  try {
    return await work(copy);
  } finally {
    copy.remove();
  }
}

/** Renames the module and writes a new one that re-exports it with one name replaced. */
async function replaceExport(root: string, { module, name, instead }: Weakening): Promise<void> {
  const path = join(root, module);
  const aside = (nth: number) => path.replace(/(\.tsx?)$/, `.original${nth}$1`);
  let nth = 1;
  while (existsSync(aside(nth))) nth += 1;
  renameSync(path, aside(nth));
  const exported = new RegExp(`^export (?:async )?(?:const|function) ${name}\\b`, "m");
  if (!exported.test(await Bun.file(aside(1)).text()))
    throw new Error(`${module} has no export ${name}: rename it in the test`);
  const from = `"./${basename(aside(nth))}"`;
  await Bun.write(
    path,
    `import * as original from ${from};
export * from ${from};
export const ${name}: any = ${instead};
`,
  );
}
