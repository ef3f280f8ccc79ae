import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PAGE_MESSAGES, PLAN_MESSAGES } from "../../../src/messages/messages.ts";
import { DAY, HOUR } from "../../support/time.ts";
import { createWorld, type World } from "../../support/world.ts";

const words = PAGE_MESSAGES.en.home.again;
const { returns, outcome } = PAGE_MESSAGES.en;
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
async function comesHome(name: string, about: Record<string, unknown> = {}): Promise<void> {
  await world.publish({ name, email: mailboxOf(name), ...about });
  await move(name, "resolve");
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

    await world.pass(13 * DAY, 13 * DAY);
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
});

/** Publishes a lost cat whose owner does a step, finds it and says so. */
async function isFoundBySearch(number: number): Promise<void> {
  const email = `owner${number}@example.org`;
  await world.publish({ email });
  const manage = await world.linkTo(email, "/manage/");
  for (const [path, fields] of [
    ["plan", { step: "search_house", done: "yes" }],
    ["resolve", {}],
    ["outcome", { how: "searched" }],
  ] as const)
    expect((await world.post(`${manage}/${path}`, fields)).status).toBe(303);
}

test("the number of animals back home is told once there are ten, and how five of a kind came home once the week is over", async () => {
  const told = words.count({ count: 10 });
  for (let number = 0; number < 4; number++) await isFoundBySearch(number);
  await world.pass(8 * DAY, 4 * DAY);
  const few = await world.text("/returns");
  expect(few).toContain(returns.none);
  expect(few).not.toContain(outcome.ways.searched);

  for (let number = 4; number < 9; number++) await isFoundBySearch(number);
  await world.publish({ name: "Late", type: "found", email: mailboxOf("Late") });
  await world.pass(2 * HOUR);
  expect(await world.text("/returns")).toContain(returns.none);
  // Past the end of the found animal's alert, whose owner has said nothing.
  await world.pass(31 * DAY, 11 * DAY);
  expect(await world.text("/")).not.toContain("animals back home");
  const page = await world.text("/returns");
  expect(page).toContain(`<h2 id="cat">${PAGE_MESSAGES.en.species.cat}</h2>`);
  expect(page).toContain(`<th scope="row">${outcome.ways.searched}</th><td>9</td>`);
  expect(page).toContain(`<th scope="row">${PLAN_MESSAGES.en.search_house.title}</th><td>9</td>`);
  // The owners are erased by now: their numbers lead back to no alert.
  expect(page).not.toMatch(/\/alerts\/|owner\d|Mimi/);

  await isFoundBySearch(9);
  await world.pass(HOUR);
  expect(await world.text("/")).toContain(`<li><a href="/returns">${told}</a></li>`);
  expect(await world.text("/?place=Lyon")).not.toContain(told);
}, 300_000);
