import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../src/settings/config.ts";
import { Fault } from "../src/core/fault.ts";
import { memoryTransport } from "./support/memory-transport.ts";
import { start } from "../src/start.ts";
import { jpeg } from "./support/picture.ts";
import { DAWN, DAY, HOUR } from "./support/time.ts";
import { createWorld, LOST_CAT, upload, type World } from "./support/world.ts";

const OWNER = LOST_CAT.email;

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

let made = 0;
/** A picture that no other is like. */
const picture = () => jpeg({ width: 32 + (made += 1), height: 32 });

/** Sends the form for publishing with one photo. */
async function send(photo: Uint8Array, fields: Record<string, string> = {}): Promise<string> {
  const { type, species, color, email } = LOST_CAT;
  const given = { type, species, color, email, place: "Lyon", ...fields };
  const answer = await world.fetch("/publish", { method: "POST", ...upload(given, [photo]) });
  return answer.text();
}

/** A live alert with one photo. */
async function publish(photo: Uint8Array, fields: Record<string, string> = {}) {
  const email = fields["email"] ?? OWNER;
  await send(photo, fields);
  await world.confirm(email);
  const [alert] = (await world.json("/api/v1/alerts")).alerts;
  const manage = await world.linkTo(email, "/manage/");
  return { alert, manage, photo: String(alert.photos[0]) };
}

const status = async (path: string) => (await world.fetch(path)).status;
/** Files of the stored photos, without their thumbnails. */
const files = async () =>
  (await world.app.photos.names(null, 100)).map(({ name }) => `${name}.webp`);
/** After the clock has run long enough to be trusted. */
const settle = () => world.pass(2 * DAY, 12 * HOUR);

describe("an alert's photo", () => {
  test("is public in both sizes while the alert can be seen, and no moment longer", async () => {
    await send(await picture());
    const [file = ""] = await files();
    const before = await status(`/photos/${file}`);
    await world.confirm(OWNER);
    const [alert] = (await world.json("/api/v1/alerts")).alerts;
    const manage = await world.linkTo(OWNER, "/manage/");

    expect(before).toBe(404);
    expect(alert.photos).toEqual([`http://localhost:3000/photos/${file}`]);
    for (const address of [`/photos/${file}`, `/photos/${file.replace(".webp", "-480.webp")}`])
      expect(await status(address)).toBe(200);
    await world.post(`${manage}/resolve`);
    expect(await status(`/photos/${file}`)).toBe(200);
    const deed = { id: "d", at: world.now(), who: "m@example.org", mailbox: null };
    await world.app.store.moderate({ ...deed, act: "hide", alertId: alert.id });
    expect(await status(`/photos/${file}`)).toBe(404);
    await world.app.store.moderate({ ...deed, id: "e", act: "restore", alertId: alert.id });
    expect(await status(`/photos/${file}`)).toBe(200);
    await world.post(`${manage}/remove`);

    expect(await status(`/photos/${file}`)).toBe(404);
    expect(await files()).toEqual([file]);
    await world.tick();
    expect(await files()).toEqual([]);
  });

  test("is under no other name than its own", async () => {
    const { photo } = await publish(await picture());
    const name = photo.slice(-37);

    for (const wrong of [
      "/photos/../pet-alert.sqlite",
      "/photos/..%2fpet-alert.sqlite",
      `/photos/${name.toUpperCase()}`,
      `/photos/${name}.webp`,
      `/photos/${name.replace(".webp", "")}`,
      `/photos/${name.replace(".webp", "-1600.webp")}`,
      `/photos/${"0".repeat(32)}.webp`,
    ])
      expect(await status(wrong)).toBe(404);
  });

  test("stays while another alert shows it", async () => {
    const photo = await picture();
    const one = await publish(photo);
    const two = await publish(photo, { color: "black", email: "other@example.org" });
    expect(two.photo).toBe(one.photo);

    await world.post(`${one.manage}/remove`);
    await world.tick();
    expect(await status(two.photo)).toBe(200);
    await world.post(`${two.manage}/remove`);
    await world.tick();

    expect(await files()).toEqual([]);
  });

  test("goes when its owner takes it out of the alert", async () => {
    const { manage } = await publish(await picture());
    const fields = { edited: "1", color: "grey", place: "Lyon", lat: "45.75", lng: "4.85" };

    const answer = await world.fetch(`${manage}/edit`, { method: "POST", ...upload(fields) });
    await world.tick();

    expect(answer.status).toBe(303);
    expect(await files()).toEqual([]);
  });
});

describe("a photo that never went live", () => {
  test("is deleted when the reader of the email says that it was not them", async () => {
    await send(await picture());
    const link = await world.linkTo(OWNER, "/confirm/");

    await world.post(`${link}/not-me`);
    await world.tick();

    expect(await files()).toEqual([]);
  });

  test("is deleted when it is not confirmed in time", async () => {
    await settle();
    await send(await picture());
    await world.pass(47 * HOUR, 4 * HOUR);
    expect(await files()).toHaveLength(1);

    await world.pass(2 * HOUR, HOUR);

    expect(await files()).toEqual([]);
  });

  test("is deleted a day after it was last handed in when no request to publish uses it, and not before", async () => {
    await settle();
    const shown = await publish(await picture());
    const [kept] = await files();
    const photo = await picture();
    const page = await send(photo, { email: "no address" });
    expect(page).toContain('name="photo"');
    await world.pass(20 * HOUR, 4 * HOUR);
    await send(photo, { email: "no address" });
    await world.pass(22 * HOUR, 2 * HOUR);
    expect(await files()).toHaveLength(2);

    await world.pass(3 * HOUR, HOUR);

    expect(await files()).toEqual([kept!]);
    expect(await status(shown.photo)).toBe(200);
  });
});

test("a photo that is handed in again, just when its alert is removed, is not lost", async () => {
  const photo = await picture();
  const { manage } = await publish(photo);
  await world.post(`${manage}/remove`);

  // The form is open, with the photo kept in it, while the clock ticks.
  const page = await send(photo, { color: "" });
  await world.tick();
  const [, name = ""] = /name="photo" value="([^"]+)"/.exec(page) ?? [];
  const { type, species, color, email } = LOST_CAT;
  const fields = { type, species, color, email, place: "Lyon", photo: name };
  await world.fetch("/publish", { method: "POST", ...upload(fields) });
  await world.confirm(OWNER);

  const [alert] = (await world.json("/api/v1/alerts")).alerts;
  expect(await status(alert.photos[0])).toBe(200);
});

test("asks and ticks at the same moment lose no photo of a live alert", async () => {
  const photo = await picture();
  for (let round = 0; round < 2; round++) {
    const { manage } = await publish(photo, { name: `Mimi ${round}` });
    const [, , , next] = await Promise.all([
      world.post(`${manage}/remove`),
      world.tick(),
      world.tick(),
      publish(photo, { name: `Next ${round}` }),
      world.tick(),
    ]);
    await world.tick();

    expect(await status(next.photo)).toBe(200);
    expect(await status(next.photo.replace(".webp", "-480.webp"))).toBe(200);
    await world.post(`${next.manage}/remove`);
  }
});

describe("photos that a tool names by address", () => {
  test("are fetched and stored; those that cannot be fetched are reported and left out", async () => {
    const config = readConfig({ DATA_DIR: join(world.dataDir, "fetching"), BACKUP_KEEP: "off" });
    const bytes = await picture();
    const asked: string[] = [];
    const app = await start(config, {
      clock: () => DAWN,
      transport: memoryTransport(),
      log: () => {},
      fetchPhoto: (address) => {
        asked.push(address);
        return address.includes("good")
          ? Promise.resolve(bytes)
          : Promise.reject(new Fault("bad_input", "bad.example gives no picture there."));
      },
    });
    const photoUrls = ["https://bad.example/1.jpg", "https://good.example/2.jpg"];
    const { type, species, color, lat, lng, email } = LOST_CAT;
    const input = { type, species, color, lat, lng, email, photoUrls } as const;

    const answer = await app.service.requests.publish(
      { ...input, type: "lost", species: "cat" },
      { address: "198.51.100.7" },
    );

    expect(asked).toEqual(photoUrls);
    expect(answer.unfetched).toEqual([
      { position: 1, reason: "bad.example gives no picture there." },
    ]);
    expect(readdirSync(join(config.dataDir, "photos"))).toHaveLength(2);
    await app.stop();
  });

  test("are not fetched from where only this server can reach", async () => {
    const answer = await world.tool("publish_alert", {
      ...LOST_CAT,
      photo_urls: ["https://127.0.0.1/cat.jpg", "http://example.org/cat.jpg", "https://localhost/"],
    });

    expect(answer["status"]).toBe("pending_confirmation");
    expect(JSON.stringify(answer)).toContain("Photo 3 of photo_urls is left out");
    expect(await files()).toEqual([]);
  });
});
