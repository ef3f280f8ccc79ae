import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CONFIRM_MS, type Pending, READDRESSED_MAX } from "../../src/core/pending.ts";
import type { Store } from "../../src/core/store.ts";
import { makeAsk, makeLetter, makePending, publicationOf } from "./make.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

/** What every store promises of second letters, corrected addresses, and letters that owners asked for. */
export function describeWaiting(name: string, open: () => Store): void {
  describe(`waiting asks in the store on ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

    let tokens = 0;
    const letters = async () => (await store.outboxState()).waiting;
    const askAgain = ({ id }: Pending, now = DAWN + MINUTE, letter = makeLetter()) =>
      store.askAgain(id, `second-${(tokens += 1)}`, letter, now);

    async function ask(about: Partial<Pending> = {}, now = DAWN): Promise<Pending> {
      const pending = makePending({ createdAt: now, expiresAt: now + CONFIRM_MS, ...about });
      await store.ask(makeAsk({ pending }), now);
      return pending;
    }

    function readdress(old: Pending, about: Partial<Pending> = {}, now = DAWN + MINUTE) {
      const { payload, names } = old;
      const email = "right@example.org";
      const times = { createdAt: now, expiresAt: now + CONFIRM_MS };
      const pending = makePending({
        payload,
        names,
        email,
        addressMark: "right",
        ...times,
        ...about,
      });
      return store.readdress(old.id, makeAsk({ pending, shortCode: null }), now);
    }

    test("get one second letter, whose token opens them as the first does", async () => {
      const pending = await ask();

      const answers = [
        await store.askAgain(pending.id, "second", makeLetter(), DAWN + MINUTE),
        await store.askAgain(pending.id, "third", makeLetter(), DAWN + MINUTE),
      ];

      expect(answers).toEqual([true, false]);
      expect(await letters()).toBe(2);
      for (const token of [pending.tokenHash, "second"])
        expect(await store.pendingByToken(token)).toEqual({ ...pending, askedAgain: true });
      expect(await store.pendingByToken("third")).toBeNull();
    });

    test("get none when they wait no more", async () => {
      const settled = await ask();
      await store.settle(settled.id, publicationOf(settled), DAWN);
      const disowned = await ask({ addressMark: "another" });
      await store.disown(disowned.id, DAWN);
      const late = await ask();
      const before = await letters();

      expect(await askAgain(settled)).toBe(false);
      expect(await askAgain(disowned)).toBe(false);
      expect(await askAgain(late, late.expiresAt)).toBe(false);
      expect(await store.askAgain("nothing", "second", makeLetter(), DAWN)).toBe(false);
      expect(await letters()).toBe(before);
    });

    test("answer alike where the first letter was not sent, and get no second either", async () => {
      for (let at = 0; at < 3; at++) await ask();
      const capped = await ask();
      const before = await letters();

      expect(await askAgain(capped)).toBe(true);
      expect(await letters()).toBe(before);
    });

    test("second letters count into the five of a day, whenever they go", async () => {
      const asks = [await ask(), await ask(), await ask()];
      for (const pending of asks) expect(await askAgain(pending)).toBe(true);
      expect(await letters()).toBe(5);

      // The first three are over, but a second letter may have gone within the day.
      await ask({}, DAWN + 2 * DAY);
      await ask({}, DAWN + 2 * DAY);
      await ask({}, DAWN + 2 * DAY);
      expect(await letters()).toBe(7);
      await ask({}, DAWN + 4 * DAY);

      expect(await letters()).toBe(8);
    });

    test("go on under another mailbox with the same names, and are over under the first", async () => {
      const old = await ask();

      const outcome = await readdress(old);

      if (outcome.kind !== "kept") throw new Error(outcome.kind);
      expect(await store.pending(outcome.pending.id)).toMatchObject({
        email: "right@example.org",
        names: old.names,
        payload: old.payload,
        readdressed: 1,
      });
      const over = await store.pending(old.id);
      expect([over?.email, over?.payload, over?.expiresAt]).toEqual(["", null, DAWN + MINUTE]);
      expect((await store.settle(old.id, publicationOf(old), DAWN + MINUTE)).kind).toBe("late");
      const [letter, ...others] = await store.leaseLetters(DAWN + HOUR, MINUTE, 10);
      expect([letter === undefined, others]).toEqual([false, []]);
    });

    test("are put under another mailbox a few times, once each", async () => {
      let pending = await ask();
      for (let at = 1; at <= READDRESSED_MAX; at++) {
        const before = pending;
        const outcome = await readdress(before);
        if (outcome.kind !== "kept") throw new Error(outcome.kind);
        expect((await readdress(before)).kind).toBe("late");
        pending = outcome.pending;
      }

      expect((await readdress(pending)).kind).toBe("late");
      expect((await store.pending(pending.id))?.state).toBe("waiting");
    });

    test("stay as they are where a limit is full", async () => {
      const old = await ask();
      const hits = [{ key: "corrections", max: 1, windowMs: HOUR }];
      await store.count(hits, DAWN);
      const pending = makePending({ payload: old.payload, names: old.names });

      const outcome = await store.readdress(
        old.id,
        makeAsk({ pending, shortCode: null, hits }),
        DAWN + MINUTE,
      );

      expect(outcome).toEqual({ kind: "limited", retryAt: DAWN + HOUR });
      expect(await store.pending(old.id)).toEqual(old);
    });

    test("that were put elsewhere can be asked anew under the first mailbox", async () => {
      const old = await ask();
      await readdress(old);
      const anew = makePending({ contentMark: old.contentMark });

      const outcome = await store.ask(makeAsk({ pending: anew }), DAWN + MINUTE);

      expect(outcome).toMatchObject({ kind: "kept", pending: { id: anew.id } });
    });

    test("whose alert is gone are neither sent again nor put elsewhere", async () => {
      const publication = await ask();
      const effect = publicationOf(publication);
      await store.settle(publication.id, effect, DAWN);
      const alertId = effect.alert.id;
      const payload = { kind: "message", alertId, text: "Here.", name: null, removed: [] } as const;
      const message = await ask({ kind: "message", names: null, payload, addressMark: "other" });
      await store.removeAlert(alertId, DAWN);
      const before = await letters();

      expect(await askAgain(message)).toBe(false);
      expect((await readdress(message)).kind).toBe("late");
      expect(await letters()).toBe(before);
    });

    test("letters that owners asked for go to nobody who is no owner any more", async () => {
      const pending = await ask();
      const effect = publicationOf(pending, { ownerEmail: "Owner@example.org" });
      await store.settle(pending.id, effect, DAWN);
      const about = effect.alert.id;
      const before = await letters();

      await store.post([
        { letter: makeLetter({ to: "owner@example.org" }), about },
        { letter: makeLetter({ to: "stranger@example.org" }), about },
        { letter: makeLetter({ to: "owner@example.org" }), about: "nothing" },
      ]);
      expect(await letters()).toBe(before + 1);
      await store.removeAlert(about, DAWN);
      const left = await letters();
      await store.post([{ letter: makeLetter({ to: "owner@example.org" }), about }]);

      expect(await letters()).toBe(left);
    });

    test("how an animal came home is told once, and only of one that is home", async () => {
      const pending = await ask();
      const effect = publicationOf(pending);
      await store.settle(pending.id, effect, DAWN);
      const alert = await store.alert({ by: "id", id: effect.alert.id });
      if (alert === null) throw new Error("no such alert");
      const outcome = {
        week: "2026-04-27",
        type: "lost",
        species: "cat",
        days: 1,
        how: null,
        distance: null,
      } as const;

      const early = await store.tellOutcome(alert.id, outcome);
      const { expiresAt } = alert;
      await store.moveAlert(alert, { status: "resolved", expiresAt, endedAt: DAWN }, DAWN);
      const before = await store.outcomeTold(alert.id);
      const told = [
        await store.tellOutcome(alert.id, outcome),
        await store.tellOutcome(alert.id, outcome),
      ];

      expect([early, before, told, await store.outcomeTold(alert.id)]).toEqual([
        false,
        false,
        [true, false],
        true,
      ]);
    });
  });
}
