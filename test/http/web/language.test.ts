import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { LANGUAGES } from "../../../src/messages/languages.ts";
import { createWorld, FINDER, LOST_CAT, upload, type World } from "../../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const languageIn = (page: string) => /<html lang="([^"]*)"/.exec(page)?.[1];

describe("a language chosen by its link", () => {
  test.each(LANGUAGES)("is kept on every answer (%s)", async (language) => {
    // Of a browser that asks for another language.
    const asked = language === "de" ? "fr" : "de";
    const [set = ""] = (await world.fetch(`/?lang=${language}`)).headers.getSetCookie();
    const headers = { "Accept-Language": asked, Cookie: set.split(";")[0]! };
    const told: [string, string | undefined][] = [];
    const look = async (name: string, answer: Response) => {
      const next = answer.headers.get("Location");
      const page = next === null ? answer : await world.fetch(next, { headers });
      expect([name, page.headers.get("Content-Language")]).toEqual([name, language]);
      told.push([name, languageIn(await page.text())]);
    };
    const { lat, lng, ...given } = LOST_CAT;
    const send = (path: string, fields: Record<string, string>) =>
      world.fetch(path, { method: "POST", headers, ...upload(fields) });

    await look("a page", await world.fetch("/about", { headers }));
    await look("a refused search", await world.fetch("/?q=!!!", { headers }));
    await look("no such page", await world.fetch("/nowhere", { headers }));
    await look("a wrong method", await world.fetch("/about", { method: "POST", headers }));
    await look("a refused form", await send("/publish", { type: "lost" }));
    await look("a form", await send("/publish", { ...given, lat: `${lat}`, lng: `${lng}` }));
    const confirm = await world.linkTo(LOST_CAT.email, "/confirm/");
    await look("a private page", await world.fetch(confirm, { headers }));
    await look("a confirmation", await world.post(confirm, {}, headers));
    const { slug } = (await world.json("/api/v1/alerts")).alerts[0];
    await look("an alert", await world.fetch(`/alerts/${slug}`, { headers }));
    const manage = await world.linkTo(LOST_CAT.email, "/manage/");
    const message = { email: FINDER, message: "Seen!" };
    await look("a message", await world.post(`/alerts/${slug}/contact`, message, headers));
    await look("a short link", await world.fetch(`/a/${slug.slice(-6)}`, { headers }));
    await look("a change", await world.post(`${manage}/resolve`, {}, headers));
    await look("a change that cannot be", await world.post(`${manage}/renew`, {}, headers));

    expect(told.filter(([, said]) => said !== language)).toEqual([]);
    expect(told).toHaveLength(13);
    // Emails follow the page that asked for them.
    const [email] = await world.emails(FINDER);
    expect(email?.html).toContain(`lang="${language}"`);
  });
});

describe("a translation that nobody has reviewed", () => {
  test("is not offered, whatever is asked for", async () => {
    const page = await world.text("/?lang=ar", { "Accept-Language": "ar, fr;q=0.5" });

    expect(languageIn(page)).toBe("fr");
    expect(page).not.toContain("العربية");
    expect((await world.fetch("/?lang=ar")).headers.getSetCookie()).toEqual([]);
  });

  test("is offered where the operator turns it on, and says that it was not reviewed", async () => {
    const other = await createWorld({ UNREVIEWED_LANGUAGES: "ar" });
    const arabic = { "Accept-Language": "ar-EG" };
    const page = await other.text("/", arabic);

    expect(page).toContain('<html lang="ar" dir="rtl">');
    expect(page).toContain(PAGE_MESSAGES.ar.layout.unreviewed);
    expect(page).toContain(PAGE_MESSAGES.ar.home.promise);
    expect(await other.text("/", { "Accept-Language": "en" })).toContain(">العربية</a>");
    expect(await other.text("/", { "Accept-Language": "en" })).not.toContain('dir="rtl"');
    // Search engines are told of the reviewed ones only.
    expect(page).not.toContain('hreflang="ar" href="http');
    await other.end();
  });

  test("leads to emails in English", async () => {
    const other = await createWorld({ UNREVIEWED_LANGUAGES: "ar" });
    const { lat, lng, ...given } = LOST_CAT;
    const sent = await other.fetch("/publish", {
      method: "POST",
      headers: { "Accept-Language": "ar" },
      ...upload({ ...given, lat: `${lat}`, lng: `${lng}` }),
    });
    const waiting = await other.text(sent.headers.get("Location")!, { "Accept-Language": "ar" });
    const [email] = await other.emails(LOST_CAT.email);
    await other.confirm(LOST_CAT.email);

    expect(waiting).toContain(PAGE_MESSAGES.ar.waiting.title);
    expect(email?.html).toContain('lang="en"');
    expect(await other.text((await other.json("/api/v1/alerts")).alerts[0].url)).toContain(
      '<html lang="en">',
    );
    await other.end();
  });
});
