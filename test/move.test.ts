import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getTableColumns, getTableName } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Reader } from "../db/context.ts";
import { openPostgres } from "../db/postgres/open.ts";
import { copyTables, requireEmpty } from "../db/postgres/move.ts";
import { createPostgresStore } from "../db/postgres/store.ts";
import { openAlone, openDatabase, openToRead } from "../db/sqlite/open.ts";
import { createSqliteReader, SQLITE_TABLES } from "../db/sqlite/reader.ts";
import { fileTombstones } from "../db/sqlite/tombstones.ts";
import { demo } from "../src/commands/demo.ts";
import { move } from "../src/commands/move.ts";
import type { Tombstone } from "../db/tombstone.ts";
import type { Store } from "../src/core/service/store.ts";
import { openBucket } from "../src/storage/bucket/bucket.ts";
import { openBucketPhotos } from "../src/storage/bucket/photos.ts";
import { bucketTombstones } from "../src/storage/bucket/tombstones.ts";
import { readConfig } from "../src/settings/config.ts";
import { memoryTransport } from "./support/memory-transport.ts";
import { start } from "../src/start.ts";
import { openShell, type Shell } from "./commands/shell.ts";
import { makeBulk } from "./support/make.ts";
import { createDatabase, postgresTests, type TestDatabase } from "./support/postgres.ts";
import { startProxy } from "./support/postgres-proxy.ts";
import { FROM_SOURCES, until } from "./support/process.ts";
import { createBucket, type TestBucket } from "./support/s3.ts";
import { DAWN } from "./support/time.ts";

const { describe, test } = postgresTests;

let shell: Shell;
let database: TestDatabase;
let bucket: TestBucket;
beforeEach(async () => {
  shell = openShell();
  database = await createDatabase();
  bucket = await createBucket();
});
afterEach(async () => {
  shell.end();
  bucket.stop();
  await database.release();
});

const settings = () => ({
  DATABASE_URL: database.url,
  S3_URL: bucket.url,
  SECRET_KEY_FILE: join(shell.dataDir, "secret.key"),
  SMTP_URL: "smtp://127.0.0.1:1",
});
const runMove = (more: Readonly<Record<string, string>> = {}, stopped?: AbortSignal) =>
  shell.run(move, [], {
    settings: { ...settings(), ...more },
    ...(stopped === undefined ? {} : { stopped }),
  });

/** Hash of every file of the folder, without those that SQLite makes for whoever reads. */
function contents(): Record<string, string> {
  const files = readdirSync(shell.dataDir, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      statSync(join(shell.dataDir, file)).isFile() && !/lock\.sqlite|-wal$|-shm$/.test(file),
  );
  return Object.fromEntries(
    files.toSorted().map((file) => {
      const bytes = readFileSync(join(shell.dataDir, file));
      return [file, createHash("sha256").update(bytes).digest("hex")];
    }),
  );
}

/** Made-up alerts with pictures, and two that were erased. */
async function fillFolder(): Promise<void> {
  await shell.run(demo, ["Lyon", "--count", "30", "--pictures", "4"]);
  await shell.look(async ({ store }) => {
    for (const { id } of (await store.alertsAfter(null, 2)).slice(0, 2))
      await store.removeAlert(id, DAWN);
  });
  const { sqlite, close } = openDatabase(shell.dataDir);
  await fillEmptyTables(sqlite);
  close();
}

/** Adds two rows to each table that is empty, with every kind of value. */
async function fillEmptyTables(sqlite: Database): Promise<void> {
  const { db } = createSqliteReader(sqlite);
  // Each table is declared after those that it refers to.
  for (const table of Object.values<PgTable>(SQLITE_TABLES)) {
    if ((await db.select().from(table).limit(1)).length > 0) continue;
    for (const nth of [1, 2])
      await db
        .insert(table)
        .values(
          Object.fromEntries(
            Object.entries(getTableColumns(table)).map(([key, column]) => [
              key,
              valueFor(sqlite, column, nth),
            ]),
          ),
        );
  }
  expect(sqlite.query("PRAGMA foreign_key_check").all()).toEqual([]);
}

function valueFor(sqlite: Database, column: PgColumn, nth: number): unknown {
  const reference = sqlite
    .query<{ from: string; table: string; to: string }, [string]>(
      'select "from", "table", "to" from pragma_foreign_key_list(?)',
    )
    .all(getTableName(column.table))
    .find(({ from }) => from === column.name);
  if (reference !== undefined)
    return sqlite
      .query<{ value: string }, [number]>(
        `select "${reference.to}" as value from "${reference.table}" order by 1 limit 1 offset ?`,
      )
      .get(nth - 1)!.value;
  if (!column.notNull && nth === 2) return null;
  if (column.dataType === "json") return { z: [nth, 1.5], a: "é" };
  if (column.dataType === "boolean") return nth === 2;
  if (column.getSQLType() === "real") return 45.123_456_789 + nth;
  if (column.dataType === "number") return 2 ** 52 + nth;
  return `${column.name} ${nth} "ß" 🐈`;
}

/** All rows of both databases, table by table, as sorted JSON. */
async function bothDatabases(): Promise<[source: Tables, target: Tables]> {
  const pool = await openPostgres(database.url, 1);
  const { sqlite, close } = openToRead(shell.dataDir);
  const rows = [await rowsOf(createSqliteReader(sqlite)), await rowsOf(pool)] as const;
  close();
  await pool.close();
  return [...rows];
}

type Tables = Record<string, string[]>;

async function rowsOf({ db, tables }: Reader): Promise<Tables> {
  const all: Tables = {};
  for (const table of Object.values<PgTable>(tables))
    all[getTableName(table)] = (await db.select().from(table))
      .map((row) => JSON.stringify(ordered(row)))
      .toSorted();
  return all;
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => [name, ordered(part)]);
}

async function openTarget(): Promise<Store> {
  return createPostgresStore(await openPostgres(database.url, 2));
}

async function isTargetEmpty(): Promise<boolean> {
  const pool = await openPostgres(database.url, 1);
  const outcome = await requireEmpty(pool).then(
    () => true,
    () => false,
  );
  await pool.close();
  return outcome;
}

describe("move", () => {
  test("copies every row, photo and tombstone, says what is left to do, and leaves the folder as it was", async () => {
    await fillFolder();
    const before = contents();

    const { code, said } = await runMove();

    expect(code).toBe(0);
    expect(said).toMatch(/^Moved and compared: 30 alerts, .* photo files; \d+ rows in all\./);
    expect(said).toContain(
      `the key of this folder, ${shell.dataDir}/secret.key, as its SECRET_KEY`,
    );
    expect(said).toContain("Never run the old service beside a node");
    expect(contents()).toEqual(before);
    const [source, target] = await bothDatabases();
    expect(Object.values(source).every((rows) => rows.length > 0)).toBe(true);
    expect(target).toEqual(source);

    const inBucket = openBucket(bucket.address);
    const byLine = (stones: readonly Tombstone[]) =>
      stones.toSorted((a, b) => (a.line < b.line ? -1 : 1));
    const stones = await bucketTombstones(inBucket).all();
    expect(stones.length).toBeGreaterThan(1);
    expect(byLine(stones)).toEqual(byLine(fileTombstones(shell.dataDir).all()));
    const photos = openBucketPhotos(inBucket);
    const names = (await photos.names(null, 500)).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(3);
    for (const name of names)
      for (const [size, suffix] of [
        ["full", ""],
        ["thumb", "-480"],
      ] as const)
        expect(await photos.read(name, size)).toEqual(
          readFileSync(join(shell.dataDir, "photos", `${name}${suffix}.webp`)),
        );
  });

  test("gives a node what the folder gave its service, which goes on with its numbers", async () => {
    await fillFolder();
    const api = "/api/v1/alerts?limit=100";
    const get = (path: string) => new Request(`http://localhost:3000${path}`);
    const before = await shell.look(async (app) =>
      (await app.fetch(get(api), "198.51.100.7")).json(),
    );
    await runMove();

    const node = await start(readConfig({ ...settings(), LOG_REQUESTS: "off" }), {
      transport: memoryTransport(),
      log: () => {},
    });
    const after: any = await (await node.fetch(get(api), "198.51.100.7")).json();
    const photo = after.alerts.find((alert: any) => alert.photos?.length > 0)?.photos[0];
    const shown = await node.fetch(get(new URL(photo.url ?? photo).pathname), "198.51.100.7");
    const { revision } = await node.store.position();
    await node.store.addAlerts([makeBulk({ source: "after the move" })], DAWN);
    await node.store.countHits([{ key: "after the move", max: 5, windowMs: 1_000 }], DAWN);
    expect((await node.store.position()).revision).toBe(revision + 1);
    await node.stop();

    expect(after).toEqual(before);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/webp"]);
  });
});

const refusal = (more?: Readonly<Record<string, string>>, stopped?: AbortSignal) =>
  runMove(more, stopped).then(
    () => "moved",
    (error: unknown) => String(error),
  );

describe("move refuses with a sentence, and changes nothing,", () => {
  test("without a database to move to, without a folder, while the service uses the folder, and with another key for the nodes or none", async () => {
    await expect(shell.run(move, [])).rejects.toThrow("DATABASE_URL, which is not set");
    expect(await refusal()).toContain("There is no database in");
    await fillFolder();
    const service = openDatabase(shell.dataDir);
    expect(await refusal()).toContain("Another Pet Alert process is using the data folder");
    service.close();
    const other = join(shell.folder, "other.key");
    writeFileSync(other, new Uint8Array(32).fill(7));
    expect(await refusal({ SECRET_KEY_FILE: other })).toContain("is not the key of");
    rmSync(join(shell.dataDir, "secret.key"));
    expect(await refusal()).toContain("secret.key is missing");
    expect(await isTargetEmpty()).toBe(true);
  });

  test("into a bucket that cannot be written, that of another service, or a database that is not empty", async () => {
    await fillFolder();
    bucket.trouble("read-only");
    expect(await refusal()).toContain("The key of S3_URL may not do everything");
    bucket.trouble("read-only", 0);
    const name = `${"0".repeat(32)}.webp`;
    await openBucket(bucket.address).put(`photos/${name}`, new Uint8Array(1), "image/webp");
    expect(await refusal()).toContain("Each service needs a bucket of its own");
    expect(await isTargetEmpty()).toBe(true);

    const target = await openTarget();
    await target.addAlerts([makeBulk()], DAWN);
    await target.close();
    const requests = bucket.requests.length;
    const sentence = await refusal();
    expect(sentence).toContain("The database of DATABASE_URL is not empty");
    expect(sentence).toContain("To move once more, drop the database and create it again");
    expect(bucket.requests).toHaveLength(requests);
  });

  test("when it is stopped, and can be run again", async () => {
    await fillFolder();
    const stopped = new AbortController();
    stopped.abort();

    expect(await refusal({}, stopped.signal)).toContain("the database is still empty");
    expect(await isTargetEmpty()).toBe(true);
    expect(await refusal()).toBe("moved");
  });
});

describe("a move whose connection is lost says how to find out what became of it:", () => {
  test.each([
    ["before", "moved"],
    ["after", "The database of DATABASE_URL is not empty"],
  ] as const)("%s the commit", async (fault, next) => {
    await fillFolder();
    const source = openAlone(shell.dataDir);
    const proxy = startProxy(database.socket);
    const url = new URL(database.url);
    url.searchParams.set("host", proxy.folder);
    const pool = await openPostgres(url.href, 1);

    const copied = copyTables(pool, createSqliteReader(source.sqlite), () =>
      proxy.failAt("commit\0", fault),
    );

    await expect(copied).rejects.toThrow("if the database is then found not empty");
    expect(proxy.happened()).toBe(1);
    await pool.close();
    proxy.stop();
    source.close();
    expect(await refusal()).toContain(next);
  });
});

test("a copy that differs from its source is not committed", async () => {
  await fillFolder();
  const source = openAlone(shell.dataDir);
  const pool = await openPostgres(database.url, 1);
  await pool.use((connection) =>
    connection.unsafe(
      `create function bend() returns trigger language plpgsql as $$ begin new.note = 'bent'; return new; end $$;
       create trigger bend before insert on sighting for each row execute function bend()`,
    ),
  );

  const copied = copyTables(pool, createSqliteReader(source.sqlite), () => {});

  await expect(copied).rejects.toThrow("The table sighting differs after it was copied");
  await requireEmpty(pool);
  await pool.use((connection) =>
    connection.unsafe("drop trigger bend on sighting; drop function bend"),
  );
  await pool.close();
  source.close();
});

test("NUL, which PostgreSQL cannot store, becomes the replacement character", async () => {
  const source = openDatabase(shell.dataDir);
  const { db, tables } = createSqliteReader(source.sqlite);
  const state = { a: ["\0"] };
  await db.insert(tables.tableSource).values({ name: "a\0b\\u0000", state: state as never });
  const pool = await openPostgres(database.url, 1);

  await copyTables(pool, createSqliteReader(source.sqlite), () => {});

  expect(await pool.db.select().from(pool.tables.tableSource)).toEqual([
    { name: "a\uFFFDb\\u0000", state: { a: ["\uFFFD"] } as never, takenUntil: 0 },
  ]);
  await pool.close();
  source.close();
});

test("a move that is killed leaves the folder as it was and the database empty, and can be repeated", async () => {
  await fillFolder();
  await shell.look(async ({ service }) => {
    for (let batch = 0; batch < 10; batch++)
      await service.alerts.add(Array.from({ length: 1_000 }, () => makeBulk({ announce: false })));
  });
  const before = contents();
  const { command, cwd } = FROM_SOURCES;
  const child = Bun.spawn([...command, "move"], {
    cwd,
    env: { ...settings(), DATA_DIR: shell.dataDir },
    stdout: "ignore",
    stderr: "ignore",
  });
  await until(async () => {
    const [row] = await database.admin.unsafe(
      `select count(*)::int as count from pg_stat_activity where datname = '${database.name}' and query ~ '^(insert into "(short_code|alert)"|fetch )'`,
    );
    return row.count > 0;
  });
  child.kill("SIGKILL");
  await child.exited;
  await until(async () => {
    const [row] = await database.admin.unsafe(
      `select count(*)::int as count from pg_stat_activity where datname = '${database.name}' and pid <> pg_backend_pid()`,
    );
    return row.count === 0;
  });

  expect(await isTargetEmpty()).toBe(true);
  expect(contents()).toEqual(before);
  const { code } = await runMove();

  expect(code).toBe(0);
  const [source, target] = await bothDatabases();
  expect(target).toEqual(source);
}, 120_000);
