import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mcpClientOf } from "../../support/mcp.ts";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";
import { DAY, HOUR, MINUTE } from "../../support/time.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const { errorText } = mcpClientOf(() => world);
const publish = (more: object = {}) => world.tool("publish_alert", { ...LOST_CAT, ...more });
const namesOf = ({ id, slug, short_code, url }: any): string[] => [id, slug, short_code, url];

const WAITS = "This alert is not public yet: it waits for the person who received";
const NEVER = "This alert was never published: it was not confirmed by email in time.";
const UNKNOWN = "No alert with that id.";

describe("an alert that nobody has confirmed yet", () => {
  test("is said to wait, under every name the publisher was given, by every tool that takes an alert", async () => {
    const names = namesOf(await publish());

    for (const alert of names) {
      for (const tool of ["get_alert", "find_matches"])
        expect(await errorText(tool, { alert })).toStartWith(WAITS);
      const message = { alert, message: "Hello", email: "finder@example.net" };
      expect(await errorText("send_message", message)).toStartWith(WAITS);
    }
    expect(await errorText("get_alert", { alert: names[0] })).toContain(
      "needs no second publish_alert",
    );
  });

  test("says nothing about the animal, the place or the address", async () => {
    const { slug, short_code } = (await publish()) as any;
    const guessed = `lost-dog-rex-paris-${short_code}`.toLowerCase();

    const texts = [
      await errorText("get_alert", { alert: slug }),
      await errorText("get_alert", { alert: guessed }),
      await world.text(`/api/v1/alerts/${slug}`),
    ].join(" ");

    expect(texts).not.toMatch(/Mimi|grey|Lyon|owner|@/i);
  });

  test("stays 404 for REST, its page and its short link, and out of the search", async () => {
    const { slug, short_code, id } = (await publish()) as any;

    for (const path of [`/api/v1/alerts/${id}`, `/alerts/${slug}`, `/a/${short_code}`])
      expect((await world.fetch(path)).status).toBe(404);
    expect(await world.text(`/alerts/${slug}`)).toContain("isn’t public yet");
    expect(await world.tool("search_alerts", {})).toMatchObject({ total: 0, alerts: [] });
  });

  test("keeps its names when the call is repeated, and is found under them once confirmed", async () => {
    const first = await publish();
    world.jump(MINUTE);
    const again = await publish();

    expect(namesOf(again)).toEqual(namesOf(first));
    expect(await world.emails(LOST_CAT.email)).toHaveLength(1);
    await world.confirm(LOST_CAT.email);
    for (const alert of namesOf(again))
      expect(await world.tool("get_alert", { alert })).toMatchObject({
        alert: { id: first["id"] },
      });
  });

  test("is said to be unconfirmed after 48 hours, and to be unknown when nothing is left of it", async () => {
    const [alert = ""] = namesOf(await publish());

    await world.pass(48 * HOUR);
    expect(await errorText("get_alert", { alert })).toBe(
      `${NEVER} publish_alert prepares it anew.`,
    );
    await world.pass(40 * DAY);
    expect(await errorText("get_alert", { alert })).toStartWith(UNKNOWN);
  });

  test("waits no more once the person at the address says that it was not them", async () => {
    const [alert = ""] = namesOf(await publish());

    await world.post(`${await world.linkTo(LOST_CAT.email, "/confirm/")}/not-me`);

    expect(await errorText("get_alert", { alert })).toStartWith(NEVER);
  });
});

test("a name that was never issued is unknown, and so is one that only looks like a waiting one", async () => {
  const { id } = (await publish()) as any;
  const flipped = id.replace(/.$/, (last: string) => (last === "0" ? "1" : "0"));

  for (const alert of [flipped, "ZZZZZZ", "lost-cat-mimi-lyon-zzzzzz", "lost-cat-mimi-lyon"])
    expect(await errorText("get_alert", { alert })).toBe(
      `${UNKNOWN} Use search_alerts to find alerts near a place.`,
    );
});
