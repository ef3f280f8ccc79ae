import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { DATABASE_FILE } from "../../db/sqlite/open.ts";
import { createWorld, LOST_CAT, type World } from "../support/world.ts";

// A database browser that has changed something and not saved it holds the write lock of the file.

let world: World;
let browser: Database;
beforeEach(async () => {
  world = await createWorld();
  browser = new Database(join(world.dataDir, DATABASE_FILE));
  browser.run("BEGIN IMMEDIATE");
});
afterEach(async () => {
  browser.close();
  await world.end();
});

const publish = () => world.tool("publish_alert", LOST_CAT);
const isReady = async () => (await world.fetch("/readyz")).status === 200;

test("a write waits for the lock of another program, while reads go on", async () => {
  const publishing = publish();
  expect(await isReady()).toBe(true);
  expect(await world.json("/api/v1/alerts")).toMatchObject({ alerts: [] });
  browser.run("COMMIT");

  expect(await publishing).toMatchObject({ status: "pending_confirmation" });
});

test("a write that gets no lock asks its caller to try again", async () => {
  const publishing = publish().catch((error: Error) => error.message);
  expect(await isReady()).toBe(true);

  expect(await publishing).toContain("try again in a minute");
  expect(await isReady()).toBe(true);

  browser.run("COMMIT");
  expect(await publish()).toMatchObject({ status: "pending_confirmation" });
});
