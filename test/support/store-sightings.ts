import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alert.ts";
import type { Sighting } from "../../src/core/sighting.ts";
import type { Effect, Store } from "../../src/core/store.ts";
import { publish } from "./confirmed.ts";
import { makeAsk, makeId, makeLetter, makePending } from "./make.ts";
import { DAWN, DAY, HOUR } from "./time.ts";

/** What every store promises of sightings. */
export function describeSightings(name: string, open: () => Store): void {
  describe(`sightings in the store on ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

    function makeSighting(alertId: string, about: Partial<Sighting> = {}): Sighting {
      return {
        id: makeId("sighting"),
        alertId,
        point: { lat: 45.75, lng: 4.85 },
        city: "Lyon",
        countryCode: "FR",
        seenAt: DAWN,
        note: null,
        createdAt: DAWN,
        ...about,
      };
    }

    async function wait(alertId: string): Promise<string> {
      const { id: _id, alertId: _alertId, createdAt: _createdAt, ...sighting } = makeSighting("");
      const payload = { kind: "sighting", alertId, sighting, removed: [] } as const;
      const pending = makePending({ kind: "sighting", names: null, payload });
      await store.ask(makeAsk({ pending }), DAWN);
      return pending.id;
    }

    /** Asks and settles a sighting, told to the owner. */
    async function see(alert: Alert, about: Partial<Sighting> = {}, more: Partial<Effect> = {}) {
      const pendingId = await wait(alert.id);
      const letters = alert.ownerEmail === null ? [] : [makeLetter({ to: alert.ownerEmail })];
      const effect: Effect = {
        result: { kind: "sighting", alertId: alert.id },
        sighting: makeSighting(alert.id, about),
        links: [],
        letters,
        ...more,
      };
      return store.settle(pendingId, effect, DAWN);
    }

    const letterCount = async () => (await store.outboxState()).waiting;

    test("are kept when they are confirmed, and told to the owner once", async () => {
      const alert = await publish(store);
      const before = await letterCount();
      const pendingId = await wait(alert.id);
      const sighting = makeSighting(alert.id, { note: "ran north" });
      const letters = [makeLetter({ to: "owner@example.org" })];
      const result = { kind: "sighting", alertId: alert.id } as const;
      const effect: Effect = { result, sighting, links: [], letters };

      expect(await store.sightings(alert.id, 10)).toEqual([]);
      const outcomes = [
        await store.settle(pendingId, effect, DAWN),
        await store.settle(pendingId, effect, DAWN),
      ];

      expect(outcomes.map(({ kind }) => kind)).toEqual(["won", "late"]);
      expect(await store.sightings(alert.id, 10)).toEqual([sighting]);
      // The letter that asked to confirm, and the owner's.
      expect(await letterCount()).toBe(before + 2);
    });

    test("come with the last seen first, however late they were told, and no more than asked for", async () => {
      const alert = await publish(store);
      const other = await publish(store);
      for (const hours of [3, 1, 2]) await see(alert, { seenAt: DAWN - hours * HOUR });
      await see(other);

      const seen = await store.sightings(alert.id, 2);

      expect(seen.map(({ seenAt }) => DAWN - seenAt)).toEqual([1 * HOUR, 2 * HOUR]);
    });

    test("wait where a limit is full, and count only when they are kept", async () => {
      const alert = await publish(store);
      const hits = [{ key: "seen", max: 1, windowMs: DAY }];
      await see(alert, {}, { hits });

      const second = await see(alert, {}, { hits });

      expect(second).toEqual({ kind: "limited", retryAt: DAWN + DAY });
      expect(await store.sightings(alert.id, 10)).toHaveLength(1);
    });

    test("are outdated where the alert has ended or its owner is another one than told", async () => {
      const alert = await publish(store);
      const untold = await see(alert, {}, { letters: [] });
      const { status, expiresAt } = alert;
      await store.moveAlert(
        { ...alert, status, expiresAt },
        { status: "resolved", expiresAt, endedAt: DAWN },
        DAWN,
      );
      const late = await see(alert);
      const orphan = await publish(store, { ownerEmail: null });

      expect([untold.kind, late.kind]).toEqual(["outdated", "outdated"]);
      expect((await see(orphan)).kind).toBe("won");
      expect((await see(orphan, {}, { letters: [makeLetter()] })).kind).toBe("outdated");
    });

    test("go with an alert that is removed, those that wait too", async () => {
      const alert = await publish(store);
      await see(alert);
      const waiting = await wait(alert.id);

      await store.removeAlert(alert.id, DAWN);

      expect(await store.sightings(alert.id, 10)).toEqual([]);
      expect((await store.pending(waiting))?.payload).toBeNull();
    });

    test("are erased with the private parts of an alert that ended, which then takes no more", async () => {
      const alert = await publish(store);
      await see(alert);
      const ended = { status: "expired", expiresAt: DAWN, endedAt: DAWN } as const;
      await store.moveAlert(alert, ended, DAWN);
      const unowned = { ...alert, ownerEmail: null };
      expect(await store.sightings(alert.id, 10)).toHaveLength(1);

      await store.eraseEnded(DAWN + 1, DAWN + 30 * DAY, 10);

      expect(await store.sightings(alert.id, 10)).toEqual([]);
      expect((await see(unowned)).kind).toBe("outdated");
    });
  });
}
