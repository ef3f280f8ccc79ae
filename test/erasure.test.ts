import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createWorld, form, linkIn } from "./support/world.ts";

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
    const disk = readdirSync(world.dataDir).map((file) =>
      readFileSync(join(world.dataDir, file)).toString("latin1"),
    );
    return canaries.filter((canary) => disk.some((bytes) => bytes.includes(canary)));
  };
  expect(left()).toEqual(canaries);

  await world.fetch(`${manage}/remove`, { method: "POST", ...form({}) });

  // The address names the alert for ever, so that a printed poster leads to "gone" and not to another animal.
  expect(left()).toEqual(["canary-name"]);
  await world.end();
});
