import { describe, expect, test } from "bun:test";
import { CAPS } from "../../src/core/caps.ts";
import { makeBulk, makeDraft } from "../support/make.ts";
import { DAY, HOUR, MINUTE } from "../support/time.ts";
import { createWorld, type World } from "../support/world.ts";

const VICTIM = "victim@example.org";
const ATTACKER = "attacker@evil.example";
/** An owner and a finder elsewhere whom nobody attacks. */
const BYSTANDERS = ["anna@example.org", "ben@example.net"] as const;

const PET = {
  species: "cat",
  name: "Mimi",
  color: "tortoiseshell",
  breed: "Cornish Rex",
  size: "small",
  sex: "female",
  age: "adult",
} as const;
const LYON = { lat: 45.77, lng: 4.83 };
const LISBON = { lat: 38.72, lng: -9.14 };
/** Alerts that came to be without an email; each has an owner of its own. */
async function addAlerts(
  world: World,
  type: "lost" | "found",
  points: readonly { lat: number; lng: number }[],
  { owner, isCompared, name = PET.name }: { owner: string; isCompared: boolean; name?: string },
): Promise<string[]> {
  const alerts = points.map((point, nth) =>
    makeBulk({
      draft: makeDraft({
        ...PET,
        name,
        type,
        point,
        id: Bun.randomUUIDv7(),
        eventDate: "2026-05-01",
        custody: type === "found" ? "finder" : null,
      }),
      ownerEmail: owner.replace("@", `${nth}@`),
      expiresAt: world.now() + 60 * DAY,
      announce: isCompared,
    }),
  );
  await world.app.service.alerts.add(alerts);
  return alerts.map(({ draft }) => draft.slug);
}

/** Emails about matches to addresses that a pattern fits: one for each, and digests. */
async function matchEmails(world: World, to: RegExp) {
  const sent = world.sentMail
    .filter(({ envelope }) => to.test(envelope.to))
    .map(({ envelope, mail }) => ({ to: envelope.to, subject: mail.subject, text: mail.text }))
    .filter(({ text }) => text.includes("/pair/"));
  const digests = sent.filter(({ text }) => text.split("/pair/").length > 2 || isDigest(text));
  return { all: sent, digests, single: sent.filter((one) => !digests.includes(one)) };
}
const isDigest = (text: string) => text.startsWith("1 more possible match");

/** Both halves of a pair nobody attacks; gives how many of their owners are told within a minute. */
async function publishBystanders(world: World): Promise<number> {
  for (const [nth, email] of BYSTANDERS.entries())
    await world.publish({
      ...PET,
      ...LISBON,
      type: nth === 0 ? "lost" : "found",
      email,
      event_date: "2026-05-01",
    });
  await world.pass(MINUTE);
  return (await matchEmails(world, /anna@|ben@/)).single.length;
}

const token = (link: string) => new URL(link).pathname.split("/").at(-1) ?? "";

describe("an alert that is edited into the likeness of sixty others", () => {
  const STRANGERS = 60;

  async function attack() {
    const world = await createWorld({ LIMIT_PUBLISH: "off" });
    const points = Array.from({ length: STRANGERS }, (_, nth) => ({
      lat: 40 + (nth % 10),
      lng: -1 + Math.floor(nth / 10),
    }));
    await addAlerts(world, "lost", points, { owner: "stranger@example.org", isCompared: false });
    await world.publish({ type: "found", species: "cat", color: "white", email: ATTACKER });
    const manage = token(await world.linkTo(ATTACKER, "/manage/"));
    const { species: _species, ...claim } = PET;
    for (const point of points) {
      await world.app.service.owners.edit(manage, { ...claim, ...point, eventDate: "2026-05-01" });
      await world.pass(1000);
    }
    const told = async () =>
      new Set((await matchEmails(world, /^stranger/)).all.map(({ to }) => to)).size;
    const withinMinute = await told();
    const bystanders = await publishBystanders(world);
    await world.pass(DAY, HOUR);
    const withinDay = await told();
    await world.end();
    return { withinMinute, withinDay, bystanders };
  }

  test("reaches none of their owners at once, and next to none in a day; others are told as ever", async () => {
    expect(await attack()).toEqual({ withinMinute: 0, withinDay: 1, bystanders: 2 });
  });

  test("is shown to moderators, without anybody's address, until they say that nothing is wrong", async () => {
    const world = await createWorld({ ADMIN_EMAILS: "mod@example.org" });
    const alert = await world.publish({ email: ATTACKER });
    const manage = token(await world.linkTo(ATTACKER, "/manage/"));
    const edit = async (correction: object) => {
      await world.pass(MINUTE);
      await world.app.service.owners.edit(manage, correction);
    };
    const odd = async () => (await world.app.operator.moderationQueue()).oddEdits;

    for (const color of ["red", "white", "black", "grey"]) await edit({ color });
    for (let nth = 0; nth < 9; nth++) await edit({ description: `shy ${nth}` });
    expect(await odd()).toEqual([]);
    await edit({ color: "brown" });

    expect(await odd()).toMatchObject([{ alert: { id: alert.id }, editsInDay: 5, editsInWeek: 5 }]);
    expect(JSON.stringify(await odd())).not.toContain("evil.example");
    await world.app.operator.moderate("dismiss", alert.id);
    expect(await odd()).toEqual([]);
    await world.end();
  });
});

describe("an alert that looks like twelve others at once", () => {
  const STRANGERS = 12;

  async function attack() {
    const world = await createWorld();
    const points = Array.from({ length: STRANGERS }, () => LYON);
    await addAlerts(world, "lost", points, { owner: "stranger@example.org", isCompared: false });
    await world.publish({
      ...PET,
      ...LYON,
      type: "found",
      email: ATTACKER,
      event_date: "2026-05-01",
    });
    const told: number[] = [];
    for (let day = 0; day < 3; day++) {
      await world.pass(HOUR, 10 * MINUTE);
      told.push(new Set((await matchEmails(world, /^stranger/)).all.map(({ to }) => to)).size);
      await world.pass(DAY - HOUR, HOUR);
    }
    await world.end();
    return told;
  }

  test("causes five emails a day to their owners, and the pairs held back are told on the days after", async () => {
    expect(await attack()).toEqual([5, 10, 12]);
  });
});

describe("an alert that is renewed again and again", () => {
  const RENEWALS = 9;

  async function attack() {
    const world = await createWorld();
    await world.publish({
      ...PET,
      ...LYON,
      type: "found",
      email: ATTACKER,
      event_date: "2026-05-01",
    });
    const manage = token(await world.linkTo(ATTACKER, "/manage/"));
    await world.tick();
    for (let nth = 0; nth < RENEWALS; nth++) {
      await addAlerts(world, "lost", [LYON], {
        owner: `stranger-${nth}@example.org`,
        isCompared: false,
      });
      await world.pass(MINUTE);
      await world.app.service.owners.changeStatus(manage, "renew");
      await world.pass(MINUTE);
    }
    const told = async () => (await matchEmails(world, /^attacker/)).single.length;
    const withinHour = await told();
    await world.pass(DAY, HOUR);
    const nextDay = await told();
    await world.end();
    return { withinHour, nextDay };
  }

  test("is compared five times a day, and what came meanwhile is found by the next comparison", async () => {
    const { withinHour, nextDay } = await attack();

    // One comparison was that of the publication, which found nothing.
    expect(withinHour).toBe(CAPS.comparisonsPerAlert.max - 1);
    expect(nextDay).toBe(RENEWALS);
  });
});

describe("a hundred and fourteen alerts that look like one owner's", () => {
  const ALERTS = 114;
  const SPELLINGS = [VICTIM, "victim+cats@example.org"] as const;

  async function attack() {
    const world = await createWorld({ LIMIT_PUBLISH: "off" });
    for (const email of SPELLINGS)
      await world.publish({ ...PET, ...LYON, type: "lost", email, event_date: "2026-05-01" });
    await world.pass(MINUTE);
    const points = Array.from({ length: ALERTS }, () => LYON);
    await addAlerts(world, "found", points, { owner: "attacker@evil.example", isCompared: true });
    await world.pass(HOUR, MINUTE);
    const genuine = await world.publish({
      ...PET,
      ...LYON,
      type: "found",
      name: undefined,
      email: "finder@example.net",
      event_date: "2026-05-02",
    });
    const bystanders = await publishBystanders(world);
    await world.pass(DAY - HOUR - 5 * MINUTE, 10 * MINUTE);
    const { all, digests } = await matchEmails(world, /^victim/);
    await world.pass(2 * DAY, HOUR);
    const later = await matchEmails(world, /^victim/);
    await world.end();
    const names = (emails: readonly { text: string }[]) =>
      emails.filter(({ text }) => text.includes(genuine.slug)).length;
    return {
      inDay: all.length,
      digestsInDay: digests.length,
      inThreeDays: later.all.length,
      genuine: names(later.all) > 0,
      pairsInDigests: Math.max(...later.digests.map(({ text }) => text.split("/pair/").length - 1)),
      digest: later.digests[0]?.text ?? "",
      bystanders,
    };
  }

  test("bring eleven emails in a day to all spellings of the mailbox, and the genuine pair is among what they tell", async () => {
    const facts = await attack();

    expect(facts).toMatchObject({
      inDay: CAPS.matchEmailsPerMailbox.max + CAPS.matchDigestsPerMailbox.max,
      digestsInDay: 1,
      genuine: true,
      pairsInDigests: 10,
      bystanders: 2,
    });
    expect(facts.inThreeDays).toBeLessThanOrEqual(3 + CAPS.matchEmailsPerMailbox.max);
    expect(facts.digest).toMatch(/\d+ more possible matches will follow/);
    expect(facts.digest.split("/unsubscribe/")).toHaveLength(2);
  });
});

test("copies of a lost alert do not stand before it when its animal is found", async () => {
  const world = await createWorld();
  await world.publish({ ...PET, ...LYON, type: "lost", email: VICTIM, event_date: "2026-05-01" });
  const points = Array.from({ length: 20 }, () => LYON);
  await addAlerts(world, "lost", points, { owner: "copy@evil.example", isCompared: false });
  await world.publish({
    ...PET,
    ...LYON,
    type: "found",
    email: "finder@example.net",
    event_date: "2026-05-01",
  });
  await world.pass(MINUTE);

  expect((await matchEmails(world, /^victim/)).single).toHaveLength(1);
  expect((await matchEmails(world, /^copy/)).single).toHaveLength(4);
  await world.end();
});

test("likelier alerts planted from a few mail domains do not keep a lost alert's owner waiting for days", async () => {
  const world = await createWorld({ LIMIT_PUBLISH: "off" });
  const seen = { species: "cat", color: "grey", ...LYON };
  const looks = { breed: "siamese", size: "small", sex: "female", age: "adult" };
  const lost = { ...seen, breed: looks.breed, sex: looks.sex, type: "lost", name: "Mimi" };
  await world.publish({ ...lost, email: VICTIM });
  world.jump(MINUTE);
  for (let nth = 0; nth < 12; nth++)
    await world.publish({ ...lost, ...looks, email: `planted${nth}@${nth % 2}.example` });
  await world.pass(HOUR, 5 * MINUTE);

  const found = { ...seen, ...looks, type: "found", custody: "finder", name: undefined };
  const { short_code: code } = await world.publish({ ...found, email: BYSTANDERS[1] });
  await world.pass(HOUR, 5 * MINUTE);

  const told = (await matchEmails(world, /^(victim|planted)/)).single.filter(({ text }) =>
    text.includes(code),
  );
  expect(told).toHaveLength(CAPS.matchEmailsPerAlert.max);
  expect(told.map(({ to }) => to)).toContain(VICTIM);
  await world.end();
});

test("a digest's one link ends match emails for all alerts of its owner, and of nobody else", async () => {
  const world = await createWorld();
  const lost = { ...PET, ...LYON, type: "lost", email: VICTIM, event_date: "2026-05-01" };
  await world.publish(lost);
  await world.publish({ ...lost, ...LISBON, name: "Lola", color: "black" });
  const points = Array.from({ length: 12 }, () => LYON);
  await addAlerts(world, "found", points, { owner: "finder@example.net", isCompared: true });
  await world.pass(3 * HOUR, 30 * MINUTE);
  const { digests } = await matchEmails(world, /^victim/);
  const before = (await matchEmails(world, /./)).all.length;

  const stop = /\/unsubscribe\/\S+/.exec(digests[0]?.text ?? "")?.[0] ?? "";
  expect(await world.text(stop)).toContain("for all your alerts?");
  expect((await world.post(stop, { "List-Unsubscribe": "One-Click" })).status).toBe(200);
  for (const point of [LYON, LISBON]) {
    const look = point === LYON ? {} : { name: "Lola", color: "black" };
    const found = { ...lost, ...point, ...look, type: "found", event_date: "2026-05-02" };
    await world.publish({ ...found, email: "late@example.net" });
  }
  await world.pass(2 * DAY, HOUR);

  expect((await matchEmails(world, /^victim/)).all).toHaveLength(11);
  expect((await matchEmails(world, /^late/)).all).toHaveLength(2);
  expect((await matchEmails(world, /./)).all).toHaveLength(before + 2);
  await world.end();
});

test("a digest's one link ends them for the other alerts of its owner when those in it are removed", async () => {
  const world = await createWorld();
  const lost = { ...PET, ...LYON, type: "lost", email: VICTIM, event_date: "2026-05-01" };
  await world.publish(lost);
  const manage = await world.linkTo(VICTIM, "/manage/");
  await world.publish({ ...lost, ...LISBON, name: "Lola", color: "black" });
  const points = Array.from({ length: 12 }, () => LYON);
  await addAlerts(world, "found", points, { owner: "finder@example.net", isCompared: true });
  await world.pass(3 * HOUR, 30 * MINUTE);
  const { all, digests } = await matchEmails(world, /^victim/);
  const stop = /\/unsubscribe\/\S+/.exec(digests[0]?.text ?? "")?.[0] ?? "";

  await world.post(`${manage}/remove`);
  await world.post(stop, { "List-Unsubscribe": "One-Click" });
  const look = { name: "Lola", color: "black", type: "found", event_date: "2026-05-02" };
  await world.publish({ ...lost, ...LISBON, ...look, email: "late@example.net" });
  await world.pass(2 * DAY, HOUR);

  expect((await matchEmails(world, /^late/)).all).toHaveLength(1);
  expect((await matchEmails(world, /^victim/)).all).toHaveLength(all.length);
  await world.end();
});
