import { describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alerts/alert.ts";
import type { Conversation } from "../../src/core/conversations/conversation.ts";
import {
  type ModerationAction,
  AUDIT_LOG_KEEP_MS,
  REPORT_KEEP_MS,
} from "../../src/core/moderation/report.ts";
import { addRequest, loadAlert, publish, relay, resolve } from "./confirmed.ts";
import {
  likelyPair,
  makeAction,
  makeMessage,
  makeReport,
  makeRequest,
  makeId,
  makeEmail,
  makePending,
  makeZone,
  publicationOf,
} from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";
import { emailAlert } from "../../src/core/alerts/email-alert.ts";

/** Store contract: reports, moderators and their actions. */
export function describeModeration(): void {
  describe("moderation", () => {
    /** A confirmed first message to an alert. */
    async function converse(alert: Alert, strangerEmail: string): Promise<Conversation> {
      await relay(store, alert, strangerEmail);
      return (await store.conversationBetween(alert.id, strangerEmail))!;
    }
    const send = (alert: Alert, { strangerEmail }: Conversation) =>
      relay(store, alert, strangerEmail);
    const reply = ({ id }: Conversation, alert: Alert) =>
      store.addReply(makeMessage(id, { text: makeId("text") }), alert.id, makeEmail());
    const action = (
      act: ModerationAction["act"],
      alertId: string,
      about: Partial<ModerationAction> = {},
    ) => makeAction(act, alertId, { at: DAWN + HOUR, ...about });

    const statusOf = async (alert: Alert) => (await loadAlert(store, alert.id)).status;

    describe("reports", () => {
      test("come newest first, and the same report is stored once while it is open", async () => {
        const alert = await publish(store);
        const conversation = await converse(alert, "anna@example.org");
        const first = makeReport(alert.id);
        const others = [
          makeReport(alert.id, { text: "look", createdAt: DAWN + 1 }),
          makeReport(alert.id, { reason: "other", createdAt: DAWN + 2 }),
          makeReport(alert.id, { conversationId: conversation.id, createdAt: DAWN + 3 }),
        ];
        for (const report of [first, ...others, { ...first, id: makeId("report") }])
          expect(await store.addReport(report, [])).toBeNull();

        expect(await store.openReports(10)).toEqual([...others.toReversed(), first]);
        expect(await store.openReports(2)).toHaveLength(2);

        await store.moderate(action("dismiss", alert.id));
        expect(await store.openReports(10)).toEqual([]);
        const again = makeReport(alert.id);
        await store.addReport(again, []);
        expect(await store.openReports(10)).toEqual([again]);
      });

      test("stay with their alert when they are closed, newest first", async () => {
        const [alert, other] = [await publish(store), await publish(store)];
        const [first, second] = [
          makeReport(alert.id),
          makeReport(alert.id, { text: "look", createdAt: DAWN + 1 }),
        ];
        for (const report of [first, second, makeReport(other.id)])
          await store.addReport(report, []);

        await store.moderate(action("hide", alert.id));

        expect(await store.reportsAbout([alert.id], 10)).toEqual([second, first]);
        expect(await store.reportsAbout([alert.id], 1)).toEqual([second]);
        expect(await store.reportsAbout([alert.id, other.id], 10)).toHaveLength(3);
        expect(await store.reportsAbout([], 10)).toEqual([]);
      });

      test("count against limits only when they are new", async () => {
        const alert = await publish(store);
        const hits = [{ key: "report:anna", max: 1, windowMs: HOUR }];
        const report = makeReport(alert.id);

        expect(await store.addReport(report, hits)).toBeNull();
        expect(await store.addReport({ ...report, id: makeId("report") }, hits)).toBeNull();
        expect(await store.addReport(makeReport(alert.id, { text: "x" }), hits)).toBe(DAWN + HOUR);
        expect(await store.openReports(10)).toHaveLength(1);
      });

      test("are dropped if their subject no longer exists", async () => {
        const alert = await publish(store);
        const conversation = await converse(alert, "anna@example.org");
        await store.addReport(makeReport(alert.id), []);
        await store.removeAlert(alert.id, DAWN);
        await store.addReport(makeReport(alert.id), []);
        await store.addReport(makeReport("unknown"), []);
        const other = await publish(store);
        await store.addReport(makeReport(other.id, { conversationId: conversation.id }), []);

        expect(await store.openReports(10)).toEqual([]);
      });

      test("are deleted a month after they were handled, or after a year if they were not; so is the log", async () => {
        const [handled, ignored] = [await publish(store), await publish(store)];
        await store.addReport(makeReport(handled.id), []);
        await store.addReport(makeReport(ignored.id, { text: "old" }), []);
        await store.moderate(action("dismiss", handled.id));
        const sweep = (now: number) =>
          store.sweep(
            {
              now,
              before: now - REPORT_KEEP_MS,
              hitsBefore: now - DAY,
              auditLogBefore: now - AUDIT_LOG_KEEP_MS,
            },
            10,
          );

        await sweep(DAWN + AUDIT_LOG_KEEP_MS);
        expect(await store.openReports(10)).toHaveLength(1);
        expect(await store.auditLog(10)).toHaveLength(1);

        await sweep(DAWN + AUDIT_LOG_KEEP_MS + HOUR + 1);
        expect(await store.openReports(10)).toEqual([]);
        expect(await store.auditLog(10)).toEqual([]);
      });
    });

    describe("hiding", () => {
      test("removes an alert from the index, and restoring puts it back as it was", async () => {
        const alert = await publish(store);
        const { revision } = await store.changesSince(0, 10);

        expect(await store.moderate(action("hide", alert.id))).toBe(true);
        const hidden = await loadAlert(store, alert.id);
        const dropped = await store.changesSince(revision, 10);
        expect(await store.moderate(action("restore", alert.id, { at: DAWN + 2 * HOUR }))).toBe(
          true,
        );

        expect(hidden).toMatchObject({ status: "hidden", endedAt: DAWN + HOUR, name: "Mimi" });
        expect(dropped.alerts).toEqual([{ kind: "drop", publishedAt: alert.publishedAt }]);
        expect(await loadAlert(store, alert.id)).toEqual({ ...alert, updatedAt: DAWN + 2 * HOUR });
        const back = await store.changesSince(dropped.revision, 10);
        expect(back.alerts[0]?.kind).toBe("put");
      });

      test("works once, and only actions that worked are logged", async () => {
        const alert = await publish(store);

        const acts = ["restore", "hide", "hide", "restore", "restore", "remove", "hide", "remove"];
        const done: boolean[] = [];
        for (const act of acts)
          done.push(await store.moderate(action(act as ModerationAction["act"], alert.id)));

        expect(done).toEqual([false, true, false, true, false, true, false, false]);
        expect((await store.auditLog(10)).map(({ act }) => act)).toEqual([
          "remove",
          "restore",
          "hide",
        ]);
        expect(await store.moderate(action("hide", "unknown"))).toBe(false);
      });

      test("and restoring an ended alert leaves it ended", async () => {
        const alert = await publish(store);
        await resolve(store, alert);

        await store.moderate(action("hide", alert.id));
        await store.moderate(action("restore", alert.id));

        expect(await loadAlert(store, alert.id)).toMatchObject({
          status: "resolved",
          endedAt: DAWN,
        });
      });

      test("can outlast the alert and its owner's data: once restored, the alert has expired", async () => {
        const late = await publish(store, { expiresAt: DAWN + DAY });
        const erased = await publish(store);
        for (const alert of [late, erased]) await store.moderate(action("hide", alert.id));
        await store.moderate(action("restore", late.id, { at: DAWN + DAY }));
        await store.eraseEnded(DAWN + 2 * HOUR, DAWN + 2 * HOUR, 10);
        await store.moderate(action("restore", erased.id, { at: DAWN + 3 * HOUR }));

        expect(await loadAlert(store, late.id)).toMatchObject({
          status: "expired",
          endedAt: DAWN + HOUR,
        });
        expect(await loadAlert(store, erased.id)).toMatchObject({
          status: "expired",
          ownerEmail: null,
        });
      });

      test("withdraws emails that show the alert to others, and no others", async () => {
        const alert = await publish(store);
        const other = await publish(store, { type: "found" });
        const zone = makeZone();
        const { pending } = await addRequest(store, {
          kind: "zone",
          names: null,
          payload: { kind: "zone", zone },
          addressHash: "reader",
        });
        await store.confirmPending(pending.id, { kind: "zone", zone, links: [], hits: [] }, DAWN);
        await store.announce(alert.id, [{ zoneId: zone.id, dueAt: DAWN }], DAWN);
        const news = makeEmail();
        const told = {
          email: news,
          alertIds: [alert.id],
          zoneIds: [zone.id],
          countsMore: false,
        };
        await store.addZoneEmails([{ mailbox: zone.email, email: told, links: [] }], {
          upTo: DAWN,
          now: DAWN,
        });
        const match = (mine: Alert, theirs: Alert) => ({
          email: makeEmail({
            to: mine.ownerEmail ?? "",
            content: {
              kind: "match" as const,
              alert: emailAlert(mine),
              other: emailAlert(theirs),
              score: 90,
              reasons: [],
              sealedToken: "s",
              sealedUnsubscribe: "s",
            },
          }),
        });
        const [toOther, toOwner] = [match(other, alert), match(alert, other)];
        const room = (key: string) => ({ key, max: 9, windowMs: HOUR });
        const caps = { perAlert: null, perMailbox: room("mailbox"), digestAt: DAWN };
        const pair = likelyPair(alert.id, other.id, 90);
        await store.addPairs(alert, [pair], room("comparison"), DAWN);
        for (const [mine, theirs, { email }] of [
          [other, alert, toOther],
          [alert, other, toOwner],
        ] as const) {
          const notice = { alertId: mine.id, otherId: theirs.id };
          await store.queueMatchEmail(notice, { email, links: [] }, caps, DAWN);
        }
        const before = (await store.outboxState()).waiting;

        await store.moderate(action("hide", alert.id));

        const left = (await store.leaseEmails(DAWN + 2 * HOUR, MINUTE, 100)).map((one) => one.id);
        expect(left).toHaveLength(before - 2);
        expect(left).toContain(toOwner.email.id);
        expect(left).not.toContain(toOther.email.id);
        expect(left).not.toContain(news.id);
      });
    });

    describe("blocking", () => {
      const ANNA = { counted: "anna@gmail.com", addressHash: "anna" };

      test("hides every alert of the normalized mailbox, closes its conversations and ends its requests", async () => {
        const alert = await publish(store, { ownerEmail: "Anna+pets@gmail.com" });
        const other = await publish(store, { ownerEmail: "an.na@googlemail.com" });
        const strange = await publish(store, { ownerEmail: "hanna@gmail.com" });
        const mine = await converse(strange, "a.nna@gmail.com");
        const theirs = await converse(strange, "bob@example.org");
        const waiting = await addRequest(store, { addressHash: ANNA.addressHash });
        await store.addReport(makeReport(other.id), []);
        expect(await store.countShown(ANNA.counted)).toBe(2);

        expect(await store.moderate(action("block", alert.id, { mailbox: ANNA }))).toBe(true);
        expect(await store.countShown(ANNA.counted)).toBe(0);

        expect(await Promise.all([alert, other, strange].map(statusOf))).toEqual([
          "hidden",
          "hidden",
          "active",
        ]);
        expect(await store.openReports(10)).toEqual([]);
        expect(await reply(mine, strange)).toBe("closed");
        expect(await reply(theirs, strange)).toBe("kept");
        const settled = await store.confirmPending(
          waiting.pending.id,
          publicationOf(waiting.pending),
          DAWN + HOUR,
        );
        expect(settled.kind).toBe("late");
        expect((await store.pending(waiting.pending.id))?.email).toBe("");
      });

      test("sends the mailbox no emails until one of its alerts is restored", async () => {
        const alert = await publish(store, { ownerEmail: "anna@gmail.com" });
        await store.moderate(action("block", alert.id, { mailbox: ANNA }));
        const waiting = async () => (await store.outboxState()).waiting;
        const before = await waiting();
        const ask = () => {
          const pending = makePending({ addressHash: ANNA.addressHash });
          return store.addPending(makeRequest({ pending }), DAWN + HOUR);
        };

        expect((await ask()).kind).toBe("kept");
        expect(await waiting()).toBe(before);
        await store.moderate(action("restore", alert.id, { mailbox: ANNA }));
        await ask();
        expect(await waiting()).toBe(before + 1);
      });

      test("works once, and needs a mailbox to block", async () => {
        const alert = await publish(store, { ownerEmail: "anna@gmail.com" });

        expect(await store.moderate(action("block_writer", alert.id))).toBe(false);
        expect(await store.moderate(action("block", alert.id, { mailbox: ANNA }))).toBe(true);
        expect(await store.moderate(action("block", alert.id, { mailbox: ANNA }))).toBe(false);
        expect(await store.auditLog(10)).toEqual([
          { at: DAWN + HOUR, who: "mod@example.org", act: "block", shortCode: alert.shortCode },
        ]);
      });
    });

    test("only one of two moderators who act at once succeeds", async () => {
      const alert = await publish(store);
      await store.addReport(makeReport(alert.id), []);

      const won = await Promise.all(
        ["mod@example.org", "second@example.org"].map((who) =>
          store.moderate(action("remove", alert.id, { who })),
        ),
      );

      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await store.auditLog(10)).toHaveLength(1);
      expect(await loadAlert(store, alert.id)).toMatchObject({ status: "removed", name: null });
    });

    test("a closed conversation takes no messages, and its stranger cannot start another about the alert", async () => {
      const alert = await publish(store);
      const conversation = await converse(alert, "anna@example.org");

      await store.closeConversation(conversation.id, DAWN + 1);
      await store.closeConversation(conversation.id, DAWN + 2);

      expect((await store.conversation(conversation.id))?.closedAt).toBe(DAWN + 1);
      expect(await reply(conversation, alert)).toBe("closed");
      expect((await send(alert, conversation)).kind).toBe("outdated");
    });

    test("a hidden alert takes no messages", async () => {
      const alert = await publish(store);
      const conversation = await converse(alert, "anna@example.org");

      await store.moderate(action("hide", alert.id));
      expect(await reply(conversation, alert)).toBe("closed");
      expect((await send(alert, conversation)).kind).toBe("outdated");
      await store.moderate(action("restore", alert.id));

      expect(await reply(conversation, alert)).toBe("kept");
    });
  });
}
