import { expect, test } from "bun:test";
import { DAY, HOUR, MINUTE } from "../support/time.ts";
import { createWorld, LOST_CAT, type World } from "../support/world.ts";
import { fewByDay } from "../support/nightly.ts";

const HERE = { lat: "45.7638", lng: "4.8412" };
const EARLY = {
  email: "early@example.org",
  note: "Asleep under the bridge.",
  from: "198.51.100.30",
  hoursAgo: "6",
};
const LATE = {
  email: "passer@example.org",
  note: "Crossing the red bridge.",
  from: "192.0.2.20",
  hoursAgo: "3",
};

type Seen = { email: string; note: string; from: string; hoursAgo?: string };

/** Tells of a sighting and confirms it; gives the status of the page that follows. */
async function see(world: World, slug: string, { from, ...seen }: Seen): Promise<number> {
  const asked = await world.post(`/alerts/${slug}/sighting`, { ...HERE, ...seen }, {}, from);
  if (asked.status !== 303) return asked.status;
  return (await world.confirm(seen.email)).status;
}

/** Strangers tell of one sighting each, a second apart; gives the statuses. */
async function flood(world: World, slug: string, count: number, from: (at: number) => string) {
  const statuses: number[] = [];
  for (let at = 0; at < count; at++) {
    world.jump(1_000);
    const spam = { email: `spam${at}@example.net`, note: `Spam number ${at}.`, from: from(at) };
    statuses.push(await see(world, slug, spam));
  }
  return statuses;
}

async function ownersEmails(world: World, subject: string): Promise<string[]> {
  const emails = await world.emails(LOST_CAT.email);
  return emails.filter((one) => one.subject?.startsWith(subject)).map(({ text }) => text ?? "");
}

test.each(fewByDay([25, 70]))(
  "one caller with %d mailboxes that floods an alert keeps no sighting of anybody else from the owner, nor from the alert's page",
  async (count) => {
    const world = await createWorld({ LIMIT_MESSAGE: "off" });
    const { slug } = await world.publish();
    await see(world, slug, EARLY);
    const spam = await flood(world, slug, count, (at) => `203.0.113.${(at % 250) + 1}`);
    await world.pass(MINUTE);

    expect(await see(world, slug, LATE)).toBe(200);

    expect(new Set(spam)).toEqual(new Set([200]));
    const atOnce = await ownersEmails(world, "Seen:");
    expect(atOnce).toHaveLength(1 + 5 + 1);
    expect(atOnce.at(-1)).toContain(LATE.note);
    await world.pass(HOUR, 10 * MINUTE);
    expect((await ownersEmails(world, "More messages")).join()).toContain("Spam number");
    const page = await world.text(`/alerts/${slug}`);
    for (const { note } of [EARLY, LATE]) expect(page).toContain(note);
    await world.end();
  },
);

test("thirty networks that flood an alert push what somebody else saw off no page of the owner", async () => {
  const world = await createWorld({ LIMIT_MESSAGE: "off" });
  const { slug } = await world.publish();
  await see(world, slug, EARLY);
  await flood(world, slug, 30, (at) => `203.0.${at}.9`);

  const page = await world.text(await world.linkTo(LOST_CAT.email, "/manage/"));

  expect(page).toContain(EARLY.note);
  expect(page).toContain("Spam number 0.");
  await world.end();
});

test("one sender has three sightings a day, and is told so", async () => {
  const world = await createWorld({ LIMIT_MESSAGE: "off" });
  const { slug } = await world.publish();
  for (const note of ["one", "two", "three"])
    expect(await see(world, slug, { ...LATE, note })).toBe(200);

  expect(await see(world, slug, { ...LATE, note: "four" })).toBe(429);
  world.jump(DAY + MINUTE);
  expect((await world.confirm(LATE.email)).status).toBe(200);
  await world.end();
});
