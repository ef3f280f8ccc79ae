import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAWN, DAY, HOUR } from "../support/time.ts";
import { createWorld, type World } from "../support/world.ts";

const TIME = `${new Date(DAWN).toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
const REPLACED = `replaced-${TIME}`;

describe("copies from before an update or a restore", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
    for (const [name, at] of [
      ["before-migration-3.sqlite", DAWN - 2 * DAY],
      ["before-migration-4.sqlite", DAWN],
      ["before-migration-4.sqlite.part", DAWN],
      ["before-lunch.sqlite", DAWN - 400 * DAY],
    ] as const) {
      writeFileSync(join(world.dataDir, name), "x");
      utimesSync(join(world.dataDir, name), at / 1000, at / 1000);
    }
    for (const name of [REPLACED, "replaced-by-hand", `backups/${TIME}.part-a1B2c3`]) {
      mkdirSync(join(world.dataDir, name, "photos"), { recursive: true });
      writeFileSync(join(world.dataDir, name, "photos/x.webp"), "x");
    }
  });
  afterEach(() => world.end());

  const left = () =>
    readdirSync(world.dataDir)
      .filter((name) => /^(?:before|replaced)-/.test(name))
      .toSorted();

  test("are deleted after 30 days, and nothing else is", async () => {
    await world.pass(28 * DAY, 6 * HOUR);
    expect(left()).toEqual([
      "before-lunch.sqlite",
      "before-migration-4.sqlite",
      "before-migration-4.sqlite.part",
      REPLACED,
      "replaced-by-hand",
    ]);

    await world.pass(2 * DAY, 6 * HOUR);

    expect(left()).toEqual(["before-lunch.sqlite", "replaced-by-hand"]);
    expect(readdirSync(join(world.dataDir, "backups"))).toEqual([]);
    expect(world.logged.join("\n")).toContain("before-migration-4.sqlite");
  });

  test("stay when the clock jumps 400 days ahead", async () => {
    await world.pass(DAY, 6 * HOUR);
    const before = left();

    world.jump(400 * DAY);
    await world.pass(HOUR, HOUR);

    expect(before).toHaveLength(6);
    expect(left()).toEqual(before);
  });
});

test("the privacy page says in every language how long old copies are kept", async () => {
  const world = await createWorld();

  for (const [language, words] of [
    ["en", "a copy of the previous data is kept for 30 days"],
    ["fr", "elle est supprimée après 30 jours"],
    ["es", "se borra a los 30 días"],
    ["de", "sie wird nach 30 Tagen gelöscht"],
  ] as const)
    expect(await world.text(`/privacy?lang=${language}`)).toContain(words);
  await world.end();
});
