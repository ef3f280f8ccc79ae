import { afterEach, beforeEach, expect } from "bun:test";
import { deliveryTests, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { answer, OWNER, talking } from "../support/replies.ts";
import { DAY, HOUR, MINUTE } from "../support/time.ts";
import { createWorld, FINDER } from "../support/world.ts";

const { describe, test } = deliveryTests;
const STRANGER = "mallory@evil.example";

/** Headers that a mail server adds in front of a message. */
const asSent = (message: string) => message.replace(/^Return-Path: .*\nDelivered-To: .*\n/, "");

describe("replies that swaks delivers to Dovecot", () => {
  let dovecot: Dovecot;
  beforeEach(async () => {
    dovecot = await startDovecot();
  });
  afterEach(() => dovecot.stop());

  test("are passed on once, forgeries and automatic answers are not, and all are deleted after a week", async () => {
    await talking(
      createWorld,
      async (here) => {
        const to = await here.replyTo(OWNER);
        const send = (about: Partial<Parameters<typeof answer>[0]>) =>
          dovecot.send(asSent(answer({ from: OWNER, to, ...about })), to);
        // The mailbox is read by the time at which messages really arrive.
        here.jump(Date.now() - here.now());
        await send({ text: "She is mine." });
        await send({ text: "Forged.", from: STRANGER });
        await send({
          text: "Forged.",
          results: "mx.evil.example; dmarc=pass header.from=example.org",
        });
        await send({ text: "I am away.", fields: "Auto-Submitted: auto-replied" });
        await dovecot.send(
          "From: a@b.example\nSubject: Hello\n\nOther mail.\n",
          "office@shelter.example",
        );
        await here.collect();

        const toFinder = (await here.emails(FINDER)).map(({ text }) => text).join("\n");
        expect(toFinder.split("She is mine.")).toHaveLength(2);
        expect(toFinder).not.toContain("Forged");
        expect(toFinder).not.toContain("I am away");
        expect(await here.refusalsTo(OWNER)).toHaveLength(1);
        expect(await here.emails(STRANGER)).toEqual([]);
        expect(here.logged.join("\n")).not.toContain("cannot be read");

        expect(dovecot.messages()).toHaveLength(5);
        await here.pass(10 * DAY, HOUR * 12);
        await here.pass(10 * MINUTE, MINUTE);
        expect(dovecot.messages().map((text) => text.includes("Other mail."))).toEqual([true]);
        expect((await here.emails(FINDER)).map(({ text }) => text).join("\n")).toBe(toFinder);
      },
      { IMAP_URL: dovecot.url },
    );
  }, 300_000);
});
