import { describe, expect, test } from "bun:test";
import { addRequest, publish } from "./confirmed.ts";
import { makeAlert, makeRequest, makePending, publicationOf } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";
import type { NewRequest } from "../../src/core/pending/request-store.ts";

/** Store contract: requests, and alerts that are published once confirmed. */
export function describePublishing(): void {
  describe("publishing", () => {
    test("an alert is found by id, slug, short code and key once it is confirmed, and not before", async () => {
      const ask = makeRequest();
      const effect = publicationOf(ask.pending);
      const names = effect.alert;
      await store.addPending(ask, DAWN);

      expect(await store.alert({ by: "id", id: names.id })).toBeNull();
      await store.confirmPending(ask.pending.id, effect, DAWN);

      const found = await store.alert({ by: "slug", slug: names.slug });
      expect(found).toEqual({
        ...names,
        organisation: null,
        organisationName: null,
        publishedAt: DAWN,
      });
      expect(await store.alert({ by: "code", code: names.shortCode })).toEqual(found);
      expect(await store.alertsByKeys([DAWN])).toEqual(found === null ? [] : [found]);
    });

    test("keys are unique and strictly increasing, even within a millisecond and when the clock is set back", async () => {
      const first = await publish(store);
      const second = await publish(store);
      const third = await publish(store, {}, DAWN - HOUR);

      expect([first, second, third].map((alert) => alert.publishedAt)).toEqual([
        DAWN,
        DAWN + 1,
        DAWN + 2,
      ]);
    });

    test("rows come in the order of the given keys, and unknown keys are left out", async () => {
      const first = await publish(store);
      const second = await publish(store);

      const rows = await store.alertsByKeys([second.publishedAt, 1, first.publishedAt]);

      expect(rows.map((row) => row.id)).toEqual([second.id, first.id]);
    });

    test("confirming applies the changes once, however often it is tried", async () => {
      const ask = await addRequest(store);
      const effect = publicationOf(ask.pending);

      const outcomes = await Array.fromAsync({ length: 3 }, () =>
        store.confirmPending(ask.pending.id, effect, DAWN),
      );

      expect(outcomes.map(({ kind }) => kind)).toEqual(["won", "late", "late"]);
    });

    test("an expired or disowned request cannot be confirmed", async () => {
      const old = makeRequest();
      const foreign = makeRequest();
      await store.addPending(old, DAWN);
      await store.addPending(foreign, DAWN);
      await store.disownPending(foreign.pending.id, "pressed", DAWN);

      expect(
        (await store.confirmPending(old.pending.id, publicationOf(old.pending), DAWN + 48 * HOUR))
          .kind,
      ).toBe("late");
      expect(
        (await store.confirmPending(foreign.pending.id, publicationOf(foreign.pending), DAWN)).kind,
      ).toBe("late");
      expect((await store.changesSince(0, 10)).alerts).toEqual([]);
    });

    test("no change is applied if one of them fails", async () => {
      const ask = await addRequest(store);
      const effect = publicationOf(ask.pending);
      const twice = { ...effect, links: [...effect.links, ...effect.links] };

      await expect(store.confirmPending(ask.pending.id, twice, DAWN)).rejects.toThrow();

      expect(await store.alert({ by: "id", id: effect.alert.id })).toBeNull();
      expect((await store.pendingByToken(ask.pending.tokenHash))?.state).toBe("waiting");
      expect((await store.confirmPending(ask.pending.id, effect, DAWN)).kind).toBe("won");
    });

    test("a confirmed request keeps its names and forgets its payload", async () => {
      const ask = await addRequest(store);
      await store.confirmPending(ask.pending.id, publicationOf(ask.pending), DAWN);

      const kept = await store.pendingByToken(ask.pending.tokenHash);

      expect(kept).toMatchObject({
        state: "confirmed",
        payload: null,
        email: "",
        names: ask.pending.names,
      });
    });
  });

  describe("requests", () => {
    test("a short code is taken from the request on, and never assigned twice", async () => {
      const ask = makeRequest();
      const { names } = ask.pending;
      const code = names?.shortCode ?? "";

      expect(await store.isShortCodeTaken(code)).toBe(false);
      await store.addPending(ask, DAWN);

      expect(await store.isShortCodeTaken(code)).toBe(true);
      const other = makeRequest({ pending: makePending({ names }) });
      await expect(store.addPending(other, DAWN)).rejects.toThrow();
    });

    test("the same request within ten minutes has the same names and sends no email; later it is a new one", async () => {
      const { contentHash } = makePending();
      const [first, again, third, late] = [1, 2, 3, 4].map(() =>
        makeRequest({ pending: makePending({ contentHash }) }),
      ) as [NewRequest, NewRequest, NewRequest, NewRequest];
      await store.addPending(first, DAWN);

      const { id: repeats, names } = first.pending;
      expect(await store.addPending(again, DAWN + 5 * MINUTE)).toEqual({
        kind: "kept",
        pending: { ...again.pending, names, repeats },
      });
      expect(await store.addPending(third, DAWN + 9 * MINUTE)).toMatchObject({
        pending: { repeats },
      });
      expect((await store.outboxState()).waiting).toBe(1);

      // Ten minutes after the first request, not after its repeats.
      expect(await store.addPending(late, DAWN + 11 * MINUTE)).toEqual({
        kind: "kept",
        pending: late.pending,
      });
      expect((await store.outboxState()).waiting).toBe(2);
    });

    test("the same request with its idempotency key is one for 48 hours, and no other request is", async () => {
      const sent = (idempotencyHash: string | null, createdAt = DAWN) =>
        makeRequest({ pending: makePending({ idempotencyHash, createdAt }) });
      const first = sent("key and content");
      await store.addPending(first, DAWN);
      const { id: repeats, names } = first.pending;
      const outcomeOf = async (request: NewRequest, now: number) => {
        const outcome = await store.addPending(request, now);
        return outcome.kind === "kept" ? outcome.pending : outcome.kind;
      };

      const again = sent("key and content", DAWN + 47 * HOUR);
      const repeat = { ...again.pending, names, repeats };
      expect(await outcomeOf(again, DAWN + 47 * HOUR)).toEqual(repeat);
      for (const other of [sent("key and other content"), sent(null)])
        expect(await outcomeOf(other, DAWN + HOUR)).toEqual(other.pending);
      const late = sent("key and content", DAWN + 49 * HOUR);
      expect(await outcomeOf(late, DAWN + 49 * HOUR)).toEqual(late.pending);
    });

    test("a repeated request counts against the limits", async () => {
      const hits = [{ key: "publish:from:a", max: 2, windowMs: HOUR }];
      const { contentHash } = makePending();
      const ask = () =>
        store.addPending(makeRequest({ pending: makePending({ contentHash }), hits }), DAWN);

      const outcomes = [await ask(), await ask(), await ask()];

      expect(outcomes.map(({ kind }) => kind)).toEqual(["kept", "kept", "limited"]);
    });

    test("a limit allows its number of hits in a sliding window and returns when it has room again", async () => {
      const hits = [{ key: "publish:from:a", max: 2, windowMs: HOUR }];
      const ask = (now: number, key = "publish:from:a") =>
        store.addPending(
          makeRequest({
            pending: makePending({ addressHash: `m${now}${key}` }),
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

    test("hits that are counted together all count, or none does", async () => {
      const hits = (count: number) =>
        Array.from({ length: count }, () => ({ key: "links:mail:m", max: 5, windowMs: DAY }));

      expect(await store.limitedUntil(hits(3), DAWN)).toBeNull();
      expect(await store.countHits(hits(3), DAWN)).toBeNull();
      expect(await store.countHits(hits(3), DAWN + HOUR)).not.toBeNull();
      expect(await store.limitedUntil(hits(3), DAWN + HOUR)).not.toBeNull();
      expect(await store.countHits(hits(2), DAWN + HOUR)).toBeNull();
      expect(await store.countHits(hits(1), DAWN + HOUR)).toBe(DAWN + DAY);
    });

    test("a clock that is set back locks no one out", async () => {
      const hits = [{ key: "publish:from:a", max: 1, windowMs: HOUR }];
      await store.addPending(makeRequest({ hits }), DAWN + 400 * DAY);

      expect((await store.addPending(makeRequest({ hits }), DAWN)).kind).toBe("kept");
    });

    test("all responses are the same, whether or not an email was sent", async () => {
      const outcomes = await Array.fromAsync({ length: 6 }, () =>
        store.addPending(makeRequest(), DAWN),
      );

      expect(outcomes.map(({ kind }) => kind)).toEqual(
        Array.from({ length: 6 }, () => "kept" as const),
      );
      expect((await store.outboxState()).waiting).toBe(4);
    });

    test("a mailbox that stopped emails gets none until it allows them again", async () => {
      const first = await addRequest(store);
      await store.disownPending(first.pending.id, "pressed", DAWN);
      expect((await store.outboxState()).waiting).toBe(0);

      await store.addPending(makeRequest(), DAWN);
      expect((await store.outboxState()).waiting).toBe(0);

      await store.allowEmails(first.pending.addressHash);
      await store.addPending(makeRequest(), DAWN);
      expect((await store.outboxState()).waiting).toBe(1);
    });
  });

  test("values are returned as they were stored, with any characters", async () => {
    const odd = makeAlert({
      name: "Ŝ'; DROP TABLE alert;--",
      description: "日本語 🐈‍⬛\n\u0007x",
      city: "Łódź",
    });
    const alert = await publish(store, {
      name: odd.name,
      description: odd.description,
      city: odd.city,
    });

    expect(alert).toMatchObject({ name: odd.name, description: odd.description, city: odd.city });
  });
}
