import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../db/sqlite/open.ts";
import { createSqliteStore } from "../../db/sqlite/store.ts";
import { describeStore } from "../support/store.ts";
import { describeExports } from "../support/store-exports.ts";
import { describeModeration } from "../support/store-moderation.ts";
import { describePhotos } from "../support/store-photos.ts";
import { describeSightings } from "../support/store-sightings.ts";
import { describeWaiting } from "../support/store-waiting.ts";

const folder = mkdtempSync(join(tmpdir(), "pet-alert-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let opened = 0;

const open = () => createSqliteStore(openDatabase(join(folder, String((opened += 1)))));

describeStore("SQLite", open);
describeModeration("SQLite", open);
describeSightings("SQLite", open);
describePhotos("SQLite", open);
describeWaiting("SQLite", open);
describeExports("SQLite", open);
