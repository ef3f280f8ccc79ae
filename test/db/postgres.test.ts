import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "../../db/postgres/connection.ts";
import { createPostgresStore } from "../../db/postgres/store.ts";
import { openTombstones } from "../../db/sqlite/tombstones.ts";
import type { Store } from "../../src/core/service/store.ts";
import { createDatabase, postgresTests, type TestDatabase } from "../support/postgres.ts";
import { openVault } from "../support/secrets.ts";
import { describeStore } from "../support/store.ts";
import type { BackedUp } from "../support/store-erasure-restarts.ts";

const folder = mkdtempSync(join(tmpdir(), "pet-alert-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { keyedHash } = openVault(folder);

type Opened = { readonly database: TestDatabase; readonly pool: Pool };

/** Database of these tests, which is empty between them, and its one connection: an operation that needed a second one would wait for itself. */
let opened: Promise<Opened> | undefined;
async function openShared(): Promise<Opened> {
  const database = await createDatabase();
  return { database, pool: await database.open(1) };
}
afterAll(async () => {
  const shared = await opened;
  await shared?.pool.close();
  await shared?.database.release();
});

const folders = new WeakMap<Store, string>();

function openOn({ database, pool }: Opened, dataDir: string): Store {
  const tombstones = openTombstones(dataDir, keyedHash);
  const store = {
    ...createPostgresStore(pool, tombstones),
    close: () => pool.use((connection) => database.empty(connection)),
  };
  folders.set(store, dataDir);
  return store;
}

async function open(): Promise<Store> {
  return openOn(await (opened ??= openShared()), mkdtempSync(join(folder, "store-")));
}

async function backUpOf(store: Store): Promise<BackedUp> {
  const shared = await opened!;
  const restore = await shared.database.backUp();
  return {
    async restore() {
      await restore();
      return openOn(shared, folders.get(store)!);
    },
  };
}

postgresTests.describe("PostgreSQL", () => describeStore("PostgreSQL", open, backUpOf));
