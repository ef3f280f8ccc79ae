import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Store } from "../../src/core/store.ts";
import { publish } from "./confirmed.ts";
import { makeAsk, makeBulk, makeLetter, makePending } from "./make.ts";
import { DAWN, DAY } from "./time.ts";

/** What every store promises of what time brings: ends, reminders, forgetting. */
export function describeTime(name: string, open: () => Store): void {
  describe(`the store on ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

    describe("time", () => {
      test("alerts expire when their time is over, and only then", async () => {
        const soon = await publish(store, { expiresAt: DAWN + DAY });
        const later = await publish(store, { expiresAt: DAWN + 2 * DAY });

        expect(await store.expireAlerts(DAWN + DAY, 10)).toBe(1);

        expect(await store.alert({ by: "id", id: soon.id })).toMatchObject({
          status: "expired",
          endedAt: DAWN + DAY,
        });
        expect((await store.alert({ by: "id", id: later.id }))?.status).toBe("active");
      });

      test("a reminder goes out once for each distance, and a near one makes a far one pointless", async () => {
        const alert = await publish(store, { expiresAt: DAWN + DAY });
        const remind = (withinMs: number) => store.remind(alert, withinMs, makeLetter(), []);

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

      test("after the end personal data goes and the public face stays", async () => {
        const alert = await publish(store, { chipHash: "chip" });
        await store.moveAlert(
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

      test("sweeping drops old asks and closed letters, and nothing younger", async () => {
        const old = makeAsk();
        const young = makeAsk({
          pending: makePending({ createdAt: DAWN + DAY, expiresAt: DAWN + 3 * DAY }),
        });
        await store.ask(old, DAWN);
        await store.ask(young, DAWN + DAY);

        await store.sweep(
          { now: DAWN + DAY, before: DAWN + 1, hitsBefore: DAWN, deedsBefore: DAWN },
          10,
        );

        expect(await store.pendingByToken(old.pending.tokenHash)).toBeNull();
        expect(await store.pendingByToken(young.pending.tokenHash)).not.toBeNull();
        expect(await store.codeTaken(old.shortCode ?? "")).toBe(true);
      });

      test("the heartbeat is what was noted last", async () => {
        expect(await store.heartbeat()).toBeNull();
        await store.beat({ at: DAWN, steadySince: DAWN - DAY });
        expect(await store.heartbeat()).toEqual({ at: DAWN, steadySince: DAWN - DAY });
      });
    });
  });
}
