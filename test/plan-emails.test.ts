import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PAGE_MESSAGES, PLAN_MESSAGES } from "../src/messages/messages.ts";
import { DAY, HOUR } from "./support/time.ts";
import { createWorld, LOST_CAT, linkIn, type World } from "./support/world.ts";

const OWNER = LOST_CAT.email;

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
});
afterEach(() => world.end());

/** Emails about the plan so far, oldest first. */
async function planEmails() {
  const emails = await world.emails(OWNER);
  return emails.filter(({ text }) => text?.includes("Stop the emails about what to do next"));
}

describe("emails about what to do next", () => {
  test("come after 24 hours, 3, 7 and 30 days, each with two or three steps and the plan's link", async () => {
    await world.publish();
    await world.pass(23 * HOUR, HOUR);
    expect(await planEmails()).toEqual([]);
    await world.pass(2 * HOUR, HOUR);
    const [first, ...none] = await planEmails();

    expect(none).toEqual([]);
    expect(first?.subject).toBe(`What to do after the first day: lost cat (${await code()})`);
    expect(linkIn(first, "/manage/")).toMatch(/\/manage\/[\w-]+$/);
    const said = Object.values(PLAN_MESSAGES.en).filter(({ title }) =>
      first?.text?.includes(title),
    );
    expect(said).toHaveLength(3);

    await world.pass(40 * DAY, DAY);
    const subjects = (await planEmails()).map(({ subject }) => subject?.split(":")[0]);
    expect(subjects).toEqual([
      "What to do after the first day",
      "What to do after 3 days",
      "What to do after 7 days",
      "What to do after 30 days",
    ]);
  });

  test("come once each, however often the service is stopped and started between ticks", async () => {
    await world.publish();
    for (let day = 0; day < 34; day++) {
      await world.pass(DAY);
      // Around the days of the emails.
      if (/^(?:[1378]|30|31)$/.test(`${day}`)) await world.restart();
      await world.tick();
    }

    expect(await planEmails()).toHaveLength(4);
  });

  test("do not pile up: after a pause of the service only the latest comes, and none that is too late", async () => {
    await world.publish();
    world.jump(7 * DAY + HOUR);
    await world.pass(2 * HOUR, HOUR);
    expect((await planEmails()).map(({ subject }) => subject?.split(":")[0])).toEqual([
      "What to do after 7 days",
    ]);

    world.jump(13 * DAY);
    await world.pass(HOUR);
    expect(await planEmails()).toHaveLength(1);
  });

  test("do not come after the end", async () => {
    await world.publish();
    await world.pass(25 * HOUR, HOUR);
    await world.post(`${await world.linkTo(OWNER, "/manage/")}/resolve`);
    await world.pass(35 * DAY, DAY);

    expect(await planEmails()).toHaveLength(1);
  });

  test("do not come when all steps are done", async () => {
    await world.publish();
    const manage = await world.linkTo(OWNER, "/manage/");
    for (const step of Object.keys(PLAN_MESSAGES.en))
      await world.post(`${manage}/plan`, { step, done: "yes" });
    await world.pass(35 * DAY, DAY);

    expect(await planEmails()).toEqual([]);
  });

  test("are stopped by one click, which stops nothing else", async () => {
    await world.publish();
    await world.pass(25 * HOUR, HOUR);
    const [email] = await planEmails();
    const stop = linkIn(email, "/unsubscribe/");
    expect(email?.headers.find(({ key }) => key === "list-unsubscribe")?.value).toContain(stop);

    const page = await world.text(stop);
    expect(page).toContain(PAGE_MESSAGES.en.unsubscribe.planTitle);
    await world.post(stop, { "List-Unsubscribe": "One-Click" });
    await world.pass(89 * DAY, 2 * DAY);

    expect(await planEmails()).toHaveLength(1);
    const reminders = (await world.emails(OWNER)).filter(({ subject }) =>
      subject?.startsWith("Your alert ends in"),
    );
    expect(reminders.length).toBeGreaterThan(0);
  });

  test("hold no word of the alert's text", async () => {
    await world.publish({ description: "Shy, answers to whistling" });
    await world.pass(25 * HOUR, HOUR);
    const [email] = await planEmails();

    expect(email?.text).not.toContain("whistling");
  });
});

describe("an owner of several alerts", () => {
  const NAMES = ["Mimi", "Rex", "Luna"];
  /** Publishes three alerts, with some hours between them. */
  const publishAll = async () => {
    for (const name of NAMES) {
      await world.publish({ name });
      await world.pass(3 * HOUR, HOUR);
    }
  };
  const namesIn = (text = "") => NAMES.filter((name) => text.includes(name));

  test("gets one email about all of them on each of the days, with the page and the steps of each", async () => {
    await publishAll();
    await world.pass(DAY, HOUR);
    const [first, ...none] = await planEmails();

    expect(none).toEqual([]);
    expect(first?.subject).toBe("What to do next for your 3 animals");
    expect(namesIn(first?.text)).toEqual(NAMES);
    const pages = new Set(first?.text?.match(/\S+\/manage\/\S+/g));
    expect(pages.size).toBe(3);
    for (const page of pages) expect((await world.fetch(page)).status).toBe(200);
    const [step = ""] = Object.values(PLAN_MESSAGES.en)
      .map(({ title }) => title)
      .filter((title) => first?.text?.includes(title));
    expect(first?.text?.split(step)).toHaveLength(1 + 3);

    await world.pass(40 * DAY, DAY);
    expect((await planEmails()).map(({ subject }) => subject)).toEqual(
      Array.from({ length: 4 }, () => "What to do next for your 3 animals"),
    );
  });

  test("hears no more of one that ended or whose steps are done, and of the others all the same", async () => {
    await world.publish({ name: "Mimi" });
    const mimi = await world.linkTo(OWNER, "/manage/");
    await world.publish({ name: "Rex" });
    const rex = await world.linkTo(OWNER, "/manage/");
    await world.publish({ name: "Luna" });
    await world.post(`${mimi}/resolve`);
    for (const step of Object.keys(PLAN_MESSAGES.en))
      await world.post(`${rex}/plan`, { step, done: "yes" });
    await world.pass(25 * HOUR, HOUR);

    const [email, ...none] = await planEmails();
    expect(none).toEqual([]);
    expect(namesIn(email?.text)).toEqual(["Luna"]);
    expect(email?.subject).toStartWith("What to do after the first day: lost cat (");
  });

  test("stops them for all by one click, which stops nothing else", async () => {
    await publishAll();
    await world.pass(DAY, HOUR);
    const [email] = await planEmails();
    const stop = linkIn(email, "/unsubscribe/");
    expect(email?.headers.find(({ key }) => key === "list-unsubscribe")?.value).toContain(stop);
    expect(await world.text(stop)).toContain(PAGE_MESSAGES.en.unsubscribe.allPlansTitle);
    await world.post(stop, { "List-Unsubscribe": "One-Click" });
    await world.pass(89 * DAY, 2 * DAY);

    expect(await planEmails()).toHaveLength(1);
    const reminders = (await world.emails(OWNER)).filter(({ subject }) =>
      subject?.startsWith("Your alert ends in"),
    );
    expect(reminders.length).toBeGreaterThan(0);
  });

  test("gets the same link to stop them in each email, whichever alerts it is about", async () => {
    await publishAll();
    await world.pass(DAY, HOUR);
    const [email] = await planEmails();
    const pages = email?.text?.match(/\S+\/manage\/\S+/g) ?? [];
    await world.post(`${pages.at(-1)}/resolve`);
    await world.pass(2 * DAY, HOUR);

    const [, next] = await planEmails();
    expect(namesIn(next?.text)).toHaveLength(2);
    expect(linkIn(next, "/unsubscribe/")).toBe(linkIn(email, "/unsubscribe/"));
  });

  test("stops them by that click, too, when all animals of the email are gone and another one is lost", async () => {
    await publishAll();
    await world.pass(DAY, HOUR);
    const [email] = await planEmails();
    await world.publish({ name: "Nero" });
    for (const page of email?.text?.match(/\S+\/manage\/\S+/g) ?? [])
      await world.post(`${page}/remove`);
    await world.post(linkIn(email, "/unsubscribe/"), { "List-Unsubscribe": "One-Click" });
    await world.pass(8 * DAY, 12 * HOUR);

    expect(await planEmails()).toHaveLength(1);
  });

  test("gets at most ten alerts in one email, and each alert once", async () => {
    const names = Array.from({ length: 13 }, (_, nth) => `Cat${nth}.`);
    for (const name of names) await world.publish({ name });
    await world.pass(26 * HOUR, HOUR);

    const emails = await planEmails();
    expect(emails.map(({ subject }) => subject)).toEqual([
      "What to do next for your 10 animals",
      "What to do next for your 3 animals",
    ]);
    const text = emails.map(({ text }) => text).join();
    for (const name of names) expect(text.split(name)).toHaveLength(2);
  });

  test("gets emails of their own about alerts that were published most of a day apart", async () => {
    await world.publish({ name: "Mimi" });
    await world.pass(14 * HOUR, HOUR);
    await world.publish({ name: "Rex" });
    await world.pass(28 * HOUR, HOUR);

    const emails = await planEmails();
    expect(emails.map(({ text }) => namesIn(text))).toEqual([["Mimi"], ["Rex"]]);
  });
});

async function code(): Promise<string> {
  const [alert] = (await world.json("/api/v1/alerts")).alerts;
  return alert.short_code;
}
