import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unpackArchive } from "../../db/sqlite/backups/archive.ts";
import { archiveBackup, backUp } from "../../db/sqlite/backups/backup.ts";
import { requireSound } from "../../db/sqlite/backups/check.ts";
import { createBackups } from "../../db/sqlite/backups/daily-backups.ts";
import { until } from "../support/process.ts";
import { DAWN, DAY, HOUR } from "../support/time.ts";
import { createWorld, type World } from "../support/world.ts";

const nameOf = (time: number) =>
  `${new Date(time).toISOString().slice(0, 19).replaceAll(":", "-")}Z`;

describe("the daily backups of a data folder", () => {
  let world: World;
  let folder: string;
  let logged: string[];
  beforeEach(async () => {
    world = await createWorld();
    await world.publish();
    folder = join(world.dataDir, "backups");
    logged = [];
  });
  afterEach(() => world.end());

  const open = (keep: number) =>
    createBackups({ dataDir: world.dataDir, keep, log: (event) => logged.push(event) });
  const kept = () => (existsSync(folder) ? readdirSync(folder).toSorted() : []);

  test("are made once a day, and the last ones are kept", async () => {
    const backups = open(2);

    for (const hours of [0, 1, 23, 24, 47, 48, 72]) await backups.tick(DAWN + hours * HOUR);

    expect(kept()).toEqual([nameOf(DAWN + 2 * DAY), nameOf(DAWN + 3 * DAY)]);
    expect(requireSound(join(folder, kept()[0] ?? "")).alerts).toBe(1);
    expect(logged).toEqual(["backup", "backup", "backup", "backup"]);
  });

  test("continue after a restart", async () => {
    await open(3).tick(DAWN);
    await open(3).tick(DAWN + HOUR);

    expect(kept()).toEqual([nameOf(DAWN)]);
  });

  test("are neither made nor deleted if they are turned off", async () => {
    await open(1).tick(DAWN);
    await open(0).tick(DAWN + DAY);

    expect(kept()).toEqual([nameOf(DAWN)]);
  });

  test("and those that an operator makes in the same second are all whole", async () => {
    const [at, received] = [join(folder, nameOf(DAWN)), join(world.dataDir, "received")];
    const archive: Uint8Array[] = [];

    const [, , inFolder] = await Promise.all([
      open(3).tick(DAWN),
      archiveBackup(world.dataDir, at, async (bytes) => void archive.push(bytes.slice())),
      backUp(world.dataDir, at).catch((error: Error) => error.message),
    ]);

    mkdirSync(received);
    await unpackArchive(new Blob(archive).stream(), received);
    expect([received, at].map((one) => requireSound(one).alerts)).toEqual([1, 1]);
    expect(kept()).toEqual([nameOf(DAWN)]);
    // One of the two that were to get the same name.
    expect([logged, inFolder]).toBeOneOf([
      [["backup"], `The backup to ${at} failed: another backup of that name was made meanwhile.`],
      [["backup_failed"], { alerts: 1, zones: 0, photos: 0, bytes: expect.any(Number) }],
    ]);
  });

  test("dated in the future neither prevent the next ones nor replace them", async () => {
    const backups = open(2);
    await backups.tick(DAWN);
    await backups.tick(DAWN + 400 * DAY);
    for (const days of [1, 2, 3]) {
      await backups.tick(DAWN + days * DAY);
      await backups.tick(DAWN + days * DAY + 1);
    }

    const right = [2, 3].map((days) => nameOf(DAWN + days * DAY));
    expect(kept()).toEqual([...right, nameOf(DAWN + 400 * DAY)]);
  });

  test("that fail are logged and tried again an hour later", async () => {
    const backups = open(3);
    const key = join(world.dataDir, "secret.key");
    renameSync(key, `${key}.aside`);

    await backups.tick(DAWN);
    await backups.tick(DAWN + HOUR - 1);
    expect(logged).toEqual(["backup_failed"]);

    renameSync(`${key}.aside`, key);
    await backups.tick(DAWN + HOUR);
    expect(logged).toEqual(["backup_failed", "backup"]);
    expect(kept()).toEqual([nameOf(DAWN + HOUR)]);
  });

  test("delete unfinished ones that a crash left a day ago, and no younger ones", async () => {
    const [left, young] = [DAY, HOUR].map((age) => `${nameOf(DAWN - age)}.part-a1B2c3`) as [
      string,
      string,
    ];
    for (const name of [left, young]) mkdirSync(join(folder, name), { recursive: true });

    await open(3).tick(DAWN);

    expect(kept()).toEqual([young, nameOf(DAWN)]);
  });
});

test("the service makes backups by itself, as many as the settings say", async () => {
  const world = await createWorld({ BACKUP_KEEP: "1" });
  const folder = join(world.dataDir, "backups");

  for (const day of [0, 1]) {
    if (day > 0) await world.pass(DAY);
    else await world.tick();
    const name = nameOf(DAWN + day * DAY);
    await until(() => existsSync(join(folder, name)) && readdirSync(folder).length === 1);
    expect(readdirSync(folder)).toEqual([name]);
  }

  await world.end();
});

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
