import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alert.ts";
import { ERASE_MS, HOLDING_KINDS, type Holdings } from "../../src/core/erasing.ts";
import type { Letter } from "../../src/core/letter.ts";
import type { Hit } from "../../src/core/limit.ts";
import { NOBODY } from "../../src/core/report.ts";
import type { ErasureLink, PrivateLink, Store } from "../../src/core/store.ts";
import {
  makeAnswer,
  makeAsk,
  makeLetter,
  makeLink,
  makePending,
  makeZone,
  publicationOf,
} from "./make.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

const ANNA = "Anna@example.org";
const BEN = "ben@example.org";
/** Nobody else is meant by `Anna@example.org`. */
const OTHERS = [
  "anna+cats@example.org",
  "anna@example.net",
  "hanna@example.org",
  "a.nna@example.org",
];

/** A store with a backup: `restore` puts it in place of the store's data, and gives the store opened on it. */
export type BackedUp = { restore(): Promise<Store> };

/** What every store promises of erasing a person. `backUp` copies what backups hold of a store that `open` gave. */
export function describeErasing(
  name: string,
  open: () => Store,
  backUp: (store: Store) => Promise<BackedUp>,
): void {
  describe(`erasing in the store on ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

    /** To its end, in parts of so many alerts. */
    async function erasePerson(email: string, now: number, limit = 50): Promise<Holdings> {
      const begun = await store.beginErasure(email, now);
      while (!(await store.continueErasure(begun, limit, now)));
      return begun.holdings;
    }

    let made = 0;
    const id = (kind: string) => `${kind}-${(made += 1)}`;
    const mark = () => id("mark");

    async function publish(ownerEmail: string, about: Partial<Alert> = {}): Promise<Alert> {
      const ask = makeAsk({ pending: makePending({ email: ownerEmail, addressMark: mark() }) });
      await store.ask(ask, DAWN);
      const effect = publicationOf(ask.pending, { ownerEmail, ...about });
      await store.settle(ask.pending.id, { ...effect, letters: [] }, DAWN);
      return look(effect.alert.id);
    }

    async function look(alertId: string): Promise<Alert> {
      const alert = await store.alert({ by: "id", id: alertId });
      if (alert === null) throw new Error("no such alert");
      return alert;
    }

    async function watch(email: string) {
      const zone = makeZone({ email, createdAt: DAWN });
      const pending = makePending({
        kind: "zone",
        email,
        names: null,
        payload: { kind: "zone", zone },
        addressMark: mark(),
      });
      await store.ask({ ...makeAsk({ pending }), shortCode: null }, DAWN);
      const link = makeLink({ purpose: "unsubscribe", subject: `zone:${zone.id}` });
      await store.settle(
        pending.id,
        { result: { kind: "zone", zoneId: zone.id }, zone, links: [link], letters: [] },
        DAWN,
      );
      return { zone, link };
    }

    /** A first message from a stranger, its letter to the owner still waiting. */
    async function write(alert: Alert, strangerEmail: string) {
      const payload = {
        kind: "message" as const,
        alertId: alert.id,
        text: "hi",
        name: null,
        removed: [],
      };
      const pending = makePending({
        kind: "message",
        email: strangerEmail,
        names: null,
        payload,
        addressMark: mark(),
      });
      await store.ask(
        { ...makeAsk({ pending }), shortCode: null, letter: waiting(strangerEmail) },
        DAWN,
      );
      const conversation = {
        id: id("conversation"),
        alertId: alert.id,
        strangerEmail,
        strangerMark: mark(),
        strangerName: null,
        language: "en" as const,
        createdAt: DAWN,
        closedAt: null,
      };
      const links = (["owner", "stranger"] as const).map((side) =>
        makeLink({
          purpose: "conversation",
          subject: `${conversation.id}:${side}`,
          sealed: id("sealed"),
        }),
      );
      const letter = carrying(alert, links[0]);
      await store.settle(
        pending.id,
        {
          result: { kind: "message", alertId: alert.id },
          conversation,
          message: {
            id: id("message"),
            conversationId: conversation.id,
            from: "stranger",
            text: "hi",
            createdAt: DAWN,
          },
          links,
          letters: [letter],
        },
        DAWN,
      );
      return { conversation, links, letter };
    }

    const waiting = (to: string): Letter => makeLetter({ to, createdAt: DAWN + DAY });
    const carrying = (alert: Alert, link: PrivateLink | undefined): Letter =>
      makeLetter({
        to: alert.ownerEmail ?? "",
        content: {
          kind: "message",
          alert,
          from: "stranger",
          name: null,
          text: "hi",
          sealedToken: link?.sealed ?? "",
        },
      });

    async function lettersDue(): Promise<string[]> {
      const due = await store.leaseLetters(DAWN + 2 * DAY, MINUTE, 100);
      return due.map((letter) => letter.id);
    }

    const NOTHING_AGAIN = { alerts: 0, zones: 0, mailboxes: 0 };
    const none = Object.fromEntries(HOLDING_KINDS.map((kind) => [kind, 0])) as Holdings;
    const makeErasure = (about: Partial<ErasureLink> = {}): ErasureLink => ({
      tokenHash: id("erasure"),
      email: ANNA,
      expiresAt: DAWN + ERASE_MS,
      unconfirmedMark: null,
      ...about,
    });
    const add = async (link: ErasureLink, letter: Letter, hits: readonly Hit[] = []) =>
      store.addErasureLink(link, await makeAnswer(store, letter, hits), DAWN);

    /** Something of each kind. */
    async function fill(email: string) {
      const alert = await publish(email, { photos: [] });
      const away = await publish(BEN);
      const zone = await watch(email);
      const begun = await write(away, email);
      const got = await write(alert, BEN);
      const asked = makeAsk({
        pending: makePending({ email, addressMark: mark() }),
        letter: waiting(email),
      });
      await store.ask(asked, DAWN);
      await store.addAdminLink(
        { tokenHash: id("admin"), email, expiresAt: DAWN + HOUR },
        await makeAnswer(store, waiting(email)),
        DAWN,
      );
      await store.moderate({
        id: id("deed"),
        at: DAWN,
        who: email,
        act: "hide",
        alertId: (await publish(BEN)).id,
        mailbox: null,
      });
      return { alert, away, zone, begun, got, asked };
    }

    test("is of exactly one mailbox, whatever its case", async () => {
      await fill(ANNA);
      for (const other of OTHERS) await publish(other);

      expect(await store.holdings("nobody@example.org")).toEqual(none);
      expect(await store.holdings("ANNA@EXAMPLE.ORG")).toEqual({
        alerts: 1,
        photos: 0,
        sightings: 0,
        conversations: 2,
        messages: 2,
        zones: 1,
        requests: 1,
        letters: 4,
        moderation: 2,
      });
      const before = await Promise.all(OTHERS.map((other) => store.holdings(other)));

      await erasePerson("aNNa@example.org", DAWN + HOUR);

      expect(await store.holdings(ANNA)).toEqual(none);
      expect(await Promise.all(OTHERS.map((other) => store.holdings(other)))).toEqual(before);
    });

    test("removes its alerts as their owner would, ends its zones and what waits", async () => {
      const { alert, zone, asked } = await fill(ANNA);

      const erased = await erasePerson(ANNA, DAWN + HOUR);

      expect(erased).toMatchObject({ alerts: 1, zones: 1, requests: 1 });
      expect(await look(alert.id)).toMatchObject({
        status: "removed",
        name: null,
        ownerEmail: null,
        shortCode: alert.shortCode,
      });
      expect(await store.codeTaken(alert.shortCode)).toBe(true);
      expect(await store.linkTo("manage", alert.id)).toBeNull();
      expect(await store.zone(zone.zone.id)).toBeNull();
      expect(await store.link(zone.link.tokenHash, "unsubscribe")).toBeNull();
      expect(await store.pendingByToken(asked.pending.tokenHash)).toMatchObject({
        email: "",
        payload: null,
        expiresAt: DAWN + HOUR,
      });
      const changes = await store.changesSince(0, 100);
      expect(changes.zones).toEqual([{ kind: "drop", id: zone.zone.id }]);
      expect(changes.alerts).toContainEqual({
        kind: "drop",
        publishedAt: alert.publishedAt,
      });
    });

    test("takes conversations and their letters from both sides, and leaves those of others", async () => {
      const { away, begun, got } = await fill(ANNA);
      const foreign = await write(away, "carl@example.org");

      expect((await store.conversationLinks(ANNA)).toSorted()).toEqual(
        [...begun.links, ...got.links].map(({ sealed }) => sealed).toSorted(),
      );
      await erasePerson(ANNA, DAWN + HOUR);

      for (const { conversation, links } of [begun, got]) {
        expect(await store.conversation(conversation.id)).toBeNull();
        expect(await store.messages(conversation.id, 10)).toEqual([]);
        for (const link of links)
          expect(await store.link(link.tokenHash, "conversation")).toBeNull();
      }
      expect(await store.conversation(foreign.conversation.id)).not.toBeNull();
      expect(await store.messages(foreign.conversation.id, 10)).toHaveLength(1);
      const due = await lettersDue();
      expect(due).toContain(foreign.letter.id);
      expect(due).not.toContain(begun.letter.id);
      expect(due).not.toContain(got.letter.id);
      expect(await look(away.id)).toMatchObject({ status: "active", ownerEmail: BEN });
    });

    test("takes back every letter to it, and only those", async () => {
      const { asked } = await fill(ANNA);
      const other = makeAsk({
        pending: makePending({ email: BEN, addressMark: mark() }),
        letter: waiting(BEN),
      });
      await store.ask(other, DAWN);

      await erasePerson(ANNA, DAWN + HOUR);

      const due = await lettersDue();
      expect(due).toContain(other.letter.id);
      expect(due).not.toContain(asked.letter.id);
    });

    test("takes a moderator's ways in, and the name out of the log", async () => {
      const key = { tokenHash: id("admin"), email: ANNA, expiresAt: DAWN + DAY };
      await store.addAdminLink(key, await makeAnswer(store, waiting(ANNA)), DAWN);
      await store.openAdminSession(
        key.tokenHash,
        { tokenHash: "session", expiresAt: DAWN + DAY },
        DAWN,
      );
      const alert = await publish(BEN);
      const deed = { id: id("deed"), at: DAWN, act: "hide" as const, alertId: alert.id };
      await store.moderate({ ...deed, who: ANNA, mailbox: null });

      expect(await erasePerson(ANNA, DAWN + HOUR)).toMatchObject({ moderation: 2 });

      expect(await store.adminSession("session", DAWN + HOUR)).toBeNull();
      expect(await store.deeds(10)).toEqual([
        { at: DAWN, who: NOBODY, act: "hide", shortCode: alert.shortCode },
      ]);
    });

    test("lets go of the pictures of its alerts and of what waits", async () => {
      const draft = makePending().payload;
      if (draft?.kind !== "publish") throw new Error("not a publication");
      const payload = { ...draft, draft: { ...draft.draft, photos: ["asked"] } };
      const ask = makeAsk({ pending: makePending({ email: ANNA, payload, addressMark: mark() }) });
      await store.ask(ask, DAWN);
      await publish(ANNA, { photos: ["shown", "shared"] });
      await publish(BEN, { photos: ["shared"] });

      expect(await store.holdings(ANNA)).toMatchObject({ photos: 3 });
      await erasePerson(ANNA, DAWN + HOUR);

      expect((await store.photosGone(10)).toSorted()).toEqual(["asked", "shown"]);
    });

    test("keeps that the address asked for no more letters", async () => {
      const asked = makeAsk({ pending: makePending({ email: ANNA, addressMark: "anna" }) });
      await store.ask(asked, DAWN);
      await store.disown(asked.pending.id, DAWN);

      await erasePerson(ANNA, DAWN + HOUR);

      const again = makeAsk({
        pending: makePending({ email: ANNA, addressMark: "anna" }),
        letter: waiting(ANNA),
      });
      await store.ask(again, DAWN + HOUR);
      expect(await lettersDue()).toEqual([]);
    });

    test("of what is newer than a person's erasure waits for another one", async () => {
      await publish(ANNA);
      await erasePerson(ANNA, DAWN + HOUR);

      const later = await publish(ANNA);

      expect(await store.holdings(ANNA)).toMatchObject({ alerts: 1 });
      expect(await look(later.id)).toMatchObject({ status: "active" });
    });

    test("goes on part by part, and takes what could become an alert with the first", async () => {
      const ids: string[] = [];
      for (let nth = 0; nth < 5; nth++) ids.push((await publish(ANNA)).id);
      const zone = await watch(ANNA);
      const asked = makeAsk({ pending: makePending({ email: ANNA, addressMark: mark() }) });
      await store.ask(asked, DAWN);
      const link = makeErasure();
      await add(link, waiting(ANNA));
      const standing = async () =>
        (await Promise.all(ids.map(look))).filter(({ status }) => status === "active").length;

      const begun = await store.beginErasure(ANNA, DAWN + HOUR);
      expect(await standing()).toBe(5);
      const done = [await store.continueErasure(begun, 2, DAWN + HOUR)];
      expect(await standing()).toBe(3);
      expect(await store.zone(zone.zone.id)).toBeNull();
      expect(
        (await store.settle(asked.pending.id, publicationOf(asked.pending), DAWN + HOUR)).kind,
      ).toBe("late");
      expect(await store.erasureLink(link.tokenHash, DAWN)).toMatchObject({ state: "waiting" });
      done.push(await store.continueErasure(begun, 2, DAWN + HOUR));
      done.push(await store.continueErasure(begun, 2, DAWN + HOUR));

      expect(done).toEqual([false, false, true]);
      expect(await standing()).toBe(0);
      expect(await store.erasureLink(link.tokenHash, DAWN)).toEqual({
        state: "done",
        erased: { ...none, alerts: 5, zones: 1, requests: 1, letters: begun.holdings.letters },
        unconfirmedMark: null,
      });
      const dropped = new Set<number>();
      for (let since = 0, more = true; more;) {
        const page = await store.changesSince(since, 2);
        for (const change of page.alerts)
          if (change.kind === "drop") dropped.add(change.publishedAt);
        ({ revision: since, more } = page);
      }
      expect(dropped.size).toBe(5);
    });

    test("leaves what came to be after it was begun", async () => {
      const before = await publish(ANNA);
      const begun = await store.beginErasure(ANNA, DAWN + HOUR);
      const ask = makeAsk({ pending: makePending({ email: ANNA, addressMark: mark() }) });
      await store.ask(ask, DAWN + 2 * HOUR);
      const effect = publicationOf(ask.pending, { ownerEmail: ANNA });
      await store.settle(ask.pending.id, effect, DAWN + 2 * HOUR);

      expect(await store.continueErasure(begun, 50, DAWN + 2 * HOUR)).toBe(true);

      expect(await look(before.id)).toMatchObject({ status: "removed" });
      expect(await look(effect.alert.id)).toMatchObject({ status: "active" });
    });

    test("once begun is carried out at the next start, wherever it was cut short", async () => {
      for (let nth = 0; nth < 5; nth++) await publish(ANNA);
      const begun = await store.beginErasure(ANNA, DAWN + HOUR);
      await store.continueErasure(begun, 2, DAWN + HOUR);

      expect(await store.eraseAgain(DAWN + DAY)).toEqual({ alerts: 0, zones: 0, mailboxes: 1 });

      expect(await store.holdings(ANNA)).toEqual(none);
      expect(await store.eraseAgain(DAWN + DAY)).toEqual(NOTHING_AGAIN);
    });

    test("holds against a backup from before, and leaves what is newer or another's", async () => {
      const alert = await publish(ANNA);
      const { zone } = await watch("carl@example.org");
      const removed = await publish(BEN);
      const kept = await publish(BEN);
      const backup = await backUp(store);
      await erasePerson(ANNA, DAWN + HOUR);
      await store.removeAlert(removed.id, DAWN + HOUR);
      await store.endZone(zone.id, DAWN + HOUR);

      store = await backup.restore();
      expect(await look(alert.id)).toMatchObject({ status: "active", ownerEmail: ANNA });
      expect(await store.eraseAgain(DAWN + DAY)).toEqual({ alerts: 1, zones: 1, mailboxes: 1 });

      for (const { id } of [alert, removed])
        expect(await look(id)).toMatchObject({ status: "removed", ownerEmail: null });
      expect(await store.zone(zone.id)).toBeNull();
      expect(await look(kept.id)).toMatchObject({ status: "active" });
      expect(await store.eraseAgain(DAWN + DAY)).toEqual(NOTHING_AGAIN);
    });

    test("is forgotten in time: then a backup brings it back", async () => {
      const alert = await publish(ANNA);
      const backup = await backUp(store);
      await erasePerson(ANNA, DAWN + HOUR);
      await store.forgetTombstones(DAWN + 2 * DAY);

      store = await backup.restore();

      expect(await store.eraseAgain(DAWN + 3 * DAY)).toEqual(NOTHING_AGAIN);
      expect(await look(alert.id)).toMatchObject({ status: "active" });
    });

    test("tells who confirmed what is kept under a mailbox, and who was only asked in its name", async () => {
      const known = () => store.acquaintance("anna@EXAMPLE.org");
      expect(await known()).toBe("none");
      const asked = makeAsk({ pending: makePending({ email: ANNA, addressMark: mark() }) });
      await store.ask(asked, DAWN);
      for (const other of OTHERS) await publish(other);
      expect(await known()).toBe("unconfirmed");

      await store.settle(
        asked.pending.id,
        publicationOf(asked.pending, { ownerEmail: ANNA }),
        DAWN,
      );
      expect(await known()).toBe("confirmed");
      await erasePerson(ANNA, DAWN + HOUR);
      expect(await known()).toBe("none");
      await watch(ANNA);
      expect(await known()).toBe("confirmed");
      await erasePerson(ANNA, DAWN + HOUR);
      await write(await publish(BEN), ANNA);
      expect(await known()).toBe("confirmed");
    });

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
        expect(await lettersDue()).toEqual([answer.letter.id]);
        expect(await store.linkAsks(10)).toEqual([]);
      });

      test("is not sent beyond the limits of its mailbox, and counts only when it is", async () => {
        const [to, all] = [
          { key: "to", max: 2, windowMs: HOUR },
          { key: "all", max: 9, windowMs: HOUR },
        ];
        const letters = [1, 2, 3, 4].map(() => waiting(ANNA));
        for (const letter of letters) await add(makeErasure(), letter, [to, all]);

        expect(await lettersDue()).toEqual(letters.slice(0, 2).map((letter) => letter.id));
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
          await add(erasure, letter);
          return letter.id;
        };

        const sent = [await ask(), await link(), await ask()];
        const kept = [await link(), await ask()];
        expect(await lettersDue()).toEqual(sent);
        const confirmed = await link(makeErasure());
        expect(await lettersDue()).toEqual([confirmed]);

        await store.stopLetters("anna", DAWN);
        await store.sweep({ now: DAWN + 3 * DAY, before: 0, hitsBefore: 0, deedsBefore: 0 }, 10);
        expect(await store.holdings(ANNA)).toMatchObject({ requests: 0 });
        kept.push(await link());
        expect(await lettersDue()).toEqual([]);
        await store.allowLetters("anna");
        const allowed = await link();
        expect(await lettersDue()).toEqual([allowed]);
      });

      test("counts no more once it was used", async () => {
        for (let nth = 0; nth < 3; nth++)
          await add(makeErasure({ unconfirmedMark: "anna" }), waiting(ANNA));
        await lettersDue();
        await erasePerson(ANNA, DAWN + HOUR);
        const letter = waiting(ANNA);

        await add(makeErasure({ unconfirmedMark: "anna" }), letter);

        expect(await lettersDue()).toEqual([letter.id]);
      });

      test("is good until its time is over, and nothing else opens it", async () => {
        await publish(ANNA);
        const link = makeErasure();
        const letter = waiting(ANNA);
        await add(link, letter);

        expect(await store.erasureLink(link.tokenHash, DAWN)).toEqual({
          state: "waiting",
          email: ANNA,
          expiresAt: link.expiresAt,
          unconfirmedMark: null,
        });
        expect(await store.erasureLink("other", DAWN)).toBeNull();
        expect(await store.erasureLink(link.tokenHash, link.expiresAt)).toBeNull();
        expect(await lettersDue()).toContain(letter.id);
      });

      test("tells what it erased, in numbers, however often it is done", async () => {
        const [first, second] = [makeErasure(), makeErasure({ email: "ANNA@example.org" })];
        for (const owner of [ANNA, BEN]) await publish(owner);
        await add(first, waiting(ANNA));
        await add(second, waiting(ANNA));
        const other = makeErasure({ email: BEN });
        await add(other, waiting(BEN));

        const erased = await erasePerson(ANNA, DAWN + HOUR);
        await erasePerson(ANNA, DAWN + HOUR);

        expect(erased).toMatchObject({ alerts: 1 });
        for (const { tokenHash } of [first, second])
          expect(await store.erasureLink(tokenHash, DAWN)).toMatchObject({ state: "done", erased });
        expect(await store.erasureLink(other.tokenHash, DAWN)).toMatchObject({ email: BEN });
      });

      test("is forgotten when its time is over", async () => {
        const link = makeErasure();
        await publish(ANNA);
        await add(link, waiting(ANNA));

        const now = link.expiresAt;
        await store.sweep({ now, before: 0, hitsBefore: 0, deedsBefore: 0 }, 10);

        expect(await store.erasureLink(link.tokenHash, DAWN)).toBeNull();
      });
    });
  });
}
