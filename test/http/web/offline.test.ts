import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LANGUAGES } from "../../../src/messages/languages.ts";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ SITE_NAME: "Tiere in Not" });
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

describe("the site on a home screen", () => {
  test("has its name, its icons of the sizes that browsers ask for, and the doors", async () => {
    const page = await world.text("/");
    const address = /<link rel="manifest" href="([^"]+)"/.exec(page)![1]!;
    const manifest = await world.json(address, { headers: { "Accept-Language": "de" } });

    expect(manifest).toMatchObject({
      name: "Tiere in Not",
      lang: "de",
      start_url: "/",
      scope: "/",
    });
    expect(manifest.shortcuts[0].name).toBe(PAGE_MESSAGES.de.home.lost);
    for (const { src, sizes } of manifest.icons) {
      const icon = await new Bun.Image(await (await world.fetch(src)).bytes()).metadata();
      expect(`${icon.width}x${icon.height}`).toBe(sizes);
    }
    expect(manifest.icons.map(({ purpose }: { purpose: string }) => purpose)).toContain("maskable");
    expect(page).toContain('<meta name="theme-color"');
  });
});

describe("an owner's page on a home screen", () => {
  test("opens itself, and notifications can then be turned on there", async () => {
    await world.publish();
    const page = await world.text(await world.linkTo(LOST_CAT.email, "/manage/"));
    const address = /<link rel="manifest" href="([^"]+)"/.exec(page)![1]!;
    const manifest = await world.json(address);

    expect(manifest).toMatchObject({ display: "standalone", scope: "/" });
    expect(manifest).not.toHaveProperty("start_url");
    expect(manifest).not.toHaveProperty("id");
    expect(page).toContain(PAGE_MESSAGES.en.device.install);
  });
});

describe("the service worker", () => {
  test("has at most 6 KB, and keeps public files that exist, and one page", async () => {
    const source = await world.text("/worker.js");
    const { page, files } = JSON.parse(/ASSETS=(\{.*?\});/.exec(source)![1]!);

    expect(source.length).toBeLessThanOrEqual(6_000);
    expect(page).toBe("/offline");
    for (const file of files) {
      const answer = await world.fetch(file);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("Content-Type")).toMatch(
        /^(?:text\/(?:css|javascript)|image\/svg)/,
      );
    }
  });

  test.each(LANGUAGES)("has a page about the lost connection (%s)", async (language) => {
    const page = await world.text("/offline", { "Accept-Language": language });

    expect(page).toContain(PAGE_MESSAGES[language].offline.text);
    expect(page).toContain('<meta name="robots" content="noindex"');
  });
});
