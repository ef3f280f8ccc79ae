import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { demo } from "../../src/commands/demo.ts";
import { FROM_SOURCES, freePort, run, scratchFolder } from "../support/process.ts";
import { createWorld } from "../support/world.ts";
import { openShell, type Shell } from "./shell.ts";

const DATABASE = "pet-alert.sqlite";

let shell: Shell;
beforeAll(async () => {
  shell = openShell();
  await shell.run(demo, ["Lyon", "--count", "100", "--pictures", "0"]);
  // Else the log would hold what is damaged once more.
  const database = new Database(join(shell.dataDir, DATABASE));
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  for (const log of ["-wal", "-shm"]) rmSync(join(shell.dataDir, DATABASE + log), { force: true });
});
afterAll(() => shell.end());

let scratch: ReturnType<typeof scratchFolder>;
let data: string;
let settings: Readonly<Record<string, string>>;
beforeEach(async () => {
  scratch = scratchFolder();
  data = join(scratch.path, "data");
  cpSync(shell.dataDir, data, { recursive: true });
  settings = { DATA_DIR: data, PORT: String(await freePort()), HOST: "127.0.0.1" };
});
afterEach(() => scratch.forget());

const file = () => join(data, DATABASE);
const fill = (from: number, to: number) => {
  const bytes = readFileSync(file());
  writeFileSync(
    file(),
    bytes.fill(0xa5, Math.floor(bytes.length * from), Math.floor(bytes.length * to)),
  );
};
const sql = (statement: string) => {
  const database = new Database(file());
  database.run(statement);
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
};

describe.each<[string, () => void]>([
  ["pages in its middle are overwritten", () => fill(0.1, 0.9)],
  ["it is cut short", () => truncateSync(file(), Math.floor(statSync(file()).size / 2))],
  [
    "another program added a trigger",
    () => sql("CREATE TRIGGER spy AFTER INSERT ON hit BEGIN SELECT 1; END"),
  ],
])("a database of which %s", (_what, spoil) => {
  beforeEach(spoil);

  test.each([
    ["serve", []],
    ["export", ["out.jsonl"]],
    ["backup", ["copy"]],
  ])("is told by %s in a sentence, and leaves nothing", async (command, words) => {
    const paths = words.map((word) => join(scratch.path, word));

    const { code, said, errors } = await run(FROM_SOURCES, [command, ...paths], settings);

    expect({ code, said }).toEqual({ code: 1, said: "" });
    const sentences = errors.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
    expect(sentences).toHaveLength(1);
    expect(sentences[0]).toMatch(
      /^(The|.*: The) .*(damaged|no database|did not make|cannot be read).*\.$/,
    );
    expect(errors).not.toMatch(/^\s+at /m);
    for (const path of paths) expect(existsSync(path)).toBe(false);
  });

  test("is told by check, beside what else it finds", async () => {
    const { code, said, errors } = await run(FROM_SOURCES, ["check"], settings);

    expect(said).toMatch(
      /^fix {3}.*(damaged|did not make|cannot be read).*\.\n {6}Stop the service and restore a backup\.$/m,
    );
    expect(said).toMatch(/To fix: \d+\./);
    expect({ code, errors }).toEqual({ code: 1, errors: "" });
  });
});

test.each([
  ["export", "out.jsonl"],
  ["backup", "copy"],
])(
  "a value that cannot be read is told by %s in a sentence, and leaves nothing",
  async (command, name) => {
    sql(`UPDATE alert SET photos = '["'`);

    const { code, errors } = await run(FROM_SOURCES, [command, join(scratch.path, name)], settings);

    expect(code).toBe(1);
    expect(errors).toMatch(/^The .*(damaged|cannot be read).*\.\n$/);
    expect(existsSync(join(scratch.path, name))).toBe(false);
  },
);

test("a sound database is told so by check, with copies that earlier versions left and names that are links", async () => {
  const copy = join(data, "before-migration-4.sqlite");
  writeFileSync(copy, "x");
  utimesSync(
    copy,
    Date.parse("2026-11-01T08:00:00Z") / 1000,
    Date.parse("2026-11-01T08:00:00Z") / 1000,
  );
  mkdirSync(join(data, "replaced-2026-11-02T08-00-00Z"));
  symlinkSync("/etc/passwd", join(data, "photos", `${"a".repeat(32)}.webp`));

  const { said } = await run(FROM_SOURCES, ["check"], settings);

  expect(said).toContain(
    "ok    Every page and row of the database is readable: 100 alerts, 0 zones.",
  );
  expect(said).toContain("before-migration-4.sqlite (until 2026-12-01T08:00:00Z)");
  expect(said).toContain("replaced-2026-11-02T08-00-00Z (until 2026-12-02T08:00:00Z)");
  expect(said).toContain("entries that are not regular files (1), such as aaaa");
});

test("a database that is damaged while it is served is answered with 503, with a line in the log", async () => {
  const world = await createWorld();
  const { slug, id } = await world.publish();
  const other = new Database(join(world.dataDir, DATABASE));
  other.run(`UPDATE alert SET photos = '["', revision = revision + 1`);
  other.close();

  const answers = await Promise.all(
    [`/api/v1/alerts/${id}/matches`, `/alerts/${slug}`, `/api/v1/alerts/${id}`].map((path) =>
      world.fetch(path),
    ),
  );
  const unavailable = answers.filter(({ status }) => status === 503);

  expect(
    answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 503),
  ).toEqual([]);
  expect(unavailable.length).toBeGreaterThan(0);
  expect(await unavailable[0]?.text()).not.toContain("JSON");
  expect(world.logged.filter((line) => line.startsWith("database_damaged")).length).toBeGreaterThan(
    0,
  );
  await world.end();
});
