import { expect } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { call, newest } from "../support/mcp.ts";
import { LOST_CAT } from "../support/world.ts";
import { browserTests, closePages, openChromium, START_MS_MAX } from "./chromium.ts";
import { openSite, type Site } from "./site.ts";

const { afterAll, beforeAll, describe, test } = browserTests;

let chromium: Browser;
let page: Page;
beforeAll(async () => {
  chromium = await openChromium();
  page = await chromium.newPage();
}, START_MS_MAX);
afterAll(() => closePages(chromium));

type Sent = { readonly headers: Record<string, string>; readonly body: object };

/** POST to the tool server by a script of the page that is open; null if the browser withholds the answer. */
function post(site: Site, { headers, body }: Sent, credentials: "omit" | "include" = "omit") {
  const init = {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
    credentials,
  };
  return page.evaluate(
    async ({ url, init }) => {
      const answer = await fetch(url, init).catch(() => null);
      const body: any = await answer?.json();
      return answer && { id: answer.headers.get("X-Request-Id"), body };
    },
    { url: `${site.origin}/api/mcp`, init },
  );
}

const SEARCH = { name: "search_alerts", arguments: { lat: 45.77, lng: 4.83 } };
const PUBLISH = { name: "publish_alert", arguments: LOST_CAT };

describe("a page of another origin, in a browser", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ BASE_URL: "https://pets.example" });
    await page.goto(site.tiles);
  });
  afterAll(() => site?.end());

  test("reads by the tools, in an older and the newest revision", async () => {
    for (const request of [
      { headers: {}, body: call(SEARCH.name, SEARCH.arguments) },
      newest("tools/call", SEARCH),
    ]) {
      const answer = await post(site, request);
      expect(answer?.body.result.structuredContent.alerts).toEqual([]);
      expect(answer?.id).toBeString();
    }
  });

  test("is told that it may not write", async () => {
    const answer = await post(site, newest("tools/call", PUBLISH));

    expect(answer?.body.result.content[0].text).toContain("may only read here");
    expect(site.world.sentMail).toEqual([]);
  });

  test("learns nothing by the reader's cookies", async () => {
    expect(await post(site, newest("tools/call", SEARCH), "include")).toBeNull();
  });
});

test("a page that is not of a loopback origin cannot call a tool server on a loopback address", async () => {
  const site = await openSite();
  try {
    await page.goto("data:text/html,<title>elsewhere</title>");
    expect(await post(site, newest("tools/call", SEARCH))).toBeNull();

    await page.goto(site.tiles);
    expect((await post(site, newest("tools/call", SEARCH)))?.body.result.isError).toBeUndefined();
  } finally {
    await site.end();
  }
});
