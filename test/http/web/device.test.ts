import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";
import { createPushDevice } from "../../support/push-device.ts";
import { HOUR } from "../../support/time.ts";

const OWNER = LOST_CAT.email;
const words = PAGE_MESSAGES.en;
const OFFER = /formaction="\/manage\/[\w-]+\/device"/;

let world: World;
beforeEach(async () => {
  world = await createWorld({ SITE_NAME: "Tiere in Not" });
});
afterEach(async () => {
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
    expect(page).toContain(words.device.install);
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

  test("has a page about the lost connection", async () => {
    const page = await world.text("/offline");

    expect(page).toContain(words.offline.text);
    expect(page).toContain('<meta name="robots" content="noindex"');
  });
});

/** True if one part of a page stands before another one. */
function precedes(page: string, first: RegExp, then: string): boolean {
  const [at, end] = [page.search(first), page.indexOf(then)];
  return at >= 0 && at < end;
}

describe("notifications on this device are offered to an owner", () => {
  test("in words only before the alert is confirmed", async () => {
    const fields = { type: "lost", species: "cat", color: "grey", place: "Lyon", email: OWNER };
    const waiting = (await world.post("/publish", fields)).headers.get("Location") ?? "";

    const page = await world.text(waiting);
    expect(page).toContain(words.waiting.onThisDevice);
    expect(page).not.toMatch(/data-device|formaction/);
  });

  test("first of all on the page that confirms it, for as long as that knows the private link", async () => {
    await world.tool("publish_alert", LOST_CAT);
    const link = await world.linkTo(OWNER, "/confirm/");
    const page = await (await world.post(link)).text();

    expect(precedes(page, OFFER, 'class="card')).toBeTrue();
    await world.pass(2 * HOUR);
    expect(await world.text(link)).not.toMatch(OFFER);
  });

  test("before the plan on their page, and lead back to it, until the animal is home", async () => {
    await world.publish();
    const manage = await world.linkTo(OWNER, "/manage/");
    expect(precedes(await world.text(manage), OFFER, words.plan.title.lost)).toBeTrue();

    const answer = await world.press(`${manage}/device`, createPushDevice().subscription);
    const page = await answer.text();
    expect(page).toContain(words.manage.done.device);
    expect(page).toContain(words.plan.title.lost);
    expect(page).not.toMatch(OFFER);
    expect(page).toContain('href="/device"');
    await world.post(`${manage}/resolve`);
    expect(await world.text(manage)).not.toMatch(OFFER);
  });
});
