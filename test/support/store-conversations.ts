import { beforeEach, describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alerts/alert.ts";
import type { ConversationPage } from "../../src/core/conversations/conversation-store.ts";
import { publish, relay } from "./confirmed.ts";
import { makeAction, makeEmail, makeMessage } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

const OWNER = "owner@example.org";

/** Store contract: emails to owners, at once or as digests. */
export function describeOwnerNews(): void {
  describe("news for owners", () => {
    let alert: Alert;
    beforeEach(async () => {
      alert = await publish(store);
    });

    const waiting = async () => (await store.outboxState()).waiting;
    const hits = (max: number) => [{ key: "emails", max, windowMs: DAY }];
    const toOwner = (max: number) => ({
      ownerEmail: { email: makeEmail({ to: OWNER }), hits: hits(max) },
    });
    /** Sends a message that the owner is not emailed at once. */
    const write = (stranger: string, more: { text?: string; networkHash?: string; now?: number }) =>
      relay(store, alert, stranger, { ...toOwner(0), ...more });
    async function newsOf(limit = 10) {
      const news = await store.ownerNews(alert.id, limit);
      if (news === null) throw new Error("there is news");
      return news;
    }
    const idsOf = ({ conversations }: ConversationPage) => conversations.map(({ id }) => id);
    async function tell(conversationIds: readonly string[] | null = null, now = DAWN) {
      const news = await newsOf();
      const told = conversationIds ?? idsOf(news);
      await store.addOwnerDigest(news, makeEmail({ to: OWNER }), told, now);
    }

    test("an email is sent at once while its limits have room; beyond them, messages wait as news", async () => {
      const before = await waiting();
      for (const stranger of ["anna", "ben", "cleo"])
        expect((await relay(store, alert, stranger, toOwner(2))).kind).toBe("won");

      // Three confirmation emails.
      expect((await waiting()) - before).toBe(3 + 2);
      expect(await store.alertsWithOwnerNews(DAWN, 10)).toEqual([alert.id]);
      const { conversations, total } = await newsOf();
      expect([conversations.length, total]).toEqual([1, 1]);
      expect(conversations[0]?.id).toContain("cleo");
      expect(await store.conversationsAbout(alert.id, 10, 0)).toMatchObject({ total: 3 });
    });

    test("all news goes into one digest; news that arrives after it was read waits for the next", async () => {
      await write("anna", { text: "first" });
      const news = await newsOf();
      await write("ben", { text: "second" });
      const before = await waiting();

      await store.addOwnerDigest(news, makeEmail({ to: OWNER }), idsOf(news), DAWN);
      await store.addOwnerDigest(news, makeEmail({ to: OWNER }), idsOf(news), DAWN + 2 * HOUR);

      expect((await waiting()) - before).toBe(1);
      expect((await newsOf()).conversations.map(({ text }) => text)).toEqual(["second"]);
    });

    test("one digest an hour is sent; a digest dated in the future does not count", async () => {
      await write("anna", {});
      await tell();
      await write("ben", {});

      expect(await store.alertsWithOwnerNews(DAWN + 59 * MINUTE, 10)).toEqual([]);
      expect(await store.alertsWithOwnerNews(DAWN + HOUR, 10)).toEqual([alert.id]);
      expect(await store.alertsWithOwnerNews(DAWN - DAY, 10)).toEqual([alert.id]);
      const before = await waiting();
      await tell(null, DAWN + 59 * MINUTE);
      expect(await waiting()).toBe(before);
    });

    test("conversations come in turn by network, newest first, each with its newest message and their number", async () => {
      await write("finder", { networkHash: "home", text: "I have her", now: DAWN });
      for (let at = 1; at < 9; at++)
        await write(`spam${at}`, { networkHash: "flood", now: DAWN + at });
      await write("spam8", { networkHash: "flood", text: "again", now: DAWN + 20 });

      const { conversations, total } = await newsOf(3);

      expect(total).toBe(9);
      expect(conversations.map(({ text, messages }) => [text, messages])).toEqual([
        ["again", 2],
        ["I have her", 1],
        ["hello", 1],
      ]);
      const page = await store.conversationsAbout(alert.id, 2, 0);
      expect(page.conversations.map(({ text }) => text)).toEqual(["again", "I have her"]);
      const next = await store.conversationsAbout(alert.id, 2, 2);
      expect(next.conversations[0]?.text).toBe("hello");
      expect(next.total).toBe(9);
    });

    test("conversations that a digest does not show wait for the next one", async () => {
      await write("anna", { text: "shown" });
      await write("ben", { text: "left" });
      const { conversations } = await newsOf();
      const shown = conversations.flatMap(({ id, text }) => (text === "shown" ? [id] : []));

      await tell(shown);

      expect((await newsOf()).conversations.map(({ text }) => text)).toEqual(["left"]);
    });

    test("no digest is sent about an alert that is hidden, removed or has another owner", async () => {
      await write("anna", {});
      const news = await newsOf();
      const before = await waiting();
      await store.addOwnerDigest(news, makeEmail({ to: "other@example.org" }), idsOf(news), DAWN);
      expect(await waiting()).toBe(before);

      await store.moderate(makeAction("hide", alert.id));
      expect(await store.alertsWithOwnerNews(DAWN, 10)).toEqual([]);
      expect(await store.ownerNews(alert.id, 10)).toBeNull();
      await store.addOwnerDigest(news, makeEmail({ to: OWNER }), idsOf(news), DAWN);
      await store.removeAlert(alert.id, DAWN);
      await store.addOwnerDigest(news, makeEmail({ to: OWNER }), idsOf(news), DAWN);
      expect(await store.ownerNews(alert.id, 10)).toBeNull();
    });

    test("a digest with messages of an erased mailbox is withdrawn, and the rest is news again", async () => {
      await write("anna", { text: "mine" });
      await write("ben", { text: "his" });
      await tell();
      const before = await waiting();

      const begun = await store.beginErasure("anna@example.org", DAWN);
      await store.continueErasure(begun, 10, DAWN);

      // Anna's confirmation email also waits.
      expect(before - (await waiting())).toBeGreaterThanOrEqual(1);
      expect((await newsOf()).conversations.map(({ text }) => text)).toEqual(["his"]);
    });

    test("a digest is not sent if a part of its news was erased after it was read", async () => {
      await write("anna", {});
      await write("ben", {});
      const news = await newsOf();
      const begun = await store.beginErasure("anna@example.org", DAWN);
      await store.continueErasure(begun, 10, DAWN);
      const before = await waiting();

      await store.addOwnerDigest(news, makeEmail({ to: OWNER }), idsOf(news), DAWN);

      expect(await waiting()).toBe(before);
    });

    test("an alert without messages has no conversations", async () => {
      expect(await store.conversationsAbout(alert.id, 10, 0)).toEqual({
        conversations: [],
        total: 0,
      });
    });
  });
}

/** Store contract: replies that came by email. */
export function describeReplies(): void {
  describe("replies by email", () => {
    let alert: Alert;
    let conversationId: string;
    beforeEach(async () => {
      alert = await publish(store);
      await relay(store, alert, "anna");
      conversationId = (await store.conversationBetween(alert.id, "anna"))?.id ?? "";
    });

    const reply = (text: string, emailHash: string | undefined, createdAt = DAWN) =>
      store.addReply(
        makeMessage(conversationId, { text, createdAt }),
        alert.id,
        makeEmail({ to: "anna@example.org", createdAt }),
        undefined,
        emailHash,
      );
    const texts = async () => (await store.messages(conversationId, 100)).map(({ text }) => text);
    const waiting = async () => (await store.outboxState()).waiting;

    test("are added once for each email, with the email to the other side", async () => {
      const before = await waiting();
      expect(await reply("Yes", "first")).toBe("kept");
      expect(await reply("Yes", "first", DAWN + DAY)).toBe("known");
      expect(await reply("No", "second")).toBe("kept");
      expect(await reply("Yes", "first", DAWN + 2 * DAY)).toBe("known");

      expect(await texts()).toEqual(["hello", "Yes", "No"]);
      expect(await waiting()).toBe(before + 2);
    });

    test("are known also once the conversation is closed", async () => {
      expect(await reply("Yes", "first")).toBe("kept");
      await store.closeConversation(conversationId, DAWN);
      expect(await reply("Yes", "first")).toBe("known");
      expect(await reply("No", "second")).toBe("closed");
    });

    test("that repeat the writer's last message of the day are not added", async () => {
      expect(await reply("I am away.", "first")).toBe("kept");
      expect(await reply("I am away.", "second", DAWN + 2 * HOUR)).toBe("echo");
      expect(await reply("Back again.", "third", DAWN + 3 * HOUR)).toBe("kept");
      expect(await reply("I am away.", "fourth", DAWN + 4 * HOUR)).toBe("kept");
      expect(await reply("I am away.", "fifth", DAWN + 4 * HOUR + DAY)).toBe("kept");
    });

    test("show nothing of their emails but that there was one", async () => {
      await reply("Yes", "first");
      await reply("No", undefined);
      const messages = await store.messages(conversationId, 100);
      expect(messages.map(({ isByEmail }) => isByEmail)).toEqual([false, true, false]);
      for (const message of messages) expect(Object.keys(message)).not.toContain("emailHash");
    });

    test("that are refused are told as often as the limits have room, and withdrawn with their alert", async () => {
      const before = await waiting();
      const hits = [{ key: "refusal", max: 1, windowMs: DAY }];
      const refuse = (now: number) =>
        store.addReplyRefusal(alert.id, makeEmail({ createdAt: now }), hits, now);

      expect(await refuse(DAWN)).toBe(true);
      expect(await refuse(DAWN + HOUR)).toBe(false);
      expect(await waiting()).toBe(before + 1);
      expect(await refuse(DAWN + DAY)).toBe(true);
      expect(await waiting()).toBe(before + 2);

      await store.removeAlert(alert.id, DAWN + DAY);
      // The email about the message itself is withdrawn, too.
      expect(await waiting()).toBe(before - 1);
    });
  });
}
