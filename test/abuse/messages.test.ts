import { expect, test } from "bun:test";
import { DAY, HOUR, MINUTE } from "../support/time.ts";
import { createWorld, FINDER, LOST_CAT, type World } from "../support/world.ts";
import { fewByDay, nightlyTest } from "../support/nightly.ts";

/** Addresses of one network (/24), and one of another. */
const FLOODER = (at: number) => `203.0.113.${(at % 250) + 1}`;
const FINDERS_NETWORK = "192.0.2.20";
const FOUND = { email: FINDER, message: "I have your cat in my kitchen.", from: FINDERS_NETWORK };

type Sent = { readonly email: string; readonly message: string; readonly from: string };

/** A world with an alert to write to. */
async function alertIn(work: (world: World, slug: string) => Promise<void>): Promise<void> {
  const world = await createWorld({ LIMIT_MESSAGE: "off" });
  try {
    await work(world, (await world.publish()).slug);
  } finally {
    await world.end();
  }
}

/** Writes to the owner and confirms; gives the status of the page that follows. */
async function write(world: World, slug: string, { email, message, from }: Sent): Promise<number> {
  const asked = await world.post(`/alerts/${slug}/contact`, { email, message }, {}, from);
  if (asked.status !== 303) return asked.status;
  return (await world.confirm(email)).status;
}

/** Strangers write one message each, a second apart; gives the statuses. */
async function flood(
  world: World,
  slug: string,
  { first = 0, count, from }: { first?: number; count: number; from: (at: number) => string },
): Promise<number[]> {
  const statuses: number[] = [];
  for (let at = first; at < first + count; at++) {
    const sent = { email: `p${at}@example.net`, message: `Message ${at}.`, from: from(at) };
    statuses.push(await write(world, slug, sent));
    world.jump(1_000);
  }
  return statuses;
}

/** The bodies of what the owner got about messages, by the start of the subject. */
async function ownersEmails(world: World, subject: string): Promise<string[]> {
  const emails = await world.emails(LOST_CAT.email);
  return emails.filter((one) => one.subject?.startsWith(subject)).map(({ text }) => text ?? "");
}
const atOnce = (world: World) => ownersEmails(world, "New message:");
const digests = (world: World) => ownersEmails(world, "More messages");
const conversationLinks = (text: string) => text.match(/\S+\/conversation\/\S+/g) ?? [];
const manageLink = (world: World) => world.linkTo(LOST_CAT.email, "/manage/");

test.each(fewByDay([7, 70]))(
  "one caller with %d mailboxes that writes to one alert keeps no message of anybody else from its owner, and loses none of its own",
  (count) =>
    alertIn(async (world, slug) => {
      const spam = await flood(world, slug, { count, from: FLOODER });
      // The digest of the spam has just gone: the worst moment.
      await world.pass(MINUTE);

      expect(await write(world, slug, FOUND)).toBe(200);

      expect(new Set(spam)).toEqual(new Set([200]));
      expect(await atOnce(world)).toHaveLength(5 + 1);
      expect((await atOnce(world)).at(-1)).toContain(FOUND.message);
      await world.pass(HOUR, 10 * MINUTE);
      expect((await digests(world)).length).toBeWithin(1, 3);
      expect((await digests(world)).join()).toContain("Message");
      const manage = await world.text(await manageLink(world));
      expect(manage).toContain(FOUND.message);
      expect(manage).toContain(`Messages (${count + 1})`);
    }),
);

test("beyond the emails of a day a newcomer's message comes first in the digest and on the owner's page, and opens its conversation", () =>
  alertIn(async (world, slug) => {
    const from = (at: number) => `203.0.${113 + (at % 4)}.9`;
    await flood(world, slug, { count: 25, from });
    await write(world, slug, FOUND);
    await flood(world, slug, { first: 25, count: 15, from });
    expect(await atOnce(world)).toHaveLength(20);
    await world.pass(HOUR + MINUTE, 10 * MINUTE);

    const told = (await digests(world)).find((text) => text.includes(FOUND.message)) ?? "";
    expect(conversationLinks(told).length).toBeGreaterThan(1);
    await flood(world, slug, { first: 40, count: 40, from });
    expect(await world.text(await manageLink(world))).toContain(FOUND.message);
  }));

nightlyTest(
  "one message from each of sixty networks hides no message of a finder: what no digest shows is told by the next",
  () =>
    alertIn(async (world, slug) => {
      const from = (at: number) => `203.0.${at}.9`;
      await flood(world, slug, { count: 22, from });
      await write(world, slug, FOUND);
      await flood(world, slug, { first: 30, count: 60, from });
      await world.pass(8 * HOUR, 10 * MINUTE);

      expect((await digests(world)).join()).toContain(FOUND.message);
    }),
  600_000,
);

test("every conversation of a digest opens by its own link, the rest is counted, and what a stranger erased is not there; the owner's page leads to all", () =>
  alertIn(async (world, slug) => {
    await flood(world, slug, { count: 55, from: FLOODER });
    await world.app.operator.erasePerson("p54@example.net");
    await world.pass(2 * HOUR, 10 * MINUTE);

    const told = await digests(world);
    const links = told.flatMap(conversationLinks);
    expect(new Set(links).size).toBe(links.length);
    for (const link of links) expect(await world.text(link)).toMatch(/Message \d+\./);
    expect(told.join()).toMatch(/And \d+ more conversations/);
    expect(told.join()).toContain("/manage/");
    expect(told.join()).toContain("Message 53.");
    expect(told.join()).not.toContain("Message 54.");

    const texts = new Set<string>();
    const manage = await manageLink(world);
    for (let next: string | undefined = manage; next !== undefined;) {
      const page: string = await world.text(next);
      for (const [text] of page.matchAll(/Message \d+\./g)) texts.add(text);
      next = /href="([^"]*)">More messages</.exec(page)?.[1];
    }
    expect(texts.size).toBe(54);
    expect(await world.text(`${manage}?messages=9999`)).toContain("Messages");
  }));

test("a stream of messages brings one digest an hour", () =>
  alertIn(async (world, slug) => {
    for (let first = 0; first < 14; first++) {
      await flood(world, slug, { first, count: 1, from: FLOODER });
      await world.pass(10 * MINUTE, 5 * MINUTE);
    }

    expect(await atOnce(world)).toHaveLength(5);
    // The others came within an hour and a half.
    expect((await digests(world)).length).toBeWithin(1, 4);
  }));

test("one sender has three messages a day, and is told so; the message waits", () =>
  alertIn(async (world, slug) => {
    const pages: Response[] = [];
    for (const message of ["one", "two", "three", "four"]) {
      await world.post(`/alerts/${slug}/contact`, { email: FINDER, message });
      pages.push(await world.confirm(FINDER));
    }

    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(await pages.at(-1)?.text()).toContain(
      "You have reached the daily limit of messages about this alert",
    );
    world.jump(DAY + MINUTE);
    expect((await world.confirm(FINDER)).status).toBe(200);
  }));
