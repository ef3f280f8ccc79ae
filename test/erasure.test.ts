import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { jpeg } from "./support/picture.ts";
import { createWorld, form, linkIn, LOST_CAT, upload } from "./support/world.ts";
import { bytesIn } from "./support/disk.ts";

test("after an owner removes an alert no byte of what was said or of who said it is left in the data folder", async () => {
  const world = await createWorld();
  const canaries = [
    "canary-owner",
    "canary-name",
    "canary-description",
    "canary-stranger",
    "canary-message",
  ];
  await world.publish({
    email: "canary-owner@example.org",
    name: "canary-name",
    description: "canary-description",
  });
  const alert = (await world.json("/api/v1/alerts")).alerts[0];
  await world.tool("send_message", {
    alert: alert.id,
    message: "canary-message",
    email: "canary-stranger@example.org",
  });
  await world.confirm("canary-stranger@example.org");
  const manage = linkIn(
    (await world.letters("canary-owner@example.org")).find((letter) =>
      letter.text?.includes("/manage/"),
    ),
    "/manage/",
  );
  const left = () => {
    const disk = bytesIn(world.dataDir);
    return canaries.filter((canary) => disk.includes(canary));
  };
  expect(left()).toEqual(canaries);

  await world.fetch(`${manage}/remove`, { method: "POST", ...form({}) });

  // The address names the alert for ever, so that a printed poster leads to "gone" and not to another animal.
  expect(left()).toEqual(["canary-name"]);
  await world.end();
});

test("after an owner removes an alert no byte of its pictures is left in the data folder", async () => {
  const world = await createWorld();
  const { type, species, color, email } = LOST_CAT;
  const photo = await jpeg({ width: 320, height: 200 });
  const fields = { type, species, color, email, place: "Lyon" };
  await world.fetch("/publish", { method: "POST", ...upload(fields, [photo]) });
  await world.confirm(email);
  const [alert] = (await world.json("/api/v1/alerts")).alerts;
  const shown = await (await world.fetch(alert.photos[0])).bytes();
  // From the middle of the picture, so that no other file holds it by chance.
  const piece = Buffer.from(shown.subarray(shown.length >> 1, (shown.length >> 1) + 24));
  expect(bytesIn(world.dataDir)).toContain(piece.toString("latin1"));
  const manage = linkIn((await world.letters(email)).at(-1), "/manage/");

  await world.fetch(`${manage}/remove`, { method: "POST", ...form({}) });
  await world.tick();

  expect((await world.fetch(alert.photos[0])).status).toBe(404);
  expect(bytesIn(world.dataDir)).not.toContain(piece.toString("latin1"));
  expect(readdirSync(join(world.dataDir, "photos"))).toEqual([]);
  await world.end();
});
