import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alert.ts";
import { ERASE_MS, HOLDING_KINDS, type Holdings } from "../../src/core/erasing.ts";
import type { Letter } from "../../src/core/letter.ts";
import { NOBODY } from "../../src/core/report.ts";
import type { ErasureLink, PrivateLink, Store } from "../../src/core/store.ts";
import { makeAsk, makeLetter, makeLink, makePending, makeZone, publicationOf } from "./make.ts";
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

/** What every store promises of erasing a person. */
export function describeErasing(name: string, open: () => Store): void {
  describe(`erasing in the store on ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

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

    const none = Object.fromEntries(HOLDING_KINDS.map((kind) => [kind, 0])) as Holdings;
    const makeErasure = (about: Partial<ErasureLink> = {}): ErasureLink => ({
      tokenHash: id("erasure"),
      email: ANNA,
      expiresAt: DAWN + ERASE_MS,
      ...about,
    });

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
        waiting(email),
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

      await store.erasePerson("aNNa@example.org", DAWN + HOUR);

      expect(await store.holdings(ANNA)).toEqual(none);
      expect(await Promise.all(OTHERS.map((other) => store.holdings(other)))).toEqual(before);
    });

    test("removes its alerts as their owner would, ends its zones and what waits", async () => {
      const { alert, zone, asked } = await fill(ANNA);

      const erased = await store.erasePerson(ANNA, DAWN + HOUR);

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
      expect(changes.alerts.map(({ change }) => change)).toContainEqual({
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
      await store.erasePerson(ANNA, DAWN + HOUR);

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

      await store.erasePerson(ANNA, DAWN + HOUR);

      const due = await lettersDue();
      expect(due).toContain(other.letter.id);
      expect(due).not.toContain(asked.letter.id);
    });

    test("takes a moderator's ways in, and the name out of the log", async () => {
      const key = { tokenHash: id("admin"), email: ANNA, expiresAt: DAWN + DAY };
      await store.addAdminLink(key, waiting(ANNA));
      await store.openAdminSession(
        key.tokenHash,
        { tokenHash: "session", expiresAt: DAWN + DAY },
        DAWN,
      );
      const alert = await publish(BEN);
      const deed = { id: id("deed"), at: DAWN, act: "hide" as const, alertId: alert.id };
      await store.moderate({ ...deed, who: ANNA, mailbox: null });

      expect(await store.erasePerson(ANNA, DAWN + HOUR)).toMatchObject({ moderation: 2 });

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
      await store.erasePerson(ANNA, DAWN + HOUR);

      expect((await store.photosGone(10)).toSorted()).toEqual(["asked", "shown"]);
    });

    test("keeps that the address asked for no more letters", async () => {
      const asked = makeAsk({ pending: makePending({ email: ANNA, addressMark: "anna" }) });
      await store.ask(asked, DAWN);
      await store.disown(asked.pending.id, DAWN);

      await store.erasePerson(ANNA, DAWN + HOUR);

      const again = makeAsk({
        pending: makePending({ email: ANNA, addressMark: "anna" }),
        letter: waiting(ANNA),
      });
      await store.ask(again, DAWN + HOUR);
      expect(await lettersDue()).toEqual([]);
    });

    test("of what is newer than a person's erasure waits for another one", async () => {
      await publish(ANNA);
      await store.erasePerson(ANNA, DAWN + HOUR);

      const later = await publish(ANNA);

      expect(await store.holdings(ANNA)).toMatchObject({ alerts: 1 });
      expect(await look(later.id)).toMatchObject({ status: "active" });
    });

    test("by nothing that came back costs nothing", async () => {
      await publish(ANNA);
      await store.erasePerson(ANNA, DAWN + HOUR);
      const later = await publish(ANNA);

      expect(await store.eraseAgain(DAWN + DAY)).toEqual({ alerts: 0, zones: 0, mailboxes: 0 });
      await store.forgetTombstones(DAWN + 2 * DAY);
      expect(await store.eraseAgain(DAWN + DAY)).toEqual({ alerts: 0, zones: 0, mailboxes: 0 });
      expect(await look(later.id)).toMatchObject({ status: "active" });
    });

    describe("a link that erases", () => {
      test("is kept only for a mailbox that something is kept under", async () => {
        await publish(BEN);
        const link = makeErasure();
        const letter = waiting(ANNA);
        await store.addErasureLink(link, letter);

        expect(await store.erasureLink(link.tokenHash, DAWN)).toBeNull();
        expect(await lettersDue()).not.toContain(letter.id);
      });

      test("is good until its time is over, and nothing else opens it", async () => {
        await publish(ANNA);
        const link = makeErasure();
        const letter = waiting(ANNA);
        await store.addErasureLink(link, letter);

        expect(await store.erasureLink(link.tokenHash, DAWN)).toEqual({
          state: "waiting",
          email: ANNA,
          expiresAt: link.expiresAt,
        });
        expect(await store.erasureLink("other", DAWN)).toBeNull();
        expect(await store.erasureLink(link.tokenHash, link.expiresAt)).toBeNull();
        expect(await lettersDue()).toContain(letter.id);
      });

      test("tells what it erased, in numbers, however often it is done", async () => {
        const [first, second] = [makeErasure(), makeErasure({ email: "ANNA@example.org" })];
        for (const owner of [ANNA, BEN]) await publish(owner);
        await store.addErasureLink(first, waiting(ANNA));
        await store.addErasureLink(second, waiting(ANNA));
        const other = makeErasure({ email: BEN });
        await store.addErasureLink(other, waiting(BEN));

        const erased = await store.erasePerson(ANNA, DAWN + HOUR);
        await store.erasePerson(ANNA, DAWN + HOUR);

        expect(erased).toMatchObject({ alerts: 1 });
        for (const { tokenHash } of [first, second])
          expect(await store.erasureLink(tokenHash, DAWN)).toEqual({ state: "done", erased });
        expect(await store.erasureLink(other.tokenHash, DAWN)).toMatchObject({ email: BEN });
      });

      test("is forgotten when its time is over", async () => {
        const link = makeErasure();
        await publish(ANNA);
        await store.addErasureLink(link, waiting(ANNA));

        const now = link.expiresAt;
        await store.sweep({ now, before: 0, hitsBefore: 0, deedsBefore: 0 }, 10);

        expect(await store.erasureLink(link.tokenHash, DAWN)).toBeNull();
      });
    });
  });
}
