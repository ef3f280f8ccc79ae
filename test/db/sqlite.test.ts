import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../db/sqlite/open.ts";
import { createSqliteStore } from "../../db/sqlite/store.ts";
import { describeStore } from "../support/store.ts";

const folder = mkdtempSync(join(tmpdir(), "pet-alert-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let opened = 0;

describeStore("SQLite", () => createSqliteStore(openDatabase(join(folder, String((opened += 1))))));
