import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../db/sqlite/migrate.ts";
import { MIGRATIONS } from "../../db/sqlite/migrations/all.ts";
import { DATABASE_FILE, openDatabase } from "../../db/sqlite/open.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pet-alert-open-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("opening a data folder", () => {
  /** Opens the folder in another process. */
  const elsewhere = () =>
    Bun.spawn(
      [
        process.execPath,
        "-e",
        `import {openDatabase} from "./db/sqlite/open.ts"; openDatabase(${JSON.stringify(folder)}).close(); console.log("opened")`,
      ],
      { stdout: "pipe", stderr: "pipe" },
    );

  test("sets every durability option on every open", () => {
    for (const _ of ["new", "again"]) {
      const database = openDatabase(folder);
      const pragma = (name: string) =>
        Object.values(database.sqlite.query(`PRAGMA ${name}`).get() as object)[0];

      expect(
        ["journal_mode", "synchronous", "foreign_keys", "secure_delete", "trusted_schema"].map(
          pragma,
        ),
      ).toEqual(["wal", 2, 1, 1, 0]);
      database.close();
    }
  });

  test("keeps the log file after a clean stop, so that a full disk cannot lock the owner out", () => {
    openDatabase(folder).close();

    expect(existsSync(join(folder, `${DATABASE_FILE}-wal`))).toBe(true);
  });

  test("lets no other user read a file in it or hold the lock, whatever its modes were", () => {
    const open = () =>
      readdirSync(folder).filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);
    openDatabase(folder).close();
    expect(open()).toEqual([]);
    chmodSync(join(folder, "lock.sqlite"), 0o644);

    openDatabase(folder).close();

    expect(open()).toEqual([]);
  });

  test("does not release the lock when the same process requests it again", async () => {
    const first = openDatabase(folder);

    expect(() => openDatabase(folder)).toThrow("Another Pet Alert process");

    expect(await elsewhere().exited).not.toBe(0);
    first.close();
  });

  test.each([
    ["empty", "755", "700"],
    ["empty", "777", "700"],
    ["ours", "755", "700"],
    ["ours", "750", "750"],
    ["ours", "700", "700"],
    ["somebody's", "755", "755"],
  ])("of a folder that is %s turns the mode %s to %s", (whose, before, after) => {
    const dataDir = join(folder, "data");
    mkdirSync(dataDir);
    if (whose === "ours") openDatabase(dataDir).close();
    if (whose === "somebody's") writeFileSync(join(dataDir, "theirs"), "");
    chmodSync(dataDir, Number.parseInt(before, 8));

    const database = openDatabase(dataDir);

    expect((statSync(dataDir).mode & 0o777).toString(8)).toBe(after);
    expect(database.wasOpenToOthers).toBe(before !== after);
    database.close();
  });

  test("a second process is refused with a message while the first uses the folder, and admitted afterwards", async () => {
    const first = openDatabase(folder);
    const refused = elsewhere();
    expect(await refused.exited).not.toBe(0);
    expect(await new Response(refused.stderr).text()).toContain(
      "Another Pet Alert process is using the data folder",
    );

    first.close();
    expect(await new Response(elsewhere().stdout).text()).toContain("opened");
  });
});

describe("migrations", () => {
  const open = () => new Database(join(folder, "x.sqlite"), { create: true, strict: true });

  test("copy the database before they change it, and keep the last two copies", () => {
    const database = open();
    const known = [...MIGRATIONS];
    for (const number of [1, 2, 3, 4]) {
      migrate(database, folder, known);
      known.push({ name: `9999_${number}`, sql: `CREATE TABLE extra_${number} (id INTEGER)` });
    }

    const copies = readdirSync(folder).filter((name) => name.startsWith("before-migration-"));
    expect(copies.toSorted()).toEqual(
      [1, 2].map((later) => `before-migration-${MIGRATIONS.length + later}.sqlite`).toSorted(),
    );
    database.close();
  });

  test("a migration that breaks references is rolled back, and the copy from before it stays", () => {
    const database = open();
    migrate(database, folder);
    const breaking = {
      name: "9999_breaking",
      sql: "CREATE TABLE half (id INTEGER);--> statement-breakpoint\nINSERT INTO message (id, conversation_id, \"from\", text, created_at) VALUES ('m', 'no such conversation', 'owner', 'x', 1)",
    };

    expect(() => migrate(database, folder, [...MIGRATIONS, breaking])).toThrow("broken references");

    expect(database.query("SELECT name FROM sqlite_master WHERE name = 'half'").get()).toBeNull();
    expect(readdirSync(folder)).toContain(`before-migration-${MIGRATIONS.length}.sqlite`);
    database.close();
  });
});

test("a service on a folder loads nothing of PostgreSQL", () => {
  const list = "Object.keys(require.cache).join()";
  const { stdout } = Bun.spawnSync(
    [process.execPath, "--eval", `await import("./src/start.ts"); console.log(${list})`],
    { cwd: join(import.meta.dir, "../..") },
  );
  const loaded = stdout.toString();

  expect(loaded).toContain("/db/sqlite/open.ts");
  expect(loaded).not.toMatch(/db\/postgres\/|drizzle-orm\/(bun-sql\/|pg-core\/dialect)/);
}, 60_000);
