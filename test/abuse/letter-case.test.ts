import { expect, test } from "bun:test";
import { createWorld, FINDER, type World } from "../support/world.ts";

// Two people whose mail server tells their mailboxes apart by a capital letter.
const ANNA = "Anna@example.org";
const OTHER = "anna@example.org";

const textsTo = async (world: World, to: string) =>
  (await world.emails(to)).map(({ text }) => text ?? "");

/** What one of the two gets to see of the other's alert, conversation and zone; and if she can erase them. */
async function nosy() {
  const world = await createWorld({ LIMIT_PUBLISH: "off", LIMIT_MESSAGE: "off" });
  const alert = await world.publish({ email: ANNA });
  const found = await world.publish({ type: "found", email: FINDER });
  const talk = async (email: string, message: string) => {
    await world.tool("send_message", { alert: found.short_code, message, email });
    await world.confirm(email);
    await world.tick();
  };
  const zone = { lat: 45.77, lng: 4.83 };
  await world.tool("subscribe_zone", { ...zone, email: ANNA });
  await world.confirm(ANNA);
  await talk(ANNA, "secret words");
  await world.tool("subscribe_zone", { ...zone, email: OTHER });
  const outcome = await (await world.confirm(OTHER)).text();
  await talk(OTHER, "I am another");

  await world.post("/manage", { email: OTHER });
  await world.post("/erase", { email: OTHER });
  const links = (await textsTo(world, OTHER)).filter((text) => text.includes("/manage/")).length;
  const conversations = (await textsTo(world, FINDER)).join("\n").match(/\/conversation\/[\w-]+/g);
  const erase = await world.linkTo(OTHER, "/erase/");
  await world.post(erase);
  const stillThere = (await world.fetch(`/api/v1/alerts/${alert.id}`)).status;
  await world.post("/manage", { email: ANNA });
  const ownLinks = (await textsTo(world, ANNA)).filter((text) => text.includes("/manage/")).length;
  await world.end();
  return {
    hasOwnZone: outcome.includes("/unsubscribe/"),
    links,
    conversations: new Set(conversations).size,
    stillThere,
    hasOwnLinks: ownLinks > 1,
  };
}

test("mailboxes that differ in a capital letter: neither gets the other's links, conversations or zones, or erases them", async () => {
  expect(await nosy()).toEqual({
    hasOwnZone: true,
    links: 0,
    conversations: 2,
    stillThere: 200,
    hasOwnLinks: true,
  });
});
