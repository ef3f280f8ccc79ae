import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alert.ts";
import type { Message } from "../../src/core/conversation.ts";
import type { ActiveAlert, Store } from "../../src/core/store.ts";
import {
  makeAlert,
  makeAsk,
  makeBulk,
  makeDraft,
  makeLetter,
  makeLink,
  makePending,
  makeZone,
  publicationOf,
} from "./make.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

/** The Store contract: what every store promises, whatever database it sits on. */
export function describeStore(name: string, open: () => Store): void {
  describe(`the store on ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

    /** Asks and settles a publication. */
    async function publish(about: Partial<Alert> = {}, now = DAWN): Promise<Alert> {
      const ask = makeAsk();
      await store.ask(ask, now);
      const effect = publicationOf(ask.pending, about);
      expect(await store.settle(ask.pending.id, effect, now)).toEqual({ kind: "won" });
      const alert = await store.alert({ by: "id", id: effect.alert.id });
      if (alert === null) throw new Error("not published");
      return alert;
    }

    async function subscribe(about: Parameters<typeof makeZone>[0] = {}) {
      const zone = makeZone(about);
      const pending = makePending({
        kind: "zone",
        names: null,
        payload: { kind: "zone", zone },
        addressMark: zone.email,
      });
      await store.ask(makeAsk({ pending }), DAWN);
      const link = makeLink({ purpose: "unsubscribe", subject: `zone:${zone.id}` });
      await store.settle(
        pending.id,
        { result: { kind: "zone", zoneId: zone.id }, zone, links: [link], letters: [] },
        DAWN,
      );
      return { zone, link };
    }

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
        const first = await publish();
        const second = await publish();
        const third = await publish({}, DAWN - HOUR);

        expect([first, second, third].map((alert) => alert.publishedAt)).toEqual([
          DAWN,
          DAWN + 1,
          DAWN + 2,
        ]);
      });

      test("rows come in the order of the keys asked for, and unknown keys are left out", async () => {
        const first = await publish();
        const second = await publish();

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

    describe("what is active", () => {
      test("comes in pages by rising key, as the index and matching read it, and what changes then is newer", async () => {
        const alerts = await Array.fromAsync({ length: 5 }, () => publish());
        const [ended] = alerts;
        if (ended === undefined) throw new Error("five were made");
        const change = { status: "resolved", expiresAt: ended.expiresAt, endedAt: DAWN } as const;
        await store.moveAlert(ended, change, DAWN);

        const before = await store.revision();
        const first = await store.activeAlerts(null, 3);
        const rest = await store.activeAlerts(first.at(-1)?.publishedAt ?? null, 3);

        const active = alerts.slice(1);
        expect([...first, ...rest].map(({ publishedAt }) => publishedAt)).toEqual(
          active.map(({ publishedAt }) => publishedAt),
        );
        expect((await store.changesSince(before, 10)).alerts).toEqual([]);
        await publish();
        expect((await store.changesSince(before, 10)).alerts).toHaveLength(1);
      });

      test("is told with each of its fields, at first, as a change and as a candidate alike", async () => {
        // No two fields alike.
        const said = {
          species: "dog",
          type: "found",
          name: "Mimi",
          breed: "Collie",
          color: "black",
          size: "large",
          sex: "male",
          age: "senior",
          eventDate: "2026-04-29",
          chipHash: "chip",
          point: { lat: 12.34, lng: 56.78 },
        } as const;
        const draft = makeDraft({ ...said, city: "Dhaka" });
        await store.addAlerts([makeBulk({ draft })], DAWN);

        const [{ publishedAt }] = (await store.activeAlerts(null, 1)) as [ActiveAlert];
        const told = { publishedAt, ...said, texts: ["Mimi", "Collie", "black", "Dhaka"] };
        expect(await store.activeAlerts(null, 2)).toEqual([told]);
        expect((await store.changesSince(0, 2)).alerts).toEqual([{ kind: "put", alert: told }]);
        expect(await store.subjectsByKeys([publishedAt])).toEqual([
          { id: draft.id, publishedAt, ...said },
        ]);
      });

      test("holds zones by rising id, but none that ended", async () => {
        const zones = [
          await subscribe(),
          await subscribe({ email: "second@example.org" }),
          await subscribe({ email: "third@example.org" }),
        ].map(({ zone }) => zone);
        const [ended, ...active] = zones.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        if (ended === undefined) throw new Error("three were made");
        await store.endZone(ended.id, DAWN);

        const [first] = await store.activeZones(null, 1);
        const rest = await store.activeZones(first?.id ?? null, 10);

        expect([first, ...rest]).toEqual(
          active.map(({ id, point, radiusKm, species, type }) => ({
            id,
            point,
            radiusKm,
            species,
            type,
          })),
        );
      });
    });

    describe("changes", () => {
      test("come in pages that together hold every alert and zone in its latest state", async () => {
        const alerts = await Array.fromAsync({ length: 7 }, () => publish());
        const { zone } = await subscribe();
        const [moved] = alerts;
        if (moved === undefined) throw new Error("seven were made");
        await store.moveAlert(
          moved,
          { status: "resolved", expiresAt: moved.expiresAt, endedAt: DAWN },
          DAWN,
        );

        const seen = {
          puts: new Set<number>(),
          drops: new Set<number>(),
          zones: new Set<string>(),
        };
        let revision = 0;
        for (let more = true; more;) {
          const page = await store.changesSince(revision, 3);
          for (const change of page.alerts) {
            if (change.kind === "put") seen.puts.add(change.alert.publishedAt);
            else seen.drops.add(change.publishedAt);
          }
          for (const change of page.zones)
            seen.zones.add(change.kind === "put" ? change.zone.id : change.id);
          expect(page.revision).toBeGreaterThanOrEqual(revision);
          revision = page.revision;
          more = page.more;
        }

        expect(seen.puts).toEqual(new Set(alerts.slice(1).map((alert) => alert.publishedAt)));
        expect(seen.drops).toEqual(new Set([moved.publishedAt]));
        expect(seen.zones).toEqual(new Set([zone.id]));
        expect(await store.changesSince(revision, 3)).toMatchObject({
          alerts: [],
          zones: [],
          revision,
          more: false,
        });
      });
    });

    describe("owners", () => {
      test("a move works on the alert as it was seen, once", async () => {
        const alert = await publish();
        const change = { status: "resolved", expiresAt: alert.expiresAt, endedAt: DAWN } as const;

        expect(await store.moveAlert(alert, change, DAWN)).toBe(true);
        expect(await store.moveAlert(alert, change, DAWN)).toBe(false);
        expect(await store.alert({ by: "id", id: alert.id })).toMatchObject(change);
      });

      test("nothing moves or changes an alert whose owner was erased after it was seen", async () => {
        const alert = await publish();
        const end = { status: "expired", expiresAt: DAWN, endedAt: DAWN } as const;
        await store.moveAlert(alert, end, DAWN);
        const seen = (await store.alert({ by: "id", id: alert.id }))!;
        await store.eraseEnded(DAWN + 1, DAWN + 1, 10);

        const renewed = { status: "active", expiresAt: DAWN + DAY, endedAt: null } as const;
        expect(await store.moveAlert(seen, renewed, DAWN + 2)).toBe(false);
        expect(await store.editAlert(seen, { ...seen, name: "Other" }, DAWN + 2)).toBe(false);
        expect(await store.alert({ by: "id", id: alert.id })).toMatchObject(end);
      });

      test("removing wipes what was said and who said it, and keeps the names taken", async () => {
        const alert = await publish({ chipHash: "chip" });
        await store.removeAlert(alert.id, DAWN);

        const left = await store.alert({ by: "id", id: alert.id });

        expect(left).toMatchObject({
          status: "removed",
          name: null,
          description: null,
          ownerEmail: null,
          chipHash: null,
          city: "",
        });
        expect(await store.codeTaken(alert.shortCode)).toBe(true);
        expect(await store.linkTo("manage", alert.id)).toBeNull();
      });

      test("a link opens its own purpose only", async () => {
        const alert = await publish();
        const link = await store.linkTo("manage", alert.id);

        expect(link).not.toBeNull();
        expect(await store.link(link?.tokenHash ?? "", "manage")).toEqual(link);
        expect(await store.link(link?.tokenHash ?? "", "conversation")).toBeNull();
      });

      test("an imported alert is added once by its source", async () => {
        const bulk = makeBulk({ source: "import:a:1", link: makeLink() });

        expect(await store.addAlerts([bulk, makeBulk({ source: "import:a:2" })], DAWN)).toEqual([
          "import:a:1",
          "import:a:2",
        ]);
        expect(
          await store.addAlerts(
            [makeBulk({ source: "import:a:1" }), makeBulk({ source: "import:a:3" })],
            DAWN,
          ),
        ).toEqual(["import:a:3"]);
        expect((await store.changesSince(0, 10)).alerts).toHaveLength(3);
      });
    });

    describe("conversations", () => {
      async function relay(alert: Alert, stranger: string, now: number) {
        const known = await store.conversationBetween(alert.id, stranger);
        const conversation = known ?? {
          id: `conversation-${alert.id}-${stranger}`,
          alertId: alert.id,
          strangerEmail: `${stranger}@example.org`,
          strangerMark: stranger,
          strangerName: null,
          language: "en" as const,
          createdAt: now,
          closedAt: null,
        };
        const pending = makePending({
          kind: "message",
          names: null,
          addressMark: stranger,
          payload: { kind: "message", alertId: alert.id, text: "hello", name: null, removed: [] },
          createdAt: now,
          expiresAt: now + 48 * HOUR,
        });
        await store.ask(makeAsk({ pending }), now);
        const message: Message = {
          id: `message-${pending.id}`,
          conversationId: conversation.id,
          from: "stranger",
          text: "hello",
          createdAt: now,
        };
        return (
          await store.settle(
            pending.id,
            {
              result: { kind: "message", alertId: alert.id },
              ...(known === null ? { conversation } : {}),
              message,
              links: [],
              letters: [],
            },
            now,
          )
        ).kind;
      }

      test("one stranger writes three times a day to one alert, all strangers together twenty times", async () => {
        const alert = await publish();
        const other = await publish();

        const one = await Array.fromAsync({ length: 4 }, () => relay(alert, "anna", DAWN));
        expect(one).toEqual(["won", "won", "won", "too_many_messages"]);
        expect(await relay(other, "anna", DAWN)).toBe("won");

        const many = await Array.fromAsync({ length: 18 }, (_, number) =>
          relay(alert, `stranger${number}`, DAWN),
        );
        expect(many.filter((outcome) => outcome === "won")).toHaveLength(17);
        expect(many.at(-1)).toBe("too_many_messages");
        expect(await relay(alert, "anna", DAWN + DAY + MINUTE)).toBe("won");
      });

      test("messages come oldest first, and answers have a share of their own", async () => {
        const alert = await publish();
        await relay(alert, "anna", DAWN);
        const conversation = await store.conversationBetween(alert.id, "anna");
        const reply = (number: number) =>
          store.addReply(
            {
              id: `reply-${number}`,
              conversationId: conversation?.id ?? "",
              from: "owner",
              text: `${number}`,
              createdAt: DAWN + number,
            },
            alert.id,
            makeLetter(),
          );

        const outcomes = await Array.fromAsync({ length: 21 }, (_, number) => reply(number + 1));

        expect(outcomes.filter((outcome) => outcome === "kept")).toHaveLength(20);
        const messages = await store.messages(conversation?.id ?? "", 100);
        expect(messages.map((message) => message.text)).toEqual([
          "hello",
          ...Array.from({ length: 20 }, (_, number) => `${number + 1}`),
        ]);
      });
    });

    describe("zones", () => {
      test("hear of an alert once, however often it is announced and told", async () => {
        const alert = await publish();
        const { zone } = await subscribe();
        await store.announce(alert.id, [zone.id], DAWN);
        await store.announce(alert.id, [zone.id], DAWN);

        expect(await store.zoneNews(zone.id, DAWN, 10)).toMatchObject({
          total: 1,
          lettersInLastHour: 0,
        });
        const before = (await store.outboxState()).waiting;
        await store.tellZone(
          zone.id,
          [{ letter: makeLetter(), alertIds: [alert.id], andAllLeft: false }],
          DAWN,
        );
        await store.tellZone(
          zone.id,
          [{ letter: makeLetter(), alertIds: [alert.id], andAllLeft: false }],
          DAWN,
        );

        expect((await store.outboxState()).waiting - before).toBe(1);
        expect(await store.zonesWithNews(DAWN, 10)).toEqual([]);
      });

      test("do not hear of their own alerts nor of ended ones, and news is counted beyond the page", async () => {
        const { zone } = await subscribe({ email: "Reader@example.org" });
        const own = await publish({ ownerEmail: "reader@example.org" });
        const ended = await publish();
        await store.moveAlert(
          ended,
          { status: "resolved", expiresAt: ended.expiresAt, endedAt: DAWN },
          DAWN,
        );
        const others = [await publish(), await publish(), await publish()];
        for (const alert of [own, ended, ...others])
          await store.announce(alert.id, [zone.id], DAWN);

        const news = await store.zoneNews(zone.id, DAWN, 2);

        expect(news?.total).toBe(3);
        expect(news?.alerts.map(({ id }) => id)).toEqual(
          others
            .slice(1)
            .reverse()
            .map(({ id }) => id),
        );
      });

      test("hear nothing of a removed alert, and the rest of its letter is news again", async () => {
        const [gone, kept] = [await publish(), await publish()];
        const { zone } = await subscribe();
        for (const alert of [gone, kept]) await store.announce(alert.id, [zone.id], DAWN);
        await store.tellZone(
          zone.id,
          [{ letter: makeLetter(), alertIds: [gone.id], andAllLeft: true }],
          DAWN,
        );
        const before = (await store.outboxState()).waiting;

        await store.removeAlert(gone.id, DAWN);

        // Its own letter of publication is another matter: here it is about nothing.
        expect(before - (await store.outboxState()).waiting).toBeGreaterThanOrEqual(1);
        expect((await store.zoneNews(zone.id, DAWN, 10))?.alerts.map(({ id }) => id)).toEqual([
          kept.id,
        ]);
      });

      test("an alert waits to be announced until it is", async () => {
        const alert = await publish();
        await store.addAlerts([makeBulk({ announce: false })], DAWN);

        expect((await store.unannounced(10)).map(({ id }) => id)).toEqual([alert.id]);
        await store.announce(alert.id, [], DAWN);
        expect(await store.unannounced(10)).toEqual([]);
      });

      test("an alert stays unannounced while more of its zones follow, and one that ended is left out", async () => {
        const alert = await publish();
        const [{ zone: first }, { zone: second }, { zone: ended }] = [
          await subscribe(),
          await subscribe({ email: "second@example.org" }),
          await subscribe({ email: "third@example.org" }),
        ];
        await store.endZone(ended.id, DAWN);

        await store.announce(alert.id, [first.id], DAWN, { more: true });
        expect(await store.unannounced(10)).toHaveLength(1);

        // As after a stop halfway: from the beginning again.
        await store.announce(alert.id, [first.id, ended.id, second.id], DAWN);
        expect(await store.unannounced(10)).toEqual([]);
        expect(new Set(await store.zonesWithNews(DAWN, 10))).toEqual(
          new Set([first.id, second.id]),
        );
      });

      test("a page of zones with news is as long as there are zones, however much news each has", async () => {
        const { zone: first } = await subscribe();
        const { zone: second } = await subscribe({ email: "other@example.org" });
        const alerts = [await publish(), await publish(), await publish()];
        for (const { id } of alerts) await store.announce(id, [first.id], DAWN);
        await store.announce(alerts[0]!.id, [second.id], DAWN + 1);

        expect(await store.zonesWithNews(DAWN + 1, 2)).toEqual([first.id, second.id]);
      });

      test("much news that may not be told yet keeps no other from being told", async () => {
        const { zone: full } = await subscribe();
        const { zone: fresh } = await subscribe({ email: "other@example.org" });
        const bulk = Array.from({ length: 1_203 }, () => makeBulk({ announce: false }));
        await store.addAlerts(bulk, DAWN);
        const [last, ...others] = bulk.map(({ draft }) => draft.id).toReversed();
        if (last === undefined) throw new Error("many were made");
        for (const id of others.slice(0, 3)) {
          const letter = { letter: makeLetter(), alertIds: [id], andAllLeft: false };
          await store.announce(id, [full.id], DAWN);
          await store.tellZone(full.id, [letter], DAWN);
        }
        for (const id of others.slice(3)) await store.announce(id, [full.id], DAWN);
        await store.announce(last, [fresh.id], DAWN);

        const twice = [
          ...(await store.zonesWithNews(DAWN, 10)),
          ...(await store.zonesWithNews(DAWN, 10)),
        ];

        expect(twice).toEqual([fresh.id]);
      });

      test("a zone that had its letters of the hour stands back for others, and letters from a clock ahead do not count", async () => {
        const { zone: full } = await subscribe();
        const { zone: fresh } = await subscribe({ email: "other@example.org" });
        const tell = async (zoneId: string, at: number) => {
          const alert = await publish();
          await store.announce(alert.id, [zoneId], at);
          await store.tellZone(
            zoneId,
            [{ letter: makeLetter(), alertIds: [alert.id], andAllLeft: false }],
            at,
          );
        };
        for (let number = 0; number < 3; number++) await tell(full.id, DAWN);
        for (let number = 0; number < 3; number++) await tell(fresh.id, DAWN + 400 * DAY);
        const alert = await publish();
        await store.announce(alert.id, [full.id, fresh.id], DAWN + 1);

        expect(await store.zonesWithNews(DAWN + 1, 1)).toEqual([fresh.id]);
        expect(await store.zonesWithNews(DAWN + HOUR, 10)).toContain(full.id);
      });

      test("a letter that gathered several alerts is the only one for an hour", async () => {
        const { zone } = await subscribe();
        const hear = async (at: number) => {
          const { id } = await publish();
          await store.announce(id, [zone.id], at);
          return id;
        };
        const alertIds = await Array.fromAsync({ length: 5 }, () => hear(DAWN));
        await store.tellZone(
          zone.id,
          [{ letter: makeLetter(), alertIds: alertIds.slice(0, 2), andAllLeft: true }],
          DAWN,
        );
        await hear(DAWN + MINUTE);

        expect(await store.zonesWithNews(DAWN + 59 * MINUTE, 10)).toEqual([]);
        expect(await store.zonesWithNews(DAWN + HOUR, 10)).toEqual([zone.id]);
      });

      test("an ended zone is gone with its link, its address and the letters that waited", async () => {
        const alert = await publish();
        const { zone, link } = await subscribe();
        await store.announce(alert.id, [zone.id], DAWN);
        await store.tellZone(
          zone.id,
          [{ letter: makeLetter(), alertIds: [alert.id], andAllLeft: false }],
          DAWN,
        );
        const before = (await store.outboxState()).waiting;

        await store.endZone(zone.id, DAWN);
        await store.endZone(zone.id, DAWN);

        expect(await store.zone(zone.id)).toBeNull();
        expect(await store.link(link.tokenHash, "unsubscribe")).toBeNull();
        expect(before - (await store.outboxState()).waiting).toBe(1);
        expect((await store.changesSince(0, 100)).zones).toEqual([{ kind: "drop", id: zone.id }]);
      });
    });

    describe("time", () => {
      test("alerts expire when their time is over, and only then", async () => {
        const soon = await publish({ expiresAt: DAWN + DAY });
        const later = await publish({ expiresAt: DAWN + 2 * DAY });

        expect(await store.expireAlerts(DAWN + DAY, 10)).toBe(1);

        expect(await store.alert({ by: "id", id: soon.id })).toMatchObject({
          status: "expired",
          endedAt: DAWN + DAY,
        });
        expect((await store.alert({ by: "id", id: later.id }))?.status).toBe("active");
      });

      test("a reminder goes out once for each distance, and a near one makes a far one pointless", async () => {
        const alert = await publish({ expiresAt: DAWN + DAY });
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
        const muted = await publish({ expiresAt: DAWN + DAY });
        await store.muteReminders(muted.id);
        await publish({ expiresAt: DAWN + DAY, ownerEmail: null });
        await store.addAlerts([makeBulk({ expiresAt: DAWN + DAY })], DAWN);

        expect(await store.dueReminders(DAWN, DAY, 10)).toEqual([]);
      });

      test("after the end personal data goes and the public face stays", async () => {
        const alert = await publish({ chipHash: "chip" });
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

    test("values come back as they were given, whatever characters they hold", async () => {
      const odd = makeAlert({
        name: "Ŝ'; DROP TABLE alert;--",
        description: "日本語 🐈‍⬛\n\u0000x",
        city: "Łódź",
      });
      const alert = await publish({ name: odd.name, description: odd.description, city: odd.city });

      expect(alert).toMatchObject({ name: odd.name, description: odd.description, city: odd.city });
    });
  });
}
