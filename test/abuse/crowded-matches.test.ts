import { describe, expect, test } from "bun:test";
import { makeBulk, makeDraft } from "../support/make.ts";
import { DAY, HOUR, MINUTE } from "../support/time.ts";
import { createWorld, type World } from "../support/world.ts";
import { isNightly } from "../support/nightly.ts";

const VICTIM = "victim@example.org";
const FINDER = "finder@example.net";
const LOST = {
  species: "cat",
  name: "Mimi",
  color: "tortoiseshell",
  breed: "Cornish Rex",
  size: "small",
  sex: "female",
  lat: 45.77,
  lng: 4.83,
  event_date: "2026-05-01",
  type: "lost",
} as const;
const FOUND = { ...LOST, type: "found", name: undefined, event_date: "2026-05-02" } as const;

/** Lookalikes that came to be without an email, each with an address of its own. */
async function plant(
  world: World,
  type: "lost" | "found",
  count: number,
  address = "attacker@evil.example",
  isCompared = false,
) {
  const { lat, lng, event_date: _date, ...looks } = LOST;
  const alerts = Array.from({ length: count }, (_, nth) =>
    makeBulk({
      draft: makeDraft({
        ...looks,
        age: "adult",
        point: { lat, lng },
        type,
        id: Bun.randomUUIDv7(),
        eventDate: "2026-05-01",
        custody: type === "found" ? "finder" : null,
      }),
      ownerEmail: address.replace("@", `${nth}@`),
      expiresAt: world.now() + 60 * DAY,
      announce: isCompared,
    }),
  );
  await world.app.service.alerts.add(alerts);
}

/** True if an email about this alert's match went to an address. */
const isTold = (world: World, to: string, code: string) =>
  world.sentMail.some(
    ({ envelope, mail }) =>
      envelope.to === to && mail.text.includes("/pair/") && mail.text.includes(code),
  );

test.each(isNightly ? [60, 200] : [200])(
  "%d likelier lost alerts do not keep an owner from hearing of the true find",
  async (count) => {
    const world = await createWorld({ LIMIT_PUBLISH: "off" });
    await world.publish({ ...LOST, email: VICTIM });
    await plant(world, "lost", count);
    await world.pass(HOUR, 5 * MINUTE);
    const { short_code: code } = await world.publish({ ...FOUND, age: "adult", email: FINDER });
    await world.pass(2 * DAY, HOUR);
    expect(isTold(world, VICTIM, code)).toBe(true);
    await world.end();
  },
);

test.each(isNightly ? [60, 200] : [200])(
  "%d likelier finds do not keep an owner from hearing of the true one",
  async (count) => {
    const world = await createWorld({ LIMIT_PUBLISH: "off" });
    const { short_code: code } = await world.publish({ ...FOUND, email: FINDER });
    await plant(world, "found", count);
    await world.pass(HOUR, 5 * MINUTE);
    await world.publish({ ...LOST, age: "adult", email: VICTIM });
    await world.pass(3 * DAY, HOUR);
    expect(isTold(world, VICTIM, code)).toBe(true);
    await world.end();
  },
);

test("an owner at the attacker's mail domain is told as soon, while the attacker has one mailbox", async () => {
  const world = await createWorld({ LIMIT_PUBLISH: "off" });
  await world.publish({ ...LOST, email: VICTIM });
  await plant(world, "lost", 60, "attacker+@example.org");
  await world.pass(HOUR, 5 * MINUTE);
  const { short_code: code } = await world.publish({ ...FOUND, age: "adult", email: FINDER });
  await world.pass(2 * DAY, HOUR);
  expect(isTold(world, VICTIM, code)).toBe(true);
  await world.end();
});

describe("a notice that waits behind lookalikes", () => {
  /** A find whose five emails of the day went to others, and the edit of a waiting owner's alert. */
  async function editWhileWaiting(edit: object) {
    const world = await createWorld({ LIMIT_PUBLISH: "off" });
    const { breed: _breed, sex: _sex, ...vague } = LOST;
    await world.publish({ ...vague, email: VICTIM });
    await plant(world, "lost", 8, "attacker@example.org");
    await world.pass(MINUTE);
    const { short_code: code } = await world.publish({ ...FOUND, age: "adult", email: FINDER });
    await world.pass(MINUTE);
    expect(isTold(world, VICTIM, code)).toBe(false);
    await plant(world, "lost", 200, "attacker+@evil.example");
    const manage = new URL(await world.linkTo(VICTIM, "/manage/")).pathname.split("/").at(-1) ?? "";
    world.jump(MINUTE);
    await world.app.service.owners.edit(manage, edit);
    await world.pass(4 * DAY, HOUR);
    const told = isTold(world, VICTIM, code);
    await world.end();
    return told;
  }

  test("is sent although its owner corrected the description", async () => {
    expect(await editWhileWaiting({ description: "She answers to her name." })).toBe(true);
  });

  test("is dropped when its owner's correction contradicts the find", async () => {
    expect(await editWhileWaiting({ color: "black", breed: "Persian", sex: "male" })).toBe(false);
  });
});

test("300 likelier finds that wait for an owner's digest do not keep the true one out of it", async () => {
  const world = await createWorld({ LIMIT_PUBLISH: "off" });
  await world.publish({ ...LOST, email: VICTIM });
  await plant(world, "found", 300, "attacker@evil.example", true);
  await world.pass(HOUR, MINUTE);
  const { sex: _sex, ...vague } = FOUND;
  const { short_code: code } = await world.publish({ ...vague, email: FINDER });
  await world.pass(2 * DAY, HOUR);
  expect(isTold(world, VICTIM, code)).toBe(true);
  await world.end();
}, 300_000);
