import { describe, expect, test } from "bun:test";
import { DAY, HOUR, MINUTE } from "../support/time.ts";
import { createWorld, LOST_CAT, type World } from "../support/world.ts";

const FLOODER = (at: number) => `203.0.113.${(at % 250) + 1}`;
const PASSERS_NETWORK = "192.0.2.20";
const HERE = { lat: "45.7638", lng: "4.8412" };

type Seen = { email: string; note: string; from: string; hoursAgo?: string };

/** Tells of a sighting and confirms it; gives the status of the page that follows. */
async function see(world: World, slug: string, { from, ...seen }: Seen): Promise<number> {
  const asked = await world.post(`/alerts/${slug}/sighting`, { ...HERE, ...seen }, {}, from);
  if (asked.status !== 303) return asked.status;
  return (await world.confirm(seen.email)).status;
}

async function ownersEmails(world: World, subject: string): Promise<string[]> {
  const emails = await world.emails(LOST_CAT.email);
  return emails.filter((one) => one.subject?.startsWith(subject)).map(({ text }) => text ?? "");
}

/** A passer-by tells of what was seen six hours ago; one caller floods the alert; a second passer-by follows. */
async function flood(mailboxes: number) {
  const world = await createWorld({ LIMIT_MESSAGE: "off" });
  try {
    const { slug } = await world.publish();
    await see(world, slug, {
      email: "early@example.org",
      note: "Asleep under the bridge.",
      from: "198.51.100.30",
      hoursAgo: "6",
    });
    const spam: number[] = [];
    for (let at = 0; at < mailboxes; at++) {
      world.jump(1_000);
      const note = `Spam number ${at}.`;
      spam.push(
        await see(world, slug, { email: `spam${at}@example.net`, note, from: FLOODER(at) }),
      );
    }
    await world.pass(MINUTE);
    const passer = await see(world, slug, {
      email: "passer@example.org",
      note: "Crossing the red bridge.",
      from: PASSERS_NETWORK,
      hoursAgo: "3",
    });
    const atOnce = await ownersEmails(world, "Seen:");
    await world.pass(HOUR, 10 * MINUTE);
    const digests = await ownersEmails(world, "More messages");
    return { spam, passer, atOnce, digests, page: await world.text(`/alerts/${slug}`) };
  } finally {
    await world.end();
  }
}

describe.each([[7], [70]])("one caller with %d mailboxes that floods an alert", (mailboxes) => {
  test("keeps no sighting of anybody else from the owner, nor from the alert's page", async () => {
    const { spam, passer, atOnce, digests, page } = await flood(mailboxes);

    expect(new Set(spam)).toEqual(new Set([200]));
    expect(passer).toBe(200);
    expect(atOnce).toHaveLength(1 + 5 + 1);
    expect(atOnce.at(-1)).toContain("Crossing the red bridge.");
    expect(digests.join()).toContain("Spam number");
    expect(page).toContain("Asleep under the bridge.");
    expect(page).toContain("Crossing the red bridge.");
  });
});

test("thirty networks that flood an alert push what somebody else saw off no page of the owner", async () => {
  const world = await createWorld({ LIMIT_MESSAGE: "off" });
  try {
    const { slug } = await world.publish();
    const note = "Asleep under the bridge.";
    const from = PASSERS_NETWORK;
    await see(world, slug, { email: "early@example.org", note, from, hoursAgo: "6" });
    for (let at = 0; at < 30; at++)
      await see(world, slug, {
        email: `spam${at}@example.net`,
        note: `Spam number ${at}.`,
        from: `203.0.${at}.9`,
      });

    const page = await world.text(await world.linkTo(LOST_CAT.email, "/manage/"));

    expect(page).toContain(note);
    expect(page).toContain("Spam number 0.");
  } finally {
    await world.end();
  }
});

test("one sender has three sightings a day, and is told so", async () => {
  const world = await createWorld({ LIMIT_MESSAGE: "off" });
  try {
    const { slug } = await world.publish();
    const from = PASSERS_NETWORK;
    const email = "passer@example.org";
    for (const note of ["one", "two", "three"])
      expect(await see(world, slug, { email, note, from })).toBe(200);

    expect(await see(world, slug, { email, note: "four", from })).toBe(429);
    world.jump(DAY + MINUTE);
    expect((await world.confirm(email)).status).toBe(200);
  } finally {
    await world.end();
  }
});
