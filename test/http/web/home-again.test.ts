import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { DAY, HOUR } from "../../support/time.ts";
import { createWorld, type World } from "../../support/world.ts";

const words = PAGE_MESSAGES.en.home.again;
const MUNICH = { lat: 48.14, lng: 11.58 };

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const mailboxOf = (name: string) => `${name.toLowerCase().replace(/\W/g, "")}@example.org`;

/** Publishes an alert, and ends it as home again. */
async function comesHome(name: string, about: Record<string, unknown> = {}): Promise<string> {
  const email = mailboxOf(name);
  const { slug } = await world.publish({ name, email, ...about });
  await move(name, "resolve");
  return slug;
}

async function move(name: string, action: string): Promise<void> {
  const manage = await world.linkTo(mailboxOf(name), "/manage/");
  expect((await world.post(`${manage}/${action}`)).status).toBeLessThan(400);
  await world.tick();
}

/** Names of those whom a page tells to be home, in its order. */
async function homeOn(path: string): Promise<string[]> {
  const page = await world.text(path);
  return [...page.matchAll(/>(\w+) is home!<\/a>/g)].map(([, name]) => name!);
}

describe("an animal that came home", () => {
  test("stays on the home page for two weeks, without any way to write", async () => {
    await comesHome("Zorro", { description: "Wears a red collar." });
    world.jump(HOUR);
    await comesHome("Mimi");
    const page = await world.text("/");

    expect(page).toContain(`<h2 id="home-again">${words.title}</h2>`);
    expect(page).toContain('<span class="tag home">');
    expect(page.slice(page.indexOf("home-again"))).not.toMatch(/contact|red collar|@|mailto/);
    expect(await homeOn("/")).toEqual(["Mimi", "Zorro"]);

    await world.pass(13 * DAY);
    expect(await homeOn("/")).toEqual(["Mimi", "Zorro"]);
    await world.pass(DAY);
    expect(await homeOn("/")).toEqual([]);
    expect(await world.text("/")).not.toContain("home-again");
  });

  test("is pushed out by nobody whose own alerts end and are reopened again and again", async () => {
    await comesHome("Zorro");
    for (const name of ["Ad1", "Ad2", "Ad3", "Ad4"]) {
      world.jump(HOUR);
      const email = `${name.toLowerCase()}@ads.example.net`;
      await world.publish({ name, email });
      const manage = await world.linkTo(email, "/manage/");
      for (const move of ["resolve", "reopen", "resolve"]) {
        world.jump(HOUR);
        expect((await world.post(`${manage}/${move}`)).status).toBe(303);
      }
    }

    expect(await homeOn("/")).toEqual(["Ad4", "Ad3", "Ad2", "Zorro"]);
  });

  test("is shown with a search that it fits, and on its first page only", async () => {
    await comesHome("Zorro", { species: "dog" });
    await comesHome("Resi", MUNICH);

    expect(await homeOn("/?place=Lyon&radius_km=10")).toEqual(["Zorro"]);
    expect(await homeOn("/?place=Munich")).toEqual(["Resi"]);
    expect(await homeOn("/?species=dog")).toEqual(["Zorro"]);
    expect(await homeOn("/?type=found")).toEqual([]);
    expect(await homeOn("/?q=zorro")).toEqual([]);
    expect(await homeOn("/?cursor=2026-11-20")).toEqual([]);
    expect(await homeOn("/?place=Lyyon")).toEqual([]);
  });

  test("leaves as soon as its alert is removed or active again", async () => {
    await comesHome("Zorro");
    await comesHome("Mimi");

    await move("Zorro", "remove");
    expect(await homeOn("/")).toEqual(["Mimi"]);
    await move("Mimi", "reopen");
    expect(await homeOn("/")).toEqual([]);
  });
});

test("the number of animals back home is told once there are ten, and is that of owners who said so", async () => {
  const told = (count: number) => words.count({ count });
  for (let number = 0; number < 9; number++) await comesHome(`Nine${number}`);
  await world.publish({ name: "Late", type: "found", email: mailboxOf("Late") });
  await world.pass(31 * DAY);
  expect(await world.text("/")).not.toContain("animals back home");

  await comesHome("Ten");
  await world.pass(HOUR);

  expect(await world.text("/")).toContain(`<li><a href="/returns">${told(10)}</a></li>`);
  expect(await world.text("/?place=Lyon")).not.toContain(told(10));
}, 300_000);
