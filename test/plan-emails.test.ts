import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PLAN_TEXTS } from "../src/core/plan/texts.ts";
import { MESSAGES } from "../src/http/web/messages/messages.ts";
import { DAY, HOUR } from "./support/time.ts";
import { createWorld, LOST_CAT, linkIn, type World } from "./support/world.ts";

const OWNER = LOST_CAT.email;

let world: World;
beforeEach(async () => {
  world = await createWorld();
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
    const said = Object.values(PLAN_TEXTS.en).filter(({ title }) => first?.text?.includes(title));
    expect(said).toHaveLength(3);

    await world.pass(40 * DAY, 6 * HOUR);
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
      await world.pass(DAY, 12 * HOUR);
      await world.restart();
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
    await world.pass(35 * DAY, 6 * HOUR);

    expect(await planEmails()).toHaveLength(1);
  });

  test("do not come when all steps are done", async () => {
    await world.publish();
    const manage = await world.linkTo(OWNER, "/manage/");
    for (const step of Object.keys(PLAN_TEXTS.en))
      await world.post(`${manage}/plan`, { step, done: "yes" });
    await world.pass(35 * DAY, 6 * HOUR);

    expect(await planEmails()).toEqual([]);
  });

  test("are stopped by one click, which stops nothing else", async () => {
    await world.publish();
    await world.pass(25 * HOUR, HOUR);
    const [email] = await planEmails();
    const stop = linkIn(email, "/unsubscribe/");
    expect(email?.headers.find(({ key }) => key === "list-unsubscribe")?.value).toContain(stop);

    const page = await world.text(stop);
    expect(page).toContain(MESSAGES.en.unsubscribe.planTitle);
    await world.post(stop, { "List-Unsubscribe": "One-Click" });
    await world.pass(89 * DAY, 12 * HOUR);

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

async function code(): Promise<string> {
  const [alert] = (await world.json("/api/v1/alerts")).alerts;
  return alert.short_code;
}
