import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createWorld, LOST_CAT, type World } from "../support/world.ts";

// A site below a path of a host, as `BASE_URL=https://example.org/pets` has it.

const ORIGIN = "https://example.org";
const BASE = `${ORIGIN}/pets`;
const MODERATOR = "moderator@example.org";
/** More pages than the site of this test has. */
const PAGES_MAX = 400;

/** Ways in which a proxy passes requests on. */
const PROXIES = {
  "passes the path on": (url: string) => url,
  "removes the prefix": (url: string) => url.replace(BASE, ORIGIN),
};

let world: World;
let privateLinks: string[];
beforeAll(async () => {
  world = await createWorld({
    BASE_URL: BASE,
    ADMIN_EMAILS: MODERATOR,
    ACCENT_COLOR: "#0f5e63",
    LOGO_FILE: "src/http/web/assets/icons/icon-192.png",
    OPERATOR_NAME: "Shelter",
    OPERATOR_CONTACT: "contact@example.org",
    LIMIT_PUBLISH: "off",
  });
  await world.tool("publish_alert", LOST_CAT);
  const [confirmation = ""] = await linksIn(LOST_CAT.email, "confirm");
  await world.post(confirmation);
  await world.tool("subscribe_zone", { lat: 45.77, lng: 4.83, email: "reader@example.org" });
  await world.post((await linksIn("reader@example.org", "confirm"))[0] ?? "");
  await signInLink();
  privateLinks = [
    ...(await linksIn(LOST_CAT.email, "manage")),
    ...(await linksIn("reader@example.org", "unsubscribe")),
    ...(await linksIn(MODERATOR, "admin")),
  ];
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

/** Asks for a moderator's way in; gives the newest link. */
async function signInLink(): Promise<string> {
  await world.post("/admin/sign-in", { email: MODERATOR });
  return (await linksIn(MODERATOR, "admin/enter")).at(-1) ?? "";
}

/** Links of a kind in the emails to a mailbox. */
async function linksIn(to: string, kind: string): Promise<string[]> {
  const texts = (await world.emails(to)).map(({ text = "" }) => text);
  return texts.flatMap((text) => text.match(new RegExp(`${BASE}/${kind}/[^\\s>)]+`, "g")) ?? []);
}

const get = (url: string, proxy: (url: string) => string, headers: Record<string, string> = {}) =>
  world.fetch(proxy(url), { headers });

/** Addresses that a page makes a browser ask for, whole. */
function addressesIn(html: string, page: string): string[] {
  const attributes =
    /\s(?:href|src|action|data-(?:towns|marks|cell|search-here|form-address))="([^"]*)"/g;
  return [...html.matchAll(attributes)]
    .map(([, address = ""]) => new URL(address.replaceAll("&amp;", "&"), page).href.split("#")[0]!)
    .filter((address) => address.startsWith(ORIGIN));
}

describe.each(Object.entries(PROXIES))(
  "a site under a path, behind a proxy that %s,",
  (_, proxy) => {
    test("leads nowhere else, and to nothing that is missing", async () => {
      const found = new Set([`${BASE}/`, `${BASE}/embed`, `${BASE}/api/docs`, ...privateLinks]);
      const wrong: string[] = [];
      let pages = 0;
      for (const url of found) {
        if (!url.startsWith(`${BASE}/`)) wrong.push(url);
        if ((pages += 1) > PAGES_MAX) throw new Error("the site has no end");
        const answer = await get(url, proxy, { "Accept-Language": "en" });
        // What only a form may ask for, and what a script completes.
        const isIncomplete = answer.status === 405 || url.startsWith(`${BASE}/map/cell`);
        if (answer.status >= 400 && !isIncomplete) wrong.push(`${answer.status} ${url}`);
        const location = answer.headers.get("Location");
        if (location !== null) found.add(new URL(location, url).href);
        const isPage = answer.headers.get("Content-Type")?.startsWith("text/html") ?? false;
        if (isPage) for (const address of addressesIn(await answer.text(), url)) found.add(address);
      }

      expect(wrong).toEqual([]);
      expect(pages).toBeGreaterThan(50);
      for (const path of ["/publish?type=lost", "/style.css", "/towns", "/logo", "/theme.css"])
        expect([...found].some((url) => url.startsWith(`${BASE}${path}`))).toBe(true);
    });

    test("can be installed, with a worker for its own pages", async () => {
      const manifest: any = await (await get(`${BASE}/manifest.webmanifest`, proxy)).json();
      const worker = await (await get(`${BASE}/worker.js`, proxy)).text();

      expect(manifest).toMatchObject({ id: "/pets/", start_url: "/pets/", scope: "/pets/" });
      const { page, files } = JSON.parse(/ASSETS=(\{.*?\});/.exec(worker)![1]!);
      const icons = manifest.icons.map(({ src }: { src: string }) => src);
      for (const path of [page, ...files, ...icons]) {
        expect(path).toStartWith("/pets/");
        expect((await get(`${ORIGIN}${path}`, proxy)).status).toBe(200);
      }
    });

    test("remembers a language and a moderator for its own pages only", async () => {
      const chosen = await get(`${BASE}/about?lang=de`, proxy);
      expect(chosen.headers.get("Set-Cookie")).toContain("Path=/pets/");
      expect(await chosen.text()).toContain('href="/pets/about?lang=fr"');

      const link = await signInLink();
      const entered = await world.post(proxy(link));
      expect(entered.headers.get("Set-Cookie")).toContain("Path=/pets/admin");
    });

    test("describes itself to programs under its own address", async () => {
      const { servers }: any = await (await get(`${BASE}/api/openapi.json`, proxy)).json();
      expect(servers[0].url).toBe(BASE);
      const { remotes }: any = await (await get(`${BASE}/api/mcp/server-card`, proxy)).json();
      expect(remotes[0].url).toBe(`${BASE}/api/mcp`);
      const { alerts }: any = await (await get(`${BASE}/api/v1/alerts`, proxy)).json();
      expect(alerts[0].url).toStartWith(`${BASE}/alerts/`);
      expect(alerts[0].qr_url ?? `${BASE}/api/qr/`).toStartWith(`${BASE}/api/qr/`);
      const short = await get(`${BASE}/a/${alerts[0].short_code}`, proxy);
      expect(short.headers.get("Location")).toBe(alerts[0].url);
      const feed = await (await get(`${BASE}/feed.atom`, proxy)).text();
      expect(feed.match(new RegExp(`href="(?!${BASE}/)`, "g"))).toBeNull();
      const robots = await (await get(`${BASE}/robots.txt`, proxy)).text();
      expect(robots).toContain("Disallow: /pets/admin\n");
      expect(robots).toContain("Allow: /pets/\n");
    });
  },
);

test("a site under a path answers at the root of its host, too, what is looked for only there", async () => {
  for (const path of ["/.well-known/api-catalog", "/.well-known/security.txt", "/healthz"])
    expect((await world.fetch(`${ORIGIN}${path}`)).status).toBe(200);
  expect((await world.fetch(`${ORIGIN}/petshop`)).status).toBe(404);
});

test("a site under a path answers links with signs behind them", async () => {
  for (const link of [BASE, `${BASE}/`, `${BASE}/about`, ...privateLinks]) {
    const { status } = await world.fetch(link);
    for (const behind of [".", ")", "%3E", "%C2%A0"])
      expect((await world.fetch(link + behind)).status).toBe(status);
  }
});
