import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { HOUR } from "../support/time.ts";
import { FINDER, LOST_CAT, type World } from "../support/world.ts";
import { focused, go, headingOf, loads, pinIsAt, press, tabTo } from "./page-actions.ts";
import { createJourneys } from "./browser-session.ts";
import { openTab } from "./tab.ts";
import { MODERATOR } from "./user-actions.ts";

const { journey, journeyWithAndWithoutScripts } = createJourneys();

const words = PAGE_MESSAGES.en;
const OWNER = LOST_CAT.email;
/** Twelve hours ahead of UTC in May, so that the day differs, too. */
const ZONE = "Pacific/Auckland";

journey(
  "an alert goes live when its button is pressed; pressing in a second tab, or later, is answered alike",
  async ({ page, world, site }) => {
    await world.tool("publish_alert", LOST_CAT);
    const link = await world.linkTo(OWNER, "/confirm/");
    const second = await openTab(page.context(), site);
    await Promise.all([page.goto(link), second.page.goto(link)]);

    await press(page, words.confirm.publish.button);
    await press(second.page, words.confirm.publish.button);
    await second.page.goto(link);

    for (const one of [page, second.page])
      expect(await headingOf(one)).toBe(words.confirm.publish.doneTitle);
    await go(page, words.confirm.publish.see);
    expect(await headingOf(page)).toBe("Lost cat: Mimi");
    expect((await world.json("/api/v1/alerts")).alerts).toHaveLength(1);
    expect(second.heard()).toEqual([]);
  },
);

journeyWithAndWithoutScripts(
  "a finder writes from the alert's page, the owner answers, neither sees an address, and times are the reader's or UTC",
  async ({ page, world, hasScripts }) => {
    const alert = await world.publish();
    world.jump(14 * HOUR);
    const writtenAt = world.now();

    await page.goto(alert.url);
    await go(page, words.contact.title.owner);
    await page.getByLabel(words.contact.message).fill("She sits in our garden.");
    await page.getByLabel(words.contact.name).fill("Ana");
    await page.getByLabel(words.field.email).fill(FINDER);
    await press(page, words.continue);
    await page.goto(await world.linkTo(FINDER, "/confirm/"));
    await press(page, words.confirm.message.button);
    expect(await headingOf(page)).toBe(words.confirm.message.doneTitle);

    await page.goto(await world.linkTo(OWNER, "/conversation/"));
    const atOwners = await page.content();
    const own = new Date(writtenAt).toLocaleString(words.tag, {
      timeZone: ZONE,
      dateStyle: "long",
      timeStyle: "short",
    });
    const shown = await page.locator(".messages time").innerText();
    expect(shown).toBe(hasScripts ? own : words.moment(writtenAt));
    expect(own).not.toContain(words.day(writtenAt));
    await page.getByLabel(words.conversation.reply).fill("We are on our way!");
    await press(page, words.conversation.button);

    await page.goto(await world.linkTo(FINDER, "/conversation/"));
    const atFinders = await page.content();
    expect(await page.locator("blockquote").allInnerTexts()).toEqual([
      "She sits in our garden.",
      "We are on our way!",
    ]);
    expect(atOwners).not.toContain(FINDER);
    expect(atFinders).not.toContain(OWNER);
  },
  { timezoneId: ZONE },
);

journey(
  "an owner without scripts reads where to search, says that the pet is home, and the alert says so and is in no search",
  async ({ page, world }) => {
    const alert = await world.publish();

    const manage = await world.linkTo(OWNER, "/manage/");
    await page.goto(`${manage}/map`);
    expect(await page.locator(".map").isVisible()).toBe(false);
    const [row = ""] = await page.locator(".figures tbody tr").allInnerTexts();
    expect(row.replace(/\s+/g, " ")).toBe("1 50 m 50% of them");
    await page.goto(manage);
    // Nothing is offered that needs scripts.
    expect(await page.locator(".device-offer").count()).toBe(1);
    expect(await page.locator(".device-offer").isVisible()).toBe(false);
    await press(page, words.manage.backHome.lost);

    await page.getByText(words.manage.done.resolve).waitFor();
    await page.goto(alert.url);
    await page.getByText(words.alert.homeAgainText.lost).waitFor();
    expect(await page.getByRole("link", { name: words.contact.title.owner }).count()).toBe(0);
    await page.goto("/?q=mimi");
    await page.getByText(words.home.noneFit).waitFor();
  },
  { javaScriptEnabled: false },
);

journey(
  "an alert is searched for and opened with the keyboard alone, around a town that is completed, and what has the focus shows it",
  async ({ page, world }) => {
    await world.publish();
    await world.publish({ species: "dog", name: "Rex", email: "rex@example.org" });
    await world.publish({ email: "b@example.org", lat: 41.9, lng: 12.5 });

    await page.goto("/");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toEqual({ name: words.layout.skip, outlined: true });
    await page.keyboard.press("Enter");
    await tabTo(page, words.home.place);
    await page.keyboard.type("Lyo");
    await page
      .locator('#towns option[value="Lyon, France"]:first-child')
      .waitFor({ state: "attached" });
    // A browser without a screen shows no list: the rest is typed.
    await page.keyboard.type("n, France");
    await pinIsAt(page, "45.75");
    await tabTo(page, words.field.anySpecies);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await focused(page)).toEqual({ name: words.species.cat, outlined: true });
    await tabTo(page, words.home.moreFilters);
    await page.keyboard.press("Enter");
    await tabTo(page, words.home.query);
    await page.keyboard.type("mimi");
    await loads(page, () => page.keyboard.press("Enter"));

    const { search } = new URL(page.url());
    for (const part of ["species=cat", "q=mimi"]) expect(search).toContain(part);
    const heading = page.getByRole("heading", { level: 2 }).first();
    expect(await heading.innerText()).toBe(
      words.home.countAround({ count: 1, km: 50, town: "Lyon, France" }),
    );
    expect(await page.getByRole("link", { name: "Rex" }).count()).toBe(0);
    await tabTo(page, "Lost cat: Mimi");
    await loads(page, () => page.keyboard.press("Enter"));
    expect(await headingOf(page)).toBe("Lost cat: Mimi");
  },
);

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

async function signIn(page: Page, world: World): Promise<void> {
  await page.goto("/admin");
  await page.getByLabel(words.field.email).fill(MODERATOR);
  await press(page, words.admin.signInButton);
  await page.goto(await world.linkTo(MODERATOR, "/admin/enter/"));
  await press(page, words.admin.enterButton);
  expect(await headingOf(page)).toBe(words.admin.title);
}
