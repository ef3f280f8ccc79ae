import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// `bun test/bench/walks.ts`: files of src and db that run code for three requests, beside what starting the service runs.

const REPOSITORY = join(import.meta.dir, "../..");
const PROGRAM = join(import.meta.dir, "one-walk.ts");
/** Each request, and what ran before it. */
const WALKS = { search: "nothing", publication: "nothing", matches: "alert" };

for (const [walk, before] of Object.entries(WALKS)) {
  const [idle, lines] = [await linesRun(before), await linesRun(walk)];
  const files = [...lines]
    .filter(([file, hits]) => hits.some((count, at) => count > (idle.get(file)?.[at] ?? 0)))
    .map(([file]) => file)
    .toSorted();
  console.log(`${walk}: ${files.length} files`);
  for (const file of files) console.log(`  ${file}`);
}

/** Times each line ran, by file, in the order of the report. */
async function linesRun(walk: string): Promise<Map<string, number[]>> {
  const folder = mkdtempSync(join(tmpdir(), "pet-alert-walk-"));
  const test = Bun.spawn(
    ["bun", "test", "--coverage", "--coverage-reporter=lcov", `--coverage-dir=${folder}`, PROGRAM],
    { cwd: REPOSITORY, env: { ...process.env, WALK: walk }, stdio: ["ignore", "ignore", "pipe"] },
  );
  if ((await test.exited) !== 0) throw new Error(await test.stderr.text());
  const report = await Bun.file(join(folder, "lcov.info")).text();
  rmSync(folder, { recursive: true, force: true });
  const files = new Map<string, number[]>();
  for (const part of report.split("end_of_record")) {
    const file = /^SF:(.*)$/m.exec(part)?.[1];
    if (file === undefined || !/^(?:src|db)\//.test(file)) continue;
    files.set(
      file,
      [...part.matchAll(/^DA:\d+,(\d+)$/gm)].map(([, count]) => Number(count)),
    );
  }
  return files;
}
