import { Database } from "bun:sqlite";
import { join } from "node:path";
import { DATABASE_FILE } from "../../db/sqlite/open.ts";
import { holdsToken } from "../support/private-links.ts";
import { MINUTE } from "../support/time.ts";
import { BASE_URL, createWorld, form, linkIn, LOST_CAT, type World } from "../support/world.ts";
import type { Fault } from "./fault.ts";

const MODERATOR = "mod@example.org";
const FINDER = "finder@example.net";
const OTHER = "other@example.org";
const READER = "reader@example.org";

/** Headers of a form or a simple request that a browser sends from a page of another site. */
const SENDERS: readonly (readonly [name: string, headers: Readonly<Record<string, string>>])[] = [
  ["another site", { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" }],
  ["a sibling subdomain", { "Sec-Fetch-Site": "same-site", Origin: "http://evil.localhost:3000" }],
  ["a frame without origin", { "Sec-Fetch-Site": "cross-site", Origin: "null" }],
  ["a page that hides where it is", { "Sec-Fetch-Site": "cross-site" }],
  ["another site in an old browser", { Origin: "https://evil.example" }],
  ["a file in an old browser", { Origin: "file://" }],
  ["another port in an old browser", { Origin: "http://localhost:8080" }],
];
/** Headers of an old browser for our own pages whose address contains a token. */
const FRAME_IN_OLD_BROWSER = ["a frame in an old browser", { Origin: "null" }] as const;

/** Requests that load an address without a click: images, scanners, prefetches, GET forms. */
const LOOKS: readonly (readonly [name: string, init: RequestInit, asQuery?: true])[] = [
  ["GET", {}],
  ["GET with the form's fields", {}, true],
  ["HEAD", { method: "HEAD" }],
  ["OPTIONS", { method: "OPTIONS", headers: { "Access-Control-Request-Method": "POST" } }],
  ["a prefetch", { headers: { "Sec-Purpose": "prefetch", Purpose: "prefetch" } }],
  ["GET that claims to be POST", { headers: { "X-HTTP-Method-Override": "POST" } }],
];

export const crossSite: Fault = {
  name: "other sites' forms and scanners' looks",
  promise:
    "No other site's page and no mere look at an address changes anything, save the one click that ends emails",
  async run(say) {
    const { failures, payloads } = await attack();
    say(`${payloads} payloads`);
    return {
      tried: `${payloads} payloads at every form there is`,
      lost: `${failures.length} changed something`,
      failures,
    };
  },
};

async function attack() {
  const world = await createWorld({ ADMIN_EMAILS: MODERATOR });
  const failures: string[] = [];
  let payloads = 0;
  let seen: string;
  const fire = async (name: string, path: string, init: RequestInit) => {
    payloads += 1;
    await (await world.fetch(path, init)).arrayBuffer();
    const now = stateOf(world);
    if (now !== seen) failures.push(name);
    seen = now;
  };

  const targets = await everyTarget(world);
  // A second email may be asked for after a minute.
  await world.pass(2 * MINUTE);
  seen = stateOf(world);
  for (const { path, fields, headers = {} } of targets) {
    const senders = holdsToken(URL.parse(path, BASE_URL)?.pathname ?? "")
      ? SENDERS
      : [...SENDERS, FRAME_IN_OLD_BROWSER];
    for (const [sender, own] of senders) {
      const { headers: type, body } = form(fields);
      const init = { method: "POST", headers: { ...type, ...headers, ...own }, body };
      await fire(`${nameOf(path)} from ${sender}`, path, init);
    }
    for (const [look, init, asQuery] of LOOKS) {
      const query = asQuery === true ? `?${form(fields).body}&_method=POST` : "";
      const all = { ...init, headers: { ...headers, ...init.headers } as Record<string, string> };
      await fire(`${nameOf(path)} by ${look}`, path + query, all);
    }
  }
  await toolsFromElsewhere(fire);
  // The same forms, sent from our own pages, do something: else nothing was tried.
  const idle: string[] = [];
  for (const { path, fields, headers = {} } of failures.length === 0 ? targets : []) {
    const { headers: type, body } = form(fields);
    const own = { ...type, ...headers, "Sec-Fetch-Site": "same-origin" };
    await (await world.fetch(path, { method: "POST", headers: own, body })).arrayBuffer();
    const now = stateOf(world);
    if (now === seen) idle.push(`${nameOf(path)} does nothing from our own page either`);
    seen = now;
  }
  failures.push(...idle);
  await world.end();
  return { failures, payloads };
}

type Target = {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Every address a form of ours is sent to, each with a link that works and fields that pass. */
async function everyTarget(world: World): Promise<readonly Target[]> {
  const alert = await world.publish();
  const linkTo = async (to: string, part: string) =>
    linkIn(
      (await world.emails(to)).findLast((email) => email.text?.includes(part)),
      part,
    );
  const manage = await linkTo(LOST_CAT.email, "/manage/");
  await world.publish({ name: "Momo", email: OTHER });
  const otherManage = await linkTo(OTHER, "/manage/");
  const message = { name: "Jo", email: FINDER, message: "She is here." };
  await world.fetch(alert.contact_url, { method: "POST", ...form(message) });
  await world.confirm(FINDER);
  const conversation = await linkTo(LOST_CAT.email, "/conversation/");
  const zone = { lat: "45.77", lng: "4.83", radiusKm: "5" };
  const subscribe = async (email: string) => {
    const sent = { method: "POST", ...form({ ...zone, email }) };
    return (await world.fetch("/subscribe", sent)).headers.get("Location")?.split("?")[0] ?? "";
  };
  const waiting = await subscribe(READER);
  const mistyped = await subscribe(OTHER);
  const confirm = await linkTo(READER, "/confirm/");
  const { enter, session } = await signIn(world, linkTo);
  const cookie = { Cookie: session };
  const page = `/alerts/${alert.slug}`;
  const desk = `/admin/alerts/${alert.id}`;
  const publication = { type: "lost", species: "cat", color: "grey", ...zone };
  return [
    { path: "/publish", fields: { ...publication, email: "new@example.org" } },
    { path: "/subscribe", fields: { ...zone, email: "new@example.org" } },
    { path: `${page}/contact`, fields: { ...message, email: "new@example.org" } },
    { path: `${page}/sighting`, fields: { ...zone, hoursAgo: "0", email: "new@example.org" } },
    { path: `${page}/report`, fields: { reason: "scam" } },
    { path: "/manage", fields: { email: LOST_CAT.email } },
    { path: `${waiting}/again`, fields: {} },
    { path: `${mistyped}/address`, fields: { email: "evil@example.org" } },
    { path: confirm, fields: {} },
    { path: `${confirm}/not-me`, fields: {} },
    { path: `${confirm}/allow`, fields: {} },
    { path: conversation, fields: { message: "Go away." } },
    { path: `${conversation}/report`, fields: { reason: "scam" } },
    { path: `${conversation}/close`, fields: {} },
    { path: `${manage}/edit`, fields: { ...publication, name: "Evil" } },
    { path: `${manage}/resolve`, fields: {} },
    { path: "/admin/sign-in", fields: { email: MODERATOR } },
    { path: enter, fields: {} },
    { path: `${desk}/hide`, fields: {}, headers: cookie },
    { path: `${desk}/block`, fields: {}, headers: cookie },
    { path: `${desk}/remove`, fields: {}, headers: cookie },
    { path: `${otherManage}/remove`, fields: {} },
    { path: "/admin/sign-out", fields: {}, headers: cookie },
  ];
}

async function signIn(world: World, linkTo: (to: string, part: string) => Promise<string>) {
  const ask = () =>
    world.fetch("/admin/sign-in", { method: "POST", ...form({ email: MODERATOR }) });
  await ask();
  const used = await linkTo(MODERATOR, "/admin/enter/");
  const entered = await world.fetch(used, { method: "POST", ...form({}) });
  const session = entered.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  await ask();
  return { enter: await linkTo(MODERATOR, "/admin/enter/"), session };
}

/** Requests that a page can send to the tool server without a preflight, and those that need one. */
async function toolsFromElsewhere(
  fire: (name: string, path: string, init: RequestInit) => Promise<void>,
): Promise<void> {
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "subscribe_zone", arguments: { lat: 1, lng: 2, email: "new@example.org" } },
  };
  const body = JSON.stringify(call);
  for (const [sender, own] of SENDERS) {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
      await fire(`the tool server as ${type} from ${sender}`, "/api/mcp", {
        method: "POST",
        headers: { "Content-Type": type, ...own },
        body,
      });
    // A browser that asks for leave is given none, and one that asks for none names its origin.
    const { Origin } = own;
    if (Origin !== undefined && !Origin.includes("localhost"))
      await fire(`the tool server from ${sender}`, "/api/mcp", {
        method: "POST",
        headers: { "Content-Type": "application/json", ...own },
        body,
      });
  }
  await fire("the tool server by GET", `/api/mcp?${new URLSearchParams({ body })}`, {});
}

/** Every row there is. */
function stateOf({ dataDir }: World): string {
  const database = new Database(join(dataDir, DATABASE_FILE), { readonly: true });
  const tables = database
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
    )
    .all();
  const hash = new Bun.CryptoHasher("sha256");
  for (const { name } of tables)
    hash.update(JSON.stringify([name, database.query(`SELECT * FROM "${name}"`).values()]));
  database.close();
  return hash.digest("hex");
}

/** An address without what only its reader may know. */
function nameOf(address: string): string {
  return address.replace(/^https?:\/\/[^/]+/, "").replace(/[\w-]{20,}/g, "…");
}
