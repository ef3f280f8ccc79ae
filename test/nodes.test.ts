import { SQL } from "bun";
import { afterEach, beforeEach, expect } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { optionsOf } from "../db/postgres/connection.ts";
import { readConfig } from "../src/settings/config.ts";
import { memoryTransport } from "./support/memory-transport.ts";
import { type App, type Parts, start } from "../src/start.ts";
import type { FetchTable } from "../src/tables/fetch.ts";
import { makeBulk } from "./support/make.ts";
import { createDatabase, postgresTests, type TestDatabase } from "./support/postgres.ts";
import { createBucket, type TestBucket } from "./support/s3.ts";
import { until } from "./support/process.ts";
import { stray } from "./support/table-server.ts";
import { DAWN, MINUTE, SECOND } from "./support/time.ts";
import { BASE_URL, json } from "./support/world.ts";

const { describe, test } = postgresTests;

let folder: string;
let database: TestDatabase;
let bucket: TestBucket;
let apps: App[];
let logged: { readonly event: string; readonly [detail: string]: unknown }[];
const clock = { now: DAWN };
type FetchedTable = Awaited<ReturnType<FetchTable>>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "pet-alert-test-"));
  writeFileSync(join(folder, "secret.key"), new Uint8Array(32).fill(7), { mode: 0o600 });
  database = await createDatabase();
  bucket = await createBucket();
  apps = [];
  logged = [];
  clock.now = DAWN;
});
afterEach(async () => {
  for (const app of apps) await app.stop();
  await database.release();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts one more node on the database. */
async function open(parts: Parts = {}): Promise<App> {
  const config = readConfig({
    BASE_URL,
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    S3_URL: bucket.url,
    DATABASE_POOL: "3",
    SECRET_KEY_FILE: join(folder, "secret.key"),
    SMTP_URL: "smtp://127.0.0.1:1",
    LOG_REQUESTS: "off",
  });
  const app = await start(config, {
    clock: () => clock.now,
    databaseTime: async () => clock.now,
    transport: memoryTransport(),
    log: (event, details = {}) => logged.push({ ...details, event }),
    ...parts,
  });
  apps.push(app);
  return app;
}

function get(app: App, path: string): Promise<Response> {
  return app.fetch(new Request(`${BASE_URL}${path}`), "198.51.100.7");
}

async function total(app: App): Promise<number> {
  return (await json(get(app, "/api/v1/alerts"))).alerts.length;
}

describe("a table at an address, on several nodes", () => {
  const table = (ids: readonly string[]) => ({
    kind: "body" as const,
    bytes: (async function* () {
      yield Buffer.from(JSON.stringify(ids.map((id) => stray(id))));
    })(),
    etag: null,
    lastModified: null,
  });
  const shown = async (app: App) =>
    (await app.store.importedAlerts("import:asm3-stray:", null, 100))
      .filter(({ alert }) => alert.status === "active")
      .map(({ alert }) => alert.source.split(":")[2]);

  beforeEach(() => {
    writeFileSync(
      join(folder, "sources.json"),
      JSON.stringify([
        {
          table: "https://shelter.example/strays",
          mapping: "asm3-stray",
          owner: "desk@shelter.example",
          place: "Kent, Washington",
        },
      ]),
    );
  });

  test("is read on by another node when the one that reads it vanishes, and has nothing twice", async () => {
    const stuck = Promise.withResolvers<FetchedTable>();
    let reads = 0;
    const a = await open({ fetchTable: () => stuck.promise });
    const b = await open({
      fetchTable: async () => {
        reads++;
        return table(["D0", "D1", "D2"]);
      },
    });
    const reading = a.tick();
    await until(async () => (await b.store.tableStates(1)).length === 1);
    await b.tick();
    expect(reads).toBe(0);

    // Nothing is heard of the first node any more, and its lease is over.
    const client = new SQL({ ...optionsOf(database.url), max: 1 });
    await client`delete from lead`;
    await client.close();
    for (let minutes = 0; minutes < 12; minutes++) {
      clock.now += MINUTE;
      await b.tick();
    }
    expect(reads).toBe(1);
    expect(await shown(b)).toEqual(["D0", "D1", "D2"]);

    // It comes back with an older answer: that is no good read.
    stuck.resolve(table(["D0", "D1"]));
    await reading;
    const [state] = await b.store.tableStates(1);
    expect(state).toMatchObject({ problem: null, failures: 0 });
    const alerts = await a.store.importedAlerts("import:asm3-stray:", null, 100);
    expect(alerts.map(({ missedReads }) => missedReads)).toEqual([0, 0, 0]);
  });

  test("is followed by import --sync through any of them", async () => {
    const [a, b] = [await open(), await open()];
    const read = (app: App, ids: readonly string[]) =>
      app.operator.syncTable({
        mapping: "asm3-stray",
        email: "desk@shelter.example",
        language: "en",
        rows: ids.map((id) => ({
          id,
          input: {
            type: "found",
            species: "dog",
            color: "black",
            lat: 45.76,
            lng: 4.84,
            eventDate: "2026-04-30",
          },
        })),
        kept: [],
        isWhole: true,
        acceptMissing: false,
        dryRun: false,
      });

    await Promise.all([read(a, ["1", "2", "3"]), read(b, ["1", "2", "3"])]);
    const published = await shown(b);
    await read(a, ["1", "2"]);
    await read(b, ["1", "2"]);

    expect(published).toEqual(["1", "2", "3"]);
    expect(await shown(a)).toEqual(["1", "2"]);
  });
});

describe("several nodes on one database", () => {
  test("find at once what one of them has published", async () => {
    const [a, b, c] = [await open(), await open(), await open()];
    await a.service.alerts.add([makeBulk()]);

    await until(async () => (await total(b)) === 1 && (await total(c)) === 1);
  });

  test("show no more what one of them has removed", async () => {
    const [a, b] = [await open(), await open()];
    const alert = makeBulk();
    await a.service.alerts.add([alert]);
    const page = `/api/v1/alerts/${alert.draft.slug}`;
    await until(async () => (await get(b, page)).status === 200);
    await a.operator.moderate("remove", alert.draft.shortCode);

    await until(async () => (await get(b, page)).status === 410);
  });

  test("run the jobs on one of them, and on another once it has stopped", async () => {
    const [a, b] = [await open(), await open()];
    const beatAt = async () => (await b.store.heartbeat())?.at;
    await a.tick();
    clock.now += 2 * MINUTE;
    await b.tick();
    expect(await beatAt()).toBe(DAWN);

    await apps.shift()?.stop();
    await b.tick();
    expect(await beatAt()).toBe(clock.now);
  });

  test("read everything again when an older state of the database takes its place, and say what is lost", async () => {
    const [kept, lost, later] = [makeBulk(), makeBulk(), makeBulk()];
    const a = await open();
    await a.service.alerts.add([kept]);
    const putBack = await database.backUp();
    await a.service.alerts.add([lost]);
    expect(await total(a)).toBe(2);

    await putBack();
    await until(async () => (await total(a)) === 1);
    await a.tick();
    expect(logged).toContainEqual(
      expect.objectContaining({
        event: "alarm",
        about: "history",
        text: "The database has lost confirmed changes: 1.",
      }),
    );
    await a.service.alerts.add([later]);
    expect(await total(a)).toBe(2);
  });
});

test("the privacy page of a shared service says where its data is, and that others back it up", async () => {
  const page = await (await get(await open(), "/privacy")).text();

  expect(page).toContain("All data is in a database and a photo store");
  expect(page).toContain("What is erased stays in those copies until they are deleted");
  expect(page).not.toContain("All data is in one folder");
});

describe("a node", () => {
  test("is not ready once it has not read the others' changes for five seconds", async () => {
    const watch = { ms: 0 };
    const a = await open({ stopwatch: () => watch.ms });
    await a.tick();
    expect((await get(a, "/readyz")).status).toBe(200);

    watch.ms += 5 * SECOND + 1;
    expect((await get(a, "/readyz")).status).toBe(503);
    await a.tick();
    expect((await get(a, "/readyz")).status).toBe(200);
  });

  test("that cannot ask the database who leads runs no jobs, and logs the reason", async () => {
    const error = new Error("refused");
    const a = await open({ databaseTime: () => Promise.reject(error) });
    await a.tick();

    expect(await a.store.heartbeat()).toBeNull();
    expect(logged).toContainEqual({ event: "node_failed", error });
  });

  test("that stops while it asks for the lead runs no jobs afterwards, and leaves the lead to others", async () => {
    const answer = Promise.withResolvers<number>();
    let asked = 0;
    const a = await open({
      databaseTime: async () => (++asked === 1 ? clock.now : answer.promise),
    });
    const b = await open();
    const ticking = a.tick();
    await until(async () => asked === 2);

    const stopped = apps.shift()!.stop();
    answer.resolve(clock.now);
    await Promise.all([stopped, ticking]);
    expect(logged).toEqual([]);
    expect(await b.store.heartbeat()).toBeNull();
    await b.tick();
    expect(await b.store.heartbeat()).not.toBeNull();
  });

  test("whose clock is half a minute off is not ready from its first request", async () => {
    const a = await open({ databaseTime: async () => clock.now - 30 * SECOND });

    expect((await get(a, "/readyz")).status).toBe(503);
  });

  test("whose clock is seconds off tells its operator", async () => {
    const a = await open({ databaseTime: async () => clock.now + 3 * SECOND });
    await a.tick();
    await a.tick();

    expect(logged).toContainEqual(
      expect.objectContaining({
        about: "clock",
        text: "The clock is 3.0 seconds behind the database's.",
      }),
    );
    expect((await get(a, "/readyz")).status).toBe(200);
  });

  test("whose clock is half a minute off runs no jobs and is not ready", async () => {
    const a = await open({ databaseTime: async () => clock.now - 30 * SECOND });
    await a.tick();

    expect(await a.store.heartbeat()).toBeNull();
    expect((await get(a, "/readyz")).status).toBe(503);
    expect(logged).toContainEqual(expect.objectContaining({ event: "alarm", about: "clock" }));
  });
});
