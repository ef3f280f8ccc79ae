import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY, HOUR } from "../../support/time.ts";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";

// It is 1 May, 08:00 in UTC, and 01:00 in Seattle.

const SEATTLE = { lat: 47.61, lng: -122.33 };
const PASSER = "passer@example.net";

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off", LIMIT_MESSAGE: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const lostInSeattle = (more: object = {}) =>
  world.publish({ ...SEATTLE, event_date: "2026-04-20", ...more });

/** Reports a sighting at a time; gives what was understood. */
async function see(alert: any, seen_at: string): Promise<any> {
  const { seen } = (await world.tool("send_message", {
    alert: alert.short_code,
    message: "Ran north.",
    seen_lat: SEATTLE.lat,
    seen_lng: SEATTLE.lng,
    seen_at,
    email: PASSER,
  })) as any;
  return seen;
}

describe("a sighting", () => {
  test.each([
    ["2026-04-26", "2026-04-26", "26 April 2026."],
    ["yesterday", "2026-04-30", "30 April 2026."],
    ["3d", "2026-04-28", "28 April 2026."],
    ["yesterday evening", "2026-04-30 evening", "30 April 2026 in the evening."],
    ["last night", "2026-04-30 night", "30 April 2026 at night."],
    ["2026-04-26T19:00", "2026-04-26T19:00-07:00", "26 April 2026 at 19:00 GMT-7."],
    ["2026-04-27T02:00:00Z", "2026-04-26T19:00-07:00", "26 April 2026 at 19:00 GMT-7."],
  ])("at %p in Seattle is told to its owner as %s", async (seenAt, local, told) => {
    const alert = await lostInSeattle();

    const seen = await see(alert, seenAt);
    await world.confirm(PASSER);

    expect(seen.seen_at_local).toBe(local);
    expect(seen.seen_at).toMatch(/^2026-.*Z$/);
    const email = (await world.emails(LOST_CAT.email)).at(-1);
    expect(email?.subject).toStartWith("Seen:");
    expect(email?.text).toContain(`Seen in Seattle, on ${told}`);
    const shown = local.includes("T") ? seen.seen_at : local.slice(0, 10);
    expect(await world.text(`/alerts/${alert.slug}`)).toContain(`datetime="${shown}"`);
  });

  test("is refused for a day that has not begun at its place, with the present time", async () => {
    const alert = await lostInSeattle();

    const error = see(alert, "2026-05-02");

    await expect(error).rejects.toThrow(
      "seen_at must not be in the future. It is now 2026-05-01T08:00:00.000Z.",
    );
  });

  test("may be on the day of the loss, whatever the time zone", async () => {
    const alert = await lostInSeattle({ event_date: "2026-04-30" });

    expect((await see(alert, "2026-04-30")).seen_at_local).toBe("2026-04-30");
    await expect(see(alert, "2026-04-28")).rejects.toThrow("when the animal was lost");
  });

  test("shown as an example in an error is accepted as it stands", async () => {
    const now = Date.parse("2026-11-25T20:00:00Z");
    const later = await createWorld({ LIMIT_MESSAGE: "off" }, { clock: () => now });
    const alert = await later.publish({ ...SEATTLE, event_date: "2026-11-20" });
    const seenAt = (seen_at: string): Promise<any> =>
      later.tool("send_message", {
        alert: alert.short_code,
        message: "Ran north.",
        seen_place: "Seattle",
        seen_at,
        email: PASSER,
      });

    const error: Error = await seenAt("soon").catch((refused) => refused);
    const examples = /such as (.*)\.$/.exec(error.message)![1]!.split(/, | or /);
    const local: string[] = [];
    for (const example of examples) local.push((await seenAt(example)).seen.seen_at_local);

    expect(local).toEqual(["2026-11-24", "2026-11-21 evening", "2026-11-21T19:30-08:00"]);
    await later.end();
  });
});

describe("the day of an event", () => {
  test.each([
    ["today", "2026-05-01"],
    ["yesterday", "2026-04-30"],
    ["last night", "2026-04-30"],
    ["7d", "2026-04-24"],
    ["2026-04-30", "2026-04-30"],
    ["2026-05-01T05:00:00Z", "2026-04-30"],
  ])("%p in Seattle is %s, in the answer and in the alert", async (event_date, day) => {
    const email = "seattle@example.org";
    const receipt = await world.tool("publish_alert", {
      ...LOST_CAT,
      ...SEATTLE,
      event_date,
      email,
    });
    await world.confirm(email);

    expect(receipt["event_date"]).toBe(day);
    const { alert } = (await world.tool("get_alert", { alert: receipt["id"] })) as any;
    expect(alert.event_date).toBe(day);
  });
});

describe("since", () => {
  test("is a time by the clocks of the place in tools, and echoed; UTC in REST", async () => {
    // Published on 30 April at 22:00 in Seattle.
    world.jump(-3 * HOUR);
    await lostInSeattle();
    world.jump(3 * HOUR);
    const found = async (since: string, more: object = SEATTLE): Promise<any> =>
      world.tool("search_alerts", { ...more, since });

    for (const [since, count, local] of [
      ["2026-05-01", 0, "2026-05-01"],
      ["today", 0, "2026-05-01"],
      ["yesterday", 1, "2026-04-30"],
      ["7d", 1, "2026-04-24"],
      ["2026-04-30T21:59", 1, "2026-04-30T21:59-07:00"],
      ["2026-04-30T22:01", 0, "2026-04-30T22:01-07:00"],
      ["2026-05-01T05:00:00Z", 1, "2026-04-30T22:00-07:00"],
    ] as const) {
      const { total, since_local } = await found(since);
      expect([since, total, since_local]).toEqual([since, count, local]);
    }
    expect(await found("2026-05-01", {})).toMatchObject({ total: 1, since_local: "2026-05-01" });
    expect((await world.json("/api/v1/alerts?since=2026-05-01")).alerts).toHaveLength(1);
    expect((await world.fetch("/api/v1/alerts?since=yesterday")).status).toBe(400);
  });

  test("may be written as a word on the page of the search, where a browser has no date picker", async () => {
    await lostInSeattle();
    world.jump(2 * DAY);

    const page = (since: string) => world.text(`/?place=Seattle&since=${since}`);

    expect(await page("3d")).toContain("Mimi");
    expect(await page("yesterday")).not.toContain("Mimi");
    expect(await page("yesterday")).toContain('value="2026-05-02"');
    world.jump(-4 * HOUR);
    const inWashington = "/?place=Vancouver&country_code=US&since=today";
    expect(await world.text(inWashington)).toContain('value="2026-05-02"');
  });
});

test("every answer tells the present time", async () => {
  const alert = await lostInSeattle();
  const now = new Date(world.now()).toISOString();

  for (const [name, args] of [
    ["search_alerts", {}],
    ["get_alert", { alert: alert.id }],
    ["find_matches", { alert: alert.id }],
    ["publish_alert", { ...LOST_CAT, email: "new@example.org" }],
    ["send_message", { alert: alert.id, message: "Hello", email: PASSER }],
    ["subscribe_zone", { ...SEATTLE, email: "zoe@example.org" }],
  ] as const)
    expect([name, (await world.tool(name, args))["now"]]).toEqual([name, now]);
});
