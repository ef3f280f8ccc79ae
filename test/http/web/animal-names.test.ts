import { afterAll, beforeAll, expect, test } from "bun:test";
import { MINUTE } from "../../support/time.ts";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";

let world: World;
let tortoise: any;
beforeAll(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
  for (const language of ["en", "de"]) {
    const email = `${language}@example.org`;
    await world.tool("subscribe_zone", { lat: LOST_CAT.lat, lng: LOST_CAT.lng, email, language });
    await world.confirm(email);
  }
  tortoise = await world.publish({
    type: "found",
    species: "other",
    breed: "Hermann's tortoise",
    color: "brown",
    name: undefined,
    email: "finder@example.org",
  });
  // News of a zone is gathered for the better part of a minute.
  await world.pass(MINUTE);
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

test("a found tortoise is named so on its page, in previews, on posters and in lists", async () => {
  const page = await world.text(`/alerts/${tortoise.slug}`);
  expect(page).toContain('<h1 dir="auto">Found tortoise</h1>');
  expect(page).toContain('<meta property="og:title" content="Found tortoise (Lyon 1er, France)"/>');
  expect(await world.text(`/alerts/${tortoise.slug}/poster`)).toContain("FOUND TORTOISE");
  expect(await world.text("/")).toContain("Found tortoise");
  expect(await world.text("/embed")).toContain("Found tortoise");
  expect(await world.text("/feed.atom")).toContain("<title>Found tortoise (Lyon 1er, FR)</title>");
  const french = await world.text(`/alerts/${tortoise.slug}`, { "Accept-Language": "fr" });
  expect(french).toContain('<h1 dir="auto">Tortue trouvée</h1>');
});

test("a found tortoise is named so in emails, in the language of their reader", async () => {
  const text = async (to: string) => (await world.emails(to)).at(-1)?.text;

  expect(await text("en@example.org")).toContain("Found tortoise");
  expect(await text("de@example.org")).toContain("Schildkröte gefunden");
  expect((await world.emails("finder@example.org")).at(-1)?.subject).toContain("found tortoise");
});
