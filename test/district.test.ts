import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createWorld, form, LOST_CAT, upload, type World } from "./support/world.ts";

/** A tap in Friedrichshain. */
const TAP = { lat: 52.511, lng: 13.459 };
const NAMED = "Friedrichshain, Berlin";
const { lat: _lat, lng: _lng, ...CAT } = LOST_CAT;
const READER = "reader@example.org";

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off", LIMIT_SUBSCRIBE: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

/** Text of a page for a reader of these languages. */
async function flat(path: string, languages = "en"): Promise<string> {
  const page = await world.text(path, { "Accept-Language": languages });
  return page.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");
}

/** Publishes through the form, with scripts (a pin) or without. */
async function publishByForm(place: Record<string, string>): Promise<any> {
  const fields = { type: "lost", species: "cat", color: "grey", day: "today", ...place };
  const asked = await world.fetch("/publish", {
    method: "POST",
    ...upload({ ...fields, email: LOST_CAT.email }),
  });
  expect(asked.status).toBe(303);
  await world.confirm(LOST_CAT.email);
  return (await world.json("/api/v1/alerts?limit=1")).alerts[0];
}

describe("an alert is called alike", () => {
  test("from a pin, from a named quarter and from a postcode, by form and by tool", async () => {
    const named = { city: "Berlin", district: "Friedrichshain", country_code: "DE" };

    expect(await world.publish({ ...TAP, email: "a@example.org" })).toMatchObject(named);
    for (const place of ["Friedrichshain", "10245 Berlin"])
      expect(await publish(place)).toMatchObject(named);
    for (const q of ["Friedr", "berlin friedrichshain"])
      expect((await world.json(`/api/v1/alerts?q=${encodeURIComponent(q)}`)).alerts).toHaveLength(
        3,
      );
    expect(await publishByForm({ lat: "52.511", lng: "13.459" })).toMatchObject(named);
    expect(await publishByForm({ place: "Friedrichshain" })).toMatchObject(named);
  });

  test("by the town that was named, even where another is nearer", async () => {
    const lyon = { city: "Lyon", district: "Lyon 4e" };
    const pinned = { place: "69004 Lyon, France", lat: "45.78", lng: "4.83" };

    expect(await publish("69004 Lyon")).toMatchObject(lyon);
    expect(await publishByForm({ place: "69004 Lyon" })).toMatchObject(lyon);
    expect(await publishByForm(pinned)).toMatchObject(lyon);
    expect(await publish("Saint-Ouen")).toMatchObject({ city: "Saint-Ouen", district: null });
    expect(await publish("Lyon")).toMatchObject({ city: "Lyon", district: null });
  });

  async function publish(place: string): Promise<any> {
    const receipt = await world.tool("publish_alert", { ...CAT, place });
    await world.confirm(CAT.email);
    const alert = await world.json(`/api/v1/alerts/${receipt["slug"]}`);
    const { city, district, country_code } = alert;
    expect(receipt).toMatchObject({ city, district, country_code });
    return alert;
  }
});

test("stands on pages, posters, emails and link previews; the country only for readers elsewhere", async () => {
  const { slug, latitude } = await world.publish(TAP);
  const path = `/alerts/${slug}`;

  expect(slug).toContain("-berlin-");
  for (const [languages, place] of [
    ["de-DE,de", `(${NAMED})`],
    ["de-AT,de", `(${NAMED}, Deutschland)`],
    ["en-GB", `(${NAMED}, Germany)`],
  ] as const)
    expect(await world.text(path, { "Accept-Language": languages })).toContain(place);
  expect(await flat(`${path}/poster`, "de-DE")).toContain(NAMED);
  const page = await world.text(path);
  expect(page).toContain(`"name":"${NAMED}"`);
  expect(page).toContain('"addressLocality":"Berlin"');
  expect(await flat("/", "de-DE")).toContain(NAMED);
  const live = (await world.emails(LOST_CAT.email)).at(-1);
  expect(live?.text).toContain(`${NAMED} ·`);
  expect(live?.text).not.toContain(String(latitude));
});

test("an owner's correction names it anew", async () => {
  const { id } = await world.publish(TAP);
  const edit = `${await world.linkTo(LOST_CAT.email, "/manage/")}/edit`;
  const post = async (fields: Record<string, string>) => {
    await world.fetch(edit, { method: "POST", ...upload({ edited: "1", ...fields }) });
    const { city, district } = await world.json(`/api/v1/alerts/${id}`);
    return [city, district];
  };
  const cell = { lat: "52.51", lng: "13.46" };

  expect(await world.text(edit)).toContain(`value="${NAMED}"`);
  expect(await post({ place: NAMED, ...cell, name: "Momo" })).toEqual(["Berlin", "Friedrichshain"]);
  expect(await post({ place: NAMED, lat: "52.499", lng: "13.418" })).toEqual([
    "Berlin",
    "Kreuzberg",
  ]);
  expect(await post({ place: "69004 Lyon, France" })).toEqual(["Lyon", "Lyon 4e"]);
});

test("a zone and its emails are called by the quarter, without coordinates", async () => {
  await world.tool("subscribe_zone", { place: "Friedrichshain", email: READER });
  const review = await flat(await world.linkTo(READER, "/confirm/"));
  await world.confirm(READER);
  await world.tool("subscribe_zone", { ...TAP, radius_km: 9, email: READER });
  await world.confirm(READER);
  await world.publish(TAP);
  await world.pass(60_000);

  expect(review).toContain(`5 km around ${NAMED}`);
  expect(review).not.toMatch(/52\.5|13\.4/);
  const email = (await world.emails(READER)).at(-1)?.text?.replace(/\s+/g, " ") ?? "";
  expect(email).toContain(`5 km around ${NAMED}`);
  expect(email).toContain(`9 km around ${NAMED}`);
  expect(email).toContain(`${NAMED} ·`);
});

describe("a sighting", () => {
  test("that was tapped or named is called by its quarter, on the page and in the owner's email", async () => {
    for (const [nth, at] of [
      { lat: "52.511", lng: "13.459" },
      { place: "Friedrichshain" },
    ].entries()) {
      const { slug } = await world.publish({ lat: 52.52, lng: 13.4, name: `Mimi ${nth}` });
      await world.fetch(`/alerts/${slug}/sighting`, {
        method: "POST",
        ...form({ ...at, hoursAgo: "0", email: READER } as Record<string, string>),
      });
      await world.confirm(READER);

      expect(await flat(`/alerts/${slug}`, "de-DE")).toContain(NAMED);
      const email = (await world.emails(LOST_CAT.email)).at(-1);
      expect(email?.text?.replace(/\s+/g, " ")).toContain(`near ${NAMED}`);
    }
  });

  test("by tool is called by the place that was named", async () => {
    const { slug } = await world.publish({ lat: 45.76, lng: 4.84 });

    const asked = await world.tool("send_message", {
      alert: slug,
      message: "Under a bench.",
      email: READER,
      seen_place: "69004 Lyon",
    });

    expect(asked["seen"]).toMatchObject({ place: "Lyon 4e, FR" });
  });
});
