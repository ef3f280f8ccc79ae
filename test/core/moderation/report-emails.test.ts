import { afterEach, expect, test } from "bun:test";
import { MOD, MODERATED, moderate, report, SECOND, signIn } from "../../support/moderators.ts";
import { DAY, HOUR, MINUTE } from "../../support/time.ts";
import { createWorld, linkIn, LOST_CAT, type World } from "../../support/world.ts";

let world: World;
async function open(settings: Record<string, string> = {}): Promise<World> {
  world = await createWorld({ ...MODERATED, ...settings });
  return world;
}
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

/** Emails about reports. */
async function told(to = MOD) {
  return (await world.emails(to)).filter(({ subject }) => subject?.includes("new report"));
}

test("every moderator is emailed at once, with reasons and counts but no word of a stranger", async () => {
  await open();
  const alert = await world.publish({ name: "canary-name", description: "canary-description" });
  await report(world, alert, { reason: "scam", text: "canary-report" });
  await report(world, alert, { reason: "personal_data", text: "canary-report" });
  await world.tick();

  for (const to of [MOD, SECOND]) {
    const [email, ...others] = await told(to);
    expect(email?.subject).toBe("2 new reports");
    expect(email?.text).toContain("* A scam: 1");
    expect(email?.text).toContain("* Shows someone’s personal data: 1");
    expect(JSON.stringify(email)).not.toMatch(/canary|lyon/i);
    expect(new URL(linkIn(email, "/admin")).pathname).toBe("/admin");
    expect(others).toEqual([]);
  }
  // The link alone opens nothing.
  expect(await world.text("/admin")).not.toContain("canary");
});

test("reports of ten minutes come in one email, and what was decided before is left out", async () => {
  await open();
  const session = await signIn(world);
  const [alert, other] = [await world.publish(), await world.publish({ email: "b@example.org" })];
  await report(world, alert);
  await world.tick();
  world.jump(MINUTE);
  await report(world, alert, { reason: "other", text: "one" });
  await report(world, other);
  await moderate(world, session, alert, "dismiss");
  await world.pass(8 * MINUTE, MINUTE);
  expect(await told()).toHaveLength(1);

  await world.pass(MINUTE);
  expect((await told()).map(({ subject }) => subject)).toEqual(["1 new report", "1 new report"]);
  expect((await told())[1]?.text).not.toContain("In all");
  world.jump(HOUR);
  await report(world, other, { reason: "other", text: "two" });
  expect((await told()).at(-1)?.text).toContain("In all, 2 reports are waiting for a decision.");
});

test("with REPORT_EMAILS=daily they come at eight in the morning where the alert is, if there are any", async () => {
  await open({ REPORT_EMAILS: "daily" });
  const alert = await world.publish();
  await report(world, alert);
  await world.pass(12 * HOUR, 4 * HOUR);
  await report(world, alert, { reason: "other" });
  await world.pass(10 * HOUR - MINUTE, 4 * HOUR);
  expect(await told()).toEqual([]);

  await world.pass(MINUTE);
  const [email] = await told();
  expect(email?.date).toBe("2026-05-02T06:00:00.000Z");
  expect(email?.subject).toBe("2 new reports");
  await world.pass(3 * DAY, 6 * HOUR);
  expect(await told()).toHaveLength(1);
});

test("with REPORT_EMAILS=off, or without moderators, nobody is emailed", async () => {
  await open({ REPORT_EMAILS: "off" });
  await report(world, await world.publish());
  await world.pass(2 * DAY, 12 * HOUR);
  expect(await told()).toEqual([]);
  await world.end();

  await open({ ADMIN_EMAILS: "" });
  const alert = await world.publish();
  expect((await report(world, alert)).status).toBe(404);
  await world.pass(DAY, 12 * HOUR);
  expect(new Set(world.sentMail.map(({ envelope }) => envelope.to))).toEqual(
    new Set([LOST_CAT.email]),
  );
});

test("a restart before or after the email loses none and repeats none", async () => {
  await open();
  const alert = await world.publish();
  await report(world, alert);
  await world.restart();
  expect(await told()).toHaveLength(1);
  await world.restart();
  await world.pass(2 * HOUR, 10 * MINUTE);
  expect(await told()).toHaveLength(1);
});
