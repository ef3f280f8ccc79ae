import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { LANGUAGES } from "../../../src/messages/languages.ts";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { createPushDevice } from "../../support/push-device.ts";
import { HOUR } from "../../support/time.ts";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";

const OWNER = LOST_CAT.email;
const words = PAGE_MESSAGES.en;
const OFFER = /formaction="\/manage\/[\w-]+\/device"/;

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.end());

/** True if one part of a page stands before another one. */
function precedes(page: string, first: RegExp, then: string): boolean {
  const [at, end] = [page.search(first), page.indexOf(then)];
  return at >= 0 && at < end;
}

describe("notifications on this device are offered to an owner", () => {
  test("in words only before the alert is confirmed, in every language", async () => {
    const fields = { type: "lost", species: "cat", color: "grey", place: "Lyon", email: OWNER };
    const waiting = (await world.post("/publish", fields)).headers.get("Location") ?? "";

    for (const language of LANGUAGES) {
      const page = await world.text(`${waiting}?lang=${language}`);
      expect(page).toContain(PAGE_MESSAGES[language].waiting.onThisDevice);
      expect(page).not.toMatch(/data-device|formaction/);
    }
  });

  test("first of all on the page that confirms it, for as long as that knows the private link", async () => {
    await world.tool("publish_alert", LOST_CAT);
    const link = await world.linkTo(OWNER, "/confirm/");
    const page = await (await world.post(link)).text();

    expect(precedes(page, OFFER, 'class="card')).toBeTrue();
    await world.pass(2 * HOUR);
    expect(await world.text(link)).not.toMatch(OFFER);
  });

  test("before the plan on their page, and lead back to it", async () => {
    await world.publish();
    const manage = await world.linkTo(OWNER, "/manage/");
    expect(precedes(await world.text(manage), OFFER, words.plan.title.lost)).toBeTrue();

    const answer = await world.press(`${manage}/device`, createPushDevice().subscription);
    const page = await answer.text();
    expect(page).toContain(words.device.added);
    expect(page).toContain(words.plan.title.lost);
    expect(page).not.toMatch(OFFER);
    expect(page).toContain('href="/device"');
  });

  test("until the animal is home again", async () => {
    await world.publish();
    const manage = await world.linkTo(OWNER, "/manage/");
    await world.post(`${manage}/resolve`);

    expect(await world.text(manage)).not.toMatch(OFFER);
  });
});
