import { expect, test } from "bun:test";
import { jpeg } from "../support/picture.ts";
import { DAY, HOUR } from "../support/time.ts";
import { createWorld, LOST_CAT, upload, type World } from "../support/world.ts";

const STRANGER = "stranger@example.net";
const NEIGHBOUR = "neighbour@example.com";
const EDITOR = { edited: "1", color: "grey", place: "Lyon", lat: "45.75", lng: "4.85" };

/** Sends the form for publishing; gives the page that answers. */
async function send(
  world: World,
  fields: Readonly<Record<string, string | readonly string[]>>,
  photos: readonly Uint8Array[] = [],
): Promise<string> {
  const { type, species, color, email } = LOST_CAT;
  const given = { type, species, color, email, place: "Lyon", ...fields };
  return (await world.fetch("/publish", { method: "POST", ...upload(given, photos) })).text();
}

/** What forms carry for the photos they keep. */
function keptIn(page: string): string[] {
  return [...page.matchAll(/name="photo" value="([^"]+)"/g)].map(([, ref = ""]) => ref);
}

/** An alert with a photo that moderators have hidden, and the name under which everybody saw it. */
async function hiddenPhoto(world: World) {
  await send(world, { name: "Shown before" }, [await jpeg({ width: 40, height: 32 })]);
  await world.confirm(LOST_CAT.email);
  const [alert] = (await world.json("/api/v1/alerts")).alerts;
  const manage = await world.linkTo(LOST_CAT.email, "/manage/");
  const [, name = ""] = /([0-9a-f]{32})\.webp$/.exec(alert.photos[0]) ?? [];
  const deed = { id: "d", at: world.now(), who: "m@example.org", mailbox: null };
  await world.app.store.moderate({ ...deed, act: "hide", alertId: alert.id });
  await world.app.service.syncIndexes();
  return { alert, manage, name };
}

/** Uses the name of a hidden photo in every form that takes one. */
async function attack() {
  const world = await createWorld({ LIMIT_PUBLISH: "off" });
  const { name } = await hiddenPhoto(world);

  const shownBack = (await send(world, { photo: name, color: "" })).includes("data:image/webp");
  await send(world, { photo: name, email: STRANGER });
  const isAsked = (await world.emails(STRANGER)).length > 0;

  await send(world, { email: NEIGHBOUR, name: "Other" });
  const draft = await world.linkTo(NEIGHBOUR, "/confirm/");
  const named = upload({ ...EDITOR, photo: name });
  const inDraft = (await world.fetch(draft, { method: "POST", ...named })).status;
  await world.confirm(NEIGHBOUR);
  const manage = await world.linkTo(NEIGHBOUR, "/manage/");
  const inEdit = (await world.fetch(`${manage}/edit`, { method: "POST", ...named })).status;

  const { alerts } = await world.json("/api/v1/alerts");
  const published = alerts.flatMap(({ photos }: { photos: string[] }) => photos).length;
  const photo = (await world.fetch(`/photos/${name}.webp`)).status;
  await world.end();
  return { shownBack, isAsked, inDraft, inEdit, published, photo };
}

test("a hidden photo is neither shown back nor published again by its name", async () => {
  expect(await attack()).toEqual({
    shownBack: false,
    isAsked: false,
    inDraft: 400,
    inEdit: 400,
    published: 0,
    photo: 404,
  });
});

test("a hidden alert's photo is on no page, in no feed and in no answer", async () => {
  const world = await createWorld();
  const { alert, manage, name } = await hiddenPhoto(world);
  const at = `lat=${alert.latitude}&lng=${alert.longitude}`;

  const seen: string[] = [];
  for (const path of [
    "/",
    `/?${at}&radius_km=10`,
    `/alerts/${alert.slug}`,
    `/alerts/${alert.slug}/poster`,
    `/alerts/${alert.slug}/contact`,
    `/a/${alert.short_code}`,
    "/embed",
    `/embed?${at}`,
    "/feed.atom",
    "/api/v1/alerts",
    "/api/v1/alerts.geojson",
    `/api/v1/alerts/${alert.id}`,
    `/api/v1/alerts/${alert.id}/matches`,
    manage,
    `${manage}/edit`,
  ])
    if ((await world.text(path)).includes(name)) seen.push(path);

  expect(seen).toEqual([]);
  for (const size of ["", "-480"])
    expect((await world.fetch(`/photos/${name}${size}.webp`)).status).toBe(404);
  await world.end();
});

test("the owner of a hidden alert gets no new ticket for its photo", async () => {
  const world = await createWorld();
  const { manage, name } = await hiddenPhoto(world);

  const form = upload({ ...EDITOR, photo: name });
  const answer = await world.fetch(`${manage}/edit`, { method: "POST", ...form });

  expect(answer.status).toBe(409);
  expect(keptIn(await answer.text())).toEqual([]);
  await world.end();
});

test("a photo that was hidden elsewhere can still be published by whoever has the picture itself", async () => {
  const world = await createWorld();
  const { name } = await hiddenPhoto(world);

  await send(world, { email: STRANGER, name: "Mine" }, [await jpeg({ width: 40, height: 32 })]);
  await world.confirm(STRANGER);

  const [alert] = (await world.json("/api/v1/alerts")).alerts;
  expect(alert.photos[0]).toContain(name);
  await world.end();
});

test("a ticket ends after a day, and holds for no other photo", async () => {
  const world = await createWorld({ LIMIT_PUBLISH: "off" });
  const pictures = [await jpeg({ width: 40, height: 32 }), await jpeg({ width: 48, height: 32 })];
  const [one = "", other = ""] = keptIn(await send(world, { color: "" }, pictures));
  const mixed = one.slice(0, 32) + other.slice(32);

  expect(keptIn(await send(world, { color: "", photo: [one, mixed] }))).toEqual([one]);
  world.jump(DAY + HOUR);

  expect(keptIn(await send(world, { color: "", photo: one }))).toEqual([]);
  await world.end();
});
