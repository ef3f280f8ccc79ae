import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

type Opened = { readonly database: TestDatabase; readonly dataDir: string };
const opened = new WeakMap<Store, Opened>();

/**
 * Store that gives its database back when it is closed. It has one connection: an operation that needed a second one would
 * wait for itself.
 */
async function openOn({ database, dataDir }: Opened): Promise<Store> {
  const tombstones = openTombstones(dataDir, keyedHash);
  const inner = createPostgresStore(await database.open(1), tombstones);
  const store = {
    ...inner,
    async close() {
      await inner.close();
      await database.release();
    },
  };
  opened.set(store, { database, dataDir });
  return store;
}

async function backUpOf(store: Store): Promise<BackedUp> {
  const known = opened.get(store)!;
  const restore = await known.database.backUp();
  return {
    async restore() {
      await restore();
      return openOn(known);
    },
  };
}

async function open(): Promise<Store> {
  const dataDir = mkdtempSync(join(folder, "store-"));
  return openOn({ database: await createDatabase(), dataDir });
}

postgresTests.describe("PostgreSQL", () => describeStore("PostgreSQL", open, backUpOf));
