import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readConfig } from "../../../src/settings/config.ts";
import { scratchFolder } from "../../support/process.ts";
import { createWorld } from "../../support/world.ts";

describe("the colour and the logo of an instance", () => {
  test("are on its pages", async () => {
    const folder = scratchFolder();
    const logo = join(folder.path, "logo.svg");
    await Bun.write(logo, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>');
    const world = await createWorld({ ACCENT_COLOR: "#7A1FA2", LOGO_FILE: logo });

    const page = await world.text("/");
    const style = /href="(\/theme\.css[^"]*)"/.exec(page)![1]!;
    const picture = await world.fetch(/src="(\/logo[^"]*)"/.exec(page)![1]!);

    expect(await world.text(style)).toContain("--accent:#7a1fa2");
    expect(picture.headers.get("Content-Type")).toBe("image/svg+xml");
    expect(picture.headers.get("Content-Security-Policy")).toContain("sandbox");
    await world.end();
    folder.forget();
  });

  test("are the usual ones without settings", async () => {
    const world = await createWorld();

    expect(await world.text("/")).not.toMatch(/theme\.css|"\/logo/);
    expect((await world.fetch("/logo")).status).toBe(404);
    await world.end();
  });

  test.each(["green", "#fff", "#ffffff", "#f0c040", "red;}"])(
    "refuse %s in a sentence",
    (color) => {
      expect(() => readConfig({ ACCENT_COLOR: color })).toThrow(/^The setting ACCENT_COLOR/);
    },
  );

  test.each(["/nowhere/logo.png", "/etc/hostname"])(
    "refuse the file %s in a sentence",
    async (file) => {
      expect(createWorld({ LOGO_FILE: file })).rejects.toThrow(/^The setting LOGO_FILE/);
    },
  );
});
