import { describe, expect, test } from "bun:test";
import { CAPS, FACTORS, QUOTAS } from "../../src/core/caps.ts";
import { CONFIRM_MS, type Pending } from "../../src/core/pending/pending.ts";
import { resolve, subscribe } from "./confirmed.ts";
import { makeId, makeOutcome, makeRequest, makeEmail, makePending, publicationOf } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

/** Unconfirmed emails a day to one mailbox. */
const PER_DAY = CAPS.confirmationEmailsPerMailbox.max;

/** Store contract: second emails and corrected addresses of requests. */
export function describeRequests(): void {
  describe("waiting requests", () => {
    const emailCount = async () => (await store.outboxState()).waiting;
    const second = () => ({ email: makeEmail(), isShared: false, domain: null });
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
      return store.correctAddress(old.id, makeRequest({ pending }), now);
    }

    test("get one second email", async () => {
      const pending = await ask();

      const answers = [await askAgain(pending), await askAgain(pending)];

      expect(answers).toEqual([true, false]);
      expect(await emailCount()).toBe(2);
      expect(await store.pending(pending.id)).toEqual({ ...pending, resent: true });
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
      await fill();
      const capped = await ask({ networkHash: "late" });
      const before = await emailCount();

      expect(await askAgain(capped)).toBe(true);
      expect(await emailCount()).toBe(before);
    });

    test("that repeat one without an email get it as soon as the mailbox can get one, with what it will show", async () => {
      await store.stopEmails("mark", null, DAWN);
      const first = await ask({ networkHash: "owner" });
      const repeat = (nth: number) => {
        const { contentHash } = first;
        const times = {
          createdAt: DAWN + nth * MINUTE,
          expiresAt: DAWN + nth * MINUTE + CONFIRM_MS,
        };
        const pending = makePending({ contentHash, networkHash: "owner", ...times });
        const { content } = makeEmail();
        const email = makeEmail({ content: { ...content, shortCode: pending.names!.shortCode } });
        const send = () => store.addPending(makeRequest({ pending, email }), times.createdAt);
        return { pending, email, send };
      };
      const [early, again, third] = [repeat(1), repeat(2), repeat(3)];
      expect(await emails(early.send)).toBe(0);
      const mailbox = { mailboxHash: "another", addressHash: first.addressHash };
      const unsent = async () =>
        (await store.otherSpellings(mailbox, DAWN, 100)).map(({ pending }) => pending.id);
      expect(await unsent()).toEqual([first.id]);
      await store.allowEmails(first.addressHash);

      expect(await emails(again.send)).toBe(1);

      const [sent] = await store.leaseEmails(DAWN + HOUR, MINUTE, 1);
      expect(sent?.content).toMatchObject({
        shortCode: first.names!.shortCode,
        expiresAt: first.expiresAt,
      });
      expect(await emails(third.send)).toBe(0);
      expect(await unsent()).toEqual([]);
      expect(await store.pendingByToken(again.pending.tokenHash)).toEqual(first);
      expect(await store.listedMailbox(again.pending.tokenHash, DAWN + HOUR)).not.toBeNull();
    });

    test("that repeat one which has ended get no email", async () => {
      await store.stopEmails("mark", null, DAWN);
      const idempotencyHash = "key and content";
      const first = await ask({ networkHash: "owner", idempotencyHash });
      await store.confirmPending(first.id, publicationOf(first), DAWN + MINUTE);
      await store.allowEmails("mark");

      expect(await emails(() => ask({ idempotencyHash }, DAWN + HOUR))).toBe(0);
    });

    /** Fills the budget of a mailbox with publications of as many networks. */
    const fill = async (about: Partial<Pending> = {}, now = DAWN) => {
      for (let nth = 0; nth < PER_DAY; nth++)
        await ask({ networkHash: `network ${nth}`, ...about }, now);
    };
    const emails = async (work: () => Promise<unknown>) => {
      const before = await emailCount();
      await work();
      return (await emailCount()) - before;
    };
    const zone = { kind: "zone", names: null } as const;

    describe("and the budget of their mailbox", () => {
      test("send five emails a day, however many ask, and confirming any frees it", async () => {
        const first = await ask({ networkHash: "first" });
        expect(await emails(() => fill())).toBe(PER_DAY - 1);
        expect(await emails(() => ask({ networkHash: "late" }))).toBe(0);
        expect(await emails(() => ask({ networkHash: "late" }, DAWN + DAY))).toBe(1);

        await store.confirmPending(first.id, publicationOf(first), DAWN + HOUR);

        expect(await emails(() => ask({ networkHash: "late" }, DAWN + HOUR))).toBe(1);
      });

      test("keep a place for publications", async () => {
        const ofNetwork = (nth: number) => ask({ ...zone, networkHash: `network ${nth}` });
        for (let nth = 0; nth < PER_DAY; nth++) await ofNetwork(nth);

        expect(await emailCount()).toBe(PER_DAY - 1);
        expect(await emails(() => ask({ networkHash: "owner" }))).toBe(1);
      });

      test("keep a place for a network that the mailbox has not heard of", async () => {
        for (let nth = 0; nth < 2 * PER_DAY; nth++) await ask();

        expect(await emailCount()).toBe(PER_DAY - 1);
        expect(await emails(() => ask({ networkHash: "owner" }))).toBe(1);
      });

      test("keep both places from a network that asks for something else", async () => {
        for (let nth = 0; nth < 2 * PER_DAY; nth++) await ask(zone);

        expect(await emailCount()).toBe(PER_DAY - 2);
        expect(await emails(() => ask())).toBe(1);
        expect(await emails(() => ask({ networkHash: "owner" }))).toBe(1);
      });

      test("count second emails, too", async () => {
        const requests = [await ask(), await ask(), await ask()];
        for (const request of requests) expect(await askAgain(request)).toBe(true);

        expect(await emailCount()).toBe(PER_DAY - 1);
      });
    });

    describe("listed behind the link of an email", () => {
      const mailbox = { mailboxHash: "spelling", addressHash: "mark" };
      const list = async (now = DAWN, limit = 100) =>
        (await store.waitingRequests(mailbox.mailboxHash, now, limit)).map(
          ({ pending }) => pending.id,
        );

      test("are found for 48 hours, whatever became of its own request, if an email brought it", async () => {
        const [confirmed, disowned, moved] = [await ask(), await ask(), await ask()];
        await store.confirmPending(confirmed.id, publicationOf(confirmed), DAWN);
        await readdress(moved, {}, DAWN);
        await store.disownPending(disowned.id, "pressed", DAWN);
        const stopped = await ask();

        for (const { tokenHash } of [confirmed, disowned, moved]) {
          expect(await store.listedMailbox(tokenHash, DAWN + CONFIRM_MS - 1)).toEqual(mailbox);
          expect(await store.listedMailbox(tokenHash, DAWN + CONFIRM_MS)).toBeNull();
        }
        expect(await store.listedMailbox(stopped.tokenHash, DAWN)).toBeNull();
        expect(await store.listedMailbox("unknown", DAWN)).toBeNull();
      });

      test("are found for 48 hours after a second email, too", async () => {
        const { id, tokenHash } = await ask();
        await store.resend(id, second(), DAWN + 47 * HOUR);

        expect(await store.listedMailbox(tokenHash, DAWN + 94 * HOUR)).toEqual(mailbox);
        expect(await store.listedMailbox(tokenHash, DAWN + 95 * HOUR)).toBeNull();
      });

      test("are those that wait for exactly this spelling, once each", async () => {
        const own = await ask();
        await store.addPending(
          makeRequest({ pending: makePending({ contentHash: own.contentHash }) }),
          DAWN,
        );
        await ask({ mailboxHash: "other spelling" });
        await ask({ mailboxHash: "another", addressHash: "another" });
        const ended = await ask();
        await store.confirmPending(ended.id, publicationOf(ended), DAWN);

        expect(await list()).toEqual([own.id]);
        expect(await list(DAWN + CONFIRM_MS)).toEqual([]);
      });

      test("begin with the newest of each network and kind, publications before others", async () => {
        const at = (nth: number) => DAWN + nth * MINUTE;
        const early = await ask({ networkHash: "stranger" }, at(0));
        const watched = await ask({ ...zone, networkHash: "other" }, at(1));
        const own = await ask({ networkHash: "owner" }, at(2));
        const late = await ask({ networkHash: "stranger" }, at(3));
        const rows = await store.waitingRequests(mailbox.mailboxHash, at(4), 100);

        expect(rows.map(({ pending, isNewest }) => [pending.id, isNewest])).toEqual([
          [own.id, true],
          [late.id, true],
          [watched.id, true],
          [early.id, false],
        ]);
        expect(await list(at(4), 1)).toEqual([own.id]);
      });

      test("are as many as asked for, with the owner's among the first", async () => {
        for (let nth = 0; nth < 60; nth++)
          await ask({ ...(nth % 2 === 0 ? zone : {}), networkHash: `network ${nth % 40}` });
        const own = await ask({ networkHash: "owner" }, DAWN + MINUTE);
        for (let nth = 0; nth < 40; nth++)
          await ask({ networkHash: `network ${nth}` }, DAWN + 2 * MINUTE);

        const listed = await list(DAWN + 3 * MINUTE, 20);

        expect(listed).toHaveLength(20);
        expect(listed[0]).toBe(own.id);
      });

      test("are sent their own emails if they wait for other spellings, twice the budget at most", async () => {
        await fill();
        for (let nth = 0; nth < 2 * PER_DAY; nth++)
          await ask({ mailboxHash: `spelling ${nth}`, networkHash: `network ${nth}` });
        const own = await ask({ networkHash: "owner" });
        const foreign = await ask({ addressHash: "foreign", mailboxHash: "foreign" });
        const unsent = async () =>
          (await store.otherSpellings(mailbox, DAWN, 100)).map(({ pending }) => pending.id);
        const send = (id = "") => store.sendToOtherSpelling(mailbox, id, makeEmail(), DAWN);
        const before = await unsent();
        expect(before).toHaveLength(2 * PER_DAY);

        const count = await emailCount();
        for (const id of [own.id, foreign.id, "unknown"]) expect(await send(id)).toBe("not_listed");
        expect(await emailCount()).toBe(count);
        for (const id of before.slice(0, PER_DAY)) expect(await send(id)).toBe("sent");
        expect(await send(before[0])).toBe("not_listed");
        expect(await send(before[PER_DAY])).toBe("full");
        expect(await emailCount()).toBe(count + PER_DAY);
        expect(await unsent()).toEqual(before.slice(PER_DAY));

        await store.stopEmails(mailbox.addressHash, null, DAWN);
        const late = await ask({ mailboxHash: "late spelling" }, DAWN + DAY);
        expect(await store.sendToOtherSpelling(mailbox, late.id, makeEmail(), DAWN + DAY)).toBe(
          "full",
        );
      });
    });

    describe("that nobody confirmed", () => {
      const unconfirmed = { max: 8, windowMs: HOUR };
      const request = (about: Partial<Pending> = {}, now = DAWN) => {
        const pending = makePending({
          addressHash: makeId("mark"),
          createdAt: now,
          expiresAt: now + CONFIRM_MS,
          ...about,
        });
        return store.addPending(makeRequest({ pending, unconfirmed }), now);
      };

      test("are limited for each network and kind, and confirming one makes room", async () => {
        const first = await request();
        for (let nth = 1; nth < unconfirmed.max; nth++) await request({}, DAWN + MINUTE);

        const limited = { kind: "network_limited" as const, retryAt: DAWN + HOUR };
        expect(await request({}, DAWN + 2 * MINUTE)).toEqual(limited);
        expect((await request(zone)).kind).toBe("kept");
        expect((await request({ networkHash: "other" })).kind).toBe("kept");
        if (first.kind !== "kept") throw new Error(first.kind);
        await store.confirmPending(first.pending.id, publicationOf(first.pending), DAWN);
        expect((await request({}, DAWN + 2 * MINUTE)).kind).toBe("kept");
      });

      test("are limited more while there are too many in all, but for no network below its share", async () => {
        const share = unconfirmed.max / FACTORS.networkClients;
        expect(share).toBe(1);
        await request();
        const { max } = CAPS.unconfirmedRequests;
        const flood = () => ask({ networkHash: "flood", addressHash: makeId("mark"), ...zone });
        for (let many = 1; many < max; many += 60)
          await Promise.all(Array.from({ length: Math.min(60, max - many) }, flood));
        expect(await store.unconfirmedRequests(DAWN)).toBe(max);

        expect((await request()).kind).toBe("network_limited");
        expect((await request({ networkHash: "newcomer" })).kind).toBe("kept");
        expect(await store.unconfirmedRequests(DAWN + HOUR)).toBe(0);
      });
    });

    describe("by hosted assistants", () => {
      const ask = (about: Partial<Pending> = {}) => {
        const pending = makePending({ addressHash: makeId("mark"), ...about });
        return emails(() => store.addPending(makeRequest({ pending, isShared: true }), DAWN));
      };

      test("send half of their emails to mailboxes that confirmed something before", async () => {
        const known = await subscribe(store, { email: "known" });
        const { max } = CAPS.sharedNetworkEmails;
        for (let nth = 0; nth < max; nth++) await ask();

        expect(await ask()).toBe(0);
        expect(await ask({ addressHash: known.zone.email })).toBe(1);
        expect(await ask({ networkHash: "other" })).toBe(1);
        expect(await ask(zone)).toBe(1);
      });
    });

    describe("for mailboxes at a small mail domain that never confirmed anything", () => {
      const domain = { key: "domain", max: 2, windowMs: DAY };
      const askFor = (addressHash: string, networkHash: string) => {
        const pending = makePending({ addressHash, networkHash });
        return emails(() => store.addPending(makeRequest({ pending, domain }), DAWN));
      };

      test("send each its first email of the day, and no more once the domain's are used up", async () => {
        const sent = [];
        for (const one of ["a", "b", "c"])
          for (const network of ["first", "second"]) sent.push(await askFor(one, network));

        expect(sent).toEqual([1, 1, 1, 0, 1, 0]);
      });

      test("do not count for those that did", async () => {
        await subscribe(store, { email: "known" });
        const sent = [];
        for (const network of ["1", "2", "3"]) sent.push(await askFor("known", network));

        expect(sent).toEqual([1, 1, 1]);
      });
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
      // The first mailbox gets its email, behind which the list of what waits for it stays.
      expect(await emailCount()).toBe(2);
      expect(await store.listedMailbox(old.tokenHash, DAWN + MINUTE)).not.toBeNull();
    });

    test("move to another mailbox a few times, once each", async () => {
      let pending = await ask();
      for (let at = 1; at <= QUOTAS.addressCorrections; at++) {
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
        makeRequest({ pending, hits }),
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
      const about = { alertId, text: "Here.", name: null, photos: [], removed: [] };
      const payload = { kind: "message", ...about } as const;
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
      const outcome = makeOutcome();

      const early = await store.addOutcome(alert.id, outcome);
      await resolve(store, alert);
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
