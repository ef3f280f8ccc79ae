import { expect } from "bun:test";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, FrameLocator, Page } from "playwright-core";
import { until } from "../support/process.ts";
import { browserTests, closePages, openChromium, START_MS_MAX } from "./chromium.ts";
import { openSite, type Site } from "./site.ts";
import { createUserActions, makePhotos } from "./user-actions.ts";
import { PLAIN_TEXTS } from "./sample-data.ts";

const { afterAll, afterEach, beforeAll, describe, test } = browserTests;

const EVIL = `<img src=x onerror="parent.received=1">\u202egnp`;
const PHONE = { width: 320, height: 900 };

let chromium: Browser;
let site: Site;
let host: ReturnType<typeof Bun.serve>;
let page: Page;
let cards: FrameLocator;
let lost: any;

async function rpc(method: string, params: object): Promise<any> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "Content-Type": "application/json" };
  const answer = await site.world.fetch("/api/mcp", { method: "POST", body, headers });
  return ((await answer.json()) as any).result;
}

const tool = (name: string, args: object) => rpc("tools/call", { name, arguments: args });

/** Policy that a host makes of the metadata of the resource. */
function policyOf({ _meta: { ui } }: any): string {
  const sources = ui.csp.resourceDomains.join(" ");
  return `default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src ${sources}`;
}

beforeAll(async () => {
  site = await openSite();
  const [resource] = (await rpc("resources/read", { uri: "ui://pet-alert/cards" })).contents;
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, "cards-host.js")],
    target: "browser",
  });
  const script = await outputs[0]!.text();
  host = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    routes: {
      "/": () =>
        html(`<!doctype html><title>host</title><script type="module" src="/host.js"></script>`),
      "/host.js": () => new Response(script, { headers: { "Content-Type": "text/javascript" } }),
      "/view": () => html(resource.text, { "Content-Security-Policy": policyOf(resource) }),
    },
  });
  const { publish, hang } = createUserActions(site.world, PLAIN_TEXTS);
  const { code, manage } = await publish("lost@example.org", { name: "Mimi", color: EVIL });
  await hang(manage, await makePhotos(1));
  lost = await site.world.json(`/api/v1/alerts/${code}`);
  const own = { name: undefined, breed: undefined, description: undefined };
  await publish("found@example.org", { type: "found", custody: "finder", ...own });
  chromium = await openChromium();
}, START_MS_MAX);
afterAll(async () => {
  await closePages(chromium);
  await host?.stop(true);
  await site?.end();
});

function html(text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, {
    headers: { "Content-Type": "text/html; charset=utf-8", ...headers },
  });
}

/** Shows a result in a new page, and waits for its last card or note. */
async function show(result: object, context: object = {}, viewport = PHONE): Promise<void> {
  page = await chromium.newPage({ viewport });
  await page.goto(host.url.href);
  await page.waitForFunction(() => "show" in globalThis);
  await page.evaluate(
    ([result, context]) => (globalThis as any).show(result, context),
    [result, context],
  );
  cards = page.frameLocator("iframe");
  await cards.locator("main > *").first().waitFor({ state: "attached" });
}
const textOf = (selector: string) => cards.locator(selector).allTextContents();
const received = () => page.evaluate(() => (globalThis as any).received);

describe("cards of alerts, under the official AppBridge", () => {
  afterEach(() => page?.close());

  test("are a resource that the tools that read name, and no other", async () => {
    const { resources } = await rpc("resources/list", {});
    expect(resources).toMatchObject([
      { uri: "ui://pet-alert/cards", mimeType: "text/html;profile=mcp-app" },
    ]);
    const { tools } = await rpc("tools/list", {});
    const named = tools.filter(({ _meta }: any) => _meta?.ui?.resourceUri === resources[0].uri);
    expect(named.map(({ name }: any) => name)).toEqual([
      "search_alerts",
      "get_alert",
      "find_matches",
    ]);
  });

  test("show photos of our own host side by side, LOST and FOUND, place and day, and hostile text as text", async () => {
    await show(await tool("search_alerts", { place: "Lyon" }), {}, { width: 800, height: 900 });

    expect(await textOf(".band")).toEqual(["Found", "Lost"]);
    const image = cards.locator("main img");
    expect(await image.getAttribute("src")).toBe(lost.photos[0]);
    expect(await image.getAttribute("alt")).toBe("Lost: Mimi");
    expect(
      await image.evaluate((one: any) => one.decode().then(() => one.naturalWidth)),
    ).toBeGreaterThan(0);
    expect(await image.count()).toBe(1);
    const facts = (await textOf(".facts")).join();
    for (const part of ["Lyon", '<img src=x onerror="parent.received=1">'])
      expect(facts).toContain(part);
    const [one, other] = await cards
      .locator("article")
      .evaluateAll((all) => all.map((card: any) => card.getBoundingClientRect().top));
    expect(one).toBe(other);
  });

  test("show a match with its score, the reasons, and what to ask, at 320 points, by keyboard, without a fault that axe finds", async () => {
    const answer = await tool("find_matches", { alert: lost.id });
    await show(answer);

    const [{ score, summary, ask, reasons }] = answer.structuredContent.matches;
    expect(await textOf(".score")).toEqual([`${score}% chance that it is the same animal`]);
    const text = (await textOf("main")).join();
    for (const part of [summary, ask, ...reasons]) expect(text).toContain(part);
    const wide = await cards.locator("html").evaluate((one: any) => one.scrollWidth);
    expect(wide).toBeLessThanOrEqual(PHONE.width);
    await cards.locator("button").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => (globalThis as any).received.links.length > 0);
    const frame = page.frames().at(-1)!;
    await frame.evaluate(axe.source);
    const { violations } = await frame.evaluate(() =>
      (globalThis as any).axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag22aa"] }),
    );
    expect(violations.map(({ id }: any) => id)).toEqual([]);
    await page.close();

    // No figure for a find that copies the lost alert.
    for (const match of answer.structuredContent.matches) match.copied = true;
    await show(answer);
    expect(await textOf(".score")).toEqual([]);
    expect((await textOf("main")).join()).toContain(summary);
  });

  test("show one alert, ask the host to open its page, and follow the host's size and theme", async () => {
    const colour = () =>
      cards.locator("h2").evaluate((one: any) => (globalThis as any).getComputedStyle(one).color);
    await show(await tool("get_alert", { alert: lost.id }), { theme: "light" });
    expect(await textOf("h2")).toEqual(["Mimi"]);
    const light = await colour();
    await cards.locator("button").click();
    await page.waitForFunction(() => (globalThis as any).received.links.length > 0);

    expect((await received()).links).toEqual([lost.url]);
    const card = await cards.locator("article").boundingBox();
    await until(async () => (await received()).sizes.at(-1)?.height >= Math.ceil(card!.height));
    expect((await received()).sizes.at(-1).height).toBeLessThan(PHONE.height);
    await page.evaluate(() => (globalThis as any).change({ theme: "dark" }));
    await cards.locator("html[data-theme=dark]").waitFor({ state: "attached" });
    expect(await colour()).not.toBe(light);
  });

  test("show notes where nothing was found, and the sentence of an error", async () => {
    await show(await tool("search_alerts", { place: "Oslo" }));
    expect((await textOf(".note")).join()).toContain("No alert fits");
    await page.close();

    await show(await tool("search_alerts", { place: "qqqqxyz" }));
    expect((await textOf(".note")).join()).toContain("place is unknown");
  });

  test("open no other kind of address, and say of an alert that has ended how it ended", async () => {
    const evil = { ...lost, url: "javascript:alert(1)", photos: ["https://elsewhere.example/x"] };
    const alerts = [evil, { ...lost, status: "resolved" }];
    await show({ structuredContent: { alerts }, content: [] });
    for (const button of await cards.locator("button").all()) await button.click();
    await page.waitForFunction(() => (globalThis as any).received.links.length > 0);

    expect((await received()).links).toEqual([lost.url]);
    const foreign = cards.locator("img").first();
    expect(await foreign.evaluate((one: any) => one.naturalWidth)).toBe(0);
    expect(await textOf(".band")).toEqual(["Lost", "Lost · Home again"]);
  });

  test("follow the host's language", async () => {
    await show(await tool("get_alert", { alert: lost.id }), { locale: "fr-CA" });

    const shown = [...(await textOf(".band")), ...(await textOf("button"))];
    expect(shown).toEqual(["Perdu", "Ouvrir la page"]);
  });
});
