import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { PAGE_MESSAGES, PLAN_MESSAGES } from "../../../src/messages/messages.ts";
import { DATABASE_FILE } from "../../../db/sqlite/open.ts";
import { newLink } from "../../../src/core/people/private-link.ts";
import { makeBulk, makeDraft } from "../../support/make.ts";
import { jpeg } from "../../support/picture.ts";
import { allLinks } from "../../support/private-links.ts";
import { DAY } from "../../support/time.ts";
import { createWorld, LOST_CAT, upload, type World, FINDER } from "../../support/world.ts";
import { MANAGE_LINKS_IN_EMAIL_MAX } from "../../../src/core/owners/manage-links.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";

const words = PAGE_MESSAGES.en;
const OWNER = LOST_CAT.email;

const SMALL = { width: 32, height: 32 };

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** The editor's form as a browser sends it. */
function edit(manage: string, fields: Fields = {}, photos: readonly Uint8Array[] = []) {
  const given = {
    edited: "1",
    color: "grey",
    place: "Lyon 1er",
    lat: "45.77",
    lng: "4.84",
    ...fields,
  };
  return world.fetch(`${manage}/edit`, { method: "POST", ...upload(given, photos) });
}

async function published(about: Record<string, unknown> = {}) {
  const alert = await world.publish(about);
  const manage = await world.linkTo(String(about["email"] ?? OWNER), "/manage/");
  return { alert, manage: new URL(manage).pathname };
}

function rows(query: string): unknown[] {
  const database = new Database(join(world.dataDir, DATABASE_FILE), { readonly: true });
  const found = database.query(query).all();
  database.close();
  return found;
}

describe("the owner's page", () => {
  test("offers what is possible, does it, and does not mind a second press", async () => {
    const { manage, alert } = await allLinks(world);
    const status = async () => (await world.json(`/api/v1/alerts/${alert.id}`)).status;

    for (const [move, becomes] of [
      ["resolve", "resolved"],
      ["reopen", "active"],
      ["renew", "active"],
    ] as const) {
      for (const _ of ["first", "second"]) {
        const answer = await world.post(`${manage}/${move}`);
        expect(answer.status).toBe(303);
        expect(answer.headers.get("Location")).toStartWith(new URL(manage).pathname);
        expect(answer.headers.get("Cache-Control")).toBe("no-store");
        expect(await status()).toBe(becomes);
      }
    }
    await world.post(`${manage}/resolve`);
    const page = await world.text(`${manage}?done=resolve`);
    expect(page).toContain("The alert now says that the animal is home again.");
    expect(page).toContain("Reopen the alert");
    expect(page).not.toContain("Renew the alert");
    expect((await world.post(`${manage}/renew`)).status).toBe(409);
  });
});

describe("changing a live alert", () => {
  test("shows what it says now, and the new version to everyone at once", async () => {
    const { alert, manage } = await published({ description: "shy", breed: "siamese" });
    const form = await world.text(`${manage}/edit`);
    expect(form).toMatch(/id="field-name"[^>]*value="Mimi"/);
    expect(form).toMatch(/id="field-lat"[^>]*value="45.77"/);

    const saved = await edit(manage, { name: "Minou", breed: "", description: "", sex: "male" }, [
      await jpeg(SMALL),
    ]);
    const page = await world.text(saved.headers.get("Location") ?? "");

    expect(saved.status).toBe(303);
    expect(saved.headers.get("Cache-Control")).toBe("no-store");
    expect(page).toContain(words.manage.done.edit);
    const now = await world.json(`/api/v1/alerts/${alert.id}`);
    expect(now).toMatchObject({
      pet_name: "Minou",
      breed: "unknown",
      color: "grey",
      description: null,
      sex: "male",
      short_code: alert.short_code,
      published_at: alert.published_at,
    });
    expect((await world.fetch(now.photos[0])).status).toBe(200);
    const [found] = (await world.json("/api/v1/alerts?q=minou")).alerts;
    expect(found.id).toBe(alert.id);
    expect((await world.json("/api/v1/alerts?q=mimi")).alerts).toEqual([]);
    // Its old address leads to the new one, and says the old name no more.
    const old = await world.fetch(alert.url);
    expect([old.status, old.headers.get("Location")]).toEqual([301, now.url]);
  });

  test("is over when the animal is home, and open again when the alert has run out", async () => {
    const { alert, manage } = await published();
    await world.post(`${manage}/resolve`);

    const asked = await world.fetch(`${manage}/edit`);
    const sent = await edit(manage, { name: "Minou" });

    expect([asked.status, asked.headers.get("Location")]).toEqual([303, manage]);
    expect(sent.status).toBe(409);
    expect(await world.text(manage)).not.toContain(words.edit.link);
    await world.post(`${manage}/reopen`);
    await world.pass(91 * DAY, 13 * DAY);
    expect((await world.json(`/api/v1/alerts/${alert.id}`)).status).toBe("expired");
    expect((await edit(manage, { name: "Minou" })).status).toBe(303);
    expect((await world.json(`/api/v1/alerts/${alert.id}`)).pet_name).toBe("Minou");
  });
});

describe("how it came home", () => {
  test("is asked once it is, in two taps, and kept without what leads to the alert", async () => {
    const { alert, manage } = await published({ event_date: "2026-04-24" });
    expect(await world.text(manage)).not.toContain(words.outcome.title);
    const early = await world.post(`${manage}/outcome`, { how: "poster" });

    await world.post(`${manage}/resolve`);
    expect(await world.text(manage)).toContain(words.outcome.title);
    const told = await world.post(`${manage}/outcome`, { how: "poster", distance: "under_500_m" });
    await world.post(`${manage}/outcome`, { how: "other", distance: "farther" });

    expect(early.status).toBe(409);
    const page = await world.text(told.headers.get("Location") ?? "");
    expect(page).toContain(words.manage.done.tell);
    expect(page).not.toContain(words.outcome.title);
    const kept = rows("select * from outcome");
    expect(kept).toEqual([
      {
        id: 1,
        week: "2026-04-27",
        type: "lost",
        species: "cat",
        days: 7,
        how: "poster",
        distance: "under_500_m",
      },
    ]);
    expect(JSON.stringify(kept)).not.toContain(alert.short_code);
  });
});

describe("finding the private link again", () => {
  const ask = (email: string) => world.press("/manage", { email });
  const links = async (to: string) =>
    (await world.emails(to)).filter(({ text }) => text?.includes("/manage/"));

  const fresh = async (before: number) =>
    (await links(OWNER)).slice(before).map((email) => ({
      subject: email.subject,
      ways: [...(email.text ?? "").matchAll(/\/manage\/[\w-]{43}/g)].map(([way]) => way),
      text: email.text ?? "",
    }));

  test("sends one email with the link of each alert that is left, newest first", async () => {
    const first = await published();
    const second = await published({ name: "Minou", color: "black" });
    const gone = await published({ name: "Bo", color: "white" });
    await world.post(`${gone.manage}/remove`);
    const before = (await links(OWNER)).length;

    await ask("OWNER@example.org");
    expect(await fresh(before)).toEqual([]);
    const answer = await ask(OWNER);

    expect(await answer.text()).toContain("o…@e…");
    const [email, ...others] = await fresh(before);
    expect(others).toEqual([]);
    expect(email?.subject).toBe("Your private links: 2 alerts");
    expect(email?.ways).toEqual([second.manage, first.manage]);
    for (const way of email?.ways ?? []) expect((await world.fetch(way)).status).toBe(200);
  });

  test("gives an owner of more alerts than one email holds all of them, part by part", async () => {
    const { random, secrets, service } = world.app;
    const many = 2 * MANAGE_LINKS_IN_EMAIL_MAX + 7;
    const bulk = Array.from({ length: many }, () => {
      const draft = makeDraft({ id: random.id() });
      const link = newLink({ random, secrets }, "manage", draft.id);
      return makeBulk({ draft, ownerEmail: OWNER, link, announce: false });
    });
    await service.alerts.add(bulk);

    await ask(OWNER);
    const [first] = await fresh(0);
    const next = new URL(/https?:\S+\/manage\?part=2/.exec(first?.text ?? "")?.[0] ?? "");
    const form = await world.text(`${next.pathname}${next.search}`);
    await world.post("/manage", { email: OWNER, part: "2" });
    await world.post("/manage", { email: OWNER, part: "3" });
    await world.post("/manage", { email: OWNER, part: "4" });

    const emails = await fresh(0);
    expect(form).toContain('<input type="hidden" name="part" value="2"');
    expect(emails.map(({ ways }) => ways.length)).toEqual([
      MANAGE_LINKS_IN_EMAIL_MAX,
      MANAGE_LINKS_IN_EMAIL_MAX,
      7,
    ]);
    expect(new Set(emails.flatMap(({ ways }) => ways)).size).toBe(many);
    expect(emails.at(-1)?.text).not.toContain("part=");
    expect((await world.fetch(emails.at(-1)?.ways.at(-1) ?? "")).status).toBe(200);
  });

  test("answers alike whether or not the address is known, and however often it was asked", async () => {
    await published();
    const before = (await links(OWNER)).length;

    const answers = [];
    for (let at = 0; at < 6; at++) answers.push(await ask(OWNER));
    answers.push(await ask("other@example.org"));

    const [first, ...others] = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const other of others) expect(other).toBe(first!);
    // Five emails a day; the sixth was answered alike and sent nothing.
    expect((await links(OWNER)).length).toBe(before + 5);
    expect(await links("other@example.org")).toEqual([]);
  });
});

const { plan } = PAGE_MESSAGES.en;
const titles = PLAN_MESSAGES.en;

describe("the plan on the owner's page", () => {
  test("says what to do now, with the study that each step refers to", async () => {
    const { manage } = await published();
    const page = await world.text(manage);
    expect(page).toContain(plan.title.lost);
    expect(page).toContain(plan.next({ count: 2 }));
    expect(page).toContain('href="https://doi.org/10.3390/ani8010005"');
    expect(page.indexOf(titles.search_house.title)).toBeLessThan(
      page.indexOf(titles.search_near_cat.title),
    );
  });

  test("marks a step as done and brings it back, by plain forms", async () => {
    const { manage } = await published();
    const mark = (done: string) => world.post(`${manage}/plan`, { step: "search_house", done });

    const answer = await mark("yes");
    const page = await world.text(answer.headers.get("Location") ?? "");
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toEndWith("#plan");
    expect(page.indexOf(words.manage.done.step)).toBeGreaterThan(page.indexOf(plan.title.lost));
    expect(page).toContain(words.manage.done.step);
    expect(page).toContain(plan.doneList({ count: 1 }));
    expect(page).not.toContain(titles.search_house.text);

    await mark("yes");
    const back = await world.press(`${manage}/plan`, { step: "search_house", done: "no" });
    const again = await back.text();
    expect(again).toContain(words.manage.done["step-undone"]);
    expect(again).toContain(titles.search_house.text);
    expect(again).not.toContain(plan.doneList({ count: 1 }));
  });

  test("is not for an animal that a shelter has taken in, about which no emails come either", async () => {
    const { manage } = await published({ type: "found", custody: "shelter" });
    const before = (await world.emails(OWNER)).length;

    expect(await world.text(manage)).not.toContain(plan.title.found);
    await world.pass(8 * DAY, 4 * DAY);
    expect(await world.emails(OWNER)).toHaveLength(before);
  });

  test("leaves what has come in within one press", async () => {
    const { manage } = await published();
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
      expect(page.indexOf(`href="#${id}"`)).toBeLessThan(page.indexOf(plan.title.lost));
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
    const page = await world.text((await published()).manage);

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
