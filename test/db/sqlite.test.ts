import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backUp } from "../../db/sqlite/backups/backup.ts";
import { storeKeyCheck } from "../../db/sqlite/key-check.ts";
import { openDatabase } from "../../db/sqlite/open.ts";
import { restore } from "../../db/sqlite/backups/restore.ts";
import { createSqliteStore } from "../../db/sqlite/store.ts";
import { openTombstones } from "../../db/sqlite/tombstones.ts";
import type { Store } from "../../src/core/service/store.ts";
import { keyCheckOf, readKey } from "../../src/ops/secret-key.ts";
import { openVault } from "../support/secrets.ts";
import { describeStore } from "../support/store.ts";
import type { BackedUp } from "../support/store-erasure-restarts.ts";

const folder = mkdtempSync(join(tmpdir(), "pet-alert-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let opened = 0;

/** Data folders of the stores. */
const folders = new WeakMap<Store, string>();
const open = async () => openIn(join(folder, String((opened += 1))));

function openIn(dataDir: string): Store {
  const database = openDatabase(dataDir);
  const { keyedHash } = openVault(dataDir);
  storeKeyCheck(database.sqlite, keyCheckOf(readKey(dataDir)!));
  const store = createSqliteStore(database, openTombstones(dataDir, keyedHash));
  folders.set(store, dataDir);
  return store;
}

async function backUpOf(store: Store): Promise<BackedUp> {
  const dataDir = folders.get(store) ?? "";
  const copy = `${dataDir}-copy`;
  await backUp(dataDir, copy);
  return {
    async restore() {
      await store.close();
      restore(dataDir, copy, { asideName: "replaced" });
      return openIn(dataDir);
    },
  };
}

describeStore("SQLite", open, backUpOf);
