import { expect } from "bun:test";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { FINDER } from "../support/world.ts";
import { createJourneys } from "./browser-session.ts";
import { go, press } from "./page-actions.ts";
import { fillIn, FILLED_IN, goThrough, OWNER, send } from "./publish-form.ts";

const { journey } = createJourneys();

const words = PAGE_MESSAGES.en;

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

journey(
  "Back goes through the steps of the form, with what was typed in each, and never sends or confirms again",
  async ({ page, world }) => {
    const stepIs = (step: number) =>
      page.getByText(`Step ${step} of 3`, { exact: true }).waitFor({ state: "visible" });
    await page.goto("/");
    await go(page, words.home.lost);
    await fillIn(page);
    await stepIs(3);

    await page.goBack();
    await stepIs(2);
    expect(await page.getByLabel(words.publish.place.lost).inputValue()).toBe("Lyon");
    await page.goBack();
    await stepIs(1);
    expect(await page.getByLabel(words.publish.color).inputValue()).toBe("grey tabby");
    expect(await page.getByRole("img", { name: /^Photo/ }).count()).toBe(3);
    await page.goForward();
    await stepIs(2);
    await page.goBack();
    await page.goBack();
    expect(await page.title()).toStartWith(words.home.title);
    await page.goForward();
    await page.getByText(words.publish.draft.restored).waitFor();
    expect(await goThrough(page)).toEqual(FILLED_IN);

    await send(page);
    await page.waitForURL("**/waiting/**");
    const waiting = page.url();
    await page.goto(await world.linkTo(OWNER, "/confirm/"));
    const link = page.url();
    await press(page, words.confirm.publish.button);
    await go(page, words.confirm.publish.see);
    await page.goBack();
    expect(page.url()).toBe(link);
    expect(await page.title()).toStartWith(words.confirm.publish.doneTitle);
    while (page.url() !== waiting) await page.goBack();
    await page.goBack();
    await page.getByText("Step 1 of 3", { exact: true }).waitFor();
    await page.goForward();
    await page.waitForURL(waiting);
    expect(await world.emails(OWNER)).toHaveLength(2);
  },
);
