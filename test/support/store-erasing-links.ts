import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Store } from "../../src/core/store.ts";
import {
  addErasure,
  ANNA,
  BEN,
  erasePerson,
  lettersDue,
  makeErasure,
  publishFor,
  waiting,
} from "./erasures.ts";
import { makeAnswer, makeAsk, makePending } from "./make.ts";
import { DAWN, DAY, HOUR } from "./time.ts";

/** What every store promises of the links that erase, and of the asks for links. */
export function describeErasingLinks(name: string, open: () => Store): void {
  describe(`erasing in the store on ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

    test("asks for links wait in order until they are dealt with, as far as the limits go", async () => {
      const limit = { key: "asks", max: 2, windowMs: HOUR };
      const ask = (nth: number) => ({
        id: `ask-${nth}`,
        kind: "admin" as const,
        sealedEmail: `sealed ${nth}`,
        language: "fr" as const,
        askedAt: DAWN + nth,
      });

      const given = [];
      for (const nth of [1, 2, 3])
        given.push(await store.askForLink(ask(nth), [limit], DAWN + nth));

      expect(given).toEqual([null, null, DAWN + 1 + HOUR]);
      expect(await store.linkAsks(1)).toEqual([ask(1)]);
      await store.dropLinkAsk("ask-1");
      expect(await store.linkAsks(10)).toEqual([ask(2)]);
    });

    describe("a link that erases", () => {
      test("is sent once, whoever else deals with the same ask", async () => {
        const [first, second] = [makeErasure(), makeErasure()];
        const answer = await makeAnswer(store, waiting(ANNA));

        await store.addErasureLink(first, answer, DAWN);
        await store.addErasureLink(second, { ...answer, letter: waiting(ANNA) }, DAWN);

        expect(await store.erasureLink(first.tokenHash, DAWN)).not.toBeNull();
        expect(await store.erasureLink(second.tokenHash, DAWN)).toBeNull();
        expect(await lettersDue(store)).toEqual([answer.letter.id]);
        expect(await store.linkAsks(10)).toEqual([]);
      });

      test("is not sent beyond the limits of its mailbox, and counts only when it is", async () => {
        const [to, all] = [
          { key: "to", max: 2, windowMs: HOUR },
          { key: "all", max: 9, windowMs: HOUR },
        ];
        const letters = [1, 2, 3, 4].map(() => waiting(ANNA));
        for (const letter of letters) await addErasure(store, makeErasure(), letter, [to, all]);

        expect(await lettersDue(store)).toEqual(letters.slice(0, 2).map((letter) => letter.id));
        expect(await store.linkAsks(10)).toEqual([]);
        const left = Array(7).fill(all);
        expect(await store.count([...left, all], DAWN)).not.toBeNull();
        expect(await store.count(left, DAWN)).toBeNull();
      });

      test("goes to a mailbox that confirmed nothing as confirmation letters do, and counts as one", async () => {
        const unconfirmed = () => makeErasure({ unconfirmedMark: "anna" });
        const ask = async () => {
          const letter = waiting(ANNA);
          const pending = makePending({ email: ANNA, addressMark: "anna" });
          await store.ask(makeAsk({ pending, letter }), DAWN);
          return letter.id;
        };
        const link = async (erasure = unconfirmed()) => {
          const letter = waiting(ANNA);
          await addErasure(store, erasure, letter);
          return letter.id;
        };

        const sent = [await ask(), await link(), await ask()];
        const kept = [await link(), await ask()];
        expect(await lettersDue(store)).toEqual(sent);
        const confirmed = await link(makeErasure());
        expect(await lettersDue(store)).toEqual([confirmed]);

        await store.stopLetters("anna", DAWN);
        await store.sweep({ now: DAWN + 3 * DAY, before: 0, hitsBefore: 0, deedsBefore: 0 }, 10);
        expect(await store.holdings(ANNA)).toMatchObject({ requests: 0 });
        kept.push(await link());
        expect(await lettersDue(store)).toEqual([]);
        await store.allowLetters("anna");
        const allowed = await link();
        expect(await lettersDue(store)).toEqual([allowed]);
      });

      test("counts no more once it was used", async () => {
        for (let nth = 0; nth < 3; nth++)
          await addErasure(store, makeErasure({ unconfirmedMark: "anna" }), waiting(ANNA));
        await lettersDue(store);
        await erasePerson(store, ANNA, DAWN + HOUR);
        const letter = waiting(ANNA);

        await addErasure(store, makeErasure({ unconfirmedMark: "anna" }), letter);

        expect(await lettersDue(store)).toEqual([letter.id]);
      });

      test("is good until its time is over, and nothing else opens it", async () => {
        await publishFor(store, ANNA);
        const link = makeErasure();
        const letter = waiting(ANNA);
        await addErasure(store, link, letter);

        expect(await store.erasureLink(link.tokenHash, DAWN)).toEqual({
          state: "waiting",
          email: ANNA,
          expiresAt: link.expiresAt,
          unconfirmedMark: null,
        });
        expect(await store.erasureLink("other", DAWN)).toBeNull();
        expect(await store.erasureLink(link.tokenHash, link.expiresAt)).toBeNull();
        expect(await lettersDue(store)).toContain(letter.id);
      });

      test("tells what it erased, in numbers, however often it is done", async () => {
        const [first, second] = [makeErasure(), makeErasure({ email: "ANNA@example.org" })];
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

      test("is forgotten when its time is over", async () => {
        const link = makeErasure();
        await publishFor(store, ANNA);
        await addErasure(store, link, waiting(ANNA));

        const now = link.expiresAt;
        await store.sweep({ now, before: 0, hitsBefore: 0, deedsBefore: 0 }, 10);

        expect(await store.erasureLink(link.tokenHash, DAWN)).toBeNull();
      });
    });
  });
}
