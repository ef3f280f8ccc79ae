import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alert.ts";
import { HOLDING_KINDS, type Holdings } from "../../src/core/erasing.ts";
import type { Letter } from "../../src/core/letter.ts";
import { NOBODY } from "../../src/core/report.ts";
import type { PrivateLink, Store } from "../../src/core/store.ts";
import { look, subscribe } from "./confirmed.ts";
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
import {
  makeAnswer,
  makeAsk,
  makeId,
  makeLetter,
  makeLink,
  makePending,
  publicationOf,
} from "./make.ts";
import { DAWN, DAY, HOUR } from "./time.ts";

/** Nobody else is meant by `Anna@example.org`. */
const OTHERS = [
  "anna+cats@example.org",
  "anna@example.net",
  "hanna@example.org",
  "a.nna@example.org",
];

/** A store with a backup: `restore` puts it in place of the store's data, and gives the store opened on it. */
export type BackedUp = { restore(): Promise<Store> };
/** Copies what backups hold of a store. */
export type BackUp = (store: Store) => Promise<BackedUp>;

/** What every store promises of erasing a person. */
export function describeErasing(name: string, open: () => Store, backUp: BackUp): void {
  describe(`erasing in the store on ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

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
        addressMark: makeId("mark"),
      });
      await store.ask(
        { ...makeAsk({ pending }), shortCode: null, letter: waiting(strangerEmail) },
        DAWN,
      );
      const conversation = {
        id: makeId("conversation"),
        alertId: alert.id,
        strangerEmail,
        strangerMark: makeId("mark"),
        strangerName: null,
        language: "en" as const,
        createdAt: DAWN,
        closedAt: null,
      };
      const links = (["owner", "stranger"] as const).map((side) =>
        makeLink({
          purpose: "conversation",
          subject: `${conversation.id}:${side}`,
          sealed: makeId("sealed"),
        }),
      );
      const letter = carrying(alert, links[0]);
      await store.settle(
        pending.id,
        {
          result: { kind: "message", alertId: alert.id },
          conversation,
          message: {
            id: makeId("message"),
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

    const NOTHING_AGAIN = { alerts: 0, zones: 0, mailboxes: 0 };
    const none = Object.fromEntries(HOLDING_KINDS.map((kind) => [kind, 0])) as Holdings;

    async function fill(email: string) {
      const alert = await publishFor(store, email, { photos: [] });
      const away = await publishFor(store, BEN);
      const zone = await subscribe(store, { email });
      const begun = await write(away, email);
      const got = await write(alert, BEN);
      const asked = makeAsk({
        pending: makePending({ email, addressMark: makeId("mark") }),
        letter: waiting(email),
      });
      await store.ask(asked, DAWN);
      await store.addAdminLink(
        { tokenHash: makeId("admin"), email, expiresAt: DAWN + HOUR },
        await makeAnswer(store, waiting(email)),
        DAWN,
      );
      await store.moderate({
        id: makeId("deed"),
        at: DAWN,
        who: email,
        act: "hide",
        alertId: (await publishFor(store, BEN)).id,
        mailbox: null,
      });
      return { alert, away, zone, begun, got, asked };
    }

    test("is of exactly one mailbox, whatever its case", async () => {
      await fill(ANNA);
      for (const other of OTHERS) await publishFor(store, other);

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

      await erasePerson(store, "aNNa@example.org", DAWN + HOUR);

      expect(await store.holdings(ANNA)).toEqual(none);
      expect(await Promise.all(OTHERS.map((other) => store.holdings(other)))).toEqual(before);
    });

    test("removes its alerts as their owner would, ends its zones and what waits", async () => {
      const { alert, zone, asked } = await fill(ANNA);

      const erased = await erasePerson(store, ANNA, DAWN + HOUR);

      expect(erased).toMatchObject({ alerts: 1, zones: 1, requests: 1 });
      expect(await look(store, alert.id)).toMatchObject({
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
      await erasePerson(store, ANNA, DAWN + HOUR);

      for (const { conversation, links } of [begun, got]) {
        expect(await store.conversation(conversation.id)).toBeNull();
        expect(await store.messages(conversation.id, 10)).toEqual([]);
        for (const link of links)
          expect(await store.link(link.tokenHash, "conversation")).toBeNull();
      }
      expect(await store.conversation(foreign.conversation.id)).not.toBeNull();
      expect(await store.messages(foreign.conversation.id, 10)).toHaveLength(1);
      const due = await lettersDue(store);
      expect(due).toContain(foreign.letter.id);
      expect(due).not.toContain(begun.letter.id);
      expect(due).not.toContain(got.letter.id);
      expect(await look(store, away.id)).toMatchObject({ status: "active", ownerEmail: BEN });
    });

    test("takes back every letter to it, and only those", async () => {
      const { asked } = await fill(ANNA);
      const other = makeAsk({
        pending: makePending({ email: BEN, addressMark: makeId("mark") }),
        letter: waiting(BEN),
      });
      await store.ask(other, DAWN);

      await erasePerson(store, ANNA, DAWN + HOUR);

      const due = await lettersDue(store);
      expect(due).toContain(other.letter.id);
      expect(due).not.toContain(asked.letter.id);
    });

    test("takes a moderator's ways in, and the name out of the log", async () => {
      const key = { tokenHash: makeId("admin"), email: ANNA, expiresAt: DAWN + DAY };
      await store.addAdminLink(key, await makeAnswer(store, waiting(ANNA)), DAWN);
      await store.openAdminSession(
        key.tokenHash,
        { tokenHash: "session", expiresAt: DAWN + DAY },
        DAWN,
      );
      const alert = await publishFor(store, BEN);
      const deed = { id: makeId("deed"), at: DAWN, act: "hide" as const, alertId: alert.id };
      await store.moderate({ ...deed, who: ANNA, mailbox: null });

      expect(await erasePerson(store, ANNA, DAWN + HOUR)).toMatchObject({ moderation: 2 });

      expect(await store.adminSession("session", DAWN + HOUR)).toBeNull();
      expect(await store.deeds(10)).toEqual([
        { at: DAWN, who: NOBODY, act: "hide", shortCode: alert.shortCode },
      ]);
    });

    test("lets go of the pictures of its alerts and of what waits", async () => {
      const draft = makePending().payload;
      if (draft?.kind !== "publish") throw new Error("not a publication");
      const payload = { ...draft, draft: { ...draft.draft, photos: ["asked"] } };
      const ask = makeAsk({
        pending: makePending({ email: ANNA, payload, addressMark: makeId("mark") }),
      });
      await store.ask(ask, DAWN);
      await publishFor(store, ANNA, { photos: ["shown", "shared"] });
      await publishFor(store, BEN, { photos: ["shared"] });

      expect(await store.holdings(ANNA)).toMatchObject({ photos: 3 });
      await erasePerson(store, ANNA, DAWN + HOUR);

      expect((await store.photosGone(10)).toSorted()).toEqual(["asked", "shown"]);
    });

    test("keeps that the address asked for no more letters", async () => {
      const asked = makeAsk({ pending: makePending({ email: ANNA, addressMark: "anna" }) });
      await store.ask(asked, DAWN);
      await store.disown(asked.pending.id, DAWN);

      await erasePerson(store, ANNA, DAWN + HOUR);

      const again = makeAsk({
        pending: makePending({ email: ANNA, addressMark: "anna" }),
        letter: waiting(ANNA),
      });
      await store.ask(again, DAWN + HOUR);
      expect(await lettersDue(store)).toEqual([]);
    });

    test("of what is newer than a person's erasure waits for another one", async () => {
      await publishFor(store, ANNA);
      await erasePerson(store, ANNA, DAWN + HOUR);

      const later = await publishFor(store, ANNA);

      expect(await store.holdings(ANNA)).toMatchObject({ alerts: 1 });
      expect(await look(store, later.id)).toMatchObject({ status: "active" });
    });

    test("goes on part by part, and takes what could become an alert with the first", async () => {
      const ids: string[] = [];
      for (let nth = 0; nth < 5; nth++) ids.push((await publishFor(store, ANNA)).id);
      const zone = await subscribe(store, { email: ANNA });
      const asked = makeAsk({ pending: makePending({ email: ANNA, addressMark: makeId("mark") }) });
      await store.ask(asked, DAWN);
      const link = makeErasure();
      await addErasure(store, link, waiting(ANNA));
      const standing = async () =>
        (await Promise.all(ids.map((id) => look(store, id)))).filter(
          ({ status }) => status === "active",
        ).length;

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
      const before = await publishFor(store, ANNA);
      const begun = await store.beginErasure(ANNA, DAWN + HOUR);
      const ask = makeAsk({ pending: makePending({ email: ANNA, addressMark: makeId("mark") }) });
      await store.ask(ask, DAWN + 2 * HOUR);
      const effect = publicationOf(ask.pending, { ownerEmail: ANNA });
      await store.settle(ask.pending.id, effect, DAWN + 2 * HOUR);

      expect(await store.continueErasure(begun, 50, DAWN + 2 * HOUR)).toBe(true);

      expect(await look(store, before.id)).toMatchObject({ status: "removed" });
      expect(await look(store, effect.alert.id)).toMatchObject({ status: "active" });
    });

    test("once begun is carried out at the next start, wherever it was cut short", async () => {
      for (let nth = 0; nth < 5; nth++) await publishFor(store, ANNA);
      const begun = await store.beginErasure(ANNA, DAWN + HOUR);
      await store.continueErasure(begun, 2, DAWN + HOUR);

      expect(await store.eraseAgain(DAWN + DAY)).toEqual({ alerts: 0, zones: 0, mailboxes: 1 });

      expect(await store.holdings(ANNA)).toEqual(none);
      expect(await store.eraseAgain(DAWN + DAY)).toEqual(NOTHING_AGAIN);
    });

    test("holds against a backup from before, and leaves what is newer or another's", async () => {
      const alert = await publishFor(store, ANNA);
      const { zone } = await subscribe(store, { email: "carl@example.org" });
      const removed = await publishFor(store, BEN);
      const kept = await publishFor(store, BEN);
      const backup = await backUp(store);
      await erasePerson(store, ANNA, DAWN + HOUR);
      await store.removeAlert(removed.id, DAWN + HOUR);
      await store.endZone(zone.id, DAWN + HOUR);

      store = await backup.restore();
      expect(await look(store, alert.id)).toMatchObject({ status: "active", ownerEmail: ANNA });
      expect(await store.eraseAgain(DAWN + DAY)).toEqual({ alerts: 1, zones: 1, mailboxes: 1 });

      for (const { id } of [alert, removed])
        expect(await look(store, id)).toMatchObject({ status: "removed", ownerEmail: null });
      expect(await store.zone(zone.id)).toBeNull();
      expect(await look(store, kept.id)).toMatchObject({ status: "active" });
      expect(await store.eraseAgain(DAWN + DAY)).toEqual(NOTHING_AGAIN);
    });

    test("is forgotten in time: then a backup brings it back", async () => {
      const alert = await publishFor(store, ANNA);
      const backup = await backUp(store);
      await erasePerson(store, ANNA, DAWN + HOUR);
      await store.forgetTombstones(DAWN + 2 * DAY);

      store = await backup.restore();

      expect(await store.eraseAgain(DAWN + 3 * DAY)).toEqual(NOTHING_AGAIN);
      expect(await look(store, alert.id)).toMatchObject({ status: "active" });
    });

    test("tells who confirmed what is kept under a mailbox, and who was only asked in its name", async () => {
      const known = () => store.acquaintance("anna@EXAMPLE.org");
      expect(await known()).toBe("none");
      const asked = makeAsk({ pending: makePending({ email: ANNA, addressMark: makeId("mark") }) });
      await store.ask(asked, DAWN);
      for (const other of OTHERS) await publishFor(store, other);
      expect(await known()).toBe("unconfirmed");

      await store.settle(
        asked.pending.id,
        publicationOf(asked.pending, { ownerEmail: ANNA }),
        DAWN,
      );
      expect(await known()).toBe("confirmed");
      await erasePerson(store, ANNA, DAWN + HOUR);
      expect(await known()).toBe("none");
      await subscribe(store, { email: ANNA });
      expect(await known()).toBe("confirmed");
      await erasePerson(store, ANNA, DAWN + HOUR);
      await write(await publishFor(store, BEN), ANNA);
      expect(await known()).toBe("confirmed");
    });
  });
}
