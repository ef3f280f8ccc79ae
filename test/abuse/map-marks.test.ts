import { afterEach, beforeEach, expect, test } from "bun:test";
import { CAPS, QUOTAS } from "../../src/core/caps.ts";
import { addMany, aroundLyon } from "../support/make.ts";
import { HOUR } from "../support/time.ts";
import { createWorld, type World } from "../support/world.ts";

const ALERTS = 5_000;
const REQUESTS = CAPS.marksPerClient.max / ALERTS;
const SCHOOL = "198.51.100.20";
const NEIGHBOUR = "198.51.100.21";
const EVERYWHERE = "/map/alerts.json";

let world: World;
beforeEach(async () => {
  world = await createWorld();
  await addMany(world, ALERTS, (nth) => ({ point: aroundLyon(nth, ALERTS, 300) }));
}, 300_000);
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

async function marks(address: string, from: string): Promise<number> {
  const answer = await world.fetch(address, {}, from);
  expect(answer.status).toBe(200);
  const { lost, found } = (await answer.json()) as Record<"lost" | "found", [number, number[]][]>;
  return [...lost, ...found].reduce((sum, [, lngs]) => sum + lngs.length, 0);
}

test("a client that gathers the marks of all maps gets few of them, and people at the same address still a map of their town", async () => {
  for (let request = 0; request < REQUESTS; request++)
    expect(await marks(EVERYWHERE, SCHOOL)).toBe(ALERTS);

  expect(await marks(EVERYWHERE, SCHOOL)).toBe(QUOTAS.marksBeyond);
  const town = `${EVERYWHERE}?lat=45.76&lng=4.84&radius_km=10`;
  const inTown = await marks(town, NEIGHBOUR);
  expect(inTown).toBeGreaterThan(50);
  expect(await marks(town, SCHOOL)).toBe(inTown);
  expect(await marks(EVERYWHERE, NEIGHBOUR)).toBe(ALERTS);
  expect((await world.fetch("/", {}, SCHOOL)).status).toBe(200);

  world.jump(HOUR);
  expect(await marks(EVERYWHERE, SCHOOL)).toBe(ALERTS);
}, 300_000);

test("a map that was shortened for one client is not kept for others", async () => {
  for (let request = 0; request < REQUESTS; request++) await marks(EVERYWHERE, SCHOOL);

  const answer = await world.fetch(EVERYWHERE, {}, SCHOOL);

  expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
}, 300_000);
