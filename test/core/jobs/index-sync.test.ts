import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../../db/sqlite/open.ts";
import { createSqliteStore } from "../../../db/sqlite/store.ts";
import {
  createIndexSync,
  createIndexWriter,
  type IndexWriter,
} from "../../../src/core/jobs/index-sync.ts";
import { createStatistics } from "../../../src/matching/statistics.ts";
import type { Store } from "../../../src/core/service/store.ts";
import { createAlertIndex } from "../../../src/search/alert-index.ts";
import { createZoneIndex } from "../../../src/search/zone-index.ts";
import { makeBulk, makeZone } from "../../support/make.ts";
import { DAWN, MINUTE } from "../../support/time.ts";
import type { AlertIndex, ZoneIndex } from "../../../src/search/indexes.ts";

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
    { store: { ...store, activeAlerts: failingOnPageTwoOnce(store) }, onChangesLost },
    writerTo(index, createZoneIndex()),
  );

  await expect(catchUp()).rejects.toThrow("disk");
  await store.removeAlert(alerts[0]!.draft.id, DAWN + MINUTE);
  const reached = await catchUp();

  expect(index.size).toBe(ALERTS - 1);
  expect(reached).toBe((await store.position()).revision);
});

describe("on a database that another server took over", () => {
  test("everything is read again, and what it does not have is found no more", async () => {
    const [kept, gone] = [makeBulk(), makeBulk()];
    await store.addAlerts([kept, gone], DAWN);
    const [alertIndex, zoneIndex] = [createAlertIndex(), createZoneIndex()];
    const ended = makeZone();
    zoneIndex.apply([{ kind: "put", zone: ended }]);
    let history = "first server";
    const sync = createIndexSync(
      { store: withHistory(store, () => history), onChangesLost },
      writerTo(alertIndex, zoneIndex),
    );
    await sync();
    expect(alertIndex.size).toBe(2);

    // The other server never saw the second alert: its changes do not say that it ended.
    await store.removeAlert(gone.draft.id, DAWN + MINUTE);
    history = "second server";
    await sync();

    expect(alertIndex.size).toBe(1);
    expect(zoneIndex.size).toBe(0);
  });

  test("lost changes are told, and revisions are followed from where they are now", async () => {
    await store.addAlerts([makeBulk(), makeBulk()], DAWN);
    const { revision } = await store.position();
    let lost = 0;
    let ahead = 1;
    const index = createAlertIndex();
    const sync = createIndexSync(
      {
        store: {
          ...store,
          // As on the server that was lost.
          position: async () => ({ history: "", revision: revision + ahead }),
          changesSince: async (since, limit) =>
            since > revision + ahead
              ? { history: "", revision, alerts: [], zones: [], more: false }
              : { ...(await store.changesSince(since, limit)), revision: revision + ahead },
        },
        onChangesLost: (count) => (lost += count),
      },
      writerTo(index, createZoneIndex()),
    );
    await sync();
    ahead = 0;
    const added = makeBulk();

    expect(await sync()).toBe(revision);
    expect(lost).toBe(1);
    await store.addAlerts([added], DAWN + MINUTE);
    await sync();
    expect(index.size).toBe(3);
  });
});

function onChangesLost(): void {
  throw new Error("nothing was lost");
}

function writerTo(alertIndex: AlertIndex, zoneIndex: ZoneIndex): IndexWriter {
  return createIndexWriter(
    { alertIndex, zoneIndex },
    createStatistics(() => 0, 30).density,
    { forget: () => {} },
    { forget: () => {}, forgetAll: () => {} },
  );
}

function withHistory(store: Store, history: () => string): Store {
  return {
    ...store,
    position: async () => ({ ...(await store.position()), history: history() }),
    changesSince: async (since, limit) => ({
      ...(await store.changesSince(since, limit)),
      history: history(),
    }),
  };
}

function failingOnPageTwoOnce({ activeAlerts }: Store): Store["activeAlerts"] {
  let pages = 0;
  return (after, limit) =>
    ++pages === 2 ? Promise.reject(new Error("the disk failed")) : activeAlerts(after, limit);
}
