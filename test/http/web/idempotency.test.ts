import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { jpeg } from "../../support/picture.ts";
import { HOUR } from "../../support/time.ts";
import { createWorld, FINDER, LOST_CAT, upload, type World } from "../../support/world.ts";

const OWNER = LOST_CAT.email;
const FORM = {
  type: "lost",
  species: "cat",
  color: "grey tabby",
  place: "Lyon, France",
  eventDate: "2026-04-30",
  idempotencyKey: "0123456789abcdef0123456789abcdef",
  email: OWNER,
};

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

function post(fields: Readonly<Record<string, string>> = {}, photos: readonly Uint8Array[] = []) {
  return world.fetch("/publish", { method: "POST", ...upload({ ...FORM, ...fields }, photos) });
}

const live = async () => (await world.json("/api/v1/alerts")).alerts;

describe("the form for a new alert", () => {
  test("takes a form that arrives again with its key as one, hours later, even once it was confirmed", async () => {
    const photo = await jpeg({ width: 64, height: 48 });
    const first = await post({}, [photo]);
    world.jump(5 * HOUR);
    const again = await post({}, [photo]);

    const page = await world.text(again.headers.get("Location") ?? "");
    expect(again.status).toBe(303);
    expect(again.headers.get("Location")).not.toBe(first.headers.get("Location"));
    expect(page).toContain("Your alert is not public yet.");
    expect(await world.emails(OWNER)).toHaveLength(1);
    await world.confirm(OWNER);
    world.jump(HOUR);
    await post({}, [photo]);
    expect(await world.emails(OWNER)).toHaveLength(2);
    expect(await live()).toHaveLength(1);
  });

  test("takes a key for nothing without the form it belongs to, nor for more than two days", async () => {
    await post();
    world.jump(HOUR);

    // Somebody else's key with other words, or another address, is a request like any other.
    await post({ color: "black" });
    await post({ email: "other@example.org" });
    expect(await world.emails(OWNER)).toHaveLength(2);
    expect(await world.emails("other@example.org")).toHaveLength(1);
    // Keys that no form draws do not count.
    for (const idempotencyKey of ["1", "x".repeat(5_000), "'; drop table"])
      await post({ idempotencyKey, color: `brown ${idempotencyKey.length}` });
    world.jump(49 * HOUR);
    await world.tick();
    const before = (await world.emails(OWNER)).length;
    await post();
    expect(await world.emails(OWNER)).toHaveLength(before + 1);
  });
});

describe("the form for a sighting", () => {
  test("is one request with its key, though it gave the time as hours first and as a day and an hour later", async () => {
    const { slug } = await world.publish();
    const { idempotencyKey } = FORM;
    const report = (fields: Readonly<Record<string, string>>) =>
      world.post(`/alerts/${slug}/sighting`, { place: "Lyon", email: FINDER, ...fields });
    await report({ hoursAgo: "0", idempotencyKey });
    world.jump(HOUR);
    const later = { hoursAgo: "0", seenDay: "2026-05-01", seenHour: "10" };
    expect((await report({ ...later, idempotencyKey })).status).toBe(303);

    expect(await world.emails(FINDER)).toHaveLength(1);
    await report({ ...later, idempotencyKey: idempotencyKey.replace("0", "f") });
    expect(await world.emails(FINDER)).toHaveLength(2);
  });
});
