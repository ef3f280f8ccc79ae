import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../../db/sqlite/open.ts";
import { createSqliteStore } from "../../../db/sqlite/store.ts";
import { createIndexSync } from "../../../src/core/jobs/index-sync.ts";
import type { Store } from "../../../src/core/store.ts";
import { createAlertIndex } from "../../../src/search/alert-index.ts";
import { makeBulk } from "../../support/make.ts";
import { DAWN, MINUTE } from "../../support/time.ts";

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pet-alert-test-"));
  store = createSqliteStore(openDatabase(folder));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** More than are read at once. */
const ALERTS = 1_001;

test("a first reading that failed half way leaves nothing behind that ends before the next", async () => {
  const alerts = Array.from({ length: ALERTS }, () => makeBulk());
  await store.addAlerts(alerts, DAWN);
  const index = createAlertIndex();
  const catchUp = createIndexSync(
    { store: { ...store, activeAlerts: failingOnPageTwoOnce(store) } },
    {
      active: (page) => index.apply(page.map((alert) => ({ kind: "put", alert }))),
      zones: () => {},
      changes: ({ alerts }) => index.apply(alerts),
    },
  );

  await expect(catchUp()).rejects.toThrow("disk");
  await store.removeAlert(alerts[0]!.draft.id, DAWN + MINUTE);
  const reached = await catchUp();

  expect(index.size).toBe(ALERTS - 1);
  expect(reached).toBe(await store.revision());
});

function failingOnPageTwoOnce({ activeAlerts }: Store): Store["activeAlerts"] {
  let pages = 0;
  return (after, limit) =>
    ++pages === 2 ? Promise.reject(new Error("the disk failed")) : activeAlerts(after, limit);
}
