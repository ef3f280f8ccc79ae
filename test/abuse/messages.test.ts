import { describe, expect, test } from "bun:test";
import { DAY, HOUR, MINUTE } from "../support/time.ts";
import { createWorld, FINDER, LOST_CAT, type World } from "../support/world.ts";
import { fewByDay, isNightly, nightlyTest } from "../support/nightly.ts";

/** Addresses of one network (/24), and one of another. */
const FLOODER = (at: number) => `203.0.113.${(at % 250) + 1}`;
const FINDERS_NETWORK = "192.0.2.20";

type Sent = { readonly email: string; readonly message: string; readonly from: string };

/** Writes to the owner and confirms; gives the status of the page that follows. */
async function write(world: World, slug: string, { email, message, from }: Sent): Promise<number> {
  const asked = await world.post(`/alerts/${slug}/contact`, { email, message }, {}, from);
  if (asked.status !== 303) return asked.status;
  return (await world.confirm(email)).status;
}

/** The bodies of what the owner got about messages, by the start of the subject. */
async function ownersEmails(world: World, subject: string): Promise<string[]> {
  const emails = await world.emails(LOST_CAT.email);
  return emails.filter((one) => one.subject?.startsWith(subject)).map(({ text }) => text ?? "");
}

const conversationLinks = (text: string) => text.match(/\S+\/conversation\/\S+/g) ?? [];

/** One caller with so many mailboxes writes to one alert; then a finder does, from another network. */
async function flood(mailboxes: number) {
  const world = await createWorld({ LIMIT_MESSAGE: "off" });
  try {
    const { slug } = await world.publish();
    const spam = await Array.fromAsync({ length: mailboxes }, (_, at) =>
      write(world, slug, {
        email: `spam${at}@example.net`,
        message: `Spam number ${at}.`,
        from: FLOODER(at),
      }),
    );
    // The digest of the spam has just gone: the worst moment.
    await world.pass(MINUTE);
    const finders = await write(world, slug, {
      email: FINDER,
      message: "I have your cat in my kitchen.",
      from: FINDERS_NETWORK,
    });
    const atOnce = await ownersEmails(world, "New message:");
    await world.pass(HOUR, 10 * MINUTE);
    const digests = await ownersEmails(world, "More messages");
    const manage = await world.text(await world.linkTo(LOST_CAT.email, "/manage/"));
    return { spam, finders, atOnce, digests, manage };
  } finally {
    await world.end();
  }
}

/** Four networks use up the emails of the day; a finder writes from a fifth, in the middle of it. */
async function floodFromSeveral() {
  const world = await createWorld({ LIMIT_MESSAGE: "off" });
  try {
    const { slug } = await world.publish();
    const spam = async (from: number, to: number) => {
      for (let at = from; at < to; at++) {
        world.jump(1_000);
        await write(world, slug, {
          email: `spam${at}@example.net`,
          message: `Spam number ${at}.`,
          from: `203.0.${113 + (at % 4)}.9`,
        });
      }
    };
    await spam(0, 25);
    await write(world, slug, {
      email: FINDER,
      message: "I have your cat in my kitchen.",
      from: FINDERS_NETWORK,
    });
    await spam(25, 40);
    const atOnce = await ownersEmails(world, "New message:");
    await world.pass(HOUR + MINUTE, MINUTE);
    const digests = await ownersEmails(world, "More messages");
    await spam(40, 80);
    const manage = await world.text(await world.linkTo(LOST_CAT.email, "/manage/"));
    return { atOnce, digests, manage };
  } finally {
    await world.end();
  }
}

/** One sender writes four times in a day, and presses the last button again the day after. */
async function writeOften() {
  const world = await createWorld({ LIMIT_MESSAGE: "off" });
  try {
    const { slug } = await world.publish();
    const pages: Response[] = [];
    for (const message of ["one", "two", "three", "four"]) {
      await world.post(`/alerts/${slug}/contact`, { email: FINDER, message });
      pages.push(await world.confirm(FINDER));
    }
    const refusal = (await pages.at(-1)?.text()) ?? "";
    world.jump(DAY + MINUTE);
    const nextDay = (await world.confirm(FINDER)).status;
    return { statuses: pages.map(({ status }) => status), refusal, nextDay };
  } finally {
    await world.end();
  }
}

describe.each(fewByDay([[7], [70]]))(
  "one caller with %d mailboxes that writes to one alert",
  (mailboxes) => {
    test("keeps no message of anybody else from its owner, and loses none of its own", async () => {
      const { spam, finders, atOnce, digests, manage } = await flood(mailboxes);

      expect(new Set(spam)).toEqual(new Set([200]));
      expect(finders).toBe(200);
      expect(atOnce).toHaveLength(5 + 1);
      expect(atOnce.at(-1)).toContain("I have your cat in my kitchen.");
      expect(digests.length).toBeGreaterThanOrEqual(1);
      expect(digests.length).toBeLessThanOrEqual(2);
      expect(digests.join()).toContain("Spam number");
      expect(manage).toContain("I have your cat in my kitchen.");
      expect(manage).toContain(`Messages (${mailboxes + 1})`);
    });
  },
);

describe("beyond the emails of a day", () => {
  test("a newcomer's message comes first in the digest and on the owner's page, and opens its conversation", async () => {
    const { atOnce, digests, manage } = await floodFromSeveral();

    expect(atOnce).toHaveLength(20);
    const told = digests.find((text) => text.includes("kitchen"));
    expect(told).toBeDefined();
    expect(conversationLinks(told ?? "").length).toBeGreaterThan(1);
    expect(manage).toContain("I have your cat in my kitchen.");
  });

  nightlyTest(
    "fifteen networks that go on writing keep no newcomer's message out of the next digest",
    async () => {
      const world = await createWorld({ LIMIT_MESSAGE: "off" });
      const { slug } = await world.publish();
      let sent = 0;
      const round = async () => {
        for (let net = 0; net < 15; net++) {
          const email = `spam${sent++}@example.net`;
          await write(world, slug, { email, message: "Seen.", from: `203.0.${net}.9` });
          world.jump(1_000);
        }
      };
      for (let at = 0; at < 3; at++) await round();
      await write(world, slug, {
        email: FINDER,
        message: "I have your cat in my kitchen.",
        from: FINDERS_NETWORK,
      });
      world.jump(1_000);
      await round();
      await world.pass(HOUR + MINUTE, MINUTE);

      expect((await ownersEmails(world, "More messages")).join()).toContain("kitchen");
      await world.end();
    },
  );

  nightlyTest(
    "one message from each of sixty networks hides no message of a finder: what no digest shows is told by the next",
    async () => {
      const world = await createWorld({ LIMIT_MESSAGE: "off" });
      const { slug } = await world.publish();
      const spam = async (from: number, to: number) => {
        for (let at = from; at < to; at++) {
          const email = `spam${at}@example.net`;
          await write(world, slug, { email, message: "Seen.", from: `203.0.${at}.9` });
          world.jump(1_000);
        }
      };
      await spam(0, 22);
      const message = "I have your cat in my kitchen.";
      await write(world, slug, { email: FINDER, message, from: FINDERS_NETWORK });
      world.jump(1_000);
      await spam(30, 90);
      await world.pass(8 * HOUR, 10 * MINUTE);

      expect((await ownersEmails(world, "More messages")).join()).toContain("kitchen");
      await world.end();
    },
    600_000,
  );

  test("every conversation of a digest opens by its own link, and the rest is counted", async () => {
    const world = await createWorld({ LIMIT_MESSAGE: "off" });
    try {
      const { slug } = await world.publish();
      for (let at = 0; at < 25; at++)
        await write(world, slug, {
          email: `p${at}@example.net`,
          message: `Message ${at}.`,
          from: FLOODER(at),
        });
      await world.pass(2 * HOUR, MINUTE);

      const digests = await ownersEmails(world, "More messages");
      const links = digests.flatMap(conversationLinks);
      const pages = await Promise.all(links.map((link) => world.text(link)));

      expect(new Set(links).size).toBe(links.length);
      for (const page of pages) expect(page).toMatch(/Message \d+\./);
      expect(digests.join()).toMatch(/And \d+ more conversations/);
      expect(digests.join()).toContain("/manage/");
    } finally {
      await world.end();
    }
  });

  test("the owner's page leads to every conversation, however many there are", async () => {
    const world = await createWorld({ LIMIT_MESSAGE: "off" });
    try {
      const { slug } = await world.publish();
      const manage = await world.linkTo(LOST_CAT.email, "/manage/");
      for (let at = 0; at < 55; at++)
        await write(world, slug, {
          email: `p${at}@example.net`,
          message: `Message ${at}.`,
          from: FLOODER(at),
        });

      const texts = [];
      let next: string | undefined = manage;
      while (next !== undefined) {
        const page: string = await world.text(next);
        texts.push(...(page.match(/Message \d+\./g) ?? []));
        next = /href="([^"]*)">More messages</.exec(page)?.[1];
      }

      expect(new Set(texts).size).toBe(55);
      expect(await world.text(`${manage}?messages=9999`)).toContain("Messages");
    } finally {
      await world.end();
    }
  });

  test("a stream of messages brings one digest an hour", async () => {
    const world = await createWorld({ LIMIT_MESSAGE: "off" });
    try {
      const { slug } = await world.publish();
      for (let at = 0; at < (isNightly ? 29 : 14); at++) {
        await write(world, slug, {
          email: `p${at}@example.net`,
          message: `Message ${at}.`,
          from: FLOODER(at),
        });
        await world.pass(10 * MINUTE, MINUTE);
      }

      // Five at once; the others within four hours.
      expect((await ownersEmails(world, "More messages")).length).toBeLessThanOrEqual(5);
      expect((await ownersEmails(world, "New message:")).length).toBe(5);
    } finally {
      await world.end();
    }
  });

  test("one sender has three messages a day, and is told so; the message waits", async () => {
    const { statuses, refusal, nextDay } = await writeOften();

    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(refusal).toContain("You have reached the daily limit of messages about this alert");
    expect(nextDay).toBe(200);
  });

  test("what a stranger erases is in no digest, and the rest of it comes all the same", async () => {
    const world = await createWorld({ LIMIT_MESSAGE: "off" });
    try {
      const { slug } = await world.publish();
      for (let at = 0; at < 8; at++)
        await write(world, slug, {
          email: `p${at}@example.net`,
          message: `Message ${at}.`,
          from: FLOODER(at),
        });
      await world.app.operator.erasePerson("p6@example.net");
      await world.pass(2 * HOUR, MINUTE);

      const digests = (await ownersEmails(world, "More messages")).join();
      expect(digests).not.toContain("Message 6.");
      expect(digests).toContain("Message 7.");
    } finally {
      await world.end();
    }
  });
});
