import { afterEach, expect, test } from "bun:test";
import { createWorld, LOST_CAT, type World } from "../support/world.ts";
import { DAY } from "../support/time.ts";

let world: World;
afterEach(() => world.end());

const NEW_YORK = { lat: 40.71, lng: -74.01 };

async function newestTo(mailbox: string): Promise<string> {
  const email = (await world.emails(mailbox)).at(-1);
  return (email?.text ?? "").replace(/\s+/g, " ");
}

test("emails about an alert give times by the clocks of its place, those asking to confirm too", async () => {
  world = await createWorld();

  const { slug } = await world.tool("publish_alert", { ...LOST_CAT, ...NEW_YORK });
  expect(await newestTo(LOST_CAT.email)).toContain("until 3 May 2026 at 04:00 GMT-4");
  await world.confirm(LOST_CAT.email);

  await world.tool("send_message", {
    alert: slug,
    message: "I saw your cat.",
    email: "finder@example.net",
  });
  expect(await newestTo("finder@example.net")).toContain("until 3 May 2026 at 04:00 GMT-4");

  await world.pass(84 * DAY);
  expect(await newestTo(LOST_CAT.email)).toContain("30 July 2026 at 04:00 GMT-4");
});

test("an email about a zone gives times by the clocks of its centre", async () => {
  world = await createWorld();

  await world.tool("subscribe_zone", { lat: 45.76, lng: 4.84, email: "neighbour@example.org" });

  expect(await newestTo("neighbour@example.org")).toContain("until 3 May 2026 at 10:00 CEST");
});
