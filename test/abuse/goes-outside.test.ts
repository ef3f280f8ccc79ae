import { describe, expect, test } from "bun:test";
import { without } from "../chaos/weakened.ts";
import { MINUTE } from "../support/time.ts";
import { createWorld, linkIn, type World } from "../support/world.ts";

// A stranger learns nothing of the private answer to "Does your cat go outside?", however many finds they publish.

type Create = typeof createWorld;

const OWNER = "owner@example.org";
const STRANGER = "stranger@evil.example";
const LOST_CAT = {
  type: "lost",
  species: "cat",
  name: "Mimi",
  color: "tortoiseshell",
  size: "small",
  sex: "female",
  age: "adult",
  lat: 45.77,
  lng: 4.83,
  event_date: "2026-04-30",
  email: OWNER,
};
const { name: _name, ...SEEN } = LOST_CAT;
const FIND = { ...SEEN, type: "found", email: STRANGER, event_date: "2026-05-01" };
/** Finds in the same cell, and some 2 and 7 km from it. */
const PLACES = [45.77, 45.79, 45.83];
const ANSWERS = {
  module: "src/matching/subject.ts",
  name: "withoutAnswer",
  instead: "(alert) => alert",
} as const;

const matchEmails = async (world: World, to: string) =>
  (await world.emails(to)).filter(({ text }) => text?.includes("/pair/"));
const percents = (page: string | undefined) => page?.match(/\d+\s?%/g);

/** All scores that strangers and the owner get to see of an owner's answer. */
async function told(create: Create, goesOutside: string) {
  const world = await create({ LIMIT_PUBLISH: "off" });
  const cat = await world.publish({ ...LOST_CAT, goes_outside: goesOutside });
  const strangers = [];
  for (const lat of PLACES) {
    const { event_date: eventDate, lng, ...fields } = FIND;
    const form = { ...fields, eventDate, lat: `${lat}`, lng: `${lng}` };
    strangers.push(percents(await (await world.post("/publish", form)).text()));
    const find = await world.publish({ ...FIND, lat });
    const { matches }: any = await world.tool("find_matches", { alert: find.id });
    strangers.push(matches.map(({ score, reasons }: any) => [score, reasons]));
  }
  await world.pass(MINUTE);
  const ofCat = await world.json(`/api/v1/alerts/${cat.id}/matches`);
  strangers.push(ofCat.matches.map(({ score, reasons }: any) => [score, reasons]));
  strangers.push(percents(await world.text(new URL(cat.url).pathname)));
  const emails = {
    stranger: await matchEmails(world, STRANGER),
    own: await matchEmails(world, OWNER),
  };
  strangers.push(emails.stranger.map(({ text }) => percents(text)));
  for (const email of emails.stranger)
    strangers.push(percents(await world.text(linkIn(email, "/pair/"))));
  const owner = [];
  for (const email of emails.own)
    owner.push(percents(email.text), percents(await world.text(linkIn(email, "/pair/"))));
  await world.end();
  return { strangers, owner, toStranger: emails.stranger.length };
}

describe("finds published at several distances from a lost cat", () => {
  test("are scored and told to strangers as if its owner had not answered; the owner sees the difference", async () => {
    const [never, often, unknown] = [
      await told(createWorld, "never"),
      await told(createWorld, "often"),
      await told(createWorld, "unknown"),
    ];

    expect(never.strangers).toEqual(unknown.strangers);
    expect(often.strangers).toEqual(unknown.strangers);
    expect(never.toStranger).toBeGreaterThan(0);
    expect(never.owner).not.toEqual(unknown.owner);
    expect(often.owner).not.toEqual(unknown.owner);
  });

  test("tell strangers the answer without that defence", async () => {
    const [never, often] = await without([ANSWERS], async (copy) => {
      const { createWorld: create } = await copy.worlds();
      return [await told(create, "never"), await told(create, "often")];
    });

    expect(never!.strangers).not.toEqual(often!.strangers);
  });
});

test("the answer itself is on its owner's pages alone, and gone with the owner's data", async () => {
  const world = await createWorld();
  const cat = await world.publish({ ...LOST_CAT, goes_outside: "sometimes" });
  const manage = await world.linkTo(OWNER, "/manage/");
  const own = async (path: string) =>
    (await world.text(path)).includes("Does your cat go outside?");
  const stored = async () => (await world.app.store.alert({ by: "id", id: cat.id }))?.goesOutside;

  expect([await own(manage), await own(`${manage}/edit`), await stored()]).toEqual([
    true,
    true,
    "sometimes",
  ]);
  const doors = [
    `/api/v1/alerts/${cat.id}`,
    "/api/v1/alerts",
    "/api/v1/alerts.geojson",
    "/feed.atom",
    "/embed",
    `/alerts/${cat.slug}`,
    `/alerts/${cat.slug}/poster`,
  ];
  for (const door of doors) {
    const page = await world.text(door);
    for (const trace of ["goes_outside", "goesOutside", "go outside", "sometimes"])
      expect(page).not.toContain(trace);
  }
  const shown = await world.tool("get_alert", { alert: cat.id });
  expect(JSON.stringify(shown)).not.toContain("outside");

  await world.post(`${manage}/remove`);
  expect(await stored()).toBeNull();
  await world.end();
});
