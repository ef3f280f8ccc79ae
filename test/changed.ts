import { basename, dirname, join } from "node:path";

// `bun run test:changed [REVISION]`: the tests that depend on what differs from a revision (HEAD), nearest first, as many as
// a minute has room for by test/timings.json. `bun run test` runs all.

process.chdir(join(import.meta.dir, ".."));

const SECONDS_MAX = 60;
/** `bun run test` has as many workers. */
const WORKERS = navigator.hardwareConcurrency;
/** Of files that have no timing yet. */
const MS_UNKNOWN = 1_000;
/** They read the sources and documents as files. */
const READERS: readonly (readonly [files: RegExp, test: string])[] = [
  [/\.tsx?$/, "test/architecture.test.ts"],
  [/\.md$/, "test/docs.test.ts"],
];

const changed = [
  ...lines("git", "diff", "--name-only", process.argv[2] ?? "HEAD"),
  ...lines("git", "ls-files", "--others", "--exclude-standard"),
];
const dependents = await dependentsOf(changed);
const readers = READERS.filter(([files]) => changed.some((file) => files.test(file)));
const tests = new Set([
  ...readers.map(([, test]) => test),
  ...dependents.filter((file) => file.endsWith(".test.ts")),
]);
const timings: Record<string, number> = await Bun.file("test/timings.json")
  .json()
  .then(({ files }) => files)
  .catch(() => ({}));

let msLeft = SECONDS_MAX * 1_000 * WORKERS;
const chosen = [...tests].filter((file) => {
  const ms = timings[file] ?? MS_UNKNOWN;
  // A test that was changed itself runs, however long it takes.
  if (ms > msLeft && !changed.includes(file)) return false;
  msLeft -= ms;
  return true;
});
console.log(
  `${changed.length} changed files, ${tests.size} test files depend on them, ${tests.size - chosen.length} are left to "bun run test"`,
);
if (chosen.length > 0) {
  const files = chosen.map((file) => `./${file}`);
  const run = Bun.spawn([process.execPath, "--no-orphans", "test/run.ts", "--dots", ...files], {
    stdio: ["inherit", "inherit", "inherit"],
  });
  process.exitCode = await run.exited;
}

/** Files that depend on any of these, directly or through others, nearest first; those themselves included. */
async function dependentsOf(files: readonly string[]): Promise<string[]> {
  const importers = await readImporters(files);
  const found = new Set(files);
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
  return [...found];
}

/**
 * The files that import a file. One that no file imports, such as a document, is read by those that name it, or its path if
 * its name is a plain word.
 */
async function readImporters(files: readonly string[]): Promise<Map<string, string[]>> {
  const importers = new Map<string, string[]>();
  const add = (file: string, importer: string) =>
    importers.set(file, [...(importers.get(file) ?? []), importer]);
  const modules = [...new Bun.Glob("{src,db,deploy,test}/**/*.{ts,tsx}").scanSync(".")];
  const sources = await Promise.all(
    modules.map(async (path) => [path, await Bun.file(path).text()] as const),
  );
  for (const [path, source] of sources) {
    const transpiler = new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts" });
    for (const { path: imported } of transpiler.scanImports(source))
      if (imported.startsWith(".")) add(join(dirname(path), imported), path);
  }
  for (const file of files.filter((one) => !importers.has(one))) {
    const name = basename(file).includes(".") ? basename(file) : file;
    for (const [path, source] of sources) if (source.includes(name)) add(file, path);
  }
  return importers;
}

function lines(...command: string[]): string[] {
  const { stdout, stderr, success } = Bun.spawnSync(command);
  if (!success) throw new Error(`${stderr}`);
  return `${stdout}`.split("\n").filter((line) => line !== "");
}
