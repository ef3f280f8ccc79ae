import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../db/sqlite/open.ts";
import { createSqliteStore } from "../../db/sqlite/store.ts";
import { openTombstones } from "../../db/sqlite/tombstones.ts";
import { openVault } from "../../src/vault.ts";
import { describeStore } from "../support/store.ts";
import { describeErasing } from "../support/store-erasing.ts";
import { describeExports } from "../support/store-exports.ts";
import { describeModeration } from "../support/store-moderation.ts";
import { describePhotos } from "../support/store-photos.ts";
import { describeSightings } from "../support/store-sightings.ts";
import { describeWaiting } from "../support/store-waiting.ts";

const folder = mkdtempSync(join(tmpdir(), "pet-alert-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let opened = 0;

const open = () => {
  const dataDir = join(folder, String((opened += 1)));
  const database = openDatabase(dataDir);
  return createSqliteStore(database, openTombstones(dataDir, openVault(dataDir).mark));
};

describeStore("SQLite", open);
describeModeration("SQLite", open);
describeSightings("SQLite", open);
describePhotos("SQLite", open);
describeWaiting("SQLite", open);
describeExports("SQLite", open);
describeErasing("SQLite", open);
