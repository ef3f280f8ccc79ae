import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mcpClientOf } from "../../support/mcp.ts";
import { DAY, HOUR, MINUTE } from "../../support/time.ts";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";

let world: World;
let alert: any;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off", LIMIT_MESSAGE: "off" });
  alert = await world.publish({ event_date: iso(-3 * DAY).slice(0, 10) });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const { errorText } = mcpClientOf(() => world);
const PASSER = "passer@example.net";
/** It is 1 May, 08:00 in UTC, and 01:00 in Seattle. */
const SEATTLE = { lat: 47.61, lng: -122.33 };
const iso = (ms: number) => new Date(world.now() + ms).toISOString();
const sighting = (more: object = {}) => ({
  alert: alert.short_code,
  message: "Ran under the red bench.",
  email: PASSER,
  ...more,
});
const see = async (more: object): Promise<any> => world.tool("send_message", sighting(more));
const refused = (more: object) => errorText("send_message", sighting(more));

describe("send_message with a place where the animal was seen", () => {
  test("is a sighting: on the alert's page and told to its owner once confirmed, and not before", async () => {
    const answer = await see({ seen_place: "Croix-Rousse, Lyon", seen_at: iso(-10 * MINUTE) });

    expect(answer.status).toBe("pending_confirmation");
    expect(answer.next_step).toContain("The sighting is shown on the alert's page");
    expect(await world.text(`/alerts/${alert.slug}`)).not.toContain("red bench");

    await world.confirm(PASSER);

    const page = await world.text(`/alerts/${alert.slug}`);
    expect(page).toContain("red bench");
    expect(page).toContain(iso(-10 * MINUTE));
    const emails = await world.emails(LOST_CAT.email);
    expect(emails.at(-1)?.subject).toStartWith("Seen:");
    expect(JSON.stringify(emails)).not.toContain("passer");
  });

  test("takes a point, and keeps its cell of 1 km only", async () => {
    const { seen } = await see({ seen_lat: 45.78499, seen_lng: 4.84499 });
    const [pending] = await world.emails(PASSER);

    expect(seen).toMatchObject({ place: "Caluire-et-Cuire, FR", latitude: 45.78, longitude: 4.84 });
    expect(seen.km_from_alert).toBe(1);
    expect(JSON.stringify([seen, pending])).not.toMatch(/45\.784|4\.844/);
  });

  test("removes contact details, as its text is public, and says that it shows no name", async () => {
    const { notes } = await see({
      seen_place: "Lyon",
      message: "Call 06 12 34 56 78. Ran north.",
      name: "Ana",
    });

    expect(notes).toEqual([
      expect.stringContaining("Removed from message"),
      "Ignored name: a sighting is public and shows none.",
    ]);
  });

  test.each([
    [{ seen_place: "Vileurbane" }, "seen_place is unknown; perhaps Villeurbanne, FR"],
    [{ seen_place: "qqqqqqqq" }, "seen_place is unknown: try the nearest larger town. "],
    [{ seen_place: "!" }, "seen_place must contain a word."],
    [{ seen_lat: 45.78 }, "seen_lng is required: lat and lng go together."],
    [{ seen_lng: 4.84 }, "seen_lat is required: lat and lng go together."],
    [
      { seen_place: "Lyon", seen_lat: 43.3, seen_lng: 5.37 },
      "seen_place is Lyon, FR, 276 km from seen_lat and seen_lng, which lie near Les Grands Carmes, Marseille, FR.",
    ],
    [{ seen_lat: 91, seen_lng: 4.84 }, "seen_lat must be at most 90."],
    [{ seen_at: "2026-05-01" }, "seen_place is required, or seen_lat and seen_lng."],
    [
      { seen_place: "Lyon", seen_at: "soon" },
      "seen_at must be a day or a time by the clocks of the place",
    ],
    [{ seen_place: "Lyon", message: "x".repeat(501) }, "message must have at most 500 characters."],
  ])("%p: %s", async (more, text) => {
    expect(await refused(more)).toStartWith(text);
  });

  test("refuses a time in the future, too long ago, or before the animal was lost", async () => {
    const at = (ms: number) => refused({ seen_place: "Lyon", seen_at: iso(ms) });

    expect(await at(HOUR)).toBe(
      "seen_at must not be in the future. It is now 2026-05-01T08:00:00.000Z.",
    );
    expect(await at(-5 * DAY)).toBe(
      `seen_at must not be before ${alert.event_date}, when the animal was lost. It is now 2026-05-01T08:00:00.000Z.`,
    );
    expect(await at(-31 * DAY)).toStartWith("seen_at must not be before");
    expect((await see({ seen_place: "Lyon", seen_at: iso(-3 * DAY) })).status).toBe(
      "pending_confirmation",
    );
  });
});

test("without a place it stays a message, which nobody but the owner reads", async () => {
  const answer = await see({});
  await world.confirm(PASSER);

  expect(answer).not.toHaveProperty("seen");
  expect(await world.text(`/alerts/${alert.slug}`)).not.toContain("red bench");
});

describe("the time of a sighting", () => {
  test("is understood and told to the owner by the clocks of the place", async () => {
    const { slug, short_code } = await world.publish({
      ...SEATTLE,
      event_date: "2026-04-20",
      email: "seattle@example.org",
    });
    for (const [nth, [seen_at, local, told]] of [
      ["yesterday", "2026-04-30", "30 April 2026."],
      ["last night", "2026-04-30 night", "30 April 2026 at night."],
      ["2026-04-27T02:00:00Z", "2026-04-26T19:00-07:00", "26 April 2026 at 19:00 GMT-7."],
    ].entries()) {
      const email = `passer${nth}@example.net`;
      const { seen } = await see({
        alert: short_code,
        seen_lat: SEATTLE.lat,
        seen_lng: SEATTLE.lng,
        seen_at,
        email,
      });
      await world.confirm(email);

      expect(seen.seen_at_local).toBe(local);
      const news = (await world.emails("seattle@example.org")).at(-1);
      expect(news?.text).toContain(`Seen in Seattle, on ${told}`);
      const shown = local!.includes("T") ? seen.seen_at : local!.slice(0, 10);
      expect(await world.text(`/alerts/${slug}`)).toContain(`datetime="${shown}"`);
    }
  });
});

test("the day of a loss is one by the clocks of the place, in the answer and in the alert", async () => {
  for (const [nth, [event_date, day]] of [
    ["today", "2026-05-01"],
    ["last night", "2026-04-30"],
    ["2026-05-01T05:00:00Z", "2026-04-30"],
  ].entries()) {
    const email = `seattle${nth}@example.org`;
    const receipt = await world.tool("publish_alert", {
      ...LOST_CAT,
      ...SEATTLE,
      event_date,
      email,
    });
    await world.confirm(email);

    expect(receipt["event_date"]).toBe(day);
    expect((await world.json(`/api/v1/alerts/${receipt["id"]}`)).event_date).toBe(day);
  }
});

describe("since", () => {
  test("is a time by the clocks of the place in tools, and echoed; UTC in REST", async () => {
    await world.end();
    world = await createWorld();
    // Published on 30 April at 22:00 in Seattle.
    world.jump(-3 * HOUR);
    await world.publish({ ...SEATTLE, event_date: "2026-04-20" });
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
});

test("every answer tells the present time", async () => {
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
