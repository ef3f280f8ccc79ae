import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parse } from "csv-parse/sync";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { ALERTS_PER_PAGE_MAX, RADIUS_KM_DEFAULT } from "../../../src/core/alerts/search.ts";
import type { AlertDraft } from "../../../src/core/alerts/alert.ts";
import { addMany, LYON, makeBulk, makeDraft } from "../../support/make.ts";
import { DAY, HOUR } from "../../support/time.ts";
import { createWorld, type World } from "../../support/world.ts";

const words = PAGE_MESSAGES.en.home;
const EVIL = `"><img src=x onerror=alert(1)><script>alert(1)</script>'`;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await add(world, "Momo", { point: { lat: 48.86, lng: 2.35 } });
  await add(world, "Resi", { point: { lat: 48.14, lng: 11.58 } });
  await add(world, "Small", { point: { lat: 39.8, lng: -89.6 } });
  await add(world, "Farther", { point: { lat: 45.5, lng: 4.85 } });
  await add(world, "Rex", { species: "dog" });
  await add(world, "Mimi");
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

async function add(to: World, name: string, about: Partial<AlertDraft> = {}): Promise<void> {
  const draft = makeDraft({ name, ...about });
  await to.app.service.alerts.add([makeBulk({ draft, expiresAt: to.now() + 30 * DAY })]);
}

/** The names that a page lists, in its order. */
function listed(page: string): string[] {
  return [...page.matchAll(/Lost \w+: <\/span>(\w+)<\/a>/g)].map(([, name]) => name!);
}

function linkNamed(page: string, name: string): string {
  const links = [...page.matchAll(/<a [^>]*href="([^"]+)"[^>]*>([^<]*)<\/a>/g)];
  const link = links.find(([, , said]) => said === name)?.[1];
  if (link === undefined) throw new Error(`no link says "${name}"`);
  return link.replaceAll("&amp;", "&");
}

describe("a search by place", () => {
  test("finds what lies around, as far as was asked, or 50 km", async () => {
    const munich = await world.text("/?place=münchen,+Allemagne");

    expect(listed(munich)).toEqual(["Resi"]);
    expect(munich).toMatch(/0(\.\d)?\u00a0km away/);
    expect(listed(await world.text("/?place=Lyon&radius_km=5"))).toEqual(["Mimi", "Rex"]);
    const page = await world.text("/?place=Lyon&species=cat");
    expect(listed(page)).toEqual(["Mimi", "Farther"]);
    expect(page).toContain(words.around({ km: RADIUS_KM_DEFAULT, town: "Lyon, France" }));
  });

  test("near the reader names the town in its heading and field, which lead back", async () => {
    const near = "lat=45.76&lng=4.84&radius_km=7";
    const page = await world.text(`/?place=&${near}&species=cat&q=&type=&since=`);

    expect(listed(page)).toEqual(["Mimi"]);
    expect(page).toContain(words.countAround({ count: 1, km: 7, town: "Lyon, France" }));
    expect(page).toMatch(/<input[^>]*name="place"[^>]*value="Lyon, France"/);
    expect(page).toMatch(/<option value="7" selected[^>]*>7\u00a0km/);
    expect(await world.text(`/?place=Lyon%2C+France&${near}`)).toContain('data-centre-lat="45.76"');
    expect(listed(await world.text(`/?place=Paris&${near}`))).toEqual(["Momo"]);
    // The name of the nearest town would lead elsewhere.
    const desert = await world.text("/?lat=-25.5&lng=127.5&radius_km=100");
    expect(desert).toMatch(/<input[^>]*name="place"[^>]*value=""/);
    expect(desert).toContain('data-search-here="/"');
  });

  test("of several towns asks which one is meant, and leads to each", async () => {
    const page = await world.text("/?place=Springfield&type=lost&radius_km=25");
    const other = linkNamed(page, "Springfield, United States (near Peoria)");

    expect(page).toContain(words.which({ place: "Springfield" }));
    expect(listed(page)).toEqual([]);
    expect(other).toContain("type=lost&radius_km=25");
    expect(listed(await world.text(other))).toEqual(["Small"]);
  });

  test("for a town nobody knows says so, and which ones have a name like it", async () => {
    const page = await world.text("/?place=Lyonn&species=dog");

    expect(page).toContain(words.unknown({ place: "Lyonn" }));
    expect(listed(page)).toEqual([]);
    expect(listed(await world.text(linkNamed(page, "Lyon, France")))).toEqual(["Rex"]);
    expect(await world.text("/?place=xqzwv")).toContain(words.unknownHint);
    expect(await world.text("/?place=Croix-Rousse%2C+Lyon")).toContain(
      words.unread({ part: "Croix-Rousse", town: "Lyon" }),
    );
  });

  test.each([
    ["10115", "en;q=0.5,de;q=0.9", "10115 Berlin"],
    ["10115", "en-US,en;q=0.5", "10115 New York"],
    ["10115", "*, x-y-z,,;q=1, de", "10115 Berlin"],
    ["birmingham", "en-US,en;q=0.9", "Birmingham, United States"],
    // In the reader's country the name needs no country.
    ["birmingham", "en-GB", "50\u00a0km of Birmingham<"],
    ["97400", "fr-FR", "97400 Saint-Denis, La Réunion"],
  ])("%s is looked for in the country of the language %s first", async (place, language, found) => {
    expect(await world.text(`/?place=${place}`, { "Accept-Language": language })).toContain(found);
  });

  test("abroad asks, unless the country is in the address", async () => {
    const search = (query: string) => world.text(`/?${query}`, { "Accept-Language": "es" });

    expect(await search("place=Valencia")).toMatch(/Valencia, Venezuela.*Valencia, España/s);
    expect(await search("place=Valencia&country_code=ES")).toContain("50\u00a0km");
  });

  test("takes the country of most alerts where the reader's is unknown, also for an embedded list", async () => {
    const other = await createWorld();
    expect(await other.text("/embed?place=Brest")).toMatch(/Brest, Belarus.*Brest, France/s);
    for (const name of ["A", "B", "C", "D"]) await add(other, name);
    await add(other, "E", { countryCode: "BY", point: { lat: 52.1, lng: 23.7 } });
    await other.pass(2 * HOUR);

    expect(await other.text("/embed?place=Brest")).toContain("50\u00a0km of Brest.<");
    const page = (language: string) => other.text("/?place=Brest", { "Accept-Language": language });
    expect(await page("en")).toContain("50\u00a0km of Brest<");
    expect(await page("be-BY")).toMatch(/Brest, Belarus.*Brest, France/s);
    await other.end();
  });

  test("that finds nothing offers a wider circle and to be told", async () => {
    const page = await world.text("/?place=Villefranche-sur-Saône&radius_km=10&species=cat");

    expect(page).toContain(words.noneNear({ km: 10, town: "Villefranche-sur-Saône, France" }));
    expect(listed(await world.text(linkNamed(page, words.wider({ km: 50 }))))).toContain("Mimi");
    const watch = new URL(linkNamed(page, words.watch), "http://localhost");
    expect(watch.pathname).toBe("/subscribe");
    expect(Object.fromEntries(watch.searchParams)).toMatchObject({
      place: "Villefranche-sur-Saône, France",
      radius_km: "10",
      species: "cat",
    });
  });
});

describe("a search", () => {
  test("is its address: asked again it gives the same page, filled in as it was", async () => {
    const address = "/?place=Lyon&radius_km=25&q=grey&type=lost&species=cat&since=2020-01-01";

    const page = await world.text(address);

    expect(await world.text(address)).toBe(page);
    expect(listed(page)).toEqual(["Mimi"]);
    for (const value of ["Lyon", "grey", "2020-01-01"]) expect(page).toContain(`value="${value}"`);
    expect(page).toMatch(/<option value="25" selected/);
    for (const chosen of ["lost", "cat"])
      expect(page).toMatch(new RegExp(`value="${chosen}" checked`));
    expect(page).toContain(
      'type="application/atom+xml" title="Pet Alert: newest alerts" href="http://localhost:3000/feed.atom?lat=45.75&amp;lng=4.85&amp;radius_km=25&amp;',
    );
    const empty = "/?place=&lat=&lng=&radius_km=5&q=&type=&species=dog&since=&cursor=&unknown=1";
    expect(listed(await world.text(empty))).toEqual(["Rex"]);
    expect(await world.text("/?q=rex&species=cat")).toContain("No alerts match.");
  });

  test("leads from page to page with all its filters, newest or nearest first", async () => {
    const names = Array.from({ length: 22 }, (_, at) => `Bird${at}x`);
    for (const [at, name] of names.entries())
      await add(world, name, { species: "bird", point: { lat: 45.75 + at / 100, lng: 4.85 } });
    const filters = "place=Lyon&species=bird&radius_km=50";

    const first = await world.text(`/?${filters}`);
    const second = await world.text(linkNamed(first, words.older));
    const nearest = await world.text(`/?${filters}&sort=nearest`);
    const farther = await world.text(linkNamed(nearest, words.farther));

    expect([...listed(first), ...listed(second)]).toEqual(names.toReversed());
    expect(linkNamed(first, words.older)).toStartWith(`/?${filters}&cursor=2`);
    expect(second).not.toContain(words.older);
    expect([...listed(nearest), ...listed(farther)]).toEqual(names);
    for (const page of [nearest, farther]) {
      expect(page).toContain("22 alerts");
      expect(page).toContain('<option value="nearest" selected="">');
    }
  });

  test.each([
    ["since=soon", words.since],
    ["species=zebra", PAGE_MESSAGES.en.field.species],
    ["place=Lyon&radius_km=9999", words.radius],
    ["lat=45", words.place],
    [`place=${"Saint+".repeat(500)}`, words.place],
    ["q=!!!", words.query],

    ["sort=nearest", words.sort],
    ["place=Lyon&sort=nearest&cursor=2026-05-01", ""],
  ])("that makes no sense is refused beside its field: %s", async (query, label) => {
    const answer = await world.fetch(`/?${query}`);

    expect(answer.status).toBe(400);
    expect(await answer.text()).toMatch(
      new RegExp(`role="alert".*href="#field-\\w+">${label}`, "s"),
    );
  });

  test("is found by search engines by its place and kind, not by words or exact positions", async () => {
    const isIndexed = async (query: string) =>
      !(await world.text(`/?${query}`)).includes('content="noindex"');

    expect(await isIndexed("place=Lyon&species=cat")).toBe(true);
    for (const query of ["place=buy-pills-here", "lat=45.76&lng=4.84", "q=grey", "view=list"])
      expect([query, await isIndexed(query)]).toEqual([query, false]);
  });

  test("shows hostile text in any part of its address as text", async () => {
    const names = "place lat lng radius_km q type species since sort cursor color view".split(" ");
    for (const name of names) {
      for (const rest of ["", "&place=Lyon", "&lat=45&lng=4"]) {
        if (rest.includes(`${name}=`)) continue;
        const answer = await world.fetch(`/?${name}=${encodeURIComponent(EVIL)}${rest}`);

        expect(answer.status).toBeLessThan(500);
        expect(await answer.text()).not.toMatch(/<img src=x|<script>alert/);
      }
    }
  });
});

test("the home page leads at once to publishing and to what to do first", async () => {
  const page = await world.text("/");

  expect(linkNamed(page, words.lost)).toBe("/publish?type=lost");
  expect(linkNamed(page, words.found)).toBe("/publish?type=found");
  for (const guide of ["cat", "dog", "found"] as const)
    expect(linkNamed(page, words.guides[guide])).toBe(`/about#${guide}`);
});

describe("a list to print or save", () => {
  /** Rows of the file that a list leads to. */
  async function fileOf(from: World, list: string): Promise<Record<string, string>[]> {
    const file = await from.fetch(linkNamed(list, words.list.download));
    expect(file.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    return parse(await file.text(), { bom: true, columns: true });
  }

  test("holds more than the search that leads to it, pages on, and leads back", async () => {
    const other = await createWorld();
    await addMany(other, 130, (nth) => ({ name: `Cat ${nth}`, point: LYON }));
    const search = await other.text("/?place=Lyon&species=cat&radius_km=10");

    const address = linkNamed(search, words.list.open);
    const list = await other.text(address);
    const rest = await other.text(linkNamed(list, words.older));

    expect(address).toBe("/?place=Lyon&species=cat&radius_km=10&view=list");
    expect(list.split("</article>")).toHaveLength(ALERTS_PER_PAGE_MAX + 1);
    expect(rest.split("</article>")).toHaveLength(31);
    expect(await fileOf(other, list)).toHaveLength(130);
    expect(list).not.toContain("data-map=");
    expect(linkNamed(list, words.list.cards)).toBe("/?place=Lyon&species=cat&radius_km=10");
    await other.end();
  });

  test("has a file with what the REST API shows, in which hostile words run no formula", async () => {
    const other = await createWorld();
    const alert = await other.publish({ name: EVIL, color: "=SUM(1)", ...LYON });

    const list = await other.text("/?view=list");
    const [{ color, ...row } = {}] = await fileOf(other, list);

    expect(list).toContain(`localhost:3000/a/${alert.short_code}</p>`);
    expect(list).not.toContain("<script>alert");
    expect(color).toBe("'=SUM(1)");
    for (const [name, value] of Object.entries(row))
      expect([name, value]).toEqual([name, String(alert[name] ?? "")]);
    await other.end();
  });

  test("around a place that could be one of several leads to the page that asks which", async () => {
    const answer = await world.fetch("/alerts.csv?place=Springfield");

    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toContain("place=Springfield");
  });
});
