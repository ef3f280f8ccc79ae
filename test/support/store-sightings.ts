import { describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alerts/alert.ts";
import type { Sighting } from "../../src/core/sightings/sighting.ts";
import { publish } from "./confirmed.ts";
import { makeRequest, makeId, makeEmail, makePending } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR } from "./time.ts";
import type { Hit } from "../../src/core/limits.ts";
import type { ConfirmationChanges } from "../../src/core/pending/request-store.ts";

/** Store contract: sightings. */
export function describeSightings(): void {
  describe("sightings", () => {
    function makeSighting(alertId: string, about: Partial<Sighting> = {}): Sighting {
      return {
        id: makeId("sighting"),
        alertId,
        point: { lat: 45.75, lng: 4.85 },
        city: "Lyon",
        district: null,
        countryCode: "FR",
        seenAt: DAWN,
        seenPart: null,
        note: null,
        photos: [],
        networkHash: "network",
        createdAt: DAWN,
        ...about,
      };
    }

    async function wait(alertId: string): Promise<string> {
      const {
        id: _id,
        alertId: _alertId,
        networkHash: _networkMark,
        createdAt: _createdAt,
        ...sighting
      } = makeSighting("");
      const payload = { kind: "sighting", alertId, sighting, removed: [] } as const;
      const pending = makePending({ kind: "sighting", names: null, payload });
      await store.addPending(makeRequest({ pending }), DAWN);
      return pending.id;
    }

    /** Requests and confirms a sighting, with an email to the owner or to `to`. */
    async function see(
      alert: Alert,
      about: Partial<Sighting> = {},
      { to = alert.ownerEmail, hits = [] }: { to?: string | null; hits?: readonly Hit[] } = {},
    ) {
      const pendingId = await wait(alert.id);
      const effect: ConfirmationChanges = {
        kind: "sighting",
        sighting: makeSighting(alert.id, about),
        links: [],
        hits,
        ownerEmail: to === null ? null : { email: makeEmail({ to }), hits: [] },
      };
      return store.confirmPending(pendingId, effect, DAWN);
    }

    const emailCount = async () => (await store.outboxState()).waiting;

    test("are stored when they are confirmed, and emailed to the owner once", async () => {
      const alert = await publish(store);
      const before = await emailCount();
      const pendingId = await wait(alert.id);
      const sighting = makeSighting(alert.id, { note: "ran north" });
      const ownerEmail = { email: makeEmail({ to: "owner@example.org" }), hits: [] };
      const effect = { kind: "sighting", sighting, links: [], hits: [], ownerEmail } as const;

      expect(await store.sightings(alert.id, 10)).toEqual([]);
      const outcomes = [
        await store.confirmPending(pendingId, effect, DAWN),
        await store.confirmPending(pendingId, effect, DAWN),
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
      const { status, expiresAt } = alert;
      await store.changeStatus(
        { ...alert, status, expiresAt },
        { status: "resolved", expiresAt, endedAt: DAWN },
        DAWN,
      );
      const late = await see(alert);
      const orphan = await publish(store, { ownerEmail: null });

      expect([untold.kind, late.kind]).toEqual(["outdated", "outdated"]);
      expect((await see(orphan)).kind).toBe("won");
      expect((await see(orphan, {}, { to: "reader@example.org" })).kind).toBe("outdated");
    });

    test("are deleted with a removed alert, unconfirmed ones too", async () => {
      const alert = await publish(store);
      await see(alert);
      const waiting = await wait(alert.id);

      await store.removeAlert(alert.id, DAWN);

      expect(await store.sightings(alert.id, 10)).toEqual([]);
      expect((await store.pending(waiting))?.payload).toBeNull();
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
