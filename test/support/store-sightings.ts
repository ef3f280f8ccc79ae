import { describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alerts/alert.ts";
import type { Sighting } from "../../src/core/sightings/sighting.ts";
import { askToSee, publish, resolve } from "./confirmed.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR } from "./time.ts";
import type { Hit } from "../../src/core/limits.ts";

/** Store contract: sightings. */
export function describeSightings(): void {
  describe("sightings", () => {
    /** Requests and confirms a sighting, with an email to the owner or to `to`. */
    async function see(
      alert: Alert,
      about: Partial<Sighting> = {},
      { to = alert.ownerEmail, hits = [] }: { to?: string | null; hits?: readonly Hit[] } = {},
    ) {
      const { pending, changes } = await askToSee(store, { ...alert, ownerEmail: to }, about);
      return store.confirmPending(pending.id, { ...changes, hits }, DAWN);
    }

    const emailCount = async () => (await store.outboxState()).waiting;

    test("are stored when they are confirmed, and emailed to the owner once", async () => {
      const alert = await publish(store);
      const before = await emailCount();
      const about = { note: "ran north" };
      const { pending, changes, sighting } = await askToSee(store, alert, about);

      expect(await store.sightings(alert.id, 10)).toEqual([]);
      const outcomes = [
        await store.confirmPending(pending.id, changes, DAWN),
        await store.confirmPending(pending.id, changes, DAWN),
      ];

      expect(outcomes.map(({ kind }) => kind)).toEqual(["won", "late"]);
      expect(await store.sightings(alert.id, 10)).toEqual([sighting]);
      // The confirmation email, and the owner's.
      expect(await emailCount()).toBe(before + 2);
    });

    test("come by time of sighting, newest first, up to the limit", async () => {
      const alert = await publish(store);
      const other = await publish(store);
      for (const hours of [3, 1, 2]) await see(alert, { seenAt: DAWN - hours * HOUR });
      await see(other);

      const seen = await store.sightings(alert.id, 2);

      expect(seen.map(({ seenAt }) => DAWN - seenAt)).toEqual([1 * HOUR, 2 * HOUR]);
    });

    test("from one network do not push those from another off the page", async () => {
      const alert = await publish(store);
      await see(alert, { networkHash: "finder", seenAt: DAWN - 9 * HOUR, note: "the real one" });
      for (let number = 0; number < 9; number++)
        await see(alert, { networkHash: "flood", seenAt: DAWN - number });

      const seen = await store.sightings(alert.id, 4);

      expect(seen.map(({ networkHash }) => networkHash)).toEqual([
        "flood",
        "flood",
        "flood",
        "finder",
      ]);
      expect(seen.map(({ seenAt }) => seenAt)).toEqual([DAWN, DAWN - 1, DAWN - 2, DAWN - 9 * HOUR]);
    });

    test("wait while a limit is full, and count only if they are stored", async () => {
      const alert = await publish(store);
      const hits = [{ key: "seen", max: 1, windowMs: DAY }];
      await see(alert, {}, { hits });

      const second = await see(alert, {}, { hits });

      expect(second).toEqual({ kind: "limited", retryAt: DAWN + DAY });
      expect(await store.sightings(alert.id, 10)).toHaveLength(1);
    });

    test("are outdated if the alert has ended or has another owner", async () => {
      const alert = await publish(store);
      const untold = await see(alert, {}, { to: null });
      await resolve(store, alert);
      const late = await see(alert);
      const orphan = await publish(store, { ownerEmail: null });

      expect([untold.kind, late.kind]).toEqual(["outdated", "outdated"]);
      expect((await see(orphan)).kind).toBe("won");
      expect((await see(orphan, {}, { to: "reader@example.org" })).kind).toBe("outdated");
    });

    test("are deleted with a removed alert, unconfirmed ones too", async () => {
      const alert = await publish(store);
      await see(alert);
      const { pending } = await askToSee(store, alert);

      await store.removeAlert(alert.id, DAWN);

      expect(await store.sightings(alert.id, 10)).toEqual([]);
      expect((await store.pending(pending.id))?.payload).toBeNull();
    });

    test("are erased with the personal data of an ended alert, which then takes no more", async () => {
      const alert = await publish(store);
      await see(alert);
      const ended = { status: "expired", expiresAt: DAWN, endedAt: DAWN } as const;
      await store.changeStatus(alert, ended, DAWN);
      const unowned = { ...alert, ownerEmail: null };
      expect(await store.sightings(alert.id, 10)).toHaveLength(1);

      await store.eraseEnded(DAWN + 1, DAWN + 30 * DAY, 10);

      expect(await store.sightings(alert.id, 10)).toEqual([]);
      expect((await see(unowned)).kind).toBe("outdated");
    });
  });
}
