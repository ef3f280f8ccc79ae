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

  test("answers what was understood: town, cell, time and distance", async () => {
    const { seen, notes } = await see({ seen_place: "Villeurbanne" });

    expect(seen).toEqual({
      place: "Villeurbanne, FR",
      latitude: 45.77,
      longitude: 4.88,
      seen_at: iso(0),
      seen_at_local: "2026-05-01T10:00+02:00",
      km_from_alert: 4,
    });
    expect(notes).toBeUndefined();
  });

  test("takes a point, and keeps its cell of 1 km only", async () => {
    const { seen } = await see({ seen_lat: 45.78499, seen_lng: 4.84499 });
    const [pending] = await world.emails(PASSER);

    expect(seen).toMatchObject({ place: "Caluire-et-Cuire, FR", latitude: 45.78, longitude: 4.84 });
    expect(seen.km_from_alert).toBe(1);
    expect(JSON.stringify([seen, pending])).not.toMatch(/45\.784|4\.844/);
  });

  test("says which part of the place it did not understand, and which other place it may mean", async () => {
    const { seen, notes } = await see({ seen_place: "by the station, Lyon" });

    expect(seen.place).toBe("Lyon, FR");
    expect(notes).toEqual([
      'Of seen_place, only Lyon, FR was understood, not "by the station"; its centre stands for the place. If you know coordinates, seen_lat and seen_lng are more exact.',
    ]);
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

  test("refuses an animal that is home, and for one in care says how to write to its finder", async () => {
    const found = await world.publish({
      type: "found",
      name: undefined,
      custody: "finder",
      color: "white",
      email: "finder@example.org",
    });

    await world.post(`${await world.linkTo(LOST_CAT.email, "/manage/")}/resolve`);

    expect(await refused({ seen_place: "Lyon" })).toStartWith("This animal is home again.");
    expect(await refused({ alert: found.slug, seen_place: "Lyon" })).toBe(
      "This animal is no longer missing. Its alert does not accept sightings. Without seen_place, seen_lat, seen_lng and seen_at, send_message writes to its owner.",
    );
  });

  test("sends one email for the same sighting within ten minutes", async () => {
    await see({ seen_place: "Lyon" });
    world.jump(5 * MINUTE);
    await see({ seen_place: "Lyon" });

    expect(await world.emails(PASSER)).toHaveLength(1);
  });
});

test("without a place it stays a message, which nobody but the owner reads", async () => {
  const answer = await see({});
  await world.confirm(PASSER);

  expect(answer).not.toHaveProperty("seen");
  expect(await world.text(`/alerts/${alert.slug}`)).not.toContain("red bench");
});
