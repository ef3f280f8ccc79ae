import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PAGE_MESSAGES, PLAN_MESSAGES } from "../../../src/messages/messages.ts";
import { DAY } from "../../support/time.ts";
import { createWorld, FINDER, LOST_CAT, type World } from "../../support/world.ts";

const OWNER = LOST_CAT.email;
const words = PAGE_MESSAGES.en.plan;
const titles = PLAN_MESSAGES.en;

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.end());

async function published(about: Record<string, unknown> = {}): Promise<string> {
  await world.publish(about);
  return world.linkTo(OWNER, "/manage/");
}

describe("the plan on the owner's page", () => {
  test("says what to do now, with the study that each step refers to", async () => {
    const manage = await published();
    const page = await world.text(manage);
    expect(page).toContain(words.title.lost);
    expect(page).toContain(words.next({ count: 2 }));
    expect(page).toContain('href="https://doi.org/10.3390/ani8010005"');
    expect(page.indexOf(titles.search_house.title)).toBeLessThan(
      page.indexOf(titles.search_near_cat.title),
    );
  });

  test("marks a step as done and brings it back, by plain forms", async () => {
    const manage = await published();
    const mark = (done: string) => world.post(`${manage}/plan`, { step: "search_house", done });

    const answer = await mark("yes");
    const page = await world.text(answer.headers.get("Location") ?? "");
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toEndWith("#plan");
    expect(page.indexOf(words.marked)).toBeGreaterThan(page.indexOf(words.title.lost));
    expect(page).toContain(words.marked);
    expect(page).toContain(words.doneList({ count: 1 }));
    expect(page).not.toContain(titles.search_house.text);

    await mark("yes");
    const back = await world.press(`${manage}/plan`, { step: "search_house", done: "no" });
    const again = await back.text();
    expect(again).toContain(words.unmarked);
    expect(again).toContain(titles.search_house.text);
    expect(again).not.toContain(words.doneList({ count: 1 }));
  });

  test("is not for an animal that a shelter has taken in, about which no emails come either", async () => {
    const manage = await published({ type: "found", custody: "shelter" });
    const before = (await world.emails(OWNER)).length;

    expect(await world.text(manage)).not.toContain(words.title.found);
    await world.pass(8 * DAY, 4 * DAY);
    expect(await world.emails(OWNER)).toHaveLength(before);
  });

  test("leaves what has come in within one press", async () => {
    const manage = await published();
    const [{ url, contact_url: contact }] = (await world.json("/api/v1/alerts")).alerts;
    expect(await world.text(manage)).not.toMatch(/href="#(?:messages|sightings|matches)"/);

    await world.post(contact, { name: "Jo", email: FINDER, message: "She is here." });
    await world.confirm(FINDER);
    await world.post(`${url}/sighting`, {
      lat: "45.77",
      lng: "4.83",
      hoursAgo: "1",
      email: FINDER,
    });
    await world.confirm(FINDER);
    const page = await world.text(manage);

    for (const id of ["messages", "sightings"]) {
      expect(page).toContain(`id="${id}"`);
      expect(page.indexOf(`href="#${id}"`)).toBeGreaterThan(0);
      expect(page.indexOf(`href="#${id}"`)).toBeLessThan(page.indexOf(words.title.lost));
    }
  });
});

describe("people to call", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pet-alert-help-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("are the nearest five of each kind on the plan, with their numbers, and nowhere in the API", async () => {
    const rows = Array.from(
      { length: 7 },
      (_, at) => `Praxis ${at},vet,${45.77 + at / 100},4.83,04 72 00 00 0${at},`,
    );
    const shelter = "Refuge <b>SPA</b>,shelter,45.8,4.9,,https://refuge.example/";
    const far = "Paris vet,vet,48.85,2.35,01 00 00 00 00,";
    writeFileSync(
      join(folder, "help.csv"),
      ["name,kind,lat,lng,phone,url", ...rows, shelter, far].join("\n"),
    );
    await world.end();
    world = await createWorld({ CONFIG_DIR: folder });
    const page = await world.text(await published());

    for (const at of [0, 1, 2, 3, 4]) expect(page).toContain(`04 72 00 00 0${at}`);
    expect(page).not.toContain("Praxis 5");
    expect(page).not.toContain("Paris vet");
    expect(page).toContain("Refuge &lt;b&gt;SPA&lt;/b&gt;");
    expect(page).toContain(PAGE_MESSAGES.en.help.kinds.shelter);
    expect(page).not.toContain(PAGE_MESSAGES.en.help.kinds.rescue);
    const api = await world.text("/api/v1/alerts");
    expect(api).not.toContain("Praxis");
    expect(api).not.toContain("04 72");
    const { next_step: next } = await world.tool("publish_alert", { ...LOST_CAT, name: "Bo" });
    expect(next).toContain("Near there: Refuge <b>SPA</b>, https://refuge.example/; Praxis 0.");
    expect(next).not.toContain("04 72");
  });
});
