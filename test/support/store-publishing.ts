import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Store } from "../../src/core/store.ts";
import { publish } from "./confirmed.ts";
import { makeAlert, makeAsk, makePending, publicationOf } from "./make.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

/** What every store promises of asking, and of what is published once it is confirmed. */
export function describePublishing(name: string, open: () => Store): void {
  describe(`the store on ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

    describe("publishing", () => {
      test("an alert is found by id, slug, short code and key once it is settled, and not before", async () => {
        const ask = makeAsk();
        const effect = publicationOf(ask.pending);
        const names = effect.alert;
        await store.ask(ask, DAWN);

        expect(await store.alert({ by: "id", id: names.id })).toBeNull();
        await store.settle(ask.pending.id, effect, DAWN);

        const found = await store.alert({ by: "slug", slug: names.slug });
        expect(found).toEqual({ ...names, publishedAt: DAWN });
        expect(await store.alert({ by: "code", code: names.shortCode })).toEqual(found);
        expect(await store.alertsByKeys([DAWN])).toEqual(found === null ? [] : [found]);
      });

      test("keys are unique and strictly increasing, even at one moment and when the clock steps back", async () => {
        const first = await publish(store);
        const second = await publish(store);
        const third = await publish(store, {}, DAWN - HOUR);

        expect([first, second, third].map((alert) => alert.publishedAt)).toEqual([
          DAWN,
          DAWN + 1,
          DAWN + 2,
        ]);
      });

      test("rows come in the order of the keys asked for, and unknown keys are left out", async () => {
        const first = await publish(store);
        const second = await publish(store);

        const rows = await store.alertsByKeys([second.publishedAt, 1, first.publishedAt]);

        expect(rows.map((row) => row.id)).toEqual([second.id, first.id]);
      });

      test("settling carries the effect out once, however often it is tried", async () => {
        const ask = makeAsk();
        await store.ask(ask, DAWN);
        const effect = publicationOf(ask.pending);

        const outcomes = await Array.fromAsync({ length: 3 }, () =>
          store.settle(ask.pending.id, effect, DAWN),
        );

        expect(outcomes.map(({ kind }) => kind)).toEqual(["won", "late", "late"]);
      });

      test("what does not wait any more cannot be settled: out of time, or disowned", async () => {
        const old = makeAsk();
        const foreign = makeAsk();
        await store.ask(old, DAWN);
        await store.ask(foreign, DAWN);
        await store.disown(foreign.pending.id, DAWN);

        expect(
          (await store.settle(old.pending.id, publicationOf(old.pending), DAWN + 48 * HOUR)).kind,
        ).toBe("late");
        expect(
          (await store.settle(foreign.pending.id, publicationOf(foreign.pending), DAWN)).kind,
        ).toBe("late");
        expect((await store.changesSince(0, 10)).alerts).toEqual([]);
      });

      test("nothing of an effect happens when a part of it cannot", async () => {
        const ask = makeAsk();
        await store.ask(ask, DAWN);
        const effect = publicationOf(ask.pending);
        const twice = { ...effect, links: [...effect.links, ...effect.links] };

        await expect(store.settle(ask.pending.id, twice, DAWN)).rejects.toThrow();

        expect(await store.alert({ by: "id", id: effect.alert.id })).toBeNull();
        expect((await store.pendingByToken(ask.pending.tokenHash))?.state).toBe("waiting");
        expect((await store.settle(ask.pending.id, effect, DAWN)).kind).toBe("won");
      });

      test("a settled action keeps its names and forgets what it held", async () => {
        const ask = makeAsk();
        await store.ask(ask, DAWN);
        await store.settle(ask.pending.id, publicationOf(ask.pending), DAWN);

        const kept = await store.pendingByToken(ask.pending.tokenHash);

        expect(kept).toMatchObject({
          state: "confirmed",
          payload: null,
          email: "",
          names: ask.pending.names,
        });
      });
    });

    describe("asking", () => {
      test("a short code is taken from the moment it is asked for, and is never given twice", async () => {
        const ask = makeAsk();
        const code = ask.shortCode ?? "";

        expect(await store.codeTaken(code)).toBe(false);
        await store.ask(ask, DAWN);

        expect(await store.codeTaken(code)).toBe(true);
        expect((await store.ask(makeAsk({ shortCode: code }), DAWN)).kind).toBe("code_taken");
      });

      test("the same ask within ten minutes is the same ask, with one letter; later it is another", async () => {
        const first = makeAsk();
        const again = makeAsk({ pending: makePending({ contentMark: first.pending.contentMark }) });
        await store.ask(first, DAWN);

        const soon = await store.ask(again, DAWN + 9 * MINUTE);
        expect(soon).toEqual({ kind: "kept", pending: first.pending });
        expect((await store.outboxState()).waiting).toBe(1);

        const later = await store.ask(again, DAWN + 11 * MINUTE);
        expect(later).toEqual({ kind: "kept", pending: again.pending });
        expect((await store.outboxState()).waiting).toBe(2);
      });

      test("a limit lets its number through in a sliding window and says when it opens again", async () => {
        const hits = [{ key: "publish:from:a", max: 2, windowMs: HOUR }];
        const ask = (now: number, key = "publish:from:a") =>
          store.ask(
            makeAsk({
              pending: makePending({ addressMark: `m${now}${key}` }),
              hits: hits.map((hit) => ({ ...hit, key })),
            }),
            now,
          );

        expect((await ask(DAWN)).kind).toBe("kept");
        expect((await ask(DAWN + 30 * MINUTE)).kind).toBe("kept");
        expect(await ask(DAWN + 59 * MINUTE)).toEqual({ kind: "limited", retryAt: DAWN + HOUR });
        expect((await ask(DAWN + 59 * MINUTE, "publish:from:b")).kind).toBe("kept");
        expect((await ask(DAWN + HOUR)).kind).toBe("kept");
        expect(await ask(DAWN + HOUR + MINUTE)).toEqual({
          kind: "limited",
          retryAt: DAWN + 90 * MINUTE,
        });
      });

      test("what is counted together takes room together, all of it or none", async () => {
        const letters = (count: number) =>
          Array.from({ length: count }, () => ({ key: "links:mail:m", max: 5, windowMs: DAY }));

        expect(await store.count(letters(3), DAWN)).toBeNull();
        expect(await store.count(letters(3), DAWN + HOUR)).not.toBeNull();
        expect(await store.count(letters(2), DAWN + HOUR)).toBeNull();
        expect(await store.count(letters(1), DAWN + HOUR)).toBe(DAWN + DAY);
      });

      test("a clock set back locks nobody out", async () => {
        const hits = [{ key: "publish:from:a", max: 1, windowMs: HOUR }];
        await store.ask(makeAsk({ hits }), DAWN + 400 * DAY);

        expect((await store.ask(makeAsk({ hits }), DAWN)).kind).toBe("kept");
      });

      test("one mailbox gets three letters while none is answered, and every answer is alike", async () => {
        const outcomes = await Array.fromAsync({ length: 6 }, () => store.ask(makeAsk(), DAWN));

        expect(outcomes.map(({ kind }) => kind)).toEqual(
          Array.from({ length: 6 }, () => "kept" as const),
        );
        expect((await store.outboxState()).waiting).toBe(3);
      });

      test("one mailbox gets five unanswered letters a day, even when earlier ones ran out; confirmed ones do not count", async () => {
        const ask = async (now: number) => {
          const made = makeAsk({ pending: makePending({ createdAt: now, expiresAt: now + HOUR }) });
          await store.ask(made, now);
          return made;
        };
        for (const hours of [0, 2, 4]) await ask(DAWN + hours * HOUR);
        const answered = await ask(DAWN + 6 * HOUR);
        await store.settle(answered.pending.id, publicationOf(answered.pending), DAWN + 6 * HOUR);
        const before = (await store.outboxState()).waiting;

        for (const hours of [8, 10, 12, 14]) await ask(DAWN + hours * HOUR);
        expect((await store.outboxState()).waiting - before).toBe(2);

        await ask(DAWN + 25 * HOUR);
        expect((await store.outboxState()).waiting - before).toBe(3);
      });

      test("an address that asked us to stop gets no letter until it allows them again", async () => {
        const first = makeAsk();
        await store.ask(first, DAWN);
        await store.disown(first.pending.id, DAWN);
        expect((await store.outboxState()).waiting).toBe(0);

        await store.ask(makeAsk(), DAWN);
        expect((await store.outboxState()).waiting).toBe(0);

        await store.allowLetters(first.pending.addressMark);
        await store.ask(makeAsk(), DAWN);
        expect((await store.outboxState()).waiting).toBe(1);
      });
    });

    test("values come back as they were given, whatever characters they hold", async () => {
      const odd = makeAlert({
        name: "Ŝ'; DROP TABLE alert;--",
        description: "日本語 🐈‍⬛\n\u0000x",
        city: "Łódź",
      });
      const alert = await publish(store, {
        name: odd.name,
        description: odd.description,
        city: odd.city,
      });

      expect(alert).toMatchObject({ name: odd.name, description: odd.description, city: odd.city });
    });
  });
}
