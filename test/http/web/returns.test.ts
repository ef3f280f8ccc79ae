import { afterEach, beforeEach, expect, test } from "bun:test";
import { LANGUAGES } from "../../../src/messages/languages.ts";
import { PAGE_MESSAGES, PLAN_MESSAGES } from "../../../src/messages/messages.ts";
import { DAY, HOUR } from "../../support/time.ts";
import { createWorld, type World } from "../../support/world.ts";

const words = PAGE_MESSAGES.en.returns;
const SEARCHED = PAGE_MESSAGES.en.outcome.ways.searched;
const STEP = PLAN_MESSAGES.en.search_house.title;

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

/** Publishes a lost cat whose owner does a step, finds it and says so. */
async function comesHome(number: number): Promise<void> {
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

test("how animals came home is shown from five of a kind, and not before the week is over", async () => {
  for (let number = 0; number < 4; number++) await comesHome(number);
  await world.pass(8 * DAY);
  const few = await world.text("/returns");
  expect(few).toContain(words.none);
  expect(few).not.toContain(SEARCHED);

  await comesHome(4);
  await world.pass(2 * HOUR);
  expect(await world.text("/returns")).toContain(words.none);

  await world.pass(8 * DAY);
  for (const language of LANGUAGES) {
    const page = await world.text(`/returns?lang=${language}`);
    const { outcome, returns, species } = PAGE_MESSAGES[language];
    expect(page).toContain(`<h1>${returns.title}</h1>`);
    expect(page).toContain(`<h2 id="cat">${species.cat}</h2>`);
    expect(page).toContain(`<th scope="row">${outcome.ways.searched}</th><td>5</td>`);
    const { title } = PLAN_MESSAGES[language].search_house;
    expect(page).toContain(`<th scope="row">${title}</th><td>5</td>`);
    expect(page).not.toContain(returns.none);
  }
});

test("what is counted leads back to no alert: erased owners leave their numbers, and nothing else", async () => {
  for (let number = 0; number < 5; number++) await comesHome(number);
  await world.pass(40 * DAY);

  const page = await world.text("/returns");
  expect(page).toContain(STEP);
  expect(page).not.toMatch(/\/alerts\/|owner\d|Mimi/);
});
