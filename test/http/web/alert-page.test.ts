import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY, MINUTE } from "../../support/time.ts";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";
import { makeBulk, makeDraft } from "../../support/make.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

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

    await world.pass(29 * DAY, 10 * DAY);
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
});

describe("the page of an alert", () => {
  test("has a map of its cell where there are tiles, and says the same without", async () => {
    const plain = await createWorld({ TILE_URL: "off" });
    try {
      const { slug } = await world.publish();
      const without = await plain.publish();

      const page = await world.text(`/alerts/${slug}`);
      const bare = await (await plain.fetch(`/alerts/${without.slug}`)).text();

      expect(page).toMatch(/<div class="map" hidden[^>]*data-map="trail"[^>]*data-list="#alert"/);
      expect(bare).not.toContain("data-map");
      expect(await plain.text("/")).not.toMatch(/data-map|scripts\/map/);
      for (const shown of [page, bare]) {
        expect(shown).toContain('<div data-lat="45.77" data-lng="4.83" data-type="lost">');
        expect(shown).toContain("Shown to within about 1 km.");
      }
    } finally {
      await plain.end();
    }
  });
});

test("a found tortoise is named so on its page, in previews, on posters, in lists and in emails", async () => {
  const email = "de@example.org";
  await world.tool("subscribe_zone", { lat: 45.77, lng: 4.83, email, language: "de" });
  await world.confirm(email);
  const { slug } = await world.publish({
    type: "found",
    species: "other",
    breed: "Hermann's tortoise",
    color: "brown",
    name: undefined,
  });

  const page = await world.text(`/alerts/${slug}`);
  expect(page).toContain('<h1 dir="auto">Found tortoise</h1>');
  expect(page).toContain('<meta property="og:title" content="Found tortoise (Lyon 1er, France)"/>');
  expect(await world.text(`/alerts/${slug}/poster`)).toContain("FOUND TORTOISE");
  for (const list of ["/", "/embed", "/feed.atom"])
    expect(await world.text(list)).toContain("Found tortoise");
  // News of a zone is gathered for the better part of a minute.
  await world.pass(MINUTE);
  expect((await world.emails(email)).at(-1)?.text).toContain("Schildkröte gefunden");
});

/** The sheet itself: what gets printed. */
async function sheet(slug: string, query = ""): Promise<string> {
  const page = await world.text(`/alerts/${slug}/poster?${query}`);
  const [, printed] = /<section class="sheet[^>]*>(.*)<\/section>/s.exec(page) ?? [];
  if (printed === undefined) throw new Error("there is no sheet");
  return printed;
}

/** The words of a page, as they are read. */
function read(html: string): string {
  return html.replace(/<title>[^<]*<\/title>|<[^>]+>/g, " ").replace(/\s+/g, " ");
}

async function manage(move: string): Promise<void> {
  await world.post(`${await world.linkTo(LOST_CAT.email, "/manage/")}/${move}`);
}

describe("the poster", () => {
  test("says what, who, when and where, with the code and its address large", async () => {
    const { slug, short_code, color } = await world.publish({ breed: "Maine Coon" });

    const printed = await sheet(slug);

    const words = read(printed);
    for (const said of [
      "LOST CAT",
      "Mimi",
      `${color}, Maine Coon`,
      "Lost on 1 May 2026",
      "near Lyon 1er, France",
      `localhost:3000/a/${short_code}`,
    ])
      expect(words).toContain(said);
    expect(printed).toContain(`<img src="/api/qr/${short_code}?size=512"`);
    expect((await world.fetch(`/api/qr/${short_code}?size=512`)).status).toBe(200);
  });

  test("is printed on the paper of the country, or the one that was chosen", async () => {
    const lyon = await world.publish();
    const austin = await world.publish({ lat: 30.27, lng: -97.74, email: "b@example.org" });
    const paper = async (slug: string, query = "") =>
      /<section class="sheet (\w+)"/.exec(await world.text(`/alerts/${slug}/poster?${query}`))?.[1];

    expect(await paper(lyon.slug)).toBe("a4");
    expect(await paper(austin.slug)).toBe("letter");
    expect(await paper(lyon.slug, "paper=letter&sheet=far")).toBe("letter");
    expect(await paper(lyon.slug, "paper=%22%3E%3Cscript%3E&sheet=no")).toBe("a4");
  });

  test("shows hostile names as text, and never wider than the paper", async () => {
    const evil = `"><img src=x onerror=alert(1)></svg><script>`;
    const draft = makeDraft({
      id: Bun.randomUUIDv7(),
      name: "W".repeat(60),
      color: evil,
      city: evil,
    });
    await world.app.service.alerts.add([makeBulk({ draft, expiresAt: world.now() + DAY })]);

    for (const which of ["tear", "far"]) {
      const printed = await sheet(draft.slug, `sheet=${which}`);
      expect(printed).not.toMatch(/<img src="?x|<script/);
      for (const [svg] of printed.matchAll(
        /<svg class="(?:shout|far-|sheet-address).*?<\/svg>/gs,
      )) {
        const [, width] = /viewBox="0 0 ([\d.]+) /.exec(svg) ?? [];
        expect(svg).toContain(`textLength="${width}"`);
      }
    }
  });
});

describe("an alert that is not live", () => {
  test("has no poster: home again asks to take it down, on the page of the short link, too", async () => {
    const { slug, short_code } = await world.publish();
    await manage("resolve");

    const poster = await world.fetch(`/alerts/${slug}/poster`);
    const scanned = await world.fetch(`/a/${short_code}`);

    expect(poster.status).toBe(409);
    expect(await poster.text()).toContain("Please take its posters down.");
    const reached = await world.text(scanned.headers.get("Location") ?? "");
    expect(reached).toContain("Home again!");
    expect(reached).toContain("please take it down. Thank you!");
    expect(reached).not.toContain("Print a poster");
  });

  test("has no poster when it has run out, was removed or never was", async () => {
    const { slug } = await world.publish();
    await world.tick();
    await world.pass(91 * DAY, 13 * DAY);
    const expired = await world.fetch(`/alerts/${slug}/poster`);
    await manage("remove");

    expect(expired.status).toBe(409);
    expect(await expired.text()).toContain("This alert has expired.");
    expect((await world.fetch(`/alerts/${slug}/poster`)).status).toBe(410);
    expect((await world.fetch("/alerts/lost-cat-nobody-abc234/poster")).status).toBe(404);
  });
});
