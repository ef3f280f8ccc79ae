import { describe, expect, test } from "bun:test";
import { publish } from "./confirmed.ts";
import { makeRequest, makeBulk, makeEmail, makePending } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY } from "./time.ts";

/** Store contract: scheduled jobs for expiry, reminders and deletion. */
export function describeJobs(): void {
  describe("scheduled jobs", () => {
    test("alerts expire at their time, and not before", async () => {
      const soon = await publish(store, { expiresAt: DAWN + DAY });
      const later = await publish(store, { expiresAt: DAWN + 2 * DAY });

      expect(await store.expireAlerts(DAWN + DAY, 10)).toBe(1);

      expect(await store.alert({ by: "id", id: soon.id })).toMatchObject({
        status: "expired",
        endedAt: DAWN + DAY,
      });
      expect((await store.alert({ by: "id", id: later.id }))?.status).toBe("active");
    });

    test("a reminder is sent once for each distance, and a near one replaces a far one", async () => {
      const alert = await publish(store, { expiresAt: DAWN + DAY });
      const remind = (withinMs: number) => store.addReminder(alert, withinMs, makeEmail(), []);

      expect(await store.dueReminders(DAWN, 7 * DAY, 10)).toHaveLength(1);
      const before = (await store.outboxState()).waiting;
      await remind(DAY);
      await remind(DAY);

      expect((await store.outboxState()).waiting - before).toBe(1);
      expect(await store.dueReminders(DAWN, DAY, 10)).toEqual([]);
      expect(await store.dueReminders(DAWN, 7 * DAY, 10)).toEqual([]);
    });

    test("muted, imported and ownerless alerts get no reminder", async () => {
      const muted = await publish(store, { expiresAt: DAWN + DAY });
      await store.muteReminders(muted.id);
      await publish(store, { expiresAt: DAWN + DAY, ownerEmail: null });
      await store.addAlerts([makeBulk({ expiresAt: DAWN + DAY })], DAWN);

      expect(await store.dueReminders(DAWN, DAY, 10)).toEqual([]);
    });

    test("personal data of an ended alert is erased, and its public view stays", async () => {
      const alert = await publish(store, { chipHash: "chip" });
      await store.changeStatus(
        alert,
        { status: "resolved", expiresAt: alert.expiresAt, endedAt: DAWN },
        DAWN,
      );

      expect(await store.eraseEnded(DAWN, DAWN, 10)).toBe(0);
      expect(await store.eraseEnded(DAWN + 1, DAWN + 1, 10)).toBe(1);
      expect(await store.eraseEnded(DAWN + 1, DAWN + 1, 10)).toBe(0);

      const left = await store.alert({ by: "id", id: alert.id });
      expect(left).toMatchObject({
        status: "resolved",
        name: "Mimi",
        ownerEmail: null,
        chipHash: null,
      });
      expect(await store.linkTo("manage", alert.id)).toBeNull();
    });

    test("sweeping deletes old requests and closed emails, and nothing younger", async () => {
      const old = makeRequest();
      const young = makeRequest({
        pending: makePending({ createdAt: DAWN + DAY, expiresAt: DAWN + 3 * DAY }),
      });
      await store.addPending(old, DAWN);
      await store.addPending(young, DAWN + DAY);

      await store.sweep(
        { now: DAWN + DAY, before: DAWN + 1, hitsBefore: DAWN, auditLogBefore: DAWN },
        10,
      );

      expect(await store.pendingByToken(old.pending.tokenHash)).toBeNull();
      expect(await store.pendingByToken(young.pending.tokenHash)).not.toBeNull();
      expect(await store.isShortCodeTaken(old.pending.names?.shortCode ?? "")).toBe(true);
    });

    test("a node keeps the lead, and can take it again after it gave it up", async () => {
      expect(await store.takeLead("one", 60_000)).toBe(true);
      expect(await store.takeLead("one", 60_000)).toBe(true);
      await store.endLead("one");
      expect(await store.takeLead("one", 60_000)).toBe(true);
    });

    test("the clock of the database is right, if it has one of its own", async () => {
      const before = Date.now();
      const time = await store.databaseTime();

      const here = time ?? before;
      expect(here).toBeGreaterThanOrEqual(before - 1);
      expect(here).toBeLessThanOrEqual(Date.now() + 1);
    });

    test("the heartbeat is the last one recorded", async () => {
      expect(await store.heartbeat()).toBeNull();
      await store.recordHeartbeat({ at: DAWN, steadySince: DAWN - DAY });
      expect(await store.heartbeat()).toEqual({ at: DAWN, steadySince: DAWN - DAY });
    });
  });
}
