import { expect, test } from "bun:test";
import { CAPS, FACTORS } from "../../src/core/caps.ts";
import { without, withoutCaps } from "../chaos/weakened.ts";
import { DAY, HOUR, MINUTE } from "../support/time.ts";
import { createWorld, type World } from "../support/world.ts";

const VICTIM = "victim@example.org";
const HOME = "192.0.2.10";
const DAYS_CAP = CAPS.confirmationEmailsPerMailbox.max;

/** Nth of many networks that have nothing to do with each other. */
const network = (nth: number) => `10.${nth >> 8}.${nth & 255}.7`;

/** Answers of a form: what a stranger sees of what became of it. */
async function subscribe(world: World, email: string, from: string, lat = 10) {
  const fields = { lat: String(lat), lng: "4.83", radiusKm: "5", email };
  const answer = await world.post("/subscribe", fields, {}, from);
  return { status: answer.status, waiting: answer.headers.get("Location") ?? "" };
}

/** The short code that the alert will have. */
async function publish(world: World, email: string, from: string, color = "grey") {
  const fields = { type: "lost", species: "cat", color, lat: "45.77", lng: "4.83" };
  const answer = await world.post("/publish", { ...fields, email }, {}, from);
  const page = await world.fetch(answer.headers.get("Location") ?? "", {}, from);
  return /code ([2-9A-HJKMNP-Z]{6})/.exec(await page.text())?.[1] ?? "none";
}

const emailsTo = async (world: World, to: string) => (await world.emails(to)).length;

/** Whether an email so far has the link to confirm the alert. */
async function hasEmailAbout(world: World, to: string, code: string): Promise<boolean> {
  return (await world.emails(to)).some(({ text }) => text?.includes(code));
}

const noMailboxCaps = [
  withoutCaps("confirmationEmailsPerMailbox", "confirmationEmailsPerMailboxAndNetwork"),
  {
    module: "src/core/caps.ts",
    name: "STOCKS",
    instead:
      "{ ...original.STOCKS, unconfirmedPerMailbox: 1e9, unconfirmedPerMailboxForNewNetwork: 1e9 }",
  },
];

// A stranger subscribes three times in somebody's name, who then publishes an alert of their own.
async function threeSubscriptions(create: typeof createWorld, strangers: readonly string[]) {
  const world = await create();
  for (const [nth, from] of strangers.entries()) await subscribe(world, VICTIM, from, nth + 1);
  const code = await publish(world, VICTIM, HOME);
  const isThereAtOnce = await hasEmailAbout(world, VICTIM, code);
  await world.end();
  return { isThereAtOnce };
}

const ONE_STRANGER = [network(1), network(1), network(1)];

test.each([
  ["one network", ONE_STRANGER],
  ["three networks", [network(1), network(2), network(3)]],
])(
  "three subscriptions in a victim's name from %s: their own publication gets its email at once",
  async (_, from) => {
    expect(await threeSubscriptions(createWorld, from)).toEqual({ isThereAtOnce: true });
  },
);

test("without a share kept for other networks, one stranger takes the victim's email", async () => {
  const shareless = [
    withoutCaps("confirmationEmailsPerMailboxAndNetwork"),
    {
      module: "src/core/caps.ts",
      name: "STOCKS",
      instead: "{ ...original.STOCKS, unconfirmedPerMailboxForNewNetwork: 3 }",
    },
  ];
  const found = await without(shareless, async (copy) =>
    threeSubscriptions((await copy.worlds()).createWorld, ONE_STRANGER),
  );

  expect(found).toEqual({ isThereAtOnce: false });
});

// Strangers from many networks fill everything, before and after the victim asks for an alert of their own.
async function siege(create: typeof createWorld) {
  const world = await create();
  const statuses = new Set<number>();
  for (let nth = 0; nth < 60; nth++)
    statuses.add((await subscribe(world, VICTIM, network(nth), nth)).status);
  const code = await publish(world, VICTIM, HOME);
  const askedAt = world.now();
  await world.tick();
  const sentAt: number[] = [];
  let waitedMs = Infinity;
  for (let quarter = 0; quarter < 2 * 24 * 4; quarter++) {
    // They go on, slowly.
    if (quarter % 16 === 0)
      statuses.add((await subscribe(world, VICTIM, network(100 + quarter), quarter % 80)).status);
    for (let fresh = world.sentMail.length - sentAt.length; fresh > 0; fresh--)
      sentAt.push(world.now());
    await world.pass(15 * MINUTE);
    const isNews = world.sentMail.length > sentAt.length;
    if (waitedMs === Infinity && isNews && (await hasEmailAbout(world, VICTIM, code)))
      waitedMs = world.now() - askedAt;
  }
  const inADay = sentAt.map((from) => sentAt.filter((at) => at >= from && at < from + DAY).length);
  const emails = await world.emails(VICTIM);
  const links = emails.map(({ text }) => (text?.match(/\/confirm\/[\w-]+$/gm) ?? []).length);
  await world.end();
  return {
    statuses: [...statuses],
    emailsInADay: Math.max(...inADay),
    waitedMs,
    linksInAnEmail: Math.max(...links),
  };
}

test("strangers fill everything from sixty networks: the victim's own request arrives in the next gathered email, within half a day", async () => {
  const found = await siege(createWorld);

  expect(found.statuses).toEqual([303]);
  expect(found.waitedMs).toBeLessThanOrEqual(12 * HOUR + 15 * MINUTE);
  expect(found.emailsInADay).toBeLessThanOrEqual(DAYS_CAP);
  expect(found.linksInAnEmail).toBe(10);
}, 600_000);

test("without gathering, it waits for days", async () => {
  const ungathered = {
    module: "src/core/confirmation/email-queue.ts",
    name: "sendQueuedEmails",
    instead: "async () => {}",
  };
  const found = await without([ungathered], async (copy) =>
    siege((await copy.worlds()).createWorld),
  );

  expect(found.waitedMs).toBe(Infinity);
}, 600_000);

test("without a budget, the same siege is a mail bomb", async () => {
  const found = await without(noMailboxCaps, async (copy) =>
    siege((await copy.worlds()).createWorld),
  );

  expect(found.emailsInADay).toBeGreaterThan(DAYS_CAP);
}, 600_000);

test("one network that asks a hundred times pushes nobody out of the gathered email", async () => {
  const world = await createWorld({ LIMIT_SUBSCRIBE: "off" });
  for (let nth = 0; nth < 4; nth++) await subscribe(world, VICTIM, network(nth), nth + 1);
  const code = await publish(world, VICTIM, HOME);
  for (let nth = 0; nth < 100; nth++) await subscribe(world, VICTIM, network(9), nth / 2);
  expect(await hasEmailAbout(world, VICTIM, code)).toBe(false);

  await world.pass(12 * HOUR + MINUTE, MINUTE);

  expect(await emailsTo(world, VICTIM)).toBe(DAYS_CAP);
  expect(await hasEmailAbout(world, VICTIM, code)).toBe(true);
  expect(world.logged).toEqual([]);
  await world.end();
});

// Networks that have asked before the victim does go on asking, every hour.
test.each([12, 40])(
  "%i networks that ask again every hour do not keep the victim's own request from the next gathered email",
  async (networks) => {
    const world = await createWorld();
    let asked = 0;
    const round = async () => {
      for (let nth = 0; nth < networks; nth++)
        await subscribe(world, VICTIM, network(nth), (asked++ % 1700) / 20);
    };
    await round();
    await round();
    world.jump(MINUTE);
    const code = await publish(world, VICTIM, HOME);
    let hours = 0;
    for (; hours < 13 && !(await hasEmailAbout(world, VICTIM, code)); hours++) {
      await world.pass(MINUTE);
      await round();
      await world.pass(59 * MINUTE);
    }
    const emails = await emailsTo(world, VICTIM);
    // The victim overlooks that email, and asks for another alert.
    await world.pass(HOUR);
    await round();
    world.jump(MINUTE);
    const second = await publish(world, VICTIM, "203.0.113.4", "white");
    let more = 0;
    for (; more < 13 && !(await hasEmailAbout(world, VICTIM, second)); more++) {
      await world.pass(MINUTE);
      await round();
      await world.pass(59 * MINUTE);
    }

    expect(hours).toBeLessThanOrEqual(12);
    expect(more).toBeLessThanOrEqual(12);
    expect(emails).toBeLessThanOrEqual(DAYS_CAP);
    await world.end();
  },
  600_000,
);

test("a gathered email goes to one mailbox only, with links that each confirm their own request, for two days from then on", async () => {
  const world = await createWorld();
  for (let nth = 0; nth < 4; nth++) await subscribe(world, VICTIM, network(nth), nth + 1);
  const code = await publish(world, VICTIM, HOME);
  await subscribe(world, "victim+other@example.org", network(7));
  await world.pass(12 * HOUR + MINUTE, MINUTE);
  const [email] = (await world.emails(VICTIM)).slice(-1);
  world.jump(47 * HOUR);
  const links = email?.text?.match(/\/confirm\/[\w-]+$/gm) ?? [];

  expect(links).toHaveLength(1);
  const page = await (await world.post(links[0] ?? "")).text();
  expect(page).toContain("Your alert is live");
  expect(page).toContain(code);
  await world.end();
});

test("whoever opens any link to a mailbox finds all that waits for it, and confirming frees its budget", async () => {
  const world = await createWorld();
  for (let nth = 0; nth < 4; nth++) await subscribe(world, VICTIM, network(nth), nth + 1);
  const code = await publish(world, VICTIM, HOME);
  const second = await publish(world, VICTIM, HOME, "white");
  const strangers = await world.linkTo(VICTIM, "/confirm/");

  const page = await world.text(strangers);
  const own = [...page.matchAll(/href="(\/confirm\/[\w-]+)">An alert \(([\w]+)\)/g)];
  expect(own.map(([, , shown]) => shown).toSorted()).toEqual([code, second].toSorted());
  const link = own.find(([, , shown]) => shown === code)?.[1] ?? "";
  expect(await (await world.post(link)).text()).toContain("Your alert is live");

  // It waits no longer.
  await world.pass(MINUTE);
  expect(await hasEmailAbout(world, VICTIM, second)).toBe(true);
  await world.end();
});

test("what a stranger sees is the same for a mailbox with room, a full one and one that stopped emails", async () => {
  const world = await createWorld({ LIMIT_SUBSCRIBE: "off" });
  const stopped = "stopped@example.org";
  await subscribe(world, stopped, network(50));
  await world.post(`${new URL(await world.linkTo(stopped, "/confirm/")).pathname}/not-me`);
  for (let nth = 0; nth < 8; nth++) await subscribe(world, "filled@example.org", network(nth), nth);
  const seen = [];
  for (const email of ["scarce@example.org", "filled@example.org", stopped]) {
    const { status, waiting } = await subscribe(world, email, HOME, 33);
    const shape = async (path: string) =>
      (await world.text(path)).replaceAll(/[sf]…@e…|\/waiting\/[\w-]+/g, "…");
    const before = await shape(waiting);
    world.jump(2 * MINUTE);
    const again = await world.post(`${waiting}/again`, {}, {}, HOME);
    const after = await shape(again.headers.get("Location") ?? "");
    world.jump(20 * HOUR);
    await world.tick();
    const later = await shape(waiting);
    world.jump(29 * HOUR);
    const over = await shape(waiting);
    world.jump(-49 * HOUR - 2 * MINUTE);
    seen.push([status, again.status, before, after, later, over]);
  }

  expect(seen[1]).toEqual(seen[0]);
  expect(seen[2]).toEqual(seen[0]);
  expect(String(seen[0]?.[3])).toContain(
    "We’re sending another email if this address can receive one right now.",
  );
  await world.end();
});

// 2,560 writes within a minute from the 256 networks of /64 in one /56, to as many strangers.
async function floodFromOneHousehold(create: typeof createWorld, networks: number) {
  const world = await create();
  let accepted = 0;
  for (let net = 0; net < networks; net++)
    for (let nth = 0; nth < 10; nth++) {
      const from = `2001:db8:0:${(0x1200 + net).toString(16)}::1`;
      const email = `stranger${net * 10 + nth}@example.net`;
      if ((await subscribe(world, email, from, nth)).status === 303) accepted += 1;
    }
  await world.pass(MINUTE);
  const emailsInAMinute = world.sentMail.length;
  await subscribe(world, "newcomer@example.org", HOME);
  const newcomerAtOnce = (await emailsTo(world, "newcomer@example.org")) === 1;
  const neighbour = "2001:db8:0:ff00::1";
  const { status } = await subscribe(world, "neighbour@example.org", neighbour);
  await world.pass(HOUR, MINUTE);
  const neighbourWithinAnHour = (await emailsTo(world, "neighbour@example.org")) === 1;
  await world.end();
  return {
    accepted,
    emailsInAMinute,
    newcomerAtOnce,
    neighbourStatus: status,
    neighbourWithinAnHour,
  };
}

test("a /56 gets 24 emails out at once of 2,560; newcomers get theirs at once, neighbours in the /48 within the hour", async () => {
  const found = await floodFromOneHousehold(createWorld, 256);

  expect(found.accepted).toBe(10 * FACTORS.writesPer56);
  // Some of the held ones went within the minute that passed.
  expect(found.emailsInAMinute).toBeLessThanOrEqual(
    CAPS.confirmationEmailsAtOncePerNetwork.max + 4,
  );
  expect(found).toMatchObject({
    newcomerAtOnce: true,
    neighbourStatus: 303,
    neighbourWithinAnHour: true,
  });
}, 600_000);

test("without limits by network, everything goes at once", async () => {
  const unlimited = [
    withoutCaps("confirmationEmailsAtOnce", "confirmationEmailsAtOncePerNetwork"),
    {
      module: "src/core/caps.ts",
      name: "FACTORS",
      instead: "{ ...original.FACTORS, writesPer56: 1e9 }",
    },
  ];
  const found = await without(unlimited, async (copy) =>
    floodFromOneHousehold((await copy.worlds()).createWorld, 40),
  );

  expect(found.emailsInAMinute).toBe(400);
}, 600_000);

test("a neighbour whose /48 is flooded gets their email at once where they confirmed something before", async () => {
  const world = await createWorld();
  const neighbour = "2001:db8:0:ff00::1";
  await subscribe(world, "regular@example.org", neighbour, 1);
  await world.confirm("regular@example.org");
  for (let net = 0; net < 10; net++)
    for (let nth = 0; nth < 4; nth++) {
      const from = `2001:db8:0:${(net << 8).toString(16)}::1`;
      await subscribe(world, `stranger${net * 10 + nth}@example.net`, from, nth);
    }

  await subscribe(world, "regular@example.org", neighbour, 2);

  expect(await emailsTo(world, "regular@example.org")).toBe(2);
  await world.end();
});

// More networks than may mail at once.
async function floodFromManyNetworks(create: typeof createWorld) {
  const world = await create();
  await subscribe(world, "regular@example.org", HOME);
  await world.confirm("regular@example.org");
  for (let net = 0; net < 100; net++)
    for (let nth = 0; nth < 5; nth++)
      await subscribe(world, `stranger${net * 10 + nth}@example.net`, network(net), nth);
  // The newcomer is the last to come.
  await world.pass(1);
  await subscribe(world, "newcomer@example.org", "203.0.113.9");
  await subscribe(world, "regular@example.org", "198.51.100.9", 50);
  const regularAtOnce = (await emailsTo(world, "regular@example.org")) === 2;
  const emailsAtOnce = world.sentMail.length - 1;
  await world.pass(MINUTE, 15_000);
  const newcomerInAMinute = (await emailsTo(world, "newcomer@example.org")) === 1;
  await world.restart();
  await world.pass(2 * HOUR, MINUTE);
  const all = world.sentMail.filter(({ envelope }) => envelope.to.startsWith("stranger")).length;
  await world.end();
  return { emailsAtOnce, regularAtOnce, newcomerInAMinute, all };
}

test("a flood from a hundred networks waits behind newcomers, and all of it goes in the end, a restart in between", async () => {
  const found = await floodFromManyNetworks(createWorld);

  expect(found.emailsAtOnce).toBeLessThanOrEqual(CAPS.confirmationEmailsAtOnce.max);
  expect(found).toMatchObject({ regularAtOnce: true, newcomerInAMinute: true, all: 500 });
}, 600_000);

test("without turns, a newcomer waits behind the flood", async () => {
  const inOrder = {
    module: "db/email-order.ts",
    name: "firstInTurn",
    instead: `async ({ db, tables: { pending } }, now) => {
      const isDue = require("drizzle-orm").lte(pending.emailDueAt, now);
      const [row] = await db.select().from(pending).where(isDue).orderBy(pending.createdAt).limit(1);
      return row;
    }`,
  };
  const found = await without([inOrder], async (copy) =>
    floodFromManyNetworks((await copy.worlds()).createWorld),
  );

  expect(found.newcomerInAMinute).toBe(false);
}, 600_000);
