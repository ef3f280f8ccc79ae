import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { backup, restoreBackup } from "../../src/commands/backup.ts";
import { demo } from "../../src/commands/demo.ts";
import { DISK } from "../support/disk.ts";
import { makeBulk, makeDraft } from "../support/make.ts";
import { FROM_SOURCES, until } from "../support/process.ts";
import { DAY, MINUTE } from "../support/time.ts";
import { everyAlert, openShell, type Shell } from "./shell.ts";

const DATABASE = "pet-alert.sqlite";

let shell: Shell;
let copy: string;
beforeEach(() => {
  shell = openShell();
  copy = join(shell.folder, "copies", "one");
});
afterEach(() => shell.end());

/** The same commands on another data folder. */
const elsewhere = () => ({ DATA_DIR: join(shell.folder, "elsewhere") });

function fillPhotos(count: number): void {
  const photos = join(shell.dataDir, "photos");
  mkdirSync(photos, { recursive: true });
  for (let number = 0; number < count; number++) {
    const name = number.toString(16).padStart(32, "0");
    for (const file of [`${name}.webp`, `${name}-480.webp`])
      writeFileSync(join(photos, file), file);
  }
}

/** Linux has /dev/shm as a disk of its own; the data may lie there already. */
function folderOnAnotherDisk(disk: number): string {
  const other = ["/dev/shm", DISK].find((folder) => statSync(folder).dev !== disk);
  if (other === undefined) throw new Error(`${DISK} and /dev/shm lie on one disk`);
  return other;
}

describe("a backup", () => {
  test("made while four writers are at work restores to all that was acknowledged before it, without a gap", async () => {
    await shell.run(demo, ["Lyon", "--count", "200", "--pictures", "0"]);

    const { before, live } = await shell.look(async (app) => {
      const acknowledged: string[] = [];
      let isOver = false;
      const writer = async () => {
        while (!isOver) {
          const draft = makeDraft({ id: crypto.randomUUID() });
          await app.service.alerts.add([makeBulk({ draft, expiresAt: app.clock() + DAY })]);
          acknowledged.push(draft.id);
          await Bun.sleep(0);
        }
      };
      const writers = [writer(), writer(), writer(), writer()];
      await until(() => acknowledged.length >= 20);
      const known = [...acknowledged];
      await shell.run(backup, [copy]);
      const during = acknowledged.length - known.length;
      isOver = true;
      await Promise.all(writers);
      expect(during).toBeGreaterThan(4);
      return { before: known, live: await everyAlert(app) };
    });
    await shell.run(restoreBackup, [copy], { settings: elsewhere() });

    const restored = await shell.alerts(elsewhere());
    const ids = new Set(restored.map(({ id }) => id));
    expect(before.filter((id) => !ids.has(id))).toEqual([]);
    const newest = restored[0].published_at;
    expect(restored).toEqual(live.filter(({ published_at }) => published_at <= newest));
  }, 120_000);

  test("says what it holds, and is for its owner's eyes only", async () => {
    await shell.run(demo, ["Lyon", "--count", "20", "--pictures", "0"]);
    fillPhotos(3);

    const { said } = await shell.run(backup, [`${copy}/`]);

    expect(said).toContain("20 alerts, 0 zones, 3 photos; database ");
    expect(readdirSync(copy).toSorted()).toEqual([DATABASE, "photos", "secret.key"]);
    for (const file of ["", DATABASE, "secret.key", "photos"])
      expect(statSync(join(copy, file)).mode & 0o077).toBe(0);
    expect(readdirSync(join(copy, ".."))).toEqual(["one"]);
  });

  test("without a folder lies among the data folder's own", async () => {
    await shell.run(demo, ["Lyon", "--count", "1", "--pictures", "0"]);

    const { said } = await shell.run(backup, []);

    const [name = ""] = readdirSync(join(shell.dataDir, "backups"));
    expect(name).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/);
    expect(said).toContain(name);
  });

  test("shares pictures with the data folder on one disk, and copies them to another", async () => {
    await shell.run(demo, ["Lyon", "--count", "1", "--pictures", "0"]);
    fillPhotos(1);
    const [file = ""] = readdirSync(join(shell.dataDir, "photos"));
    const original = statSync(join(shell.dataDir, "photos", file));
    const otherDisk = mkdtempSync(join(folderOnAnotherDisk(original.dev), "pet-alert-"));

    await shell.run(backup, [copy]);
    await shell.run(backup, [join(otherDisk, "two")]);

    expect(statSync(join(copy, "photos", file)).ino).toBe(original.ino);
    expect(await Bun.file(join(otherDisk, "two/photos", file)).text()).toBe(file);
    rmSync(otherDisk, { recursive: true });
  });

  test("goes over nothing that is there, and needs something to copy", async () => {
    expect(await shell.failing(backup, [copy])).toContain("nothing to back up");
    await shell.run(demo, ["Lyon", "--count", "1", "--pictures", "0"]);
    mkdirSync(copy, { recursive: true });

    expect(await shell.failing(backup, [copy])).toContain("already");
    expect(await shell.failing(backup, ["a", "b"])).toContain("Usage: pet-alert backup");
  });

  test("of a damaged database is refused, and leaves nothing behind", async () => {
    await shell.run(demo, ["Lyon", "--count", "30", "--pictures", "0"]);
    damage(join(shell.dataDir, DATABASE));
    // Its log holds what was damaged once more.
    rmSync(join(shell.dataDir, `${DATABASE}-wal`));

    expect(await shell.failing(backup, [copy])).toContain(`The backup to ${copy} failed:`);
    expect(readdirSync(join(copy, ".."))).toEqual([]);
  });

  test("of a folder without its key fails with a sentence that names the key", async () => {
    await shell.run(demo, ["Lyon", "--count", "1", "--pictures", "0"]);
    rmSync(join(shell.dataDir, "secret.key"));

    expect(await shell.failing(backup, [copy])).toBe(
      `The backup to ${copy} failed: The key file secret.key is missing in ${shell.dataDir}: a copy without it would be unusable.`,
    );
    expect(readdirSync(join(copy, ".."))).toEqual([]);
  });

  test("killed on the way leaves nothing under its name, and the next one is whole", async () => {
    await shell.run(demo, ["Lyon", "--count", "1", "--pictures", "0"]);
    fillPhotos(3_000);

    const child = Bun.spawn([...FROM_SOURCES.command, "backup", copy], {
      cwd: FROM_SOURCES.cwd,
      env: { DATA_DIR: shell.dataDir },
      stdout: "ignore",
    });
    const folder = join(copy, "..");
    const unfinished = () =>
      existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith("one.part-")) : [];
    await until(() => unfinished().some((name) => existsSync(join(folder, name, "photos"))));
    child.kill("SIGKILL");
    await child.exited;

    expect(child.signalCode).toBe("SIGKILL");
    expect(existsSync(copy)).toBe(false);
    const [left = ""] = unfinished();
    // The clock of a file system lags a few milliseconds behind.
    const dayAgo = (Date.now() - DAY - MINUTE) / 1_000;
    utimesSync(join(folder, left), dayAgo, dayAgo);
    await shell.run(backup, [copy]);
    expect(readdirSync(folder)).toEqual(["one"]);
    expect((await shell.run(restoreBackup, [copy, "--dry-run"])).said).toContain("3,000 photos");
  }, 120_000);

  test("stopped from the terminal leaves nothing behind", async () => {
    await shell.run(demo, ["Lyon", "--count", "1", "--pictures", "0"]);
    const stopped = AbortSignal.abort();

    const outcome = await shell
      .run(backup, [copy], { stopped })
      .catch((error: Error) => error.message);

    expect(outcome).toBe(`The backup to ${copy} failed: it was stopped.`);
    expect(existsSync(copy)).toBe(false);
  });
});

describe("a restore", () => {
  /** Number of active alerts in the backup: some of the 30 animals are home again. */
  let active: number;
  beforeEach(async () => {
    await shell.run(demo, ["Lyon", "--count", "30", "--pictures", "0"]);
    active = (await shell.alerts()).length;
    fillPhotos(2);
    await shell.run(backup, [copy]);
  });

  test("puts database, key and pictures in place, and keeps what was there", async () => {
    const settings = elsewhere();
    await shell.run(demo, ["Paris", "--count", "5", "--pictures", "0"], { settings });

    const { said } = await shell.run(restoreBackup, [copy], { settings });

    expect(await shell.alerts(settings)).toEqual(await shell.alerts());
    for (const file of ["secret.key", "photos/00000000000000000000000000000001.webp"])
      expect(await Bun.file(join(settings.DATA_DIR, file)).bytes()).toEqual(
        await Bun.file(join(shell.dataDir, file)).bytes(),
      );
    const aside = /contents are in (\S+)\.$/m.exec(said)?.[1] ?? "";
    expect(await shell.alerts({ DATA_DIR: aside })).toHaveLength(5);
  });

  test("that is only tried out says what it would do and makes nothing", async () => {
    const settings = elsewhere();

    const { code, said } = await shell.run(restoreBackup, [copy, "--dry-run"], { settings });

    expect(code).toBe(0);
    expect(said).toContain("The backup is sound: 30 alerts, 0 zones, 2 photos");
    expect(existsSync(settings.DATA_DIR)).toBe(false);
    expect(readdirSync(copy).toSorted()).toEqual([DATABASE, "photos", "secret.key"]);
  });

  test("is refused while the service runs, and changes nothing", async () => {
    await shell.look(async () => {
      expect(await shell.failing(restoreBackup, [copy])).toContain(
        "Another Pet Alert process is using the data folder",
      );
    });
    expect(await shell.alerts()).toHaveLength(active);
  });

  test.each<[string, () => void, string]>([
    ["a damaged database", () => damage(join(copy, DATABASE)), "is damaged, or is not a database"],
    ["no database", () => rmSync(join(copy, DATABASE)), "pet-alert.sqlite is missing"],
    ["no key", () => rmSync(join(copy, "secret.key")), "secret.key is missing"],
    [
      "the key of another folder",
      () => writeFileSync(join(copy, "secret.key"), new Uint8Array(32)),
      "is not the key that its database was written with",
    ],
    [
      "a log, as a data folder has",
      () => writeFileSync(join(copy, `${DATABASE}-wal`), "x"),
      "set DATA_DIR to it",
    ],
    [
      "the schema of a newer version",
      () => sql("INSERT INTO migration VALUES (99, '0099_later', 'x')"),
      "newer version",
    ],
    [
      "a row that refers to nothing",
      () => sql("INSERT INTO reminder VALUES ('nobody', 1, 1)"),
      "is damaged",
    ],
  ])("of a backup with %s is refused in a sentence", async (_what, spoil, sentence) => {
    spoil();

    for (const words of [[copy, "--dry-run"], [copy]]) {
      const said = await shell.failing(restoreBackup, words);
      expect(said).toContain(sentence);
      expect(said).toContain(copy);
      expect(said).toEndWith(".");
    }
    expect(await shell.alerts()).toHaveLength(active);
  });

  test("into a folder with another key is refused once something was erased there, and changes nothing", async () => {
    const settings = elsewhere();
    await shell.alerts(settings);
    const key = readFileSync(join(settings.DATA_DIR, "secret.key"));
    const list = join(settings.DATA_DIR, "erased.list");
    writeFileSync(list, `2026-11-01T00:00:00.000Z mailbox ${"0".repeat(64)}\n`);
    const restored = () => shell.run(restoreBackup, [copy], { settings });

    expect(await restored().catch((error: Error) => error.message)).toContain(
      `has another key than ${settings.DATA_DIR}, whose list of what was erased`,
    );

    expect(readFileSync(join(settings.DATA_DIR, "secret.key"))).toEqual(key);
    expect(await shell.alerts(settings)).toEqual([]);
    rmSync(list);
    await restored();
    expect(await shell.alerts(settings)).toHaveLength(active);
  });

  test("cut short leaves a folder that is not opened until it is done again", async () => {
    // What a kill between the two moves leaves: the old state aside, the new one not yet in place.
    const settings = elsewhere();
    mkdirSync(join(settings.DATA_DIR, "restoring"), { recursive: true });

    expect(await shell.alerts(settings).catch((error: Error) => error.message)).toContain(
      "was interrupted. Restore the backup again.",
    );
    await shell.run(restoreBackup, [copy], { settings });
    expect(await shell.alerts(settings)).toHaveLength(active);
  });

  function sql(statement: string): void {
    const database = new Database(join(copy, DATABASE));
    database.run("PRAGMA foreign_keys = OFF");
    database.run(statement);
    database.close();
  }
});

/** Writes over the middle of a file. */
function damage(file: string): void {
  const { size } = statSync(file);
  const bytes = readFileSync(file);
  bytes.fill(0xa5, Math.floor(size / 4), Math.floor((size * 3) / 4));
  writeFileSync(file, bytes);
}
