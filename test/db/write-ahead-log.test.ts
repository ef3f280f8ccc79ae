import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { addRequest } from "../support/confirmed.ts";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DATABASE_FILE, openDatabase, type OpenDatabase } from "../../db/sqlite/open.ts";
import { createSqliteStore } from "../../db/sqlite/store.ts";
import { openTombstones } from "../../db/sqlite/tombstones.ts";
import type { Store } from "../../src/core/service/store.ts";
import { openVault } from "../support/secrets.ts";
import { bytesIn } from "../support/disk.ts";
import { publicationOf } from "../support/make.ts";
import { DAWN, HOUR } from "../support/time.ts";

const DESCRIPTION = "canary-description";

let folder: string;
let database: OpenDatabase;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pet-alert-log-"));
  open();
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): void {
  database = openDatabase(folder);
  store = createSqliteStore(database, openTombstones(folder, openVault(folder).keyedHash));
}

async function publish(): Promise<string> {
  const ask = await addRequest(store, { email: "anna@example.org" });
  const effect = publicationOf(ask.pending, { description: DESCRIPTION });
  await store.confirmPending(ask.pending.id, effect, DAWN);
  return effect.alert.id;
}

/** Reader of the database in another process, like a backup or an export, that has not finished. */
function readBeside(): { end(): void } {
  const reader = new Database(join(folder, DATABASE_FILE), { readonly: true });
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM alert").get();
  return {
    end() {
      reader.run("COMMIT");
      reader.close();
    },
  };
}

const isLeft = () => bytesIn(folder).includes(DESCRIPTION);

test("data erased while another process reads the database is off the disk once the reader has finished", async () => {
  const id = await publish();
  const reading = readBeside();
  await store.removeAlert(id, DAWN + HOUR);
  await store.wipeErasedPages();
  expect(isLeft()).toBe(true);
  reading.end();

  await store.wipeErasedPages();

  expect(isLeft()).toBe(false);
});

test("erased data is also off the disk if the service stopped before the reader finished", async () => {
  const id = await publish();
  const reading = readBeside();
  await store.removeAlert(id, DAWN + HOUR);
  await store.close();
  open();
  expect(isLeft()).toBe(true);
  reading.end();

  await store.wipeErasedPages();

  expect(isLeft()).toBe(false);
});

test("no lock of another process is waited for by blocking the thread", () => {
  for (const connection of [database.sqlite, database.reading])
    expect(connection.query("PRAGMA busy_timeout").get()).toEqual({ timeout: 0 });
});

test("the log stays if nothing was erased", async () => {
  await store.wipeErasedPages();
  await publish();

  await store.wipeErasedPages();

  expect(readFileSync(join(folder, `${DATABASE_FILE}-wal`)).length).toBeGreaterThan(0);
});
