import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import type { AlertDraft } from "../../../src/core/alerts/alert.ts";
import { makeBulk, makeDraft, makeId } from "../../support/make.ts";
import { moderate, MODERATED, report, type Session, signIn } from "../../support/moderators.ts";
import { DAY } from "../../support/time.ts";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";

const FAR = { lat: 40.42, lng: -3.7 };
const texts = PAGE_MESSAGES.en.admin;

let world: World;
let session: Session;
beforeEach(async () => {
  world = await createWorld(MODERATED);
  session = await signIn(world);
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const page = (path: string) => world.text(path, session);

/** Short codes of the alerts that a search lists, in order. */
async function found(query: string): Promise<string[]> {
  return codesIn(await page(`/admin/alerts?q=${encodeURIComponent(query)}`));
}

function codesIn(html: string): string[] {
  return [...html.matchAll(/(?:>| · )([2-9A-HJ-NP-Z]{6}) ·/g)].map(([, code]) => code ?? "");
}

describe("a search of moderators", () => {
  test("finds an alert by every name it has, whether it is public, hidden or removed", async () => {
    for (const done of [null, "hide", "remove"]) {
      const alert = await world.publish({ email: `owner-${done}@example.org` });
      if (done !== null) await moderate(world, session, alert, done);
      const names = [
        alert.id,
        alert.slug,
        alert.short_code,
        alert.short_code.toLowerCase(),
        alert.url,
        `  ${alert.url}  `,
        `/a/${alert.short_code}`,
      ];
      for (const name of names)
        expect([name, (await found(name))[0]]).toEqual([name, alert.short_code]);
    }
  });

  test("finds words of name, breed, town, colour and text in any order, without case and accents", async () => {
    const alert = await world.publish({
      name: "Mïmi",
      breed: "Chartreux",
      description: "Please pay the reward by Western Union",
    });
    await world.publish({ name: "Felix", email: "other@example.org", color: "black" });

    for (const query of ["mimi", "LYON mimi", "chartr", "grey tabby", "western UNION"])
      expect([query, await found(query)]).toEqual([query, [alert.short_code]]);
    expect(await found("lyon")).toHaveLength(2);
    expect(await found("mimi black")).toEqual([]);
    expect(await found("!!!")).toEqual([]);
    expect(await page("/admin/alerts?q=unicorn")).toContain(texts.alerts.none);
  });

  test("without words lists the newest alerts of every status, page by page", async () => {
    const drafts = Array.from({ length: 45 }, () => makeDraft());
    await world.app.service.alerts.add(
      drafts.map((draft) => makeBulk({ draft, source: makeId("s"), expiresAt: world.now() + 1e9 })),
    );
    await moderate(world, session, drafts.at(-1)!, "remove");
    const newest = drafts.map(({ shortCode }) => shortCode).toReversed();

    const seen: string[] = [];
    let path: string | undefined = "/admin/alerts";
    while (path !== undefined) {
      const html = await page(path);
      seen.push(...codesIn(html));
      path = /class="button quiet" href="([^"]+)"/.exec(html)?.[1]?.replace("&amp;", "&");
      if (seen.length > newest.length) break;
    }
    expect(seen).toEqual(newest);
    expect((await world.fetch("/admin/alerts?before=yesterday", { headers: session })).status).toBe(
      400,
    );
  });

  test("takes a session, and shows no address and no hostile markup", async () => {
    const evil = "<img src=x onerror=alert(1)>";
    const alert = await world.publish({ name: evil });
    for (const path of ["/admin/alerts", `/admin/alerts/${alert.id}`, "/admin/alerts?q=mimi"])
      expect(await world.text(path)).not.toContain(alert.short_code);

    const pages = [
      await page("/admin/alerts"),
      await page(`/admin/alerts?q=${encodeURIComponent(evil)}`),
      await page(`/admin/alerts/${alert.id}`),
    ];
    for (const html of pages) {
      expect(html).not.toContain("<img src=x");
      expect(html).not.toContain(LOST_CAT.email);
    }
    expect((await world.fetch("/admin/alerts/nobody", { headers: session })).status).toBe(404);
  });
});

describe("the look-alikes of a reported alert", () => {
  const SCAM =
    "Found your pet? I have him safe with me, send the vet costs by gift card first and I will bring him home";

  test("are told with the reports: alerts of the same publisher, photo, text or looks, of any status", async () => {
    const photo = "0".repeat(32);
    const about = { ...makeDraft(), species: "dog", name: null, photos: [photo] } as const;
    const add = async (more: Partial<AlertDraft>, ownerEmail: string | null) => {
      const { slug, shortCode } = makeDraft();
      const id = crypto.randomUUID();
      const draft = { ...about, color: shortCode, photos: [], ...more, id, slug, shortCode };
      const expiresAt = world.now() + 30 * DAY;
      await world.app.service.alerts.add([makeBulk({ draft, ownerEmail, expiresAt })]);
      return draft;
    };
    const looks = { color: "white", breed: "Labrador" };
    const reported = await add({ ...looks, photos: [photo], description: SCAM }, "a.b@gmail.com");
    const bySame = await add({}, "ab+2@gmail.com");
    const withPhoto = await add({ photos: [photo] }, "photo@example.org");
    const description = SCAM.replace("vet costs", "doctor fees");
    const withText = await add({ species: "bird", description, point: FAR }, "text@example.org");
    const likeIt = await add({ ...looks, color: "WHITE" }, "looks@example.org");
    const all = await add({ ...looks, photos: [photo], description: SCAM }, "AB@gmail.com");
    const others = [
      await add({ ...looks, point: FAR }, "far@example.org"),
      await add({ ...looks, eventDate: "2025-01-01" }, "long-ago@example.org"),
      await add({ description: "Found your pet?" }, "short@example.org"),
      await add({}, null),
    ];
    await moderate(world, session, withPhoto, "hide");
    const answer = await report(world, { url: `/alerts/${reported.shortCode}` });
    expect(answer.status).toBe(200);

    const queue = await page("/admin");
    const file = await page(`/admin/alerts/${reported.id}`);
    const { way } = texts.lookAlikes;
    const counts = `${way.publisher}: 2 · ${way.photo}: 2 · ${way.text}: 2 · ${way.looks}: 2`;
    expect(queue).toContain(counts);
    expect(file).toContain(counts);
    const alike = [all, likeIt, withText, withPhoto, bySame];
    expect(codesIn(file)).toEqual(alike.map(({ shortCode }) => shortCode));
    for (const { shortCode } of others) expect(file).not.toContain(shortCode);
    expect(file).not.toMatch(/gmail|example\.org/);
  });
});
