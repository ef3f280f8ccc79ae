import { beforeEach, describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alerts/alert.ts";
import { publish, relay } from "./confirmed.ts";
import { makeEmail, makeId } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR } from "./time.ts";

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
        { id: makeId("reply"), conversationId, from: "owner", text, photos: [], createdAt },
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
