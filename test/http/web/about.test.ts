import { afterEach, describe, expect, test } from "bun:test";
import { createWorld, type World } from "../../support/world.ts";
import { join } from "node:path";
import { readConfig } from "../../../src/settings/config.ts";
import { scratchFolder } from "../../support/process.ts";

let world: World;
afterEach(async () => {
  await world.end();
});

async function about(settings: Record<string, string> = {}) {
  world = await createWorld(settings);
  return (await world.text("/about")).replaceAll("&quot;", '"');
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

  test("leads to each of its parts, to the pages about privacy, and to its sources", async () => {
    const page = await about();
    const inner = [...page.matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id!);

    expect(inner).toEqual(expect.arrayContaining(["cat", "dog", "found", "privacy", "assistants"]));
    for (const id of inner) expect(page).toContain(`id="${id}"`);
    for (const path of ["/privacy", "/terms", "/imprint", "/erase", "https://www.geonames.org/"])
      expect(page).toContain(`href="${path}"`);
    expect(page).toContain('href="https://doi.org/10.3390/ani8010005"');
    expect(page).toContain("If you see your dog, don’t run after it.");
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

describe("the colour and the logo of an instance", () => {
  test("are on its pages", async () => {
    const folder = scratchFolder();
    const logo = join(folder.path, "logo.svg");
    await Bun.write(logo, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>');
    world = await createWorld({ ACCENT_COLOR: "#7A1FA2", LOGO_FILE: logo });

    const page = await world.text("/");
    const style = /href="(\/theme\.css[^"]*)"/.exec(page)![1]!;
    const picture = await world.fetch(/src="(\/logo[^"]*)"/.exec(page)![1]!);

    expect(await world.text(style)).toContain("--accent:#7a1fa2");
    expect(picture.headers.get("Content-Type")).toBe("image/svg+xml");
    expect(picture.headers.get("Content-Security-Policy")).toContain("sandbox");
    folder.forget();
  });

  test("that make no sense are refused in a sentence", async () => {
    world = await createWorld();
    for (const color of ["green", "#ffffff", "red;}"])
      expect(() => readConfig({ ACCENT_COLOR: color })).toThrow(/^The setting ACCENT_COLOR/);
    for (const file of ["/nowhere/logo.png", "/etc/hostname"])
      await expect(createWorld({ LOGO_FILE: file })).rejects.toThrow(/^The setting LOGO_FILE/);
  });
});
