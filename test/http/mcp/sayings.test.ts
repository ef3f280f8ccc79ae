import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import Ajv2020 from "ajv/dist/2020";
import { DAY, HOUR, MINUTE } from "../../support/time.ts";
import { createWorld, type World } from "../../support/world.ts";

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
const OTHER = "other@example.net";
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

  test("“Warn me of lost cats around my house in Bristol.”", async () => {
    const asked = await call("subscribe_zone", {
      place: "Bristol, UK",
      species: "cat",
      type: "lost",
      email: ME,
      label: "Home",
    });
    expectConfirmation(asked, "Emails start");
    expect(asked.area).toMatchObject({ town: "Bristol, GB", radius_km: 5 });

    await world.confirm(ME);
    await published({ species: "cat", name: "Tom", color: "red", lat: 51.45, lng: -2.59 });
    // News of a zone is gathered for the better part of a minute.
    await world.pass(MINUTE);
    expect((await world.emails(ME)).at(-1)?.text).toContain("Tom");
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

  test("“Has anyone answered my alert?”", async () => {
    const { short_code } = await published({ species: "cat", color: "grey", ...LYON });

    expect(readBefore()).toContain(
      "Messages and answers arrive by e-mail only; no tool reads them",
    );
    expect(readBefore()).toContain("Sightings are listed on its page, url");
    const none = await call("find_matches", { alert: short_code });
    expect(none.matches).toEqual([]);
    expect(none.notes.at(-1)).toContain("e-mailed");
    expect(none.notes.at(-1)).toEndWith("What to do now: resource plan://lost/cat.");

    await published({ type: "found", species: "cat", color: "grey", ...LYON, email: OTHER });
    const { matches } = await call("find_matches", { alert: short_code });
    expect(matches[0]).toMatchObject({ alert: { alert_type: "found" }, ask: expect.anything() });
  });

  test("“I saw the dog of that poster K7F3Q2 ten minutes ago by the station.”", async () => {
    const poster = await published({ species: "dog", name: "Rex", color: "brown", ...LYON });

    const { alert } = await call("get_alert", { alert: poster.short_code.toLowerCase() });
    const asked = await call("send_message", {
      alert: alert.short_code,
      message: "Seen by the station, walking alone.",
      seen_place: `by the station, ${alert.city}`,
      seen_at: new Date(world.now() - 10 * MINUTE).toISOString(),
      email: ME,
    });
    expectConfirmation(asked, "The sighting is shown on the alert's page, and its owner is told");
    expect(asked.seen.seen_at).toBe(new Date(world.now() - 10 * MINUTE).toISOString());
    expect(asked.seen.place).toBe("Lyon, FR");
    expect(asked.notes[0]).toStartWith("Of seen_place, only Lyon, FR was understood");

    await world.confirm(ME);
    expect(await world.text(`/alerts/${alert.slug}`)).toContain("walking alone");
  });

  test("« J’ai perdu mon berger allemand hier à Villeurbanne. »", async () => {
    const here = { place: "Villeurbanne", species: "dog", query: "berger allemand" };
    const german = await published({
      type: "found",
      species: "dog",
      breed: "German Shepherd",
      color: "black",
      lat: 45.77,
      lng: 4.88,
    });

    const { alerts } = await call("search_alerts", { ...here, type: "found" });
    expect(alerts.map(({ id }: any) => id)).toEqual([german.id]);

    // « Ce n’est pas lui. »
    const asked = await call("publish_alert", {
      type: "lost",
      species: "dog",
      breed: "berger allemand",
      color: "noir et feu",
      place: "Villeurbanne",
      event_date: yesterday(),
      email: ME,
      language: "fr",
    });
    expectConfirmation(asked, "private link, which marks the animal as home");
    expect((await world.emails(ME)).at(-1)?.subject).toContain("confirm");
    await world.confirm(ME);
    const { matches } = await call("find_matches", { alert: asked.id, language: "fr" });
    expect(matches[0]).toMatchObject({ alert: { id: german.id } });
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

  test("„Unser grau getigerter Kater ist seit gestern weg, in Köln-Ehrenfeld.“", async () => {
    // A village of that name lies in Austria.
    expect(await call("search_alerts", { place: "Ehrenfeld" })).toStartWith(
      "place may mean Ehrenfeld, AT. Ask which one is meant",
    );
    const place = "Köln-Ehrenfeld";
    await published({ type: "found", species: "cat", color: "black", lat: 50.95, lng: 6.92 });

    const found = await call("search_alerts", {
      place,
      radius_km: 10,
      type: "found",
      query: "grau getigert",
    });
    expect(found.alerts).toEqual([]);
    expect(found.notes.join(" ")).toMatch(/Without "grau getigert"|Without the words/);

    // „Zeig mir alle.“
    const all = await call("search_alerts", { place, radius_km: 10, type: "found" });
    expect(all.alerts).toHaveLength(1);
    const asked = await call("publish_alert", {
      type: "lost",
      species: "cat",
      sex: "male",
      color: "grau getigert",
      place,
      event_date: yesterday(),
      email: ME,
      language: "de",
    });
    expectConfirmation(asked, "The alert is published");
  });

  test("“Is the dog of this old poster still missing?” – its alert was removed", async () => {
    const { short_code } = await published({ species: "dog", color: "brown", ...LYON });
    await world.post(`${await world.linkTo("owner@example.org", "/manage/")}/remove`);

    const text = await call("get_alert", { alert: short_code });
    expect(text).toBe("This alert was removed. search_alerts finds others.");
  });

  test("“I published my alert three days ago and nobody can see it.”", async () => {
    const about = { type: "lost", species: "cat", color: "grey", place: "Lyon", email: ME };
    const asked = await call("publish_alert", about);
    await world.pass(3 * DAY, HOUR);

    const text = await call("get_alert", { alert: asked.id });
    expect(text).toContain("was never published");
    expect(text).toContain("publish_alert prepares it anew");
    expectConfirmation(await call("publish_alert", about), "The alert is published");
    await world.confirm(ME);
    expect((await call("search_alerts", { place: "Lyon" })).total).toBe(1);
  });
});

const LYON = { lat: 45.77, lng: 4.83 };
