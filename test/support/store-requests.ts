import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { STOCKS } from "../../src/core/caps.ts";
import { CONFIRM_MS, type Pending, QUEUE_MS } from "../../src/core/confirmation/pending.ts";
import type { Store } from "../../src/core/store.ts";
import { makeRequest, makeEmail, makePending, publicationOf } from "./make.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

/** Store contract: second emails and corrected addresses of requests. */
export function describeRequests(name: string, open: () => Promise<Store>): void {
  describe(`waiting requests in the store on ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    let tokens = 0;
    const emailCount = async () => (await store.outboxState()).waiting;
    const second = (tokenHash = `second-${(tokens += 1)}`) => ({
      tokenHash,
      sealedToken: `sealed ${tokenHash}`,
      email: makeEmail(),
      throttle: null,
    });
    const askAgain = ({ id }: Pending, now = DAWN + MINUTE) => store.resend(id, second(), now);

    async function ask(about: Partial<Pending> = {}, now = DAWN): Promise<Pending> {
      const pending = makePending({ createdAt: now, expiresAt: now + CONFIRM_MS, ...about });
      await store.addPending(makeRequest({ pending }), now);
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
        addressHash: "right",
        ...times,
        ...about,
      });
      return store.correctAddress(old.id, makeRequest({ pending, shortCode: null }), now);
    }

    test("get one second email, whose token opens them like the first", async () => {
      const pending = await ask();

      const answers = [
        await store.resend(pending.id, second("second"), DAWN + MINUTE),
        await store.resend(pending.id, second("third"), DAWN + MINUTE),
      ];

      expect(answers).toEqual([true, false]);
      expect(await emailCount()).toBe(2);
      for (const token of [pending.tokenHash, "second"])
        expect(await store.pendingByToken(token)).toEqual({
          ...pending,
          sealedToken: "sealed second",
          resent: true,
        });
      expect(await store.pendingByToken("third")).toBeNull();
    });

    test("are found by id and short code of their publication: the newest, never a repetition", async () => {
      const first = await ask();
      const { id, shortCode } = first.names!;
      const now = DAWN + MINUTE;
      const times = { createdAt: now, expiresAt: now + CONFIRM_MS };
      const repeat = makePending({ contentHash: first.contentHash, ...times });
      await store.addPending(makeRequest({ pending: repeat }), now);
      expect(await store.publicationNamed({ id })).toEqual(first);

      await readdress(first);

      const found = await store.publicationNamed({ shortCode });
      expect(found).toMatchObject({ names: first.names, state: "waiting", readdressed: 1 });
      expect(await store.publicationNamed({ id })).toEqual(found);
      expect(await store.publicationNamed({ id: shortCode })).toBeNull();
      expect(await store.publicationNamed({ shortCode: id })).toBeNull();
    });

    test("get none once they have ended", async () => {
      const settled = await ask();
      await store.confirmPending(settled.id, publicationOf(settled), DAWN);
      const disowned = await ask({ addressHash: "another" });
      await store.disownPending(disowned.id, "pressed", DAWN);
      const late = await ask();
      const before = await emailCount();

      expect(await askAgain(settled)).toBe(false);
      expect(await askAgain(disowned)).toBe(false);
      expect(await askAgain(late, late.expiresAt)).toBe(false);
      expect(await store.resend("nothing", second(), DAWN)).toBe(false);
      expect(await emailCount()).toBe(before);
    });

    test("respond in the same way if the first email was not sent, and get no second", async () => {
      for (let at = 0; at < 4; at++) await ask({ networkHash: `network ${at}` });
      const capped = await ask({ networkHash: "network 4" });
      const before = await emailCount();

      expect(await askAgain(capped)).toBe(true);
      expect(await emailCount()).toBe(before);
    });

    test("second emails count against the daily budget, and that of the requesting network", async () => {
      const asks = [await ask(), await ask({ networkHash: "other" })];
      for (const pending of asks) expect(await askAgain(pending)).toBe(true);

      // Three may be unconfirmed at a time: the fourth waits.
      expect(await emailCount()).toBe(3);
      expect((await store.confirmationQueue(DAWN + DAY)).held).toBe(1);
    });

    test("beyond the budget are sent together once, however often it is tried, and then last for two days", async () => {
      for (let at = 0; at < 4; at++) await ask({ networkHash: `network ${at}` });
      const queued = [await ask({ networkHash: "one" }), await ask({ networkHash: "two" })];
      const before = await emailCount();
      const noon = DAWN + 12 * HOUR;
      expect(await store.nextQueued(noon - 1)).toBeNull();
      const next = await store.nextQueued(noon);
      expect(next).toMatchObject({ pending: { id: queued[0]?.id }, emails: { length: 4 } });
      const which = { queuedOnly: true, perNetwork: 10, limit: 10 };
      const listed = await store.waitingRequests("mark", noon, which);
      expect(listed.map(({ id }) => id).toSorted()).toEqual(queued.map(({ id }) => id).toSorted());
      const email = () => ({
        addressHash: "mark",
        networkHash: "one",
        kind: "gathered" as const,
        listed,
        email: makeEmail(),
      });

      expect(await store.sendQueued(email(), noon)).toBe(true);
      expect(await store.sendQueued(email(), noon)).toBe(false);

      expect(await emailCount()).toBe(before + 1);
      expect(await store.nextQueued(noon + DAY)).toBeNull();
      expect(await store.lastHeldEmailAt(noon)).toBe(noon);
      for (const { id } of queued)
        expect((await store.pending(id))?.expiresAt).toBe(noon + CONFIRM_MS);
    });

    test("from a network without room in the budget do not delay those from a network with room", async () => {
      // The third request of a network waits; an email for another network then makes it wait longer.
      for (let at = 0; at < 3; at++) await ask();
      const dueAt = DAWN + 6 * HOUR;
      expect(await store.nextQueued(dueAt)).not.toBeNull();
      await ask({ networkHash: "other" }, dueAt - MINUTE);
      const held = makePending({ networkHash: "victim", createdAt: dueAt });
      const full = { key: "full", max: 0, windowMs: HOUR };
      const throttle = { pool: { unknown: full, known: full } };
      await store.addPending(makeRequest({ pending: held, throttle }), dueAt);
      const first = await store.nextQueued(dueAt);
      expect(first?.pending.networkHash).toBe("network");

      await store.postponeQueued("mark", dueAt);

      expect((await store.nextQueued(dueAt))?.pending.id).toBe(held.id);
      expect(await store.nextQueued(DAWN + DAY)).not.toBeNull();
    });

    test("that expired in the queue are not sent", async () => {
      for (let at = 0; at < 3; at++) await ask();

      expect(await store.nextQueued(DAWN + QUEUE_MS - 1)).not.toBeNull();
      expect(await store.nextQueued(DAWN + QUEUE_MS)).toBeNull();
    });

    test("that were disowned or confirmed are in no later email", async () => {
      for (let at = 0; at < 4; at++) await ask({ networkHash: `network ${at}` });
      const settled = await ask({ networkHash: "one" });
      const disowned = await ask({ addressHash: "another" });
      await store.confirmPending(settled.id, publicationOf(settled), DAWN);
      await store.disownPending(disowned.id, "pressed", DAWN);

      expect(await store.nextQueued(DAWN + DAY)).toBeNull();
    });

    test("move to another mailbox with the same names, and end for the first", async () => {
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
      expect((await store.confirmPending(old.id, publicationOf(old), DAWN + MINUTE)).kind).toBe(
        "late",
      );
      const [email, ...others] = await store.leaseEmails(DAWN + HOUR, MINUTE, 10);
      expect([email === undefined, others]).toEqual([false, []]);
    });

    test("move to another mailbox a few times, once each", async () => {
      let pending = await ask();
      for (let at = 1; at <= STOCKS.addressCorrections; at++) {
        const before = pending;
        const outcome = await readdress(before);
        if (outcome.kind !== "kept") throw new Error(outcome.kind);
        expect((await readdress(before)).kind).toBe("late");
        pending = outcome.pending;
      }

      expect((await readdress(pending)).kind).toBe("late");
      expect((await store.pending(pending.id))?.state).toBe("waiting");
    });

    test("do not change while a limit is full", async () => {
      const old = await ask();
      const hits = [{ key: "corrections", max: 1, windowMs: HOUR }];
      await store.countHits(hits, DAWN);
      const pending = makePending({ payload: old.payload, names: old.names });

      const outcome = await store.correctAddress(
        old.id,
        makeRequest({ pending, shortCode: null, hits }),
        DAWN + MINUTE,
      );

      expect(outcome).toEqual({ kind: "limited", retryAt: DAWN + HOUR });
      expect(await store.pending(old.id)).toEqual(old);
    });

    test("that moved can be requested again for the first mailbox", async () => {
      const old = await ask();
      await readdress(old);
      const anew = makePending({ contentHash: old.contentHash });

      const outcome = await store.addPending(makeRequest({ pending: anew }), DAWN + MINUTE);

      expect(outcome).toMatchObject({ kind: "kept", pending: { id: anew.id } });
    });

    test("about a removed alert are neither sent again nor moved", async () => {
      const publication = await ask();
      const effect = publicationOf(publication);
      await store.confirmPending(publication.id, effect, DAWN);
      const alertId = effect.alert.id;
      const payload = { kind: "message", alertId, text: "Here.", name: null, removed: [] } as const;
      const message = await ask({ kind: "message", names: null, payload, addressHash: "other" });
      await store.removeAlert(alertId, DAWN);
      const before = await emailCount();

      expect(await askAgain(message)).toBe(false);
      expect((await readdress(message)).kind).toBe("late");
      expect(await emailCount()).toBe(before);
    });

    test("an outcome is reported once, and only for a resolved alert", async () => {
      const pending = await ask();
      const effect = publicationOf(pending);
      await store.confirmPending(pending.id, effect, DAWN);
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

      const early = await store.addOutcome(alert.id, outcome);
      const { expiresAt } = alert;
      await store.changeStatus(alert, { status: "resolved", expiresAt, endedAt: DAWN }, DAWN);
      const before = await store.hasOutcome(alert.id);
      const told = [
        await store.addOutcome(alert.id, outcome),
        await store.addOutcome(alert.id, outcome),
      ];

      expect([early, before, told, await store.hasOutcome(alert.id)]).toEqual([
        false,
        false,
        [true, false],
        true,
      ]);
    });
  });
}
