import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY } from "../support/time.ts";
import { createWorld, type World } from "../support/world.ts";

const VICTIM = "victim@example.org";
const pathOf = (link: string) => new URL(link).pathname;

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const subscribe = (inWorld: World, lat: number) =>
  inWorld.tool("subscribe_zone", { lat, lng: 4.83, email: VICTIM });

/** Emails to the victim that come of one more request. */
async function emailsOfARequest(inWorld: World, lat: number): Promise<number> {
  const before = (await inWorld.emails(VICTIM)).length;
  await subscribe(inWorld, lat);
  return (await inWorld.emails(VICTIM)).length - before;
}

/** The form on a page that allows emails again. */
async function wayBackOn(inWorld: World, page: string): Promise<string | undefined> {
  return /action="([^"]+\/allow)"/.exec(await inWorld.text(page))?.[1];
}

test("a stop can be undone by the same link a year later", async () => {
  await subscribe(world, 1);
  const link = pathOf(await world.linkTo(VICTIM, "/confirm/"));
  await world.post(`${link}/not-me`);
  expect(await emailsOfARequest(world, 2)).toBe(0);
  await world.pass(365 * DAY, 5 * DAY);

  for (const page of [link, `${link}/not-me`])
    expect(await wayBackOn(world, page)).toBe(`${link}/allow`);
  expect(await emailsOfARequest(world, 3)).toBe(0);
  expect((await world.press(`${link}/allow`)).status).toBe(200);
  expect(await emailsOfARequest(world, 4)).toBe(1);
});

describe("a stop", () => {
  test("that was made from an erasure email that a stranger caused can be undone long after its link is over", async () => {
    await subscribe(world, 1);
    await world.post("/erase", { email: VICTIM });
    const link = pathOf(await world.linkTo(VICTIM, "/erase/"));
    await world.post(`${link}/not-me`);
    await world.pass(100 * DAY, 5 * DAY);
    expect(await emailsOfARequest(world, 2)).toBe(0);

    const ways = [await wayBackOn(world, link), await wayBackOn(world, `${link}/not-me`)];
    expect(ways).toEqual([`${link}/allow`, `${link}/allow`]);
    expect((await world.press(`${link}/allow`)).status).toBe(200);

    expect(await emailsOfARequest(world, 3)).toBe(1);
  });

  test("can be undone by any earlier email to the mailbox, one that was confirmed too", async () => {
    await subscribe(world, 1);
    const first = pathOf(await world.linkTo(VICTIM, "/confirm/"));
    await world.post(first);
    await subscribe(world, 2);
    const second = pathOf(await world.linkTo(VICTIM, "/confirm/"));
    await world.post(`${first}/not-me`);
    await world.pass(90 * DAY, 5 * DAY);
    expect(await emailsOfARequest(world, 3)).toBe(0);

    expect(await wayBackOn(world, second)).toBe(`${second}/allow`);
    await world.post(`${second}/allow`);

    expect(await emailsOfARequest(world, 4)).toBe(1);
  });

  test("is nobody's to undo who has no link to the mailbox", async () => {
    await subscribe(world, 1);
    await world.post(`${pathOf(await world.linkTo(VICTIM, "/confirm/"))}/not-me`);
    await world.tool("subscribe_zone", { lat: 1, lng: 1, email: "other@example.org" });
    const others = pathOf(await world.linkTo("other@example.org", "/confirm/"));

    expect((await world.post("/confirm/nothing/allow")).status).toBe(404);
    await world.post(`${others}/allow`);

    expect(await emailsOfARequest(world, 2)).toBe(0);
  });

  test("that is made again is stopped again", async () => {
    await subscribe(world, 1);
    const link = pathOf(await world.linkTo(VICTIM, "/confirm/"));
    for (const press of ["not-me", "allow", "not-me", "not-me"]) {
      const { status } = await world.press(`${link}/${press}`);
      expect(status).toBe(200);
    }

    expect(await emailsOfARequest(world, 2)).toBe(0);
    expect(await wayBackOn(world, link)).toBe(`${link}/allow`);
  });
});
