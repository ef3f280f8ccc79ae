import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { migrate } from "../../db/sqlite/migrate.ts";
import { MIGRATIONS } from "../../db/sqlite/migrations/all.ts";
import { DATABASE_FILE, openDatabase } from "../../db/sqlite/open.ts";
import { readConfig } from "../../src/settings/config.ts";
import { memoryTransport } from "../support/memory-transport.ts";
import { type Weakened, weakened } from "../chaos/weakened.ts";
import { fill, NEXT_RELEASE, NEXT_SQLITE, rowsOf } from "../support/next-release.ts";
import { scratchFolder } from "../support/process.ts";
import { BASE_URL, createWorld, form, type World } from "../support/world.ts";

const COPY = `before-migration-${MIGRATIONS.length}.sqlite`;

describe("a data folder of this release", () => {
  let next: Weakened;
  beforeAll(async () => {
    next = await weakened(...NEXT_RELEASE);
  });
  afterAll(() => next.remove());

  let world: World;
  let file: string;
  let known: Awaited<ReturnType<typeof fill>>;
  beforeEach(async () => {
    world = await createWorld();
    known = await fill(world);
    await world.app.stop();
    file = join(world.dataDir, DATABASE_FILE);
  });
  afterEach(() => world.end());

  const upgrade = async () => {
    const { openDatabase: open } =
      await next.load<typeof import("../../db/sqlite/open.ts")>("db/sqlite/open.ts");
    open(world.dataDir).close();
  };

  test("opens in the next one with all its rows, each of which refers to what it did", async () => {
    const before = rowsOf(file);
    expect(before["zone_news"]?.length).toBeGreaterThan(0);

    await upgrade();

    const after = rowsOf(file);
    const zones = before["zone"]?.map((zone) => ({ colour: null, ...zone }));
    expect(after).toEqual({ ...before, zone: zones ?? [], migration: after["migration"] ?? [] });
    expect(after["migration"]?.map(({ name }) => name)).toEqual([
      ...MIGRATIONS.map(({ name }) => name),
      NEXT_SQLITE.name,
    ]);
    const database = new Database(file, { readonly: true });
    expect(database.query("PRAGMA foreign_key_check").all()).toEqual([]);
    database.close();
  });

  test("is served by the next one as before", async () => {
    const { start } = await next.load<typeof import("../../src/start.ts")>("src/start.ts");
    const transport = memoryTransport();
    const settings = { BASE_URL, DATA_DIR: world.dataDir, BACKUP_KEEP: "off" };
    const app = await start(readConfig(settings), {
      clock: world.now,
      transport,
      log: (event, details) => {
        throw new Error(`${event} ${Bun.inspect(details)}`);
      },
    });
    const page = async (path: string, init: RequestInit = {}) => {
      const request = new Request(`${BASE_URL}${path}`, { redirect: "manual", ...init });
      const answer = await app.fetch(request, "198.51.100.7");
      return { status: answer.status, text: await answer.text() };
    };

    expect((await page(known.alert)).text).toContain("Mimi");
    expect((await page(known.manage)).text).toContain("Mimi");
    expect((await page(known.conversation)).text).toContain("Seen!");
    expect((await page(known.confirm, { method: "POST", ...form({}) })).status).toBeLessThan(400);
    await app.tick();
    const to = await Promise.all(transport.kept.map(({ raw }) => PostalMime.parse(raw)));
    expect(to.map((email) => email.to?.[0]?.address)).toContain("waiting@example.org");
    await app.stop();
  });

  test("was copied before, and the copy serves as before", async () => {
    const before = rowsOf(file);

    await upgrade();

    const copies = readdirSync(world.dataDir).filter((name) => name.startsWith("before-"));
    expect(copies).toEqual([COPY]);
    const back = scratchFolder();
    copyFileSync(join(world.dataDir, COPY), join(back.path, DATABASE_FILE));
    openDatabase(back.path).close();
    expect(rowsOf(join(back.path, DATABASE_FILE))).toEqual(before);
    back.forget();
  });

  test("is refused by this one afterwards, and not changed", async () => {
    await upgrade();
    const before = readFileSync(file);

    expect(() => openDatabase(world.dataDir)).toThrow("written by a newer version");

    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("is not changed if a page of it is damaged", async () => {
    spoilIndex(file);
    const before = readFileSync(file);

    await expect(upgrade()).rejects.toThrow("is damaged");

    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(world.dataDir)).not.toContain(COPY);
  });
});

test("a data folder of another history is refused with a sentence, and not changed", () => {
  const folder = scratchFolder();
  const file = join(folder.path, DATABASE_FILE);
  const other = new Database(file, { create: true, strict: true });
  other.run("PRAGMA journal_mode = WAL");
  const steps = Array.from({ length: 24 }, (_, number) => ({
    name: number === 0 ? "0000_first" : `${number}`,
    sql: `CREATE TABLE table_${number} (id INTEGER PRIMARY KEY)`,
  }));
  migrate(other, folder.path, steps);
  other.close();
  for (const copy of readdirSync(folder.path).filter((name) => name.startsWith("before-")))
    rmSync(join(folder.path, copy));
  const before = readFileSync(file);

  expect(() => openDatabase(folder.path)).toThrow(
    "written by another version of Pet Alert, with a different history: its migration 0000_first differs",
  );

  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(folder.path).filter((name) => name.startsWith("before-"))).toEqual([]);
  folder.forget();
});

/** Overwrites the root page of an index. */
function spoilIndex(file: string): void {
  const database = new Database(file);
  const { page_size: size } = database.query<{ page_size: number }, []>("PRAGMA page_size").get()!;
  const { rootpage } = database
    .query<{ rootpage: number }, []>(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'alert_by_revision'",
    )
    .get()!;
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xa5, (rootpage - 1) * size, rootpage * size));
}
