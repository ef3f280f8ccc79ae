import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import Ajv2020 from "ajv/dist/2020";
import { DAY, HOUR } from "../../support/time.ts";
import { mcpClientOf } from "../../support/mcp.ts";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";

// What people say to their assistants, and the calls that answer it. An assistant knows the tool list, the instructions,
// what it was told, and earlier answers; geography and the calendar, too. No call may need more, and no answer may leave
// it without a next step.

let world: World;
let client: Client;
let tools: Awaited<ReturnType<Client["listTools"]>>["tools"];
beforeEach(async () => {
  world = await createWorld();
  client = await world.mcpClient();
  ({ tools } = await client.listTools());
});
afterEach(async () => {
  await client.close();
  expect(world.logged).toEqual([]);
  await world.end();
});

const ME = "me@example.org";

const yesterday = () => new Date(world.now() - DAY).toISOString().slice(0, 10);

/** Calls a tool with what its listed schema allows; gives the answer, or the text of the error. */
async function call(name: string, args: Record<string, unknown>): Promise<any> {
  const listed = tools.find((tool) => tool.name === name)!;
  const fits = new Ajv2020({ strict: false }).compile({
    ...listed.inputSchema,
    additionalProperties: false,
  });
  expect([fits(args), fits.errors]).toEqual([true, null]);

  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const text = (content as { text: string }[])[0]!.text;
  if (isError) return text;
  expect(JSON.parse(text)).toEqual(structuredContent);
  return structuredContent;
}

/** A text that the assistant has read before any call. */
function readBefore(): string {
  const texts = tools.map(({ description }) => description);
  return [client.getInstructions(), ...texts].join(" ");
}

/** An alert of somebody else, confirmed. */
const published = (about: Record<string, unknown>) =>
  world.publish({ email: "owner@example.org", ...about });

/** Checks the answer of a tool that writes: somebody must press a button, and the answer says who and what follows. */
function expectConfirmation(answer: any, follows: string): void {
  expect(answer.status).toBe("pending_confirmation");
  expect(answer.next_step).toContain("opens the link in that email and presses the button");
  expect(answer.next_step).toContain(follows);
}

describe("a person says", () => {
  test("“My grey cat went missing near Croix-Rousse yesterday evening.”", async () => {
    const place = "Croix-Rousse, Lyon";
    const found = await call("search_alerts", { place, type: "found", species: "cat" });
    expect(found.alerts).toEqual([]);
    expect(found.notes.at(-1)).toStartWith("No alert fits. publish_alert announces");

    const asked = await call("publish_alert", {
      type: "lost",
      species: "cat",
      color: "grey",
      place,
      event_date: yesterday(),
      email: ME,
    });
    expectConfirmation(asked, "The alert is published");
    expect(asked.next_step).toContain("What to do now: Search your home first;");
    expect(asked.next_step).toContain("resource plan://lost/cat");
    expect(asked.area.town).toBe("Lyon, FR");

    // “Is it online?”
    expect(await call("get_alert", { alert: asked.short_code })).toContain("not public yet");
    await world.confirm(ME);
    const { alert } = await call("get_alert", { alert: asked.short_code });
    expect(alert).toMatchObject({ city: "Lyon", event_date: yesterday(), status: "active" });
  });

  test("“I found a dog in Seattle, is anyone looking for it?”", async () => {
    const lost = await published({
      species: "dog",
      name: "Rex",
      color: "black and tan",
      lat: 47.62,
      lng: -122.33,
    });

    const { alerts, area } = await call("search_alerts", {
      place: "Seattle",
      type: "lost",
      species: "dog",
    });
    expect(area).toMatchObject({ town: "Seattle, US", radius_km: 50 });
    expect(alerts.map(({ short_code }: any) => short_code)).toEqual([lost.short_code]);

    const { alert } = await call("get_alert", { alert: alerts[0].id });
    expect(alert.contact_url).toStartWith("http");
    const asked = await call("send_message", {
      alert: alert.id,
      message: "I have a black and tan dog here since this morning.",
      email: ME,
    });
    expectConfirmation(asked, "The message is delivered");
    await world.confirm(ME);
    expect((await world.emails("owner@example.org")).at(-1)?.text).toContain("black and tan dog");
  });

  test("“She is home again!”", async () => {
    const { slug, short_code } = await published({ species: "cat", color: "grey", ...LYON });

    // No tool does that: the list says who does, and by which link.
    expect(readBefore()).toContain("Only the owner ends (animal home)");
    expect(readBefore()).toContain("http://localhost:3000/manage sends an owner's link again");
    await world.post("/manage", { email: "owner@example.org" });
    await world.tick();
    const link = await world.linkTo("owner@example.org", "/manage/");
    await world.post(`${link}/resolve`);
    const { alert } = await call("get_alert", { alert: short_code });
    expect(alert).toMatchObject({ slug, status: "resolved" });
  });

  test("“He encontrado un gato gris en Lavapiés, Madrid. ¿Alguien lo busca?”", async () => {
    const madrid = { lat: 40.41, lng: -3.7 };
    const lost = await published({ species: "cat", color: "grey", name: "Luna", ...madrid });

    const { alerts, area } = await call("search_alerts", {
      place: "Lavapiés, Madrid",
      type: "lost",
      species: "cat",
      query: "gris",
      sort: "nearest",
    });
    expect(area.town).toBe("Madrid, ES");
    expect(alerts).toMatchObject([{ id: lost.id, distance_km: expect.any(Number) }]);

    const asked = await call("publish_alert", {
      type: "found",
      species: "cat",
      color: "gris",
      custody: "finder",
      place: "Lavapiés, Madrid",
      email: ME,
      language: "es",
    });
    expectConfirmation(asked, "The alert is published");
    await world.confirm(ME);
    const { matches } = await call("find_matches", { alert: asked.slug, language: "es" });
    expect(matches[0].alert.id).toBe(lost.id);
  });
});

const LYON = { lat: 45.77, lng: 4.83 };

const { errorText } = mcpClientOf(() => world);
const publish = () => world.tool("publish_alert", LOST_CAT);
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

  test("stays 404 for REST, its page and its short link, and out of the search", async () => {
    const { slug, short_code, id } = (await publish()) as any;

    for (const path of [`/api/v1/alerts/${id}`, `/alerts/${slug}`, `/a/${short_code}`])
      expect((await world.fetch(path)).status).toBe(404);
    expect(await world.text(`/alerts/${slug}`)).toContain("isn’t public yet");
    expect(await world.tool("search_alerts", {})).toMatchObject({ total: 0, alerts: [] });
  });

  test("is said to be unconfirmed after 48 hours, and to be unknown when nothing is left of it", async () => {
    const [alert = ""] = namesOf(await publish());

    await world.pass(48 * HOUR);
    expect(await errorText("get_alert", { alert })).toBe(
      `${NEVER} publish_alert prepares it anew.`,
    );
    await world.pass(40 * DAY, 10 * DAY);
    expect(await errorText("get_alert", { alert })).toStartWith(UNKNOWN);
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
