import { describe, expect, test } from "bun:test";
import type { Store } from "../../src/core/service/store.ts";
import {
  addErasure,
  addRequest,
  ANNA,
  BEN,
  erasePerson,
  loadAlert,
  makeErasure,
  NO_DATA,
  publishFor,
  subscribe,
  tellOwner,
  waiting,
} from "./confirmed.ts";
import { makeId, makePending, makeRequest, publicationOf } from "./make.ts";
import { continueWith, store } from "./opened-store.ts";
import { DAWN, DAY, HOUR } from "./time.ts";

/** Backup of a store: `restore` replaces the data of the store by it, and returns the store opened on it. */
export type BackedUp = { restore(): Promise<Store> };
/** Makes a backup of a store. */
export type BackUp = (store: Store) => Promise<BackedUp>;

const NOTHING_AGAIN = { alerts: 0, zones: 0, mailboxes: 0 };

/** Store contract: an erasure in parts, after an interruption and after the restore of a backup. */
export function describeErasureRestarts(backUp: BackUp): void {
  describe("an erasure", () => {
    test("leaves newer data until another erasure", async () => {
      await publishFor(store, ANNA);
      await erasePerson(store, ANNA, DAWN + HOUR);

      const later = await publishFor(store, ANNA);

      expect(await store.dataInventory(ANNA)).toMatchObject({ alerts: 1 });
      expect(await loadAlert(store, later.id)).toMatchObject({ status: "active" });
    });

    test("continues part by part, and first erases what could become an alert", async () => {
      const ids: string[] = [];
      for (let nth = 0; nth < 5; nth++) ids.push((await publishFor(store, ANNA)).id);
      const zone = await subscribe(store, { email: ANNA });
      const asked = await addRequest(store, { email: ANNA, addressHash: makeId("mark") });
      const link = makeErasure();
      await addErasure(store, link, waiting(ANNA));
      const standing = async () =>
        (await Promise.all(ids.map((id) => loadAlert(store, id)))).filter(
          ({ status }) => status === "active",
        ).length;

      const begun = await store.beginErasure(ANNA, DAWN + HOUR);
      expect(await standing()).toBe(5);
      const done = [await store.continueErasure(begun, 2, DAWN + HOUR)];
      expect(await standing()).toBe(3);
      expect(await store.zone(zone.zone.id)).toBeNull();
      expect(
        (await store.confirmPending(asked.pending.id, publicationOf(asked.pending), DAWN + HOUR))
          .kind,
      ).toBe("late");
      expect(await store.erasureLink(link.tokenHash, DAWN)).toMatchObject({ state: "waiting" });
      done.push(await store.continueErasure(begun, 2, DAWN + HOUR));
      done.push(await store.continueErasure(begun, 2, DAWN + HOUR));

      expect(done).toEqual([false, false, true]);
      expect(await standing()).toBe(0);
      expect(await store.erasureLink(link.tokenHash, DAWN)).toEqual({
        state: "done",
        erased: { ...NO_DATA, alerts: 5, zones: 1, requests: 1, emails: begun.inventory.emails },
        unconfirmedHash: null,
      });
      const dropped = new Set<number>();
      for (let since = 0, more = true; more;) {
        const page = await store.changesSince(since, 2);
        for (const change of page.alerts)
          if (change.kind === "drop") dropped.add(change.publishedAt);
        ({ revision: since, more } = page);
      }
      expect(dropped.size).toBe(5);
    });

    test("leaves data that is newer than its start", async () => {
      const before = await publishFor(store, ANNA);
      const begun = await store.beginErasure(ANNA, DAWN + HOUR);
      const ask = makeRequest({
        pending: makePending({ email: ANNA, addressHash: makeId("mark") }),
      });
      await store.addPending(ask, DAWN + 2 * HOUR);
      const effect = publicationOf(ask.pending, { ownerEmail: ANNA });
      await store.confirmPending(ask.pending.id, effect, DAWN + 2 * HOUR);

      expect(await store.continueErasure(begun, 50, DAWN + 2 * HOUR)).toBe(true);

      expect(await loadAlert(store, before.id)).toMatchObject({ status: "removed" });
      expect(await loadAlert(store, effect.alert.id)).toMatchObject({ status: "active" });
    });

    test("once started is completed at the next start, wherever it was interrupted", async () => {
      for (let nth = 0; nth < 5; nth++) await publishFor(store, ANNA);
      const begun = await store.beginErasure(ANNA, DAWN + HOUR);
      await store.continueErasure(begun, 2, DAWN + HOUR);

      expect(await store.repeatErasures(DAWN + DAY)).toEqual({ alerts: 0, zones: 0, mailboxes: 1 });

      expect(await store.dataInventory(ANNA)).toEqual(NO_DATA);
      expect(await store.repeatErasures(DAWN + DAY)).toEqual(NOTHING_AGAIN);
    });

    test("also applies to an older backup, and leaves newer data and that of others", async () => {
      const alert = await publishFor(store, ANNA);
      const { zone } = await subscribe(store, { email: "carl@example.org" });
      const removed = await publishFor(store, BEN);
      const kept = await publishFor(store, BEN);
      for (const device of ["stopped", "told"]) await tellOwner(store, device, kept.id);
      const backup = await backUp(store);
      await erasePerson(store, ANNA, DAWN + HOUR);
      await store.endOwnerTopic("stopped", kept.id, DAWN + HOUR);
      await store.removeAlert(removed.id, DAWN + HOUR);
      await store.endZone(zone.id, DAWN + HOUR);

      continueWith(await backup.restore());
      expect(await loadAlert(store, alert.id)).toMatchObject({
        status: "active",
        ownerEmail: ANNA,
      });
      expect(await store.repeatErasures(DAWN + DAY)).toEqual({ alerts: 1, zones: 1, mailboxes: 1 });

      for (const { id } of [alert, removed])
        expect(await loadAlert(store, id)).toMatchObject({ status: "removed", ownerEmail: null });
      expect(await store.zone(zone.id)).toBeNull();
      expect(await store.deviceTopics("stopped")).toEqual([]);
      expect(await store.deviceTopics("told")).toHaveLength(1);
      expect(await loadAlert(store, kept.id)).toMatchObject({ status: "active" });
      expect(await store.repeatErasures(DAWN + DAY)).toEqual(NOTHING_AGAIN);
    });

    test("no longer applies once its tombstones have expired: a backup then brings the data back", async () => {
      const alert = await publishFor(store, ANNA);
      const backup = await backUp(store);
      await erasePerson(store, ANNA, DAWN + HOUR);
      await store.deleteTombstones(DAWN + 2 * DAY);

      continueWith(await backup.restore());

      expect(await store.repeatErasures(DAWN + 3 * DAY)).toEqual(NOTHING_AGAIN);
      expect(await loadAlert(store, alert.id)).toMatchObject({ status: "active" });
    });
  });
}
