import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alert.ts";
import type { Conversation } from "../../src/core/conversation.ts";
import { type Deed, DEED_KEEP_MS, type Report, REPORT_KEEP_MS } from "../../src/core/report.ts";
import type { Store } from "../../src/core/store.ts";
import { look, publish } from "./confirmed.ts";
import {
  makeAnswer,
  makeAsk,
  makeId,
  makeLetter,
  makePending,
  makeZone,
  publicationOf,
} from "./make.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

/** What every store promises of reports, moderators and their acts. */
export function describeModeration(name: string, open: () => Store): void {
  describe(`moderation in the store on ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

    /** A confirmed first message to an alert. */
    async function converse(alert: Alert, strangerEmail: string): Promise<Conversation> {
      const conversation: Conversation = {
        id: makeId("conversation"),
        alertId: alert.id,
        strangerEmail,
        strangerMark: strangerEmail,
        strangerName: null,
        language: "en",
        createdAt: DAWN,
        closedAt: null,
      };
      await send(alert, conversation, conversation);
      return conversation;
    }

    async function send(
      alert: Alert,
      { id: conversationId }: Conversation,
      opening?: Conversation,
    ) {
      const payload = {
        kind: "message" as const,
        alertId: alert.id,
        text: "hi",
        name: null,
        removed: [],
      };
      const pending = makePending({
        kind: "message",
        names: null,
        payload,
        addressMark: makeId("mark"),
      });
      await store.ask(makeAsk({ pending }), DAWN);
      return store.settle(
        pending.id,
        {
          result: { kind: "message", alertId: alert.id },
          ...(opening === undefined ? {} : { conversation: opening }),
          message: {
            id: makeId("message"),
            conversationId,
            from: "stranger",
            text: "hi",
            createdAt: DAWN,
          },
          links: [],
          letters: [],
        },
        DAWN,
      );
    }

    const reply = (conversation: Conversation, alert: Alert) =>
      store.addReply(
        {
          id: makeId("reply"),
          conversationId: conversation.id,
          from: "owner",
          text: makeId("text"),
          createdAt: DAWN,
        },
        alert.id,
        makeLetter(),
      );

    const makeReport = (about: Partial<Report> & { alertId: string }): Report => ({
      id: makeId("report"),
      conversationId: null,
      reason: "scam",
      text: null,
      createdAt: DAWN,
      ...about,
    });

    const deed = (act: Deed["act"], alertId: string, about: Partial<Deed> = {}): Deed => ({
      id: makeId("deed"),
      at: DAWN + HOUR,
      who: "mod@example.org",
      act,
      alertId,
      mailbox: null,
      ...about,
    });

    const statusOf = async (alert: Alert) => (await look(store, alert.id)).status;

    describe("reports", () => {
      test("come newest first, and the same one is kept once while it is open", async () => {
        const alert = await publish(store);
        const conversation = await converse(alert, "anna@example.org");
        const first = makeReport({ alertId: alert.id });
        const others = [
          makeReport({ alertId: alert.id, text: "look", createdAt: DAWN + 1 }),
          makeReport({ alertId: alert.id, reason: "other", createdAt: DAWN + 2 }),
          makeReport({
            alertId: alert.id,
            conversationId: conversation.id,
            createdAt: DAWN + 3,
          }),
        ];
        for (const report of [first, ...others, { ...first, id: makeId("report") }])
          expect(await store.addReport(report, [])).toBeNull();

        expect(await store.openReports(10)).toEqual([...others.toReversed(), first]);
        expect(await store.openReports(2)).toHaveLength(2);

        await store.moderate(deed("dismiss", alert.id));
        expect(await store.openReports(10)).toEqual([]);
        const again = makeReport({ alertId: alert.id });
        await store.addReport(again, []);
        expect(await store.openReports(10)).toEqual([again]);
      });

      test("are kept beside their alert when they are closed, newest first", async () => {
        const [alert, other] = [await publish(store), await publish(store)];
        const [first, second] = [
          makeReport({ alertId: alert.id }),
          makeReport({ alertId: alert.id, text: "look", createdAt: DAWN + 1 }),
        ];
        for (const report of [first, second, makeReport({ alertId: other.id })])
          await store.addReport(report, []);

        await store.moderate(deed("hide", alert.id));

        expect(await store.reportsAbout([alert.id], 10)).toEqual([second, first]);
        expect(await store.reportsAbout([alert.id], 1)).toEqual([second]);
        expect(await store.reportsAbout([alert.id, other.id], 10)).toHaveLength(3);
        expect(await store.reportsAbout([], 10)).toEqual([]);
      });

      test("count against limits only when they are new", async () => {
        const alert = await publish(store);
        const hits = [{ key: "report:anna", max: 1, windowMs: HOUR }];
        const report = makeReport({ alertId: alert.id });

        expect(await store.addReport(report, hits)).toBeNull();
        expect(await store.addReport({ ...report, id: makeId("report") }, hits)).toBeNull();
        expect(await store.addReport(makeReport({ alertId: alert.id, text: "x" }), hits)).toBe(
          DAWN + HOUR,
        );
        expect(await store.openReports(10)).toHaveLength(1);
      });

      test("about what is gone meanwhile are dropped", async () => {
        const alert = await publish(store);
        const conversation = await converse(alert, "anna@example.org");
        await store.addReport(makeReport({ alertId: alert.id }), []);
        await store.removeAlert(alert.id, DAWN);
        await store.addReport(makeReport({ alertId: alert.id }), []);
        await store.addReport(makeReport({ alertId: "unknown" }), []);
        const other = await publish(store);
        await store.addReport(
          makeReport({ alertId: other.id, conversationId: conversation.id }),
          [],
        );

        expect(await store.openReports(10)).toEqual([]);
      });

      test("go a month after they were handled, or a year after nobody did; so does the log", async () => {
        const [handled, ignored] = [await publish(store), await publish(store)];
        await store.addReport(makeReport({ alertId: handled.id }), []);
        await store.addReport(makeReport({ alertId: ignored.id, text: "old" }), []);
        await store.moderate(deed("dismiss", handled.id));
        const sweep = (now: number) =>
          store.sweep(
            {
              now,
              before: now - REPORT_KEEP_MS,
              hitsBefore: now - DAY,
              deedsBefore: now - DEED_KEEP_MS,
            },
            10,
          );

        await sweep(DAWN + DEED_KEEP_MS);
        expect(await store.openReports(10)).toHaveLength(1);
        expect(await store.deeds(10)).toHaveLength(1);

        await sweep(DAWN + DEED_KEEP_MS + HOUR + 1);
        expect(await store.openReports(10)).toEqual([]);
        expect(await store.deeds(10)).toEqual([]);
      });
    });

    describe("hiding", () => {
      test("takes an alert out of the index, and restoring puts it back as it was", async () => {
        const alert = await publish(store);
        const { revision } = await store.changesSince(0, 10);

        expect(await store.moderate(deed("hide", alert.id))).toBe(true);
        const hidden = await look(store, alert.id);
        const dropped = await store.changesSince(revision, 10);
        expect(await store.moderate(deed("restore", alert.id, { at: DAWN + 2 * HOUR }))).toBe(true);

        expect(hidden).toMatchObject({ status: "hidden", endedAt: DAWN + HOUR, name: "Mimi" });
        expect(dropped.alerts).toEqual([{ kind: "drop", publishedAt: alert.publishedAt }]);
        expect(await look(store, alert.id)).toEqual({ ...alert, updatedAt: DAWN + 2 * HOUR });
        const back = await store.changesSince(dropped.revision, 10);
        expect(back.alerts[0]?.kind).toBe("put");
      });

      test("is done once, and only what can be done is written down", async () => {
        const alert = await publish(store);

        const acts = ["restore", "hide", "hide", "restore", "restore", "remove", "hide", "remove"];
        const done: boolean[] = [];
        for (const act of acts) done.push(await store.moderate(deed(act as Deed["act"], alert.id)));

        expect(done).toEqual([false, true, false, true, false, true, false, false]);
        expect((await store.deeds(10)).map(({ act }) => act)).toEqual([
          "remove",
          "restore",
          "hide",
        ]);
        expect(await store.moderate(deed("hide", "unknown"))).toBe(false);
      });

      test("of an alert that had ended is undone to that end", async () => {
        const alert = await publish(store);
        const end = { status: "resolved", expiresAt: alert.expiresAt, endedAt: DAWN } as const;
        await store.moveAlert(alert, end, DAWN);

        await store.moderate(deed("hide", alert.id));
        await store.moderate(deed("restore", alert.id));

        expect(await look(store, alert.id)).toMatchObject({ status: "resolved", endedAt: DAWN });
      });

      test("outlasts the alert's time and its owner's data: restored, it has expired", async () => {
        const late = await publish(store, { expiresAt: DAWN + DAY });
        const erased = await publish(store);
        for (const alert of [late, erased]) await store.moderate(deed("hide", alert.id));
        await store.moderate(deed("restore", late.id, { at: DAWN + DAY }));
        await store.eraseEnded(DAWN + 2 * HOUR, DAWN + 2 * HOUR, 10);
        await store.moderate(deed("restore", erased.id, { at: DAWN + 3 * HOUR }));

        expect(await look(store, late.id)).toMatchObject({
          status: "expired",
          endedAt: DAWN + HOUR,
        });
        expect(await look(store, erased.id)).toMatchObject({ status: "expired", ownerEmail: null });
      });

      test("takes back letters that show the alert to others, and no others", async () => {
        const alert = await publish(store);
        const other = await publish(store, { type: "found" });
        const zone = makeZone();
        const pending = makePending({
          kind: "zone",
          names: null,
          payload: { kind: "zone", zone },
          addressMark: "reader",
        });
        await store.ask(makeAsk({ pending }), DAWN);
        const result = { kind: "zone", zoneId: zone.id } as const;
        await store.settle(pending.id, { result, zone, links: [], letters: [] }, DAWN);
        await store.announce(alert.id, [zone.id], DAWN);
        const news = makeLetter();
        await store.tellZone(
          zone.id,
          [{ letter: news, alertIds: [alert.id], andAllLeft: false }],
          DAWN,
        );
        const shown = ({
          slug,
          shortCode,
          type,
          species,
          name,
          color,
          city,
          eventDate,
        }: Alert) => ({
          slug,
          shortCode,
          type,
          species,
          name,
          color,
          city,
          eventDate,
        });
        const match = (mine: Alert, theirs: Alert) => ({
          letter: makeLetter({
            to: mine.ownerEmail ?? "",
            content: {
              kind: "match",
              alert: shown(mine),
              other: shown(theirs),
              score: 90,
              reasons: [],
              sealedToken: "s",
              sealedUnsubscribe: "s",
            },
          }),
          about: mine.id,
        });
        const [toOther, toOwner] = [match(other, alert), match(alert, other)];
        await store.post([toOther, toOwner]);
        const before = (await store.outboxState()).waiting;

        await store.moderate(deed("hide", alert.id));

        const left = (await store.leaseLetters(DAWN + 2 * HOUR, MINUTE, 100)).map((one) => one.id);
        expect(left).toHaveLength(before - 2);
        expect(left).toContain(toOwner.letter.id);
        expect(left).not.toContain(toOther.letter.id);
        expect(left).not.toContain(news.id);
      });
    });

    describe("blocking", () => {
      const ANNA = { counted: "anna@gmail.com", addressMark: "anna" };

      test("hides every alert of the mailbox as counted, closes its conversations and ends what it waits for", async () => {
        const alert = await publish(store, { ownerEmail: "Anna+pets@gmail.com" });
        const other = await publish(store, { ownerEmail: "an.na@googlemail.com" });
        const strange = await publish(store, { ownerEmail: "hanna@gmail.com" });
        const mine = await converse(strange, "a.nna@gmail.com");
        const theirs = await converse(strange, "bob@example.org");
        const waiting = makeAsk({ pending: makePending({ addressMark: ANNA.addressMark }) });
        await store.ask(waiting, DAWN);
        await store.addReport(makeReport({ alertId: other.id }), []);
        expect(await store.countShown(ANNA.counted)).toBe(2);

        expect(await store.moderate(deed("block", alert.id, { mailbox: ANNA }))).toBe(true);
        expect(await store.countShown(ANNA.counted)).toBe(0);

        expect(await Promise.all([alert, other, strange].map(statusOf))).toEqual([
          "hidden",
          "hidden",
          "active",
        ]);
        expect(await store.openReports(10)).toEqual([]);
        expect(await reply(mine, strange)).toBe("closed");
        expect(await reply(theirs, strange)).toBe("kept");
        const settled = await store.settle(
          waiting.pending.id,
          publicationOf(waiting.pending),
          DAWN + HOUR,
        );
        expect(settled.kind).toBe("late");
        expect((await store.pending(waiting.pending.id))?.email).toBe("");
      });

      test("sends the mailbox no letters until an alert of it is restored", async () => {
        const alert = await publish(store, { ownerEmail: "anna@gmail.com" });
        await store.moderate(deed("block", alert.id, { mailbox: ANNA }));
        const waiting = async () => (await store.outboxState()).waiting;
        const before = await waiting();
        const ask = () => {
          const pending = makePending({ addressMark: ANNA.addressMark });
          return store.ask(makeAsk({ pending }), DAWN + HOUR);
        };

        expect((await ask()).kind).toBe("kept");
        expect(await waiting()).toBe(before);
        await store.moderate(deed("restore", alert.id, { mailbox: ANNA }));
        await ask();
        expect(await waiting()).toBe(before + 1);
      });

      test("is done once, and needs somebody to block", async () => {
        const alert = await publish(store, { ownerEmail: "anna@gmail.com" });

        expect(await store.moderate(deed("block_writer", alert.id))).toBe(false);
        expect(await store.moderate(deed("block", alert.id, { mailbox: ANNA }))).toBe(true);
        expect(await store.moderate(deed("block", alert.id, { mailbox: ANNA }))).toBe(false);
        expect(await store.deeds(10)).toEqual([
          { at: DAWN + HOUR, who: "mod@example.org", act: "block", shortCode: alert.shortCode },
        ]);
      });
    });

    test("of two moderators at once each act has one", async () => {
      const alert = await publish(store);
      await store.addReport(makeReport({ alertId: alert.id }), []);

      const won = await Promise.all(
        ["mod@example.org", "second@example.org"].map((who) =>
          store.moderate(deed("remove", alert.id, { who })),
        ),
      );

      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await store.deeds(10)).toHaveLength(1);
      expect(await look(store, alert.id)).toMatchObject({ status: "removed", name: null });
    });

    test("in a closed conversation nobody writes, and its stranger cannot go on with the alert", async () => {
      const alert = await publish(store);
      const conversation = await converse(alert, "anna@example.org");

      await store.closeConversation(conversation.id, DAWN + 1);
      await store.closeConversation(conversation.id, DAWN + 2);

      expect((await store.conversation(conversation.id))?.closedAt).toBe(DAWN + 1);
      expect(await reply(conversation, alert)).toBe("closed");
      expect((await send(alert, conversation)).kind).toBe("outdated");
    });

    test("about a hidden alert nobody writes", async () => {
      const alert = await publish(store);
      const conversation = await converse(alert, "anna@example.org");

      await store.moderate(deed("hide", alert.id));
      expect(await reply(conversation, alert)).toBe("closed");
      expect((await send(alert, conversation)).kind).toBe("outdated");
      await store.moderate(deed("restore", alert.id));

      expect(await reply(conversation, alert)).toBe("kept");
    });

    describe("a moderator's link", () => {
      const link = { tokenHash: "link", email: "mod@example.org", expiresAt: DAWN + 30 * MINUTE };
      const session = { tokenHash: "session", expiresAt: DAWN + 50 * MINUTE };

      test("opens one session, whoever is first", async () => {
        await store.addAdminLink(link, await makeAnswer(store), DAWN);

        const opened = await Promise.all(
          ["one", "two", "three"].map((tokenHash) =>
            store.openAdminSession("link", { ...session, tokenHash }, DAWN),
          ),
        );

        expect(opened.filter(Boolean)).toHaveLength(1);
        expect(await store.adminSession("link", DAWN)).toBeNull();
      });

      test("and its session end in time, or when signed out; neither stands for the other", async () => {
        await store.addAdminLink(link, await makeAnswer(store), DAWN);
        expect(await store.adminSession("link", DAWN)).toBeNull();
        expect(await store.openAdminSession("link", session, link.expiresAt)).toBe(false);
        expect(await store.openAdminSession("link", session, link.expiresAt - 1)).toBe(true);
        expect(await store.openAdminSession("session", session, DAWN)).toBe(false);

        expect(await store.adminSession("session", session.expiresAt - 1)).toBe(link.email);
        expect(await store.adminSession("session", session.expiresAt)).toBeNull();
        await store.endAdminSession("session");
        expect(await store.adminSession("session", DAWN)).toBeNull();
      });

      test("goes with the sweep once its time is over", async () => {
        await store.addAdminLink(link, await makeAnswer(store), DAWN);
        const sweep = { before: DAWN, hitsBefore: DAWN, deedsBefore: DAWN };
        await store.sweep({ now: link.expiresAt, ...sweep }, 10);

        // The clock is set back: only what was dropped cannot come back.
        expect(await store.openAdminSession("link", session, DAWN)).toBe(false);
      });
    });
  });
}
