import { describe, expect, test } from "bun:test";
import { LANGUAGES } from "../src/messages/languages.ts";
import { PAGE_MESSAGES } from "../src/messages/messages.ts";
import { postfixBounce } from "./support/bounces.ts";
import { answer, counted, metric, OWNER, talking } from "./support/replies.ts";
import { HOUR, MINUTE } from "./support/time.ts";
import { createWorld } from "./support/world.ts";

describe("the mailbox of replies and bounces", () => {
  test("brings both in one pass, whichever comes first", async () => {
    const settings = { BOUNCE_ADDRESS: "bounces@shelter.example" };
    await talking(
      createWorld,
      async (here) => {
        const to = await here.replyTo(OWNER);
        const bounced = here.sentMail.findLast(({ envelope }) => envelope.to === OWNER);
        const bounce = postfixBounce({ to: bounced?.envelope.from ?? "", recipient: OWNER });
        here.mailbox.deliver(answer({ from: OWNER, to, text: "First." }));
        here.mailbox.deliver(bounce);
        here.mailbox.deliver("To: office@shelter.example\nSubject: Hello\n\nWho are you?\n");
        here.mailbox.deliver(answer({ from: OWNER, to, text: "Second." }));
        await here.collect();

        expect(await counted(here, "relayed")).toBe(2);
        expect(await metric(here, 'pet_alert_bounces_total{class="dead_mailbox"}')).toBe(1);
        expect(here.mailbox.unread).toHaveLength(1);
      },
      settings,
    );
  });

  test("that cannot be read is an alarm after two hours", async () => {
    await talking(createWorld, async (here) => {
      here.mailbox.state.failure = new Error("connect ECONNREFUSED");
      const alarm = 'pet_alert_operator_alarm{about="mailbox"}';
      await here.pass(HOUR, 10 * MINUTE);
      expect(await metric(here, alarm)).toBe(0);
      await here.pass(2 * HOUR, 10 * MINUTE);
      expect(await metric(here, alarm)).toBe(1);
      expect(here.logged.join("\n")).toContain("Replies by email and bounces have not been read");
    });
  });

  test("is on the privacy page, in every language", async () => {
    await talking(createWorld, async (here) => {
      for (const language of LANGUAGES) {
        const text = await here.text(`/privacy?lang=${language}`);
        const { privacy } = PAGE_MESSAGES[language];
        expect(text).toContain(privacy.replies);
        expect(text).toContain(privacy.kept.replies({ days: 7 }));
        expect(text).not.toContain(privacy.bounces);
      }
    });
  });
});
