import { describe, expect, test } from "bun:test";
import { converse, MOD, MODERATED, report, signIn } from "../support/moderators.ts";
import { HOUR, MINUTE } from "../support/time.ts";
import { createWorld, form, type World } from "../support/world.ts";

/** Emails about reports to one moderator, after a tick. */
async function told(world: World) {
  return (await world.emails(MOD)).filter(({ subject }) => subject?.includes("new report"));
}

/** Reports an alert from an address of its own network, so that no limit of a client holds it up. */
function reportFrom(world: World, nth: number, alert: { url: string }, text: string) {
  const { body, headers } = form({ reason: "other", text });
  const from = `203.${nth % 250}.${Math.floor(nth / 250)}.1`;
  return world.fetch(`${alert.url}/report`, { method: "POST", body, headers }, from);
}

/** One report that matters, then hundreds about another alert; gives the moderation queue. */
async function bury() {
  const world = await createWorld(MODERATED);
  try {
    const [victims, other] = [
      await world.publish(),
      await world.publish({ email: "o@example.org" }),
    ];
    await report(world, victims, { reason: "personal_data", text: "that is my address" });
    for (let nth = 0; nth < 210; nth++) {
      world.jump(1_000);
      await reportFrom(world, nth, other, `number ${nth}`);
    }
    return await world.text("/admin", await signIn(world));
  } finally {
    await world.end();
  }
}

describe("hundreds of reports about one alert", () => {
  test("push no report about another one out of the moderation queue", async () => {
    expect(await bury()).toContain("that is my address");
  });

  test("show a conversation once, however often it is reported", async () => {
    const world = await createWorld(MODERATED);
    const { stranger } = await converse(world, await world.publish(), "Send me money first.");
    for (let nth = 0; nth < 30; nth++) {
      const { body, headers } = form({ reason: "scam", text: `number ${nth}` });
      await world.fetch(`${stranger}/report`, { method: "POST", body, headers }, `203.0.${nth}.1`);
    }

    const queue = await world.text("/admin", await signIn(world));

    expect(queue).toContain("number 0<");
    expect(queue).toContain("number 29<");
    expect(queue.match(/Send me money first/g)).toHaveLength(1);
    await world.end();
  });
});

const HOURS = 12;
const REPORTS_AN_HOUR = 12;

/** Half a day of reports, one every five minutes; then one that matters. */
async function flood() {
  const world = await createWorld(MODERATED);
  try {
    const alert = await world.publish();
    for (let nth = 0; nth < HOURS * REPORTS_AN_HOUR; nth++) {
      const answer = await reportFrom(world, nth, alert, `number ${nth}`);
      if (answer.status >= 400) throw new Error(`a report was answered ${answer.status}`);
      await world.pass(HOUR / REPORTS_AN_HOUR);
    }
    const emails = (await told(world)).length;
    await report(world, alert, { reason: "personal_data", text: "my address" });
    await world.pass(HOUR, MINUTE);
    const after = (await told(world)).slice(emails);
    return { emails, serious: after.map(({ text }) => text ?? "") };
  } finally {
    await world.end();
  }
}

describe("a stranger who reports all day from ever new addresses", () => {
  test("has moderators emailed ten minutes apart twelve times, then once an hour; a serious report is told within the hour", async () => {
    const { emails, serious } = await flood();

    expect(emails).toBeLessThanOrEqual(12 + HOURS);
    expect(emails).toBeGreaterThan(12);
    expect(serious.join()).toContain("* Shows someone’s personal data: 1");
  });
});
