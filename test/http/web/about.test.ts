import { afterEach, describe, expect, test } from "bun:test";
import { type Language, LANGUAGES } from "../../../src/messages/languages.ts";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { createWorld, type World } from "../../support/world.ts";

let world: World;
afterEach(async () => {
  await world.end();
});

async function about(settings: Record<string, string> = {}, language: Language = "en") {
  world = await createWorld(settings);
  const answer = await world.fetch("/about", { headers: { "Accept-Language": language } });
  return (await answer.text()).replaceAll("&quot;", '"');
}

describe("the page about the service", () => {
  test("tells the limits that are in force here", async () => {
    const page = await about({
      LIMIT_PUBLISH: "7/h",
      LIMIT_MESSAGE: "3/m",
      LIMIT_SUBSCRIBE: "off",
      LIMIT_READ: "90/m",
    });

    expect(page).toContain("<li>7 alerts an hour</li>");
    expect(page).toContain("<li>3 messages a minute</li>");
    expect(page).toContain("<li>as many subscriptions as you like</li>");
    expect(page).toContain("<li>90 pages and requests a minute</li>");
  });

  test("leads to what is kept, what is allowed, who runs it and how to have everything erased", async () => {
    const page = await about();

    for (const path of ["/privacy", "/terms", "/imprint", "/erase"])
      expect(page).toMatch(
        new RegExp(`<h2 id="privacy">[^]*<a href="${path}">[^]*<h2 id="limits">`),
      );
  });

  test("credits the makers of the maps, if there are maps", async () => {
    const page = await about({
      TILE_URL: "https://tiles.example/{z}/{x}/{y}.png",
      TILE_ATTRIBUTION: "© Map <b>Makers</b>",
    });
    await world.end();
    const without = await about({ TILE_URL: "off" });

    expect(page).toContain("Maps: © Map &lt;b&gt;Makers&lt;/b&gt;.");
    expect(without).not.toContain("Maps:");
  });

  test("leads to each of its parts, in every language", async () => {
    for (const language of LANGUAGES) {
      const page = await about({}, language);
      const inner = [...page.matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id!);

      expect(inner).toEqual(
        expect.arrayContaining(["cat", "dog", "found", "privacy", "assistants"]),
      );
      for (const id of inner) expect(page).toContain(`id="${id}"`);
      expect(page).toContain(PAGE_MESSAGES[language].about.guides.cat.title);
      await world.end();
    }
    world = await createWorld();
  });

  test("says how to come near a lost dog, and speaks of no list that other pages have", async () => {
    const page = await about();

    expect(page).toContain("If you see your dog, don’t run after it.");
    expect(page).not.toContain("below");
  });

  test("names its sources", async () => {
    const page = await about();

    expect(page).toContain('href="https://doi.org/10.3390/ani8010005"');
    expect(page).toContain('href="https://doi.org/10.3390/ani2020301"');
    expect(page).toContain('href="https://www.geonames.org/"');
  });

  test("gives assistants what they take", async () => {
    const page = await about({ BASE_URL: "https://pets.example" });
    const mcp = "https://pets.example/api/mcp";
    const configs = [...page.matchAll(/<code>(\{.*?\})<\/code>/gs)].map(([, json]) =>
      JSON.parse(json!),
    );

    expect(page).toContain(`claude mcp add --transport http pet-alert ${mcp}`);
    expect(configs).toEqual([
      { mcpServers: { "pet-alert": { url: mcp } } },
      { servers: { "pet-alert": { type: "http", url: mcp } } },
    ]);
  });
});
