import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { LANGUAGES } from "../../../src/messages/languages.ts";
import { makeBulk, makeDraft } from "../../support/make.ts";
import { DAY } from "../../support/time.ts";
import { BASE_URL, createWorld, LOST_CAT, type World } from "../../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

/** What a head says under a name. */
function meta(page: string, name: string): string | undefined {
  return new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(page)?.[1];
}

function linkedData(page: string): any {
  const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
  return JSON.parse(json);
}

const PICTURES = ["a".repeat(64), "b".repeat(64), "c".repeat(64)];

/** An alert with pictures, which come in bulk without being looked at. */
async function pictured(photos: readonly string[], about = {}) {
  const draft = makeDraft({ id: Bun.randomUUIDv7(), photos, ...about });
  await world.app.service.alerts.add([makeBulk({ draft, expiresAt: world.now() + DAY })]);
  return draft;
}

describe("an alert's page", () => {
  test("shows what is public and tells machines where it is", async () => {
    const alert = await world.publish({
      breed: "siamese",
      size: "small",
      sex: "female",
      age: "senior",
      description: 'shy & "small"',
      event_date: "2026-04-29",
    });

    const page = await world.text(alert.url);

    for (const said of [
      "Lost cat: Mimi",
      "siamese",
      "grey tabby",
      "small",
      "female",
      "old",
      "shy &amp; &quot;small&quot;",
      "29 April 2026",
      "Lyon 1er, France",
      "Shown to within about 1 km.",
      `href="/a/${alert.short_code}">localhost:3000/a/${alert.short_code}</a>`,
      `<link rel="canonical" href="${alert.url}"/>`,
      '<meta property="og:title" content="Lost cat: Mimi (Lyon 1er, France)"/>',
      '<meta property="og:description" content="shy &amp; &quot;small&quot;"/>',
      "Write to the owner",
    ])
      expect(page).toContain(said);
    expect(page).not.toContain(LOST_CAT.email);
  });

  test("names its language to link previews, reviewed or not", async () => {
    await world.end();
    world = await createWorld({ UNREVIEWED_LANGUAGES: "ar" });
    const { url } = await world.publish();

    for (const [language, locale] of [
      ["fr", "fr_FR"],
      ["ar", "ar"],
    ])
      expect(meta(await world.text(`${url}?lang=${language}`), "og:locale")).toBe(locale);
  });

  test("is found under its other names, and poster codes lead to it", async () => {
    const alert = await world.publish();

    for (const name of [alert.id, alert.short_code, alert.short_code.toLowerCase()]) {
      const answer = await world.fetch(`/alerts/${name}`);
      expect([answer.status, answer.headers.get("Location")]).toEqual([301, alert.url]);
    }
    const short = await world.fetch(`/a/${alert.short_code}`);
    expect([short.status, short.headers.get("Location")]).toEqual([302, alert.url]);
    const contact = await world.fetch(`/alerts/${alert.id}/contact`);
    expect(contact.headers.get("Location")).toBe(alert.contact_url);
  });

  test("says so when the animal is home, when its time is over, and when it is gone", async () => {
    const alert = await world.publish();
    const manage = await world.linkTo(LOST_CAT.email, "/manage/");
    const found = await world.publish({ type: "found", email: "f@example.org" });

    await world.pass(29 * DAY);
    await world.post(`${manage}/resolve`);
    await world.pass(2 * DAY);

    expect(await world.text(alert.url)).toMatch(/Home again(?!.*Write to the owner)/s);
    expect(await world.text(alert.contact_url)).not.toContain("<form");
    expect(await world.text(found.url)).toMatch(/Expired.*Write to the finder/s);

    await world.post(`${manage}/remove`);
    const gone = await world.fetch(alert.url);
    expect(gone.status).toBe(410);
    expect(await gone.text()).toContain("This alert has been removed");
  });

  test("is a page for people when there is none", async () => {
    for (const path of [
      "/alerts/lost-cat-nobody-abc234",
      "/a/ABC234",
      "/alerts/%E0%A4%A",
      "/nowhere",
    ]) {
      const answer = await world.fetch(path);

      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain("<h1>Page not found</h1>");
    }
  });
});

describe("an alert's photos", () => {
  test("are shown the first one large, the others small and later, each leading to the whole one", async () => {
    const { slug } = await pictured(PICTURES);

    const page = await world.text(`/alerts/${slug}`);

    const photos = [...page.matchAll(/<a class="photo" href="([^"]+)"><img ([^>]+)>/g)];
    expect(photos.map(([, href]) => href)).toEqual(PICTURES.map((name) => `/photos/${name}.webp`));
    const [first = "", ...others] = photos.map(([, , image]) => image ?? "");
    expect(first).toContain(`src="/photos/${PICTURES[0]}.webp"`);
    expect(first).not.toContain("lazy");
    for (const [at, image] of others.entries()) {
      expect(image).toContain(`src="/photos/${PICTURES[at + 1]}-480.webp"`);
      expect(image).toContain('loading="lazy"');
    }
  });

  test("say what they show, each something else", async () => {
    const { slug } = await pictured(PICTURES);

    const page = await world.text(`/alerts/${slug}`);

    const alts = [...page.matchAll(/<a class="photo"[^>]*><img [^>]*alt="([^"]*)"/g)];
    expect(alts.map(([, alt]) => alt)).toEqual([
      "Lost cat: Mimi, grey (Photo 1)",
      "Lost cat: Mimi, grey (Photo 2)",
      "Lost cat: Mimi, grey (Photo 3)",
    ]);
  });
});

describe("a link to an alert", () => {
  test("shows its photo, name and place where links are shown", async () => {
    const { slug } = await pictured(PICTURES);

    const page = await world.text(`/alerts/${slug}`);

    expect(meta(page, "og:title")).toBe("Lost cat: Mimi (Lyon, France)");
    expect(meta(page, "og:description")).toBe("shy");
    expect(meta(page, "og:image")).toStartWith(`${BASE_URL}/alerts/${slug}/preview.jpg?v=`);
    expect(meta(page, "og:image:alt")).toBe("Lost cat: Mimi (Lyon, France)");
    expect(meta(page, "og:url")).toBe(`${BASE_URL}/alerts/${slug}`);
    expect(meta(page, "twitter:card")).toBe("summary_large_image");
  });

  test("has a picture without a photo, and says what is known in place of a description", async () => {
    const { slug } = await world.publish();

    const page = await world.text(`/alerts/${slug}`);

    expect(meta(page, "og:image")).toStartWith(`${BASE_URL}/alerts/${slug}/preview.jpg?v=`);
    expect(meta(page, "og:description")).toBe("grey tabby, Lost on 1 May 2026");
  });

  test("speaks the language of whoever shares it", async () => {
    const { slug } = await world.publish();

    const locales = await Promise.all(
      LANGUAGES.map(async (language) =>
        meta(await world.text(`/alerts/${slug}?lang=${language}`), "og:locale"),
      ),
    );

    expect(locales).toEqual(["en_GB", "fr_FR", "es_ES", "de_DE"]);
  });

  test("tells in the reader's language where something was removed", async () => {
    const { slug } = await pictured([], { description: "Call [removed]!" });

    const said = await Promise.all(
      LANGUAGES.map((language) => world.text(`/alerts/${slug}?lang=${language}`)),
    );

    expect(said.map((page) => /Call \[([^\]]+)\]!/.exec(page)?.[1])).toEqual([
      "removed",
      "retiré",
      "eliminado",
      "entfernt",
    ]);
  });

  test("cuts a long description between letters, not inside one", async () => {
    const { slug } = await pictured([], { description: "🐈".repeat(300) });

    const described = meta(await world.text(`/alerts/${slug}`), "og:description") ?? "";

    expect([...described]).toHaveLength(200);
    expect(described).toEndWith("🐈…");
  });

  test("leads feed readers to what is new around it", async () => {
    const { slug, id } = await world.publish();
    const page = await world.text(`/alerts/${slug}`);

    const [, feed = ""] = /type="application\/atom\+xml"[^>]*href="([^"]+)"/.exec(page) ?? [];

    expect(await world.text(feed.replaceAll("&amp;", "&"))).toContain(id);
  });
});

describe("the data for search engines", () => {
  test("is a page about an animal at the middle of its cell, that holds until the alert ends", async () => {
    const alert = await world.publish({ lat: 45.77412, lng: 4.83211 });

    const data = linkedData(await world.text(`/alerts/${alert.slug}`));

    expect(data).toMatchObject({
      "@context": "https://schema.org",
      "@type": "WebPage",
      url: alert.url,
      datePublished: alert.published_at,
      expires: alert.expires_at,
      about: { identifier: alert.id, name: "Mimi" },
      contentLocation: { geo: { latitude: 45.77, longitude: 4.83 } },
    });
    expect(JSON.stringify(data)).not.toContain(LOST_CAT.email);
  });

  test("cannot be broken out of", async () => {
    const evil = "</script><script>alert(1)</script><!--\u2028";
    const { slug } = await pictured([], { name: evil, description: evil, city: evil });

    const page = await world.text(`/alerts/${slug}`);

    expect(linkedData(page).about.name).toBe(evil);
    expect(page).not.toContain("<script>alert");
    expect(page).not.toContain("<!--");
  });
});

describe("the page of an alert", () => {
  test("offers to write, to tell of a sighting, to share and to print a poster", async () => {
    const { slug, short_code } = await world.publish();

    const page = await world.text(`/alerts/${slug}`);

    for (const way of ["contact", "sighting", "poster"])
      expect(page).toContain(`href="/alerts/${slug}/${way}"`);
    expect(page).toContain(`data-copy="${BASE_URL}/a/${short_code}"`);
    expect(page).toContain(`data-url="${BASE_URL}/a/${short_code}"`);
  });

  test("gives the reasons of its matches in the reader's language", async () => {
    const { slug } = await world.publish();
    await world.publish({ type: "found", email: "finder@example.org" });

    const page = await world.text(`/alerts/${slug}?lang=fr`);

    expect(page).toContain("même");
    expect(page).toContain("non comparé\u202f:");
    expect(page).not.toContain("not compared");
  });

  test("has a map of its cell where there are tiles, and says the same without", async () => {
    const plain = await createWorld({ TILE_URL: "off" });
    try {
      const { slug } = await world.publish();
      const without = await plain.publish();

      const page = await world.text(`/alerts/${slug}`);
      const bare = await (await plain.fetch(`/alerts/${without.slug}`)).text();

      expect(page).toMatch(/<div class="map" hidden[^>]*data-map="trail"[^>]*data-list="#alert"/);
      expect(bare).not.toContain("data-map");
      for (const shown of [page, bare]) {
        expect(shown).toContain('<div data-lat="45.77" data-lng="4.83" data-type="lost">');
        expect(shown).toContain("Shown to within about 1 km.");
      }
    } finally {
      await plain.end();
    }
  });

  test("is answered by 410 once the alert is removed, without what it said", async () => {
    const { slug, id } = await world.publish({ description: "canary" });
    await world.app.store.removeAlert(id, world.now());

    const answer = await world.fetch(`/alerts/${slug}`);

    expect(answer.status).toBe(410);
    expect(await answer.text()).not.toMatch(/canary|Mimi/);
  });
});
