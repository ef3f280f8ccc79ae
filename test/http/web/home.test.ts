import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { LANGUAGES } from "../../../src/messages/languages.ts";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { RADIUS_KM_DEFAULT } from "../../../src/core/alerts/search.ts";
import { HOUR } from "../../support/time.ts";
import { createWorld, type World } from "../../support/world.ts";

const words = PAGE_MESSAGES.en.home;
const PARIS = { lat: 48.86, lng: 2.35 };
const MUNICH = { lat: 48.14, lng: 11.58 };
const EVIL = `"><img src=x onerror=alert(1)><script>alert(1)</script>'`;

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

/** Publishes alerts of these names, each at its place. */
async function publish(alerts: Record<string, object>): Promise<void> {
  for (const [name, about] of Object.entries(alerts)) {
    world.jump(HOUR);
    await world.publish({ name, email: `${name.toLowerCase()}@example.org`, ...about });
  }
}

/** The names, of those that were published, that a page lists, in its order. */
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
  test.each([
    ["Munich"],
    ["München"],
    ["münchen, deutschland"],
    ["Munich, Allemagne"],
    ["Múnich, Alemania"],
    ["Muenchen, DE"],
  ])("finds what lies around %s", async (place) => {
    await publish({ Mimi: {}, Resi: MUNICH });

    const page = await world.text(`/?place=${encodeURIComponent(place)}`);

    expect(listed(page)).toEqual(["Resi"]);
    expect(page).toMatch(/0(\.\d)?\u00a0km away/);
  });

  test("reaches as far as was asked, and as the interface for programs does where nothing was", async () => {
    await publish({ Near: { lat: 45.76, lng: 4.84 }, Far: { lat: 45.5, lng: 4.85 } });

    expect(listed(await world.text("/?place=Lyon&radius_km=5"))).toEqual(["Near"]);
    expect(listed(await world.text("/?place=Lyon"))).toEqual(["Far", "Near"]);
    expect(await world.text("/?place=Lyon")).toContain(
      words.around({ km: RADIUS_KM_DEFAULT, town: "Lyon, France" }),
    );
  });

  test("near the reader says around where that is", async () => {
    await publish({ Mimi: {}, Resi: MUNICH });

    const page = await world.text(
      "/?place=&lat=45.76&lng=4.84&radius_km=10&q=&type=&species=&since=",
    );

    expect(listed(page)).toEqual(["Mimi"]);
    expect(page).toContain(
      `<h2 id="alerts" dir="auto">${words.countAround({ count: 1, km: 10, town: "Lyon, France" })}</h2>`,
    );
  });

  test("of several towns asks which one is meant, and leads to each", async () => {
    await publish({ Big: { lat: 37.2, lng: -93.3 }, Small: { lat: 39.8, lng: -89.6 } });

    const page = await world.text("/?place=Springfield&type=lost&radius_km=25");
    const other = linkNamed(page, "Springfield, United States (near Peoria)");
    const there = await world.text(other);

    expect(page).toContain(words.which({ place: "Springfield" }));
    expect(listed(page)).toEqual([]);
    expect(other).toContain("type=lost&radius_km=25");
    expect(listed(there)).toEqual(["Small"]);
    expect(there).toContain(
      words.around({ km: 25, town: "Springfield, United States (near Peoria)" }),
    );
  });

  test("for a town typed over another's position goes to the one that was typed", async () => {
    await publish({ Mimi: {}, Momo: PARIS });

    expect(listed(await world.text("/?place=Paris&lat=45.76&lng=4.84"))).toEqual(["Momo"]);
    expect(listed(await world.text("/?place=Lyon&lat=45.76&lng=4.84"))).toEqual(["Mimi"]);
  });

  test("for a town nobody knows says so, and which ones have a name like it", async () => {
    await publish({ Mimi: {} });

    const page = await world.text("/?place=Lyonn&species=cat");

    expect(page).toContain(words.unknown({ place: "Lyonn" }));
    expect(listed(page)).toEqual([]);
    expect(listed(await world.text(linkNamed(page, "Lyon, France")))).toEqual(["Mimi"]);
    expect(await world.text("/?place=xqzwv")).toContain(words.unknownHint);
  });

  test("says which part of a place it does not know", async () => {
    const page = await world.text("/?place=Croix-Rousse%2C+Lyon");
    expect(page).toContain(words.unread({ part: "Croix-Rousse", town: "Lyon" }));
    expect(await world.text("/?place=%3Cb%3E%2C+Lyon")).not.toContain("<b>");
  });

  test("takes a namesake in the reader's country", async () => {
    const text = (language: string) =>
      world.text("/?place=birmingham", { "Accept-Language": language });
    expect(await text("en-US,en;q=0.9")).toContain("Birmingham, United States");
    // In the reader's country the name needs no country.
    expect(await text("en-GB")).toContain("50\u00a0km of Birmingham<");
    expect(await text("fr")).toContain("Birmingham, Royaume-Uni");
  });

  test("refuses a place that is too long, before it is looked up", async () => {
    const answer = await world.fetch(`/?place=${"Saint+".repeat(500)}`);

    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("200 characters");
  });

  test.each([
    ["de,en-US;q=0.7,en;q=0.3", "10115 Berlin"],
    ["de", "10115 Berlin"],
    ["en;q=0.5,de;q=0.9", "10115 Berlin"],
    ["en-US,en;q=0.5", "10115 New York"],
    ["*, x-y-z,,;q=1, de", "10115 Berlin"],
  ])("takes the country of the language %s: %s", async (language, place) => {
    const answer = await world.fetch("/?place=10115", { headers: { "Accept-Language": language } });

    expect(await answer.text()).toContain(place);
  });

  test("takes the country of most alerts where the reader's is unknown, also for an embedded list", async () => {
    const inLyon = { lat: 45.75, lng: 4.85 };
    const asked = await world.text("/embed?place=Brest");
    expect(asked).toMatch(/Brest, Belarus.*Brest, France/s);
    expect(await world.text("/embed?place=Brest&country_code=BY")).toContain("Brest, Belarus");
    await publish({ A: inLyon, B: inLyon, C: inLyon, D: inLyon, E: { lat: 52.1, lng: 23.7 } });
    await world.pass(2 * HOUR);

    expect(await world.text("/embed?place=Brest")).toContain("50\u00a0km of Brest.<");
    expect(await world.text("/?place=Brest", { "Accept-Language": "en" })).toContain(
      "50\u00a0km of Brest<",
    );
    expect(await world.text("/?place=Brest", { "Accept-Language": "be-BY" })).toMatch(
      /Brest, Belarus.*Brest, France/s,
    );
  });

  test("abroad asks, with places of the reader's country first, or those of the one in the address", async () => {
    const search = (query: string, language: string) =>
      world.text(`/?${query}`, { "Accept-Language": language });

    expect(await search("place=Valencia", "es")).toMatch(/Valencia, Venezuela.*Valencia, España/s);
    expect(await search("place=Valencia", "es-ES")).toContain(
      PAGE_MESSAGES.es.home.around({ km: 50, town: "Valencia" }),
    );
    expect(await search("place=Valencia&country_code=ES", "es")).toContain("50 km");
    expect(await search("place=London", "en-US")).toMatch(
      /London, United States.*London, United Kingdom/s,
    );
    expect(await search("place=97400", "fr-FR")).toContain("97400 Saint-Denis, La Réunion");
    expect(await search("place=06600", "es-MX")).toContain(
      PAGE_MESSAGES.es.home.which({ place: "06600" }),
    );
  });

  test("that finds nothing offers a wider circle and to be told", async () => {
    await publish({ Mimi: { lat: 45.5, lng: 4.85 } });

    const page = await world.text("/?place=Lyon&radius_km=10&species=cat");

    expect(page).toContain(words.noneNear({ km: 10, town: "Lyon, France" }));
    expect(listed(await world.text(linkNamed(page, words.wider({ km: 50 }))))).toEqual(["Mimi"]);
    const watch = new URL(linkNamed(page, words.watch), "http://localhost");
    expect(watch.pathname).toBe("/subscribe");
    expect(Object.fromEntries(watch.searchParams)).toEqual({
      place: "Lyon, France",
      lat: "45.75",
      lng: "4.85",
      radius_km: "10",
      species: "cat",
    });
  });

  test("without a place goes everywhere, whatever radius the form sends", async () => {
    await publish({ Mimi: {}, Momo: PARIS });

    const page = await world.text("/?place=&lat=&lng=&radius_km=5&q=&type=&species=&since=");

    expect(listed(page)).toEqual(["Momo", "Mimi"]);
    expect(page).toContain(words.newest);
  });
});

describe("a search", () => {
  test("is its address: asked again it gives the same page, filled in as it was", async () => {
    await publish({ Mimi: {}, Momo: PARIS });
    const address = "/?place=Lyon&radius_km=25&q=grey&type=lost&species=cat&since=2020-01-01";

    const page = await world.text(address);

    expect(await world.text(address)).toBe(page);
    expect(listed(page)).toEqual(["Mimi"]);
    for (const value of ["Lyon", "grey", "2020-01-01"]) expect(page).toContain(`value="${value}"`);
    expect(page).toMatch(/<option value="25" selected/);
    for (const chosen of ["lost", "cat"])
      expect(page).toMatch(new RegExp(`value="${chosen}" checked`));
  });

  test("keeps a radius that is none of the usual ones", async () => {
    const page = await world.text("/?place=Lyon&radius_km=7");

    expect(page).toMatch(/<option value="7" selected[^>]*>7\u00a0km/);
    expect(page).toContain(words.around({ km: 7, town: "Lyon, France" }));
  });

  test("leads from page to page with all its filters, until there are no more", async () => {
    const names = Array.from({ length: 22 }, (_, at) => `Cat${at}x`);
    await publish(Object.fromEntries(names.map((name) => [name, {}])));
    await publish({ Momo: PARIS });

    const first = await world.text("/?place=Lyon&species=cat&radius_km=25");
    const next = linkNamed(first, words.older);
    const second = await world.text(next);

    expect([...listed(first), ...listed(second)]).toEqual(names.toReversed());
    expect(next).toMatch(/^\/\?place=Lyon&species=cat&radius_km=25&cursor=2/);
    expect(second).not.toContain(words.older);
  }, 120_000);

  test("shows the nearest first where that is asked for, from page to page, and says how many there are", async () => {
    const names = Array.from({ length: 22 }, (_, at) => `Cat${at}x`);
    const places = names.map((name, at) => [name, { lat: 45.75 + at / 100 }]);
    await publish(Object.fromEntries(places.toReversed()));

    const first = await world.text("/?place=Lyon&sort=nearest&radius_km=50");
    const second = await world.text(linkNamed(first, words.farther));

    expect([...listed(first), ...listed(second)]).toEqual(names);
    for (const page of [first, second]) {
      expect(page).toContain("22 alerts");
      expect(page).toContain('<option value="nearest" selected="">');
    }
    expect(second).not.toContain(words.farther);
    expect(linkNamed(await world.text("/?place=Lyon&sort=nearest&q=cat1x"), words.everywhere)).toBe(
      "/?q=cat1x",
    );
  }, 120_000);

  test("by distance without a place, or with a page of another order, says so beside its field", async () => {
    for (const query of [
      "sort=nearest",
      "sort=farthest",
      "place=Lyon&sort=nearest&cursor=2026-05-01",
    ]) {
      const answer = await world.fetch(`/?${query}`);

      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('role="alert"');
    }
  });

  test.each(LANGUAGES)("counts its alerts in plain words (%s)", (language) => {
    const { total, totalMore } = PAGE_MESSAGES[language].home;
    const said = [1, 2].map((count) => total({ count }));

    expect(said[0]).toMatch(/^1 \p{L}+$/u);
    expect(said[1]).toMatch(/^2 \p{L}+$/u);
    expect(said[0]).not.toBe(said[1]!.replace("2", "1"));
    expect(totalMore({ count: 1_000 })).toMatch(/1\D?000 /);
  });

  test.each([
    ["since=soon", words.since],
    ["species=zebra", PAGE_MESSAGES.en.field.species],
    ["place=Lyon&radius_km=0", words.radius],
    ["place=Lyon&radius_km=9999", words.radius],
    ["lat=91&lng=0", words.place],
    ["lat=45", words.place],
  ])("that makes no sense is refused beside its field: %s", async (query, label) => {
    const answer = await world.fetch(`/?${query}`);
    const page = await answer.text();

    expect(answer.status).toBe(400);
    expect(page).toMatch(new RegExp(`role="alert".*href="#field-\\w+">${label}`, "s"));
  });

  test("tells feed readers where the same alerts are", async () => {
    const page = await world.text("/?place=Lyon&radius_km=10&species=cat&q=grey");

    expect(page).toContain(
      'type="application/atom+xml" title="Pet Alert: newest alerts" href="http://localhost:3000/feed.atom?lat=45.75&amp;lng=4.85&amp;radius_km=10&amp;species=cat&amp;q=grey"',
    );
  });

  test("is found by search engines by its place and kind, not by words or exact positions", async () => {
    const isIndexed = async (path: string) =>
      !(await world.text(path)).includes('content="noindex"');

    expect(await isIndexed("/")).toBe(true);
    expect(await isIndexed("/?place=Lyon&species=cat")).toBe(true);
    expect(await isIndexed("/?place=buy-pills-here")).toBe(false);
    expect(await isIndexed("/?lat=45.76&lng=4.84")).toBe(false);
    expect(await isIndexed("/?q=grey")).toBe(false);
  });

  test("works in every language", async () => {
    await publish({ Mimi: {} });

    for (const language of LANGUAGES) {
      const { home, country } = PAGE_MESSAGES[language];
      const page = await world.text("/?place=Lyon%2C+FR", { "Accept-Language": language });
      const town = language === "fr" ? "Lyon" : `Lyon, ${country("FR")}`;

      expect(page).toContain(`<html lang="${language}">`);
      expect(page).toContain(home.around({ km: RADIUS_KM_DEFAULT, town }));
    }
  });
});

describe("the home page", () => {
  test("lists the newest alerts and leads to older ones until there are none", async () => {
    const names = Array.from({ length: 23 }, (_, at) => `Pet${at}x`);
    for (const [at, name] of names.entries()) {
      if (at % 5 === 0) world.jump(HOUR + 1);
      await world.publish({ name, email: `owner${at}@example.org` });
    }

    const first = await world.text("/");
    const next = /rel="next" href="([^"]+)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await world.text(next);

    expect(names.filter((name) => first.includes(name))).toEqual(names.slice(3));
    expect(names.filter((name) => second.includes(name))).toEqual(names.slice(0, 3));
    expect(second).not.toContain('rel="next"');
  });

  test("finds by words, kind and animal, ignores what was left empty, and keeps what was typed", async () => {
    await world.publish({ name: "Mimi" });
    await world.publish({ name: "Rex", species: "dog", email: "rex@example.org" });

    const dogs = await world.text("/?q=&species=dog&type=lost&cursor=&unknown=1");
    const none = await world.text("/?q=rex&species=cat");

    expect(listed(dogs)).toEqual(["Rex"]);
    expect(dogs).not.toContain("Mimi");
    expect(dogs).toMatch(/name="species" value="dog" checked/);
    expect(none).toContain("No alerts match.");
    expect(none).toContain('value="rex"');
  });

  test("tells what is wrong with a search", async () => {
    for (const query of ["q=!!!", "species=zebra", "type=seen", "cursor=yesterday", "q=a&q=b"]) {
      const answer = await world.fetch(`/?${query}`);

      expect(answer.status).toBe(400);
    }
    expect(await world.text("/?q=!!!")).toMatch(/role="alert".*href="#field-q"/s);
  });

  test("leads at once to publishing and to what to do first", async () => {
    const page = await world.text("/");

    expect(linkNamed(page, words.lost)).toBe("/publish?type=lost");
    expect(linkNamed(page, words.found)).toBe("/publish?type=found");
    for (const guide of ["cat", "dog", "found"] as const) {
      expect(linkNamed(page, words.guides[guide])).toBe(`/about#${guide}`);
      expect(await world.text("/about")).toContain(`id="${guide}"`);
    }
  });

  test("goes from what matters most to what comes after, for whoever uses the keyboard", async () => {
    await publish({ Mimi: {} });

    const page = await world.text("/?place=Lyon");

    const order = [
      "/publish?type=lost",
      'name="place"',
      'name="radius_km"',
      `>${words.button}</button>`,
      'name="type"',
      'name="species"',
      'name="q"',
      'name="since"',
      "Lost cat: </span>Mimi",
      words.watch,
    ].map((part) => page.indexOf(part));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(page).not.toMatch(/tabindex="[1-9]/);
  });

  test("says in the list all that the map draws", async () => {
    await publish({ Mimi: {} });

    const page = await world.text("/?place=Lyon&radius_km=10");

    expect(page).toMatch(
      /<ul class="cards" id="alerts-list"><li data-lat="45.77" data-lng="4.83" data-type="lost">/,
    );
    expect(page).toMatch(/data-map="alerts"[^>]*data-list="#alerts-list"/);
    expect(page).toMatch(/data-centre-lat="45.75" data-centre-lng="4.85" data-radius-km="10"/);
  });

  test("draws no map where there are no tiles, or nothing to show", async () => {
    expect(await world.text("/")).not.toContain("data-map");

    await world.end();
    world = await createWorld({ TILE_URL: "off" });
    await publish({ Mimi: {} });

    const page = await world.text("/");
    expect(listed(page)).toEqual(["Mimi"]);
    expect(page).not.toMatch(/data-map|scripts\/map/);
  });

  test("shows hostile text in any part of its address as text", async () => {
    for (const name of [
      "place",
      "lat",
      "lng",
      "radius_km",
      "q",
      "type",
      "species",
      "since",
      "sort",
      "cursor",
    ]) {
      for (const rest of ["", "&place=Lyon", "&lat=45&lng=4"]) {
        if (rest.includes(`${name}=`)) continue;
        const answer = await world.fetch(`/?${name}=${encodeURIComponent(EVIL)}${rest}`);
        const page = await answer.text();

        expect(answer.status).toBeLessThan(500);
        expect(page).not.toMatch(/<img src=x|<script>alert/);
      }
    }
  });
});
