import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import type { World } from "../support/world.ts";
import { createUserActions, MODERATOR } from "./user-actions.ts";
import { PLAIN_TEXTS } from "./sample-data.ts";
import { go, headingOf, press } from "./page-actions.ts";
import { createJourneys } from "./browser-session.ts";

const { journey } = createJourneys();

const words = PAGE_MESSAGES.en;

journey(
  "an alert is reported, hidden by a moderator who signed in by email, and shown again",
  async ({ page, world, site }) => {
    const alert = await world.publish();
    await page.goto(alert.url);
    await go(page, words.report.link);
    await page.getByLabel(words.report.reason).selectOption(words.report.reasons.scam);
    await page.getByLabel(words.report.text).fill("They ask for money in advance.");
    await press(page, words.report.button);
    expect(await headingOf(page)).toBe(words.report.thanksTitle);

    await signIn(page, world);
    await page.getByText("They ask for money in advance.").waitFor();
    await press(page, words.admin.act.hide);
    await page.getByText(words.admin.done.hide).waitFor();
    expect((await page.request.get(alert.url)).status()).toBe(410);
    expect((await world.json("/api/v1/alerts")).alerts).toEqual([]);

    await press(page, words.admin.act.restore);
    await page.goto(alert.url);
    expect(await headingOf(page)).toBe("Lost cat: Mimi");
    expect(await page.context().cookies(alert.url)).toEqual([]);

    await page.goto("/admin");
    await press(page, words.admin.signOut);
    await page.getByText(words.admin.signIn).waitFor();
    expect(await page.context().cookies(`${site.origin}/admin`)).toEqual([]);
  },
  { javaScriptEnabled: false },
);

journey(
  "a moderator finds every alert of a scam that repeats, and blocks the writer of a conversation that is reported and closed",
  async ({ page, world }) => {
    const { publish, askToWrite, confirmed } = createUserActions(world, PLAIN_TEXTS);
    const description =
      "I found your cat and keep her safe, send the vet costs by gift card and I will bring her";
    const scam = { type: "found", name: undefined, description };
    const first = await world.publish({ ...scam, email: "a@example.net" });
    const elsewhere = { color: "white", lat: 48.85, lng: 2.35 };
    const second = await world.publish({ ...scam, email: "b@example.net", ...elsewhere });
    const lost = await publish("lost@example.org");
    await confirmed(await askToWrite("rude@example.net", lost.contact));

    await page.goto(await world.linkTo(lost.email, "/conversation/"));
    const conversation = page.url();
    await go(page, words.report.conversationLink);
    await page.getByLabel(words.report.reason).selectOption(words.report.reasons.offensive);
    await press(page, words.report.button);
    await go(page, words.report.conversationBack);
    await go(page, words.conversation.close);
    await press(page, words.conversation.closeButton);
    await page.getByText(words.conversation.closedByOne).waitFor();

    await signIn(page, world);
    await page.getByText(words.admin.conversation).click();
    await page.getByText(PLAIN_TEXTS.message).waitFor();
    expect(await page.content()).not.toContain("rude@example.net");
    await go(page, words.admin.act.block_writer);
    await press(page, words.admin.yes.block_writer);
    await page.getByText(words.admin.done.block_writer).waitFor();
    await page.goto(conversation);
    expect(await page.getByLabel(words.conversation.reply).count()).toBe(0);

    await page.goto("/admin");
    await page.getByLabel(words.admin.alerts.search).fill("gift CARD");
    await press(page, words.admin.alerts.searchButton);
    expect(await headingOf(page)).toBe(words.admin.alerts.found);
    expect(await page.locator(".row").count()).toBe(2);
    await page.locator(".row a").last().click();
    await page.getByText(first.short_code).first().waitFor();
    const alike = page.getByRole("region", { name: words.admin.lookAlikes.title });
    expect(await alike.innerText()).toContain(second.short_code);
    expect(await alike.innerText()).toContain(words.admin.lookAlikes.way.text);

    await press(page, words.admin.act.hide);
    await page.getByText(words.admin.done.hide).waitFor();
    await go(page, words.admin.alerts.newest);
    expect(await page.locator(".row").count()).toBe(3);
    expect(await page.locator("body").innerText()).toContain(words.admin.alerts.status.hidden);
  },
);

async function signIn(page: Page, world: World): Promise<void> {
  await page.goto("/admin");
  await page.getByLabel(words.field.email).fill(MODERATOR);
  await press(page, words.admin.signInButton);
  await page.goto(await world.linkTo(MODERATOR, "/admin/enter/"));
  await press(page, words.admin.enterButton);
  expect(await headingOf(page)).toBe(words.admin.title);
}
