import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder, type Served, serve } from "./support/process.ts";
import { readQr } from "./support/qr.ts";
import { MINUTE } from "./support/time.ts";
import { createWorld } from "./support/world.ts";

// The interface as its specification promises it, a test for each sentence, by the real program from its sources, without a
// mail server: the emails are files in the data folder. Whoever knows the specification only must get along with it.

const START_MS = 60_000;
const HEADERS = {
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
};
const LYON = { lat: 45.7712, lng: 4.8333 };
const FIELDS =
  "id slug short_code alert_type status pet_type pet_name breed color size city country_code latitude longitude photos url contact_url qr_url".split(
    " ",
  );

const folder = scratchFolder();
let served: Served;
let lost: any;
let found: any;
beforeAll(async () => {
  served = await serve(folder.path, { LIMIT_PUBLISH: "5/h" });
  lost = await publish({ type: "lost", name: "Mimi", email: "owner@example.org" });
  found = await publish({ type: "found", email: "finder@example.org" });
}, START_MS);
afterAll(async () => {
  expect(await served.stop()).toBe(0);
  expect(served.errors()).toBe("");
  folder.forget();
}, START_MS);

async function get(path: string): Promise<any> {
  const answer = await served.fetch(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json();
}

async function rpc(method: string, params: object): Promise<any> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const answer = await served.fetch("/api/mcp", { method: "POST", headers: HEADERS, body });
  return ((await answer.json()) as any).result;
}

async function tool(name: string, args: object): Promise<any> {
  const result = await rpc("tools/call", { name, arguments: args });
  if (result.isError) throw new Error(result.content[0].text);
  return result.structuredContent;
}

/** Emails to an address, oldest first, as they lie in the data folder. */
function emails(to: string): string[] {
  const mail = join(folder.path, "mail");
  return (
    readdirSync(mail)
      // A file is renamed when it is complete.
      .filter((name) => name.endsWith(".eml"))
      .toSorted()
      .map((name) => readFileSync(join(mail, name), "utf8").replaceAll("=\r\n", ""))
      .filter((email) => email.includes(`To: ${to}`))
  );
}

function linkIn(email: string | undefined): string {
  const token = /\/confirm\/([\w-]{43})/.exec(email ?? "")?.[1];
  if (token === undefined) throw new Error("the email has no confirmation link");
  return `/confirm/${token}`;
}

async function confirm(email: string): Promise<void> {
  const answer = await served.fetch(linkIn(emails(email).at(-1)), { method: "POST" });
  expect(answer.status).toBe(200);
}

const about = (more: object) => ({ species: "cat", color: "grey tabby", ...LYON, ...more });

async function publish(more: { email: string; [field: string]: unknown }): Promise<any> {
  const { id } = await tool("publish_alert", about(more));
  await confirm(more.email);
  return get(`/api/v1/alerts/${id}`);
}

describe("an alert", () => {
  test("has the fields of the specification, in its formats", () => {
    for (const field of FIELDS) expect(lost).toHaveProperty(field);
    expect(lost.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(lost.slug).toMatch(/^[a-z0-9-]+$/);
    expect(lost.short_code).toHaveLength(6);
    expect(["lost", "found"]).toContain(lost.alert_type);
    expect(["active", "resolved", "expired"]).toContain(lost.status);
    expect(["dog", "cat", "bird", "other"]).toContain(lost.pet_type);
    for (const field of ["breed", "color", "size", "city"]) expect(lost[field]).toBeString();
    expect(lost.country_code).toMatch(/^[A-Z]{2}$/);
    expect(lost.photos).toBeArray();
    for (const field of ["url", "contact_url", "qr_url"])
      expect(lost[field]).toStartWith(`${served.baseUrl}/`);
  });

  test("may have no name", () => {
    expect([lost.pet_name, found.pet_name]).toEqual(["Mimi", null]);
  });

  test("never has the fields that are private", () => {
    for (const field of [
      "contact_phone",
      "contact_email",
      "user_id",
      "creator_email",
      "moderation_result",
    ])
      expect(lost).not.toHaveProperty(field);
  });

  test("has a position rounded to about 1 km", () => {
    expect([lost.latitude, lost.longitude]).toEqual([45.77, 4.83]);
  });

  test("has a page, and a page to write to its owner, inside the platform", async () => {
    for (const address of [lost.url, lost.contact_url])
      expect((await served.fetch(address)).status).toBe(200);
  });

  test("never shows an email address or the exact position anywhere", async () => {
    for (const path of [lost.url, "/api/v1/alerts", "/feed.atom", "/api/v1/alerts.geojson"]) {
      const text = await (await served.fetch(path)).text();
      expect(text).not.toContain("owner@example.org");
      expect(text).not.toMatch(/45\.771|4\.833/);
    }
  });
});

describe("GET /api/v1/alerts", () => {
  const ids = async (query: string) =>
    (await get(`/api/v1/alerts${query}`)).alerts.map(({ id }: any) => id);

  test("needs no authentication and no parameter", async () => {
    expect(await ids("")).toEqual([found.id, lost.id]);
  });

  test("searches around lat and lng", async () => {
    expect(await ids("?lat=45.8&lng=4.8")).toHaveLength(2);
    expect(await ids("?lat=48.86&lng=2.35")).toEqual([]);
  });

  test("has a radius of 50 km by default, and 500 km at most", async () => {
    expect(await ids("?lat=46.2&lng=4.83")).toHaveLength(2);
    expect(await ids("?lat=46.3&lng=4.83")).toEqual([]);
    expect(await ids("?lat=46.3&lng=4.83&radius_km=500")).toHaveLength(2);
    expect((await served.fetch("/api/v1/alerts?lat=46&lng=5&radius_km=501")).status).toBe(400);
  });

  test("filters by species and type", async () => {
    expect(await ids("?species=cat&type=lost")).toEqual([lost.id]);
    expect(await ids("?species=dog")).toEqual([]);
    expect((await served.fetch("/api/v1/alerts?species=horse")).status).toBe(400);
    expect((await served.fetch("/api/v1/alerts?type=stolen")).status).toBe(400);
  });

  test("takes an ISO date as lower bound", async () => {
    expect(await ids("?since=2020-01-01")).toHaveLength(2);
    expect(await ids("?since=2099-01-01")).toEqual([]);
  });

  test("matches free text against name, breed, colour and city", async () => {
    expect(await ids("?q=mimi")).toEqual([lost.id]);
    expect(await ids("?q=tabby")).toHaveLength(2);
    expect(await ids("?q=lyon")).toHaveLength(2);
    expect(await ids("?q=xyzzy")).toEqual([]);
  });

  test("takes a limit of at most 100", async () => {
    expect(await ids("?limit=1")).toEqual([found.id]);
    expect(await ids("?limit=100")).toHaveLength(2);
    expect((await served.fetch("/api/v1/alerts?limit=101")).status).toBe(400);
  });

  test("pages by a timestamp as cursor, without gap or repetition", async () => {
    const first = await get("/api/v1/alerts?limit=1");
    expect(first.next_cursor).toBe(found.published_at);
    const second = await get(`/api/v1/alerts?limit=1&cursor=${first.next_cursor}`);
    expect(second.alerts).toMatchObject([{ id: lost.id }]);
    expect(second.next_cursor).toBeNull();
  });

  test("is open to pages of every origin", async () => {
    const answer = await served.fetch("/api/v1/alerts", {
      headers: { Origin: "https://a.example" },
    });
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
  });
});

test("GET /api/v1/alerts/{uuid-or-slug} answers one alert by either", async () => {
  expect(await get(`/api/v1/alerts/${lost.slug}`)).toEqual(lost);
  expect(await get(`/api/v1/alerts/${lost.id}`)).toEqual(lost);
});

describe("the QR endpoint", () => {
  test("answers a PNG of 256 pixels that encodes the short link, which leads to the alert", async () => {
    const answer = await served.fetch(lost.qr_url);
    expect(answer.headers.get("Content-Type")).toBe("image/png");
    const { said, width, height } = await readQr(answer);
    const link = `${served.baseUrl}/a/${lost.short_code}`;
    expect([said, width, height]).toEqual([link, 256, 256]);
    const short = await served.fetch(link);
    expect(short.headers.get("Location")).toEndWith(`/alerts/${lost.slug}`);
  });

  test("takes a size of at most 512 pixels", async () => {
    const answer = await served.fetch(`/api/qr/${lost.short_code}?size=512`);
    expect((await readQr(answer)).width).toBe(512);
    expect((await served.fetch(`/api/qr/${lost.short_code}?size=513`)).status).toBe(400);
  });

  test("is cached for 24 hours and open to every origin", async () => {
    const { headers } = await served.fetch(lost.qr_url);
    expect(headers.get("Cache-Control")).toBe("public, max-age=86400");
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  });
});

describe("the tool server", () => {
  test("speaks revision 2025-03-26 over Streamable HTTP, configured by its address alone", async () => {
    const clientInfo = { name: "anyone", version: "1" };
    const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo };
    expect((await rpc("initialize", params)).protocolVersion).toBe("2025-03-26");
  });

  test("has a descriptor for machines and a file of hints for assistants", async () => {
    expect((await get("/api/mcp/server-card")).remotes[0].url).toBe(`${served.baseUrl}/api/mcp`);
    expect(await (await served.fetch("/llms.txt")).text()).toContain(`${served.baseUrl}/api/mcp`);
  });

  test("has the six tools", async () => {
    const { tools } = await rpc("tools/list", {});
    expect(tools.map(({ name }: any) => name)).toEqual([
      "search_alerts",
      "get_alert",
      "find_matches",
      "publish_alert",
      "send_message",
      "subscribe_zone",
    ]);
  });

  test("search_alerts takes the parameters of REST, and query for q", async () => {
    const args = {
      ...LYON,
      radius_km: 10,
      species: "cat",
      type: "lost",
      since: "2020-01-01",
      query: "mimi",
      limit: 5,
    };
    const { alerts } = await tool("search_alerts", args);
    expect(alerts).toMatchObject([{ id: lost.id }]);
    expect((await tool("search_alerts", { ...args, cursor: lost.published_at })).alerts).toEqual(
      [],
    );
  });

  test("get_alert answers an alert by UUID or slug, with photos, location and contact address", async () => {
    for (const alert of [lost.id, lost.slug]) {
      const answer = (await tool("get_alert", { alert })).alert;
      const { photos, latitude, longitude, contact_url } = lost;
      expect(answer).toMatchObject({ photos, latitude, longitude, contact_url });
    }
  });

  test("find_matches ranks found alerts for a lost one, each with a score of 0 to 100 and reasons", async () => {
    const { matches } = await tool("find_matches", { alert: lost.id });
    expect(matches).toMatchObject([{ alert: { id: found.id } }]);
    expect(matches[0].score).toBeWithin(0, 101);
    expect(matches[0].reasons).not.toBeEmpty();
  });

  test("find_matches calls a score of 40 or more high confidence", async () => {
    const { matches } = await tool("find_matches", { alert: lost.id });
    for (const { score, high_confidence } of matches) expect(high_confidence).toBe(score >= 40);
  });

  test("publish_alert sends a verification email, and the alert goes live by its link only", async () => {
    const email = "second@example.org";
    const receipt = await tool("publish_alert", about({ type: "found", name: "Bo", email }));

    expect(receipt.qr_url).toStartWith(`${served.baseUrl}/api/qr/`);
    // The email is there as soon as the answer is.
    expect(emails(email)).toHaveLength(1);
    expect((await served.fetch(`/api/v1/alerts/${receipt.id}`)).status).toBe(404);
    await served.fetch(linkIn(emails(email)[0]));
    expect((await served.fetch(`/api/v1/alerts/${receipt.id}`)).status).toBe(404);
    await confirm(email);
    expect((await get(`/api/v1/alerts/${receipt.id}`)).status).toBe("active");
  });

  test("send_message delivers to the owner after the sender confirms, and shows neither address", async () => {
    const delivered = () => emails("owner@example.org").join();
    await tool("send_message", { alert: lost.id, message: "I saw her.", email: "eve@example.org" });

    expect(delivered()).not.toContain("I saw her.");
    await confirm("eve@example.org");
    expect(delivered()).toContain("I saw her.");
    expect(delivered()).not.toContain("eve@example.org");
    expect(emails("eve@example.org").join()).not.toContain("owner@example.org");
  });

  // By a clock that can be put forward: news is gathered for the better part of a minute.
  test("subscribe_zone emails about new alerts near the place, after its confirmation", async () => {
    const email = "zone@example.org";
    const world = await createWorld();
    await world.tool("subscribe_zone", { ...LYON, email });
    await world.publish({ name: "Ada", ...LYON });
    await world.pass(MINUTE);
    expect(await world.emails(email)).toHaveLength(1);
    await world.confirm(email);
    const { short_code } = await world.publish({ name: "Zoe", ...LYON });
    await world.pass(MINUTE);

    const [, news, ...more] = await world.emails(email);
    expect(news?.text).toContain(short_code);
    expect(more).toEqual([]);
    expect(world.logged).toEqual([]);
    await world.end();
  });

  test("reads need no authentication, and writes none but the click of a human", async () => {
    for (const { annotations, name } of (await rpc("tools/list", {})).tools)
      expect([name, annotations.readOnlyHint]).toEqual([
        name,
        ["search_alerts", "get_alert", "find_matches"].includes(name),
      ]);
  });
});

describe("limits", () => {
  async function untilRefused(ask: (nth: number) => Promise<unknown>): Promise<number> {
    for (let nth = 0; nth < 30; nth++) {
      const refusal = await ask(nth).then(
        () => null,
        (error: Error) => error.message,
      );
      if (refusal === null) continue;
      expect(refusal).toMatch(/an hour|per hour|Retry after/);
      return nth;
    }
    return Infinity;
  }

  // Each starts from what the tests above have used.
  test("are 5 publications an hour", async () => {
    const ask = (nth: number) =>
      tool("publish_alert", about({ type: "lost", name: `N${nth}`, email: `n${nth}@example.org` }));
    expect(await untilRefused(ask)).toBe(5 - 3);
  });

  test("are 20 messages an hour", async () => {
    const ask = (nth: number) =>
      tool("send_message", { alert: lost.id, message: `${nth}`, email: `m${nth}@example.org` });
    expect(await untilRefused(ask)).toBe(20 - 1);
  });

  test("are 10 subscriptions an hour", async () => {
    const ask = (nth: number) =>
      tool("subscribe_zone", { ...LYON, radius_km: 1 + nth, email: `z${nth}@example.org` });
    expect(await untilRefused(ask)).toBe(10);
  });
});
