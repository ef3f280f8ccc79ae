import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_FILE } from "../../db/sqlite/open.ts";
import { CAPS } from "../../src/core/caps.ts";
import { DAY, HOUR } from "../support/time.ts";
import { createWorld, FINDER, LOST_CAT, type World } from "../support/world.ts";

const OWNER = LOST_CAT.email;
/** As long as the owner's address. */
const STRANGER = "nobody@example.com".slice(-OWNER.length);

/** Calls from so many networks that no limit on clients applies. */
function distinctAddresses(): () => string {
  let given = 0;
  return () => `203.0.${(given += 1)}.9`;
}

const manageLinksIn = (text = "") => text.match(/https?:\S+\/manage\/[\w-]{43}/g) ?? [];

async function emailsWithManageLinks(world: World, to: string): Promise<string[][]> {
  const emails = await world.emails(to);
  return emails.map(({ text }) => manageLinksIn(text)).filter((links) => links.length > 0);
}

test("asking for manage links costs the store the same for an owner and for a stranger", async () => {
  const { owner, stranger } = await costOfAsking();

  expect(owner).toEqual(stranger);
  expect(owner.operations).toContain("addLinkRequest");
  expect(owner.walBytes).toBeGreaterThan(0);
});

type Cost = { readonly operations: readonly string[]; readonly walBytes: number };

/** Store operations and bytes of write-ahead log between the request and its answer. */
async function costOfAsking(): Promise<{ owner: Cost; stranger: Cost }> {
  const world = await createWorld();
  try {
    await world.publish();
    await world.tick();
    const operations: string[] = [];
    const store: Record<string, unknown> = world.app.store as never;
    for (const [name, verb] of Object.entries(store)) {
      if (typeof verb !== "function") continue;
      store[name] = (...given: unknown[]) => {
        operations.push(name);
        return verb(...given);
      };
    }
    const wal = () => statSync(join(world.dataDir, `${DATABASE_FILE}-wal`)).size;
    const costOf = async (email: string, from: string): Promise<Cost> => {
      operations.length = 0;
      const before = wal();
      expect((await world.post("/manage", { email }, {}, from)).status).toBe(303);
      return { operations: [...operations], walBytes: wal() - before };
    };
    // The first request also pays for pages that all later ones share.
    await costOf("warm.up@example.com", "192.0.2.1");
    const stranger = await costOf(STRANGER, "192.0.2.2");
    return { owner: await costOf(OWNER, "192.0.2.3"), stranger };
  } finally {
    await world.end();
  }
}

const inAll = CAPS.linkEmailsPerMailboxInAll.max;

test("a stranger who uses up an owner's emails of the day keeps no new alert's link from them", async () => {
  const { afterFlood, afterNewAlert, afterMore, nextDay } = await floodOwner();

  expect(afterFlood).toEqual(Array(inAll).fill(1));
  expect(afterNewAlert).toEqual([2]);
  expect(afterMore).toEqual([]);
  expect(nextDay).toEqual([2]);
});

/** Gives, for each phase, how many alerts each new email with manage links lists. */
async function floodOwner() {
  const world = await createWorld();
  try {
    const nextAddress = distinctAddresses();
    let seen = 0;
    const fresh = async () => {
      const emails = await emailsWithManageLinks(world, OWNER);
      const counts = emails.slice(seen).map((links) => links.length);
      seen = emails.length;
      return counts;
    };
    const ask = async (times: number) => {
      for (let at = 0; at < times; at++) {
        await world.post("/manage", { email: OWNER }, {}, nextAddress());
        await world.pass(60_000);
      }
      return fresh();
    };

    await world.publish();
    await fresh();
    const afterFlood = await ask(2 * CAPS.linkEmailsPerMailboxInAll.max);
    await world.publish({ name: "Minou", color: "black" });
    await fresh();
    const afterNewAlert = await ask(1);
    const afterMore = await ask(5);
    await world.pass(DAY, HOUR);
    await fresh();
    return { afterFlood, afterNewAlert, afterMore, nextDay: await ask(1) };
  } finally {
    await world.end();
  }
}

test("a used confirmation link that is passed on later opens no private link", async () => {
  const { atOnce, within, later } = await passOnUsedLinks();

  expect(atOnce).toEqual(["/manage/", "/unsubscribe/"]);
  expect(within).toEqual(atOnce);
  expect(later).toEqual([]);
});

/** The kinds of private link that the pages behind two used confirmation links hold, at three times. */
async function passOnUsedLinks() {
  const world = await createWorld();
  try {
    await world.publish();
    await world.tool("subscribe_zone", { lat: 45.77, lng: 4.83, email: FINDER });
    await world.confirm(FINDER);
    const used = [await world.linkTo(OWNER, "/confirm/"), await world.linkTo(FINDER, "/confirm/")];
    const look = async () => {
      const pages = [];
      for (const link of used)
        pages.push(await world.text(link), await (await world.post(link)).text());
      const kinds = pages.join("").match(/\/(?:manage|unsubscribe)\/(?=[\w-]{43})/g);
      return [...new Set(kinds ?? [])].sort();
    };
    const atOnce = await look();
    world.jump(HOUR / 2);
    const within = await look();
    world.jump(HOUR / 2);
    return { atOnce, within, later: await look() };
  } finally {
    await world.end();
  }
}

test("a stranger who repeats a victim's request can neither move it nor see what becomes of it", async () => {
  const facts = await repeatRequest();

  expect(facts).toEqual({
    emailsToVictim: 1,
    pageTellsOfConfirming: false,
    victimPublished: true,
    strangerPublishedVictimsAlert: false,
  });
});

async function repeatRequest() {
  const world = await createWorld();
  try {
    const evil = "evil@example.net";
    const { type, species, color } = LOST_CAT;
    const publication = { type, species, color, place: "Lyon", email: OWNER };
    const publish = async (from: string) => {
      const answer = await world.post("/publish", publication, {}, from);
      return answer.headers.get("Location") ?? "";
    };
    const victims = await publish("192.0.2.1");
    const strangers = await publish("203.0.113.1");
    const other = await publish("203.0.113.2");
    const confirmation = await world.linkTo(OWNER, "/confirm/");
    const code = codeOn(await world.text(victims));

    const before = await world.text(other);
    await world.post(`${strangers}/address`, { email: evil }, {}, "203.0.113.1");
    await world.confirm(evil);
    const taken = await world.fetch(`/a/${code}`);
    await world.post(confirmation);
    const { status } = await world.fetch(`/a/${code}`);
    const manage = await emailsWithManageLinks(world, OWNER);
    return {
      emailsToVictim: (await world.emails(OWNER)).filter(({ text }) => text?.includes("/confirm/"))
        .length,
      pageTellsOfConfirming: (await world.text(other)) !== before,
      victimPublished: status === 302 && manage.length === 1,
      strangerPublishedVictimsAlert: taken.status === 302,
    };
  } finally {
    await world.end();
  }
}

function codeOn(page: string): string {
  return /have the code ([2-9A-HJKMNP-Z]{6})/.exec(page)?.[1] ?? "";
}
