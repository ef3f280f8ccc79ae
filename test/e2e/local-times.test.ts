import { expect } from "bun:test";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { LOST_CAT } from "../support/world.ts";
import { HOUR } from "../support/time.ts";
import { createJourneys } from "./browser-session.ts";
import { press } from "./page-actions.ts";

const { journey } = createJourneys();

const words = PAGE_MESSAGES.en;
const FINDER = "finder@example.net";
/** Twelve hours ahead of UTC in May, so that the day differs, too. */
const ZONE = "Pacific/Auckland";

for (const javaScriptEnabled of [true, false]) {
  journey(
    `the time of a message is the reader's own, or UTC without scripts (scripts ${javaScriptEnabled ? "on" : "off"})`,
    async ({ page, world }) => {
      const alert = await world.publish();
      world.jump(14 * HOUR);
      const writtenAt = world.now();
      await world.tool("send_message", {
        alert: alert.id,
        message: "She sits in our garden.",
        email: FINDER,
      });
      await page.goto(await world.linkTo(FINDER, "/confirm/"));
      await press(page, words.confirm.message.button);

      await page.goto(await world.linkTo(LOST_CAT.email, "/conversation/"));

      const own = new Date(writtenAt).toLocaleString(words.tag, {
        timeZone: ZONE,
        dateStyle: "long",
        timeStyle: "short",
      });
      const shown = await page.locator(".messages time").innerText();
      expect(shown).toBe(javaScriptEnabled ? own : words.moment(writtenAt));
      expect(own).not.toContain(words.day(writtenAt));
    },
    { timezoneId: ZONE, javaScriptEnabled },
  );
}
