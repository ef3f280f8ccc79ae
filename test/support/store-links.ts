import { describe, expect, test } from "bun:test";
import {
  addErasure,
  ANNA,
  BEN,
  emailsDue,
  erasePerson,
  makeErasure,
  publishFor,
  waiting,
} from "./confirmed.ts";
import { makeAnswer, makePending, makeRequest } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

/** Store contract: requests for links by email, and links that erase. */
export function describeErasureLinks(): void {
  describe("erasure", () => {
    test("requests for links wait in order until they are answered, within the limits", async () => {
      const limit = { key: "asks", max: 2, windowMs: HOUR };
      const ask = (nth: number) => ({
        id: `ask-${nth}`,
        kind: "admin" as const,
        sealedRequester: `sealed ${nth}`,
        language: "fr" as const,
        part: 1,
        askedAt: DAWN + nth,
      });

      const given = [];
      for (const nth of [1, 2, 3])
        given.push(await store.addLinkRequest(ask(nth), [limit], DAWN + nth));

      expect(given).toEqual([null, null, DAWN + 1 + HOUR]);
      expect(await store.linkRequests(1)).toEqual([ask(1)]);
      await store.dropLinkRequest("ask-1");
      expect(await store.linkRequests(10)).toEqual([ask(2)]);
    });

    test("manage links go to the owner of all listed alerts, and not once one of these has another owner", async () => {
      const [first, second] = [await publishFor(store, ANNA), await publishFor(store, ANNA)];
      const others = await publishFor(store, BEN);
      await emailsDue(store);
      const answer = await makeAnswer(store, waiting(ANNA));

      await store.sendManageLinks([first.id, others.id], answer, DAWN);
      expect(await store.linkRequests(10)).toHaveLength(1);
      await store.sendManageLinks([first.id, second.id], answer, DAWN);

      expect(await store.linkRequests(10)).toEqual([]);
      expect(await emailsDue(store)).toEqual([answer.emails[0].id]);
    });

    describe("an erasure link", () => {
      test("is sent once, even if the same request is answered twice", async () => {
        const [first, second] = [makeErasure(), makeErasure()];
        const answer = await makeAnswer(store, waiting(ANNA));

        await store.addErasureLink(first, answer, DAWN);
        await store.addErasureLink(second, { ...answer, emails: [waiting(ANNA)] }, DAWN);

        expect(await store.erasureLink(first.tokenHash, DAWN)).not.toBeNull();
        expect(await store.erasureLink(second.tokenHash, DAWN)).toBeNull();
        expect(await emailsDue(store)).toEqual([answer.emails[0].id]);
        expect(await store.linkRequests(10)).toEqual([]);
      });

      test("is not sent beyond the limits of its mailbox, and counts only if it is sent", async () => {
        const [to, all] = [
          { key: "to", max: 2, windowMs: HOUR },
          { key: "all", max: 9, windowMs: HOUR },
        ];
        const emails = [1, 2, 3, 4].map(() => waiting(ANNA));
        for (const email of emails) await addErasure(store, makeErasure(), email, [to, all]);

        expect(await emailsDue(store)).toEqual(emails.slice(0, 2).map((email) => email.id));
        expect(await store.linkRequests(10)).toEqual([]);
        const left = Array(7).fill(all);
        expect(await store.countHits([...left, all], DAWN)).not.toBeNull();
        expect(await store.countHits(left, DAWN)).toBeNull();
      });

      test("to a mailbox that confirmed nothing is sent like a confirmation email, and counts as one", async () => {
        const unconfirmed = () => makeErasure({ unconfirmedHash: "anna" });
        const ask = async () => {
          const email = waiting(ANNA);
          const pending = makePending({ email: ANNA, addressHash: "anna" });
          await store.addPending(makeRequest({ pending, email }), DAWN);
          return email.id;
        };
        const link = async (erasure = unconfirmed()) => {
          const email = waiting(ANNA);
          await addErasure(store, erasure, email);
          return email.id;
        };

        const sent = [await ask(), await link(), await link(), await ask()];
        const kept = [await link(), await ask()];
        expect(await emailsDue(store)).toEqual(sent);
        const confirmed = await link(makeErasure());
        expect(await emailsDue(store)).toEqual([confirmed]);

        await store.stopEmails("anna", "pressed", DAWN);
        await store.sweep({ now: DAWN + 3 * DAY, before: 0, hitsBefore: 0, auditLogBefore: 0 }, 10);
        expect(await store.dataInventory(ANNA)).toMatchObject({ requests: 0 });
        kept.push(await link());
        expect(await emailsDue(store)).toEqual([]);
        await store.allowEmails("anna");
        const allowed = await link();
        expect(await emailsDue(store)).toEqual([allowed]);
      });

      test("does not count once it was used", async () => {
        for (let nth = 0; nth < 3; nth++)
          await addErasure(store, makeErasure({ unconfirmedHash: "anna" }), waiting(ANNA));
        await emailsDue(store);
        await erasePerson(store, ANNA, DAWN + HOUR);
        const email = waiting(ANNA);

        await addErasure(store, makeErasure({ unconfirmedHash: "anna" }), email);

        expect(await emailsDue(store)).toEqual([email.id]);
      });

      test("works until it expires, and no other token opens it", async () => {
        await publishFor(store, ANNA);
        const link = makeErasure();
        const email = waiting(ANNA);
        await addErasure(store, link, email);

        expect(await store.erasureLink(link.tokenHash, DAWN)).toEqual({
          state: "waiting",
          email: ANNA,
          expiresAt: link.expiresAt,
          unconfirmedHash: null,
        });
        expect(await store.erasureLink("other", DAWN)).toBeNull();
        expect(await store.erasureLink(link.tokenHash, link.expiresAt)).toBeNull();
        expect(await emailsDue(store)).toContain(email.id);
      });

      test("reports the numbers of what it erased, however often it is used", async () => {
        const [first, second] = [makeErasure(), makeErasure()];
        for (const owner of [ANNA, BEN]) await publishFor(store, owner);
        await addErasure(store, first, waiting(ANNA));
        await addErasure(store, second, waiting(ANNA));
        const other = makeErasure({ email: BEN });
        await addErasure(store, other, waiting(BEN));

        const erased = await erasePerson(store, ANNA, DAWN + HOUR);
        await erasePerson(store, ANNA, DAWN + HOUR);

        expect(erased).toMatchObject({ alerts: 1 });
        for (const { tokenHash } of [first, second])
          expect(await store.erasureLink(tokenHash, DAWN)).toMatchObject({ state: "done", erased });
        expect(await store.erasureLink(other.tokenHash, DAWN)).toMatchObject({ email: BEN });
      });

      test("is deleted after it has expired", async () => {
        const link = makeErasure();
        await publishFor(store, ANNA);
        await addErasure(store, link, waiting(ANNA));

        const now = link.expiresAt;
        await store.sweep({ now, before: 0, hitsBefore: 0, auditLogBefore: 0 }, 10);

        expect(await store.erasureLink(link.tokenHash, DAWN)).toBeNull();
      });
    });
  });
}

/** Store contract: sign-in links and sessions of moderators. */
export function describeModeratorSignIn(): void {
  describe("a moderator's sign-in link", () => {
    const link = {
      purpose: "moderation",
      tokenHash: "link",
      email: "mod@example.org",
      expiresAt: DAWN + 30 * MINUTE,
    } as const;
    const session = { tokenHash: "session", expiresAt: DAWN + 50 * MINUTE };

    test("opens one session, the first time it is used", async () => {
      await store.addSignInLinks([link], await makeAnswer(store), DAWN);

      const opened = await Promise.all(
        ["one", "two", "three"].map((tokenHash) =>
          store.openSession("moderation", "link", { ...session, tokenHash }, DAWN),
        ),
      );

      expect(opened.filter(Boolean)).toHaveLength(1);
      expect(await store.sessionMailbox("moderation", "link", DAWN)).toBeNull();
    });

    test("and its session expire, or end when signed out; neither works as the other", async () => {
      await store.addSignInLinks([link], await makeAnswer(store), DAWN);
      expect(await store.sessionMailbox("moderation", "link", DAWN)).toBeNull();
      expect(await store.openSession("moderation", "link", session, link.expiresAt)).toBe(false);
      expect(await store.openSession("moderation", "link", session, link.expiresAt - 1)).toBe(true);
      expect(await store.openSession("moderation", "session", session, DAWN)).toBe(false);

      expect(await store.sessionMailbox("moderation", "session", session.expiresAt - 1)).toBe(
        link.email,
      );
      expect(await store.sessionMailbox("moderation", "session", session.expiresAt)).toBeNull();
      await store.endSession("session");
      expect(await store.sessionMailbox("moderation", "session", DAWN)).toBeNull();
    });

    test("has a session that can be renewed until it has ended, and not after", async () => {
      await store.addSignInLinks([link], await makeAnswer(store), DAWN);
      await store.openSession("moderation", "link", session, DAWN);
      await store.renewSession("session", DAWN + 90 * MINUTE, DAWN + 40 * MINUTE);
      expect(await store.sessionMailbox("moderation", "session", DAWN + 80 * MINUTE)).toBe(
        link.email,
      );

      await store.renewSession("session", DAWN + 300 * MINUTE, DAWN + 90 * MINUTE);
      expect(await store.sessionMailbox("moderation", "session", DAWN + 100 * MINUTE)).toBeNull();
      await store.renewSession("unknown", DAWN + 300 * MINUTE, DAWN);
      expect(await store.sessionMailbox("moderation", "unknown", DAWN)).toBeNull();
    });

    test("is deleted by the sweep once it has expired", async () => {
      await store.addSignInLinks([link], await makeAnswer(store), DAWN);
      const sweep = { before: DAWN, hitsBefore: DAWN, auditLogBefore: DAWN };
      await store.sweep({ now: link.expiresAt, ...sweep }, 10);

      // With the clock set back, only a deleted link stays invalid.
      expect(await store.openSession("moderation", "link", session, DAWN)).toBe(false);
    });
  });
}
