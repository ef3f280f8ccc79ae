import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PLAN_MESSAGES } from "../src/messages/messages.ts";
import { CAPS } from "../src/core/caps.ts";
import { DAY, HOUR, MINUTE } from "./support/time.ts";
import { createWorld, LOST_CAT, type World } from "./support/world.ts";

const OWNER = LOST_CAT.email;

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
});
afterEach(() => world.end());

/** Subjects of the emails about plans so far, without the short codes. */
async function subjects(): Promise<string[]> {
  const emails = await world.emails(OWNER);
  return emails
    .filter(({ text }) => text?.includes("Stop the emails about what to do next"))
    .map(({ subject }) => subject?.split(":")[0] ?? "");
}

const FIRST = "What to do after the first day";
const THIRD = "What to do after 3 days";
const SEVENTH = "What to do after 7 days";

type Published = { readonly id: string; readonly manage: string };

async function publish(about: Record<string, unknown> = {}): Promise<Published> {
  const { id } = await world.publish(about);
  return { id, manage: await world.linkTo(OWNER, "/manage/") };
}

/** Stops the mail server, and lets a day pass: then the email of the first day waits. */
async function letOneWait(): Promise<void> {
  world.mailServer.isDown = true;
  await world.pass(25 * HOUR, 5 * HOUR);
}

/** Starts the mail server again, and lets a few hours pass. */
async function deliver(): Promise<string[]> {
  world.mailServer.isDown = false;
  await world.pass(4 * HOUR, 2 * HOUR);
  return subjects();
}

const moderate = (...what: Parameters<World["app"]["operator"]["moderate"]>) =>
  world.app.operator.moderate(...what);

/** Events after which no email about the plan is wanted. */
const ENDS: readonly (readonly [string, (alert: Published) => Promise<unknown>])[] = [
  ["its alert is resolved", ({ manage }) => world.post(`${manage}/resolve`)],
  ["a moderator hides its alert", ({ id }) => moderate("hide", id)],
  ["a moderator blocks its owner", ({ id }) => moderate("block", id)],
  ["its owner is erased", () => world.app.operator.erasePerson(OWNER)],
];

describe("an email about the plan that waits", () => {
  test.each(ENDS)("is not sent when %s", async (_, end) => {
    const alert = await publish();
    await letOneWait();
    await end(alert);
    expect(await deliver()).toEqual([]);
  });
});

test("an email about the plan that waits names no step that was done meanwhile", async () => {
  const { manage } = await publish();
  await letOneWait();
  await world.post(`${manage}/plan`, { step: "search_house", done: "yes" });
  expect(await deliver()).toEqual([FIRST]);
  const email = (await world.emails(OWNER)).at(-1);
  expect(email?.text).not.toContain(PLAN_MESSAGES.en.search_house.title);
  expect(email?.text).toContain(PLAN_MESSAGES.en.search_near_cat.title);
});

test.each([
  ["is made anew for steps that are marked", CAPS.planEmailsPerMailbox.max - 1, [FIRST]],
  ["but not without end", CAPS.planEmailsPerMailbox.max, []],
])("an email about the plan that waits %s: %d", async (_, times, sent) => {
  const { manage } = await publish();
  await letOneWait();
  for (let nth = 0; nth < times; nth++) {
    await world.post(`${manage}/plan`, {
      step: "search_house",
      done: nth % 2 === 0 ? "yes" : "no",
    });
    await world.pass(MINUTE);
  }
  expect(await deliver()).toEqual(sent);
});

/** Lets an email wait while a moderator hides its alert, and shows the alert again some time later. */
async function hideFor(ms: number): Promise<string[]> {
  const { id } = await publish();
  await letOneWait();
  await moderate("hide", id);
  world.mailServer.isDown = false;
  await world.pass(ms, 2 * HOUR);
  await moderate("restore", id);
  return deliver();
}

describe("the plan of an alert that a moderator shows again", () => {
  test("goes on with the email that was withdrawn, if it is not too late for that", async () => {
    expect(await hideFor(2 * HOUR)).toEqual([FIRST]);
    await world.pass(8 * DAY, 6 * HOUR);
    expect(await subjects()).toEqual([FIRST, THIRD, SEVENTH]);
  });

  test("goes on with the next email later", async () => {
    expect(await hideFor(36 * HOUR)).toEqual([]);
    await world.pass(6 * DAY, 6 * HOUR);
    expect(await subjects()).toEqual([THIRD, SEVENTH]);
  });

  test("goes on with the other animals of the owner in the meantime", async () => {
    const mimi = await publish({ name: "Mimi" });
    await publish({ name: "Rex" });
    await publish({ name: "Luna" });
    await letOneWait();
    await moderate("hide", mimi.id);
    expect(await deliver()).toEqual(["What to do next for your 2 animals"]);
  });
});

describe("a reminder that waits", () => {
  const reminders = async () =>
    (await world.emails(OWNER)).filter(({ subject }) => subject?.startsWith("Your alert ends in"));

  /** Publishes an alert, and stops the mail server on the day before its end. */
  async function letReminderWait(): Promise<Published> {
    const alert = await publish();
    await world.pass(88 * DAY + 12 * HOUR, DAY + 12 * HOUR);
    expect(await reminders()).toHaveLength(1);
    world.mailServer.isDown = true;
    await world.pass(12 * HOUR, 4 * HOUR);
    return alert;
  }

  test("is not sent after its owner's renewal", async () => {
    const { manage } = await letReminderWait();
    await world.post(`${manage}/renew`);
    await deliver();
    expect(await reminders()).toHaveLength(1);
  });

  test("is not sent while its alert is hidden, and once the alert is shown again it is", async () => {
    const { id } = await letReminderWait();
    await moderate("hide", id);
    await deliver();
    expect(await reminders()).toHaveLength(1);
    await moderate("restore", id);
    await world.pass(HOUR);
    expect(await reminders()).toHaveLength(2);
  });
});
