import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { animalHeadline } from "../../../src/core/alerts/alert-text.ts";
import { type Language, LANGUAGES } from "../../../src/messages/languages.ts";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { capitalize } from "../../../src/messages/locale.ts";
import { jpeg } from "../../support/picture.ts";
import { DAY } from "../../support/time.ts";
import { createWorld, LOST_CAT, upload, type World, FINDER } from "../../support/world.ts";
import type { AlertType } from "../../../src/values/animal.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

/** Names that crawlers give themselves. None sends Accept-Language. */
const CRAWLERS = [
  "WhatsApp/2.23.20.0 A",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
];

async function publishIn(
  language: Language,
  about: Record<string, string> = {},
  photos: readonly Uint8Array[] = [],
) {
  const { lat, lng, ...given } = LOST_CAT;
  await world.fetch("/publish", {
    method: "POST",
    headers: { "Accept-Language": language },
    ...upload({ ...given, lat: `${lat}`, lng: `${lng}`, ...about }, photos),
  });
  await world.confirm(LOST_CAT.email);
  return (await world.json("/api/v1/alerts")).alerts[0];
}

/** Content of a `<meta>` element. */
function meta(page: string, name: string): string | undefined {
  return new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(page)?.[1];
}

/** Headers of an answer but for those that differ each time. */
function headersOf(answer: Response): Record<string, string> {
  const all = Object.fromEntries(answer.headers);
  for (const name of ["date", "x-request-id"]) delete all[name];
  return all;
}

const path = (address: string | undefined) => {
  const { pathname, search } = new URL(address!.replaceAll("&amp;", "&"));
  return pathname + search;
};

describe("a crawler that names no language", () => {
  test("reads and sees all that a link preview shows, in the language of its owner", async () => {
    const language = "fr";
    const t = PAGE_MESSAGES[language];
    const photo = await jpeg({ width: 1600, height: 1200 });
    const alerts = [
      await publishIn(language, { description: "Très douce: “Mimi” <3" }, [photo]),
      await publishIn(language, { type: "found", email: "b@example.org" }),
    ];
    const robots = await world.text("/robots.txt");
    const isAllowed = (at: string) =>
      [...robots.matchAll(/^Disallow: (.+)$/gm)].every(([, start]) => !at.startsWith(start!));

    for (const { url, alert_type: type } of alerts as { url: string; alert_type: AlertType }[])
      for (const agent of CRAWLERS) {
        const headers = { "User-Agent": agent };
        const answer = await world.fetch(path(url), { headers });
        const page = await answer.text();
        const headline = capitalize(animalHeadline(t, { type, species: "cat" }));
        const title = `${t.named({ headline, name: "Mimi" })} (Lyon 1er, ${t.country("FR")})`;

        expect([answer.status, isAllowed(path(url))]).toEqual([200, true]);
        expect(answer.headers.get("Content-Language")).toBe(language);
        expect(page).toContain(`<html lang="${language}">`);
        expect(meta(page, "og:title")).toBe(title);
        expect(meta(page, "og:locale")).toStartWith(`${language}_`);
        expect(meta(page, "og:type")).toBe("website");
        expect(meta(page, "og:site_name")).toBe("Pet Alert");
        expect(meta(page, "og:url")).toBe(url);
        expect(meta(page, "og:description")).not.toBe("");
        expect(meta(page, "description")).toBe(meta(page, "og:description")!);
        expect(meta(page, "twitter:card")).toBe("summary_large_image");
        expect(meta(page, "og:image:alt")).toBe(meta(page, "og:title")!);
        expect(meta(page, "og:image:type")).toBe("image/jpeg");
        expect([meta(page, "og:image:width"), meta(page, "og:image:height")]).toEqual([
          "1200",
          "630",
        ]);
        expect(page).toContain(`<link rel="canonical" href="${url}"/>`);
        for (const other of LANGUAGES)
          expect(page).toContain(
            `<link rel="alternate" hreflang="${other}" href="${url}?lang=${other}"/>`,
          );
        expect(page).toContain(`<link rel="alternate" hreflang="x-default" href="${url}"/>`);
        expect(page).not.toMatch(/<meta name="robots" content="[^"]*noindex/);

        const at = path(meta(page, "og:image"));
        const image = await world.fetch(at, { headers });
        const bytes = await image.bytes();
        expect([image.status, image.headers.get("Content-Type"), isAllowed(at)]).toEqual([
          200,
          "image/jpeg",
          true,
        ]);
        expect(await new Bun.Image(bytes).metadata()).toMatchObject({
          format: "jpeg",
          width: 1200,
          height: 630,
        });
        expect(bytes.length).toBeLessThan(300_000);

        for (const address of [path(url), at]) {
          const [head, got] = await Promise.all([
            world.fetch(address, { method: "HEAD", headers }),
            world.fetch(address, { headers }),
          ]);
          const length = (await got.bytes()).length;
          expect(headersOf(head)).toEqual({ ...headersOf(got), "content-length": `${length}` });
        }
      }
  });

  test("reads structured data in the language of the page, which nothing breaks out of", async () => {
    const { url, id } = await publishIn("es", { description: "</script><b>" });

    const page = await world.text(path(url), { "User-Agent": CRAWLERS[1]! });
    const [, data = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];

    expect(JSON.parse(data)).toMatchObject({
      "@type": "WebPage",
      "@id": url,
      inLanguage: "es",
      name: meta(page, "og:title"),
      description: "</script><b>",
      about: { identifier: id, name: "Mimi" },
      contentLocation: {
        address: { addressLocality: "Lyon", addressCountry: "FR" },
        geo: { latitude: 45.77, longitude: 4.83 },
      },
    });
    expect(data).not.toContain("<");
  });
});

describe("the picture of a link preview", () => {
  test("shows the photo, and changes with the alert", async () => {
    const { slug } = await publishIn("en", {}, [await jpeg({ width: 800, height: 800 })]);
    const image = async () => path(meta(await world.text(`/alerts/${slug}`), "og:image"));
    const before = await image();
    const first = await (await world.fetch(before)).bytes();
    const corner = await new Bun.Image(first).resize(12, 6).png().bytes();

    const manage = await world.linkTo(LOST_CAT.email, "/manage/");
    await world.post(`${manage}/resolve`);
    await world.tick();

    expect(corner.length).toBeGreaterThan(0);
    expect(await image()).not.toBe(before);
    expect(await (await world.fetch(await image())).bytes()).not.toEqual(first);
  });

  test("shows a hostile name as it is, and is gone with the alert", async () => {
    const name = `<image href="http://evil.example/x.png"/>&"'`;
    const { slug } = await publishIn("en", { name });
    const address = path(meta(await world.text(`/alerts/${slug}`), "og:image"));

    expect((await world.fetch(address)).status).toBe(200);
    await world.post(`${await world.linkTo(LOST_CAT.email, "/manage/")}/remove`, {});
    await world.tick();
    expect((await world.fetch(address)).status).toBe(410);
  });
});

describe("the sitemap", () => {
  const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, at]) => at!);

  test("leads from robots.txt to every active alert, and to no ended one", async () => {
    const { url } = await publishIn("en");
    const robots = await world.text("/robots.txt");
    const index = locations(await world.text(path(/Sitemap: (\S+)/.exec(robots)?.[1])));
    const parts = await Promise.all(index.map((part) => world.text(path(part))));

    expect(parts.flatMap(locations)).toContain(url);
    expect(parts.join("")).toMatch(/<lastmod>\d{4}-\d\d-\d\dT/);

    await world.pass(100 * DAY, 13 * DAY);
    const later = locations(await world.text("/sitemap.xml"));
    const left = await Promise.all(later.map((part) => world.text(path(part))));
    expect(left.flatMap(locations)).not.toContain(url);
    expect(left.flatMap(locations)).toContain("http://localhost:3000/about");
  });
});

const languageIn = (page: string) => /<html lang="([^"]*)"/.exec(page)?.[1];

describe("a language chosen by its link", () => {
  test("is kept on every answer, whatever the browser asks for", async () => {
    const language = "fr";
    const [set = ""] = (await world.fetch(`/?lang=${language}`)).headers.getSetCookie();
    const headers = { "Accept-Language": "de", Cookie: set.split(";")[0]! };
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
});
