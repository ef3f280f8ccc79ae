import { expect } from "bun:test";
import { MESSAGES } from "../../src/http/web/messages/messages.ts";
import { FINDER, LOST_CAT } from "../support/world.ts";
import { createJourneys } from "./browser-session.ts";
import { press } from "./page-actions.ts";

const { journey } = createJourneys();

const words = MESSAGES.en;

journey(
  "Back after a form with a mistake leads to the form, never to sending it again",
  async ({ page, world }) => {
    const alert = await world.publish();
    await page.goto(alert.contact_url);
    await page.getByLabel(words.contact.message).fill("She sits in our garden.");
    await page.getByLabel(words.field.email).fill("finder@");
    await page.evaluate("document.querySelector('main form').submit()");
    await page.locator(".trouble").waitFor();
    await page.getByLabel(words.field.email).fill(FINDER);
    await press(page, words.continue);

    await page.goBack();

    expect(page.url()).toBe(alert.contact_url);
    expect(await page.title()).toStartWith(words.contact.title.owner);
    expect(await world.emails(FINDER)).toHaveLength(1);
  },
);

journey("Back after confirming leads to what has become of it", async ({ page, world }) => {
  const { slug } = await world.tool("publish_alert", LOST_CAT);
  const link = await world.linkTo(LOST_CAT.email, "/confirm/");
  await page.goto(link);
  await press(page, words.confirm.publish.button);
  await page.getByRole("link", { name: words.confirm.publish.see }).click();
  await page.waitForURL(`**/alerts/${slug}`);

  await page.goBack();

  expect(page.url()).toBe(link);
  expect(await page.title()).toStartWith(words.confirm.publish.doneTitle);
});
