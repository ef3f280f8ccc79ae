import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Store } from "../../src/core/store.ts";
import { makeAsk, makeLetter } from "./make.ts";
import { DAWN, DAY, MINUTE } from "./time.ts";

/** What every store promises of letters until they are sent. */
export function describeLetters(name: string, open: () => Store): void {
  describe(`the store on ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

    describe("letters", () => {
      test("a leased letter is nobody else's until the lease is over", async () => {
        const ask = makeAsk();
        await store.ask(ask, DAWN);

        const first = await store.leaseLetters(DAWN, 10 * MINUTE, 10);
        expect(first).toEqual([ask.letter]);
        expect(await store.leaseLetters(DAWN + 9 * MINUTE, 10 * MINUTE, 10)).toEqual([]);
        expect(await store.leaseLetters(DAWN + 10 * MINUTE, 10 * MINUTE, 10)).toEqual([ask.letter]);
      });

      test("letters to the domains to leave stay, whatever else is due", async () => {
        const to = ["a@left.example", "b@example.org", "c@left.example.org"];
        const letters = to.map((one) => makeLetter({ to: one }));
        for (const letter of letters) await store.ask(makeAsk({ letter }), DAWN);

        const first = await store.leaseLetters(DAWN, MINUTE, 10, ["left.example", "no.example"]);
        const rest = await store.leaseLetters(DAWN, MINUTE, 10);

        expect(first.map((one) => one.to)).toEqual(["b@example.org", "c@left.example.org"]);
        expect(rest.map((one) => one.to)).toEqual(["a@left.example"]);
      });

      test("a closed letter is not leased again and holds nothing any more", async () => {
        const ask = makeAsk();
        await store.ask(ask, DAWN);
        await store.closeLetter(ask.letter.id, "sent", DAWN);
        await store.postponeLetter(ask.letter.id, DAWN);

        expect(await store.leaseLetters(DAWN + DAY, MINUTE, 10)).toEqual([]);
        expect(await store.outboxState()).toEqual({ waiting: 0, oldestAt: null, dueSince: null });
      });

      test("tells how many letters wait, since when, and when the first is due", async () => {
        await store.ask(makeAsk({ letter: makeLetter({ createdAt: DAWN }) }), DAWN);
        const later = DAWN + MINUTE;
        await store.ask(makeAsk({ letter: makeLetter({ createdAt: later }) }), later);
        const due = { waiting: 2, oldestAt: DAWN, dueSince: DAWN };
        expect(await store.outboxState()).toEqual(due);

        const [first] = await store.leaseLetters(DAWN, 10 * MINUTE, 1);
        expect(await store.outboxState()).toEqual({ ...due, dueSince: later });
        await store.postponeLetter(first?.id ?? "", later - 1);
        expect(await store.outboxState()).toEqual({ ...due, dueSince: later - 1 });

        await store.closeLetter(first?.id ?? "", "sent", later);
        expect(await store.outboxState()).toEqual({ waiting: 1, oldestAt: later, dueSince: later });
      });

      test("a postponed letter is due at its new time", async () => {
        const ask = makeAsk();
        await store.ask(ask, DAWN);
        await store.leaseLetters(DAWN, 10 * MINUTE, 10);
        await store.postponeLetter(ask.letter.id, DAWN + MINUTE);

        expect(await store.leaseLetters(DAWN + MINUTE - 1, MINUTE, 10)).toEqual([]);
        expect(await store.leaseLetters(DAWN + MINUTE, MINUTE, 10)).toHaveLength(1);
      });
    });
  });
}
