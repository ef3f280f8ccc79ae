import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { MINUTE } from "../../support/time.ts";
import { createWorld, type World } from "../../support/world.ts";

const PARIS = { lat: 48.8566, lng: 2.3522 };

let world: World;
beforeAll(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
  const make = async (about: Record<string, unknown>) => {
    await world.publish(about);
    await world.pass(MINUTE);
  };
  await make({ name: "Mimi", email: "a@example.org" });
  await make({ name: "Rex", species: "dog", email: "b@example.org" });
  await make({ name: "Ours", type: "found", email: "c@example.org" });
  await make({ name: "<b>&\"Paris'", ...PARIS, email: "d@example.org" });
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const embed = (query = "", headers: Record<string, string> = {}) =>
  world.fetch(`/embed${query}`, { headers });
const names = async (query = "") => {
  const page = await (await embed(query)).text();
  return ["Mimi", "Rex", "Ours", "Paris"].filter((name) => page.includes(name));
};

describe("the list for other sites", () => {
  test("shows the newest alerts, each leading out of the frame, and the way to all of them", async () => {
    const page = await (await embed("?limit=2")).text();
    const links = [...page.matchAll(/<a ([^>]*)>/g)].map(([, attributes]) => attributes ?? "");

    expect(await names("?limit=2")).toEqual(["Ours", "Paris"]);
    expect(links.length).toBe(3);
    for (const link of links)
      expect(link).toMatch(/^href="\/[^"]*" target="_blank" rel="noopener"$/);
    expect(page).toContain("All alerts on Pet Alert");
  });

  test.each([
    ["?species=dog", ["Rex"]],
    ["?place=Lyon%2C+France&species=cat&type=lost&radius_km=10", ["Mimi"]],
    ["?place=&species=&limit=", ["Mimi", "Rex", "Ours", "Paris"]],
    ["?since=2999-01-01&unknown=1", ["Mimi", "Rex", "Ours", "Paris"]],
  ])("%s shows what fits", async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test("hands its filters on to the page that shows all", async () => {
    const page = await (await embed("?place=Lyon&species=dog&limit=3&theme=dark&lang=fr")).text();

    expect(page).toContain('href="/?place=Lyon&amp;species=dog"');
  });

  test.each([
    ["?place=Lyon&species=bird", "No alerts match within 50\u00a0km of Lyon, France."],
    ["?place=Nowhereville-on-Sea", "We couldn’t find “Nowhereville-on-Sea”."],
  ])("%s says that there is nothing", async (query, said) => {
    const answer = await embed(query);

    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain(said);
  });

  test("keeps hostile text inert", async () => {
    const page = await (await embed("?lat=48.85&lng=2.35")).text();
    const searched = await (await embed('?place="><script>alert(1)</script>')).text();

    expect(page).toContain("&lt;b&gt;");
    expect(page).not.toContain("<b>");
    expect(searched).toContain("&lt;script&gt;");
    expect(searched).not.toContain("<script");
  });
});

describe("in a frame", () => {
  test("any site may show the list, and only the list", async () => {
    const framed = await embed();
    const home = await world.fetch("/");

    expect(framed.headers.get("Content-Security-Policy")).toContain("frame-ancestors *");
    expect(framed.headers.get("X-Frame-Options")).toBeNull();
    expect(home.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    expect(home.headers.get("X-Frame-Options")).toBe("DENY");
    for (const path of ["/embed.css", "/embedded"])
      expect((await world.fetch(path)).headers.get("X-Frame-Options")).toBe("DENY");
  });

  test("it runs and loads nothing but its style and pictures from here", async () => {
    const answer = await embed();
    const page = await answer.text();
    const style = /<link rel="stylesheet" href="(\/embed\.css\?v=\w+)"/.exec(page)?.[1] ?? "";

    expect(answer.headers.get("Content-Security-Policy")).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; frame-ancestors *; base-uri 'none'",
    );
    expect(page).not.toMatch(/<script|style=|<form|<iframe/);
    expect((await world.fetch(style)).headers.get("Content-Type")).toBe("text/css; charset=utf-8");
  });

  test("a mistake in its address is told inside the frame", async () => {
    const answer = await embed("?limit=21&radius_km=x&lang=de");
    const page = await answer.text();

    expect(answer.status).toBe(400);
    expect(answer.headers.get("Content-Security-Policy")).toContain("frame-ancestors *");
    expect(page).toContain(PAGE_MESSAGES.de.embed.wrong);
    expect(page).toContain("radius_km must be a number");
    expect(page).toContain("limit must be at most 20");
  });
});

describe("who reads the list", () => {
  test("is spoken to in the language of the address, else of the browser, and never of a cookie", async () => {
    const languageOf = async (query: string, headers: Record<string, string>) =>
      (await embed(query, headers)).headers.get("Content-Language");

    expect(await languageOf("?lang=fr", { "Accept-Language": "de", Cookie: "lang=es" })).toBe("fr");
    expect(await languageOf("", { "Accept-Language": "de", Cookie: "lang=es" })).toBe("de");
    expect(await languageOf("", { Cookie: "lang=es" })).toBe("en");
    expect(await languageOf("?lang=xx", {})).toBe("en");
  });
});
