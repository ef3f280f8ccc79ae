import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createBackups } from "../../db/sqlite/backups/daily-backups.ts";
import { backup, restoreBackup } from "../../src/commands/backup.ts";
import { demo } from "../../src/commands/demo.ts";
import { createDailyCopies } from "../../src/backups/daily-copies.ts";
import { listCopies } from "../../src/backups/list.ts";
import { openTarget } from "../../src/backups/target.ts";
import { keysUnder } from "../../src/storage/bucket/bucket.ts";
import type { CopyTarget } from "../../src/settings/backup-copies.ts";
import { openShell, type Shell } from "../commands/shell.ts";
import { createBucket, type TestBucket } from "../support/s3.ts";
import { DAWN, DAY, HOUR } from "../support/time.ts";

let shell: Shell;
let bucket: TestBucket;
let publicKey: string;
let keyFile: string;
let logged: { event: string; details: Readonly<Record<string, unknown>> }[];
beforeEach(async () => {
  shell = openShell();
  bucket = await createBucket();
  logged = [];
  keyFile = join(shell.folder, "copies.key");
  const { said } = await shell.run(backup, ["key", keyFile]);
  publicKey = /BACKUP_COPY_KEY=(\S+)/.exec(said)?.[1] ?? "";
});
afterEach(() => {
  bucket.stop();
  shell.end();
});

const inBucket = (): CopyTarget => ({ kind: "bucket", address: bucket.address });
const settings = () => ({ BACKUP_COPY_URL: bucket.url });
const nameOf = (time: number) =>
  `${new Date(time).toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
const photosHere = () => readdirSync(join(shell.dataDir, "photos")).toSorted();

function openCopies({ target = inBucket(), keepDays = 30 } = {}) {
  const log = (event: string, details: Readonly<Record<string, unknown>>) =>
    logged.push({ event, details });
  const { dataDir } = shell;
  return createDailyCopies({ dataDir, target, publicKey, keepDays, log });
}

/** Makes the backup of a day, and copies it. */
async function copyOf(time: number, copies = openCopies()): Promise<void> {
  await createBackups({ dataDir: shell.dataDir, keep: 3, log: () => {} }).tick(time);
  await copies.tick(time, async () => true);
}

async function objects(target = inBucket()): Promise<string[]> {
  return Array.fromAsync(keysUnder(openTarget(target), ""));
}

/** Fills the data folder with alerts and a few photos. */
async function fill(): Promise<void> {
  await shell.run(demo, ["Lyon", "--count", "20", "--pictures", "2"]);
}

describe("a copy of a backup in a bucket", () => {
  test("brings back a data folder that was lost, with its photos and its key", async () => {
    await fill();
    const key = readFileSync(join(shell.dataDir, "secret.key"));
    const photos = photosHere().map((name) => [
      name,
      readFileSync(join(shell.dataDir, "photos", name)),
    ]);
    const alerts = await shell.alerts();
    await copyOf(DAWN);
    rmSync(shell.dataDir, { recursive: true });

    const { said } = await shell.run(restoreBackup, ["--copy", "latest", "--key", keyFile], {
      settings: settings(),
    });

    expect(said).toContain(`Fetching the copy ${nameOf(DAWN)}.`);
    expect(said).toContain("The backup is sound: 20 alerts");
    expect(await shell.alerts()).toEqual(alerts);
    expect(readFileSync(join(shell.dataDir, "secret.key"))).toEqual(key);
    expect(photos.length).toBeGreaterThan(2);
    expect(
      photosHere().map((name) => [name, readFileSync(join(shell.dataDir, "photos", name))]),
    ).toEqual(photos);
  }, 120_000);

  test("holds nothing that can be read without the private key", async () => {
    await fill();
    await copyOf(DAWN);

    const place = openTarget(inBucket());
    const key = readFileSync(join(shell.dataDir, "secret.key"));
    for (const name of await objects()) {
      const bytes = Buffer.from((await place.get(name)) ?? []);
      for (const clear of ["SQLite format", "@example", "WEBPVP8", key])
        expect(bytes.includes(clear)).toBe(false);
    }
    expect((await objects()).length).toBeGreaterThan(3);
  });

  test.each([
    ["cut off", (bytes: Uint8Array) => bytes.slice(0, -1)],
    [
      "changed",
      (bytes: Uint8Array) => bytes.with(bytes.length >> 1, bytes[bytes.length >> 1]! ^ 1),
    ],
    ["changed in its header", (bytes: Uint8Array) => bytes.with(60, bytes[60]! ^ 1)],
  ])("that was %s is refused, and the data folder stays", async (_, damage) => {
    await fill();
    await copyOf(DAWN);
    const place = openTarget(inBucket());
    const part = `copies/${nameOf(DAWN)}/0001`;
    await place.put(part, damage((await place.get(part))!), "application/octet-stream");
    const before = readFileSync(join(shell.dataDir, "secret.key"));

    const why = await shell.failing(restoreBackup, ["--copy", "latest", "--key", keyFile], {
      settings: settings(),
    });

    expect(why).toMatch(/cut off or changed after it was made|was encrypted for another key/);
    expect(readFileSync(join(shell.dataDir, "secret.key"))).toEqual(before);
    expect(readdirSync(shell.dataDir)).not.toContain("received.part");
  });

  test("whose part or end is missing is refused", async () => {
    await fill();
    await copyOf(DAWN);
    const place = openTarget(inBucket());
    const name = nameOf(DAWN);
    const restored = () =>
      shell.failing(restoreBackup, ["--copy", name, "--key", keyFile], { settings: settings() });

    await place.drop(`copies/${name}/0001`);
    expect(await restored()).toContain("part 1 of 1 is missing");

    await place.drop(`copies/${name}/complete.json`);
    expect(await restored()).toContain(`There is no copy ${name}.`);
  });

  test("with a photo that is damaged there is restored without it, and says so", async () => {
    await fill();
    await copyOf(DAWN);
    const place = openTarget(inBucket());
    const [photo = ""] = (await objects()).filter((key) => key.startsWith("photos/"));
    await place.put(photo, new Uint8Array(300), "application/octet-stream");
    const count = photosHere().length;
    rmSync(shell.dataDir, { recursive: true });

    const { said } = await shell.run(restoreBackup, ["--copy", "latest", "--key", keyFile], {
      settings: settings(),
    });

    expect(said).toContain("Photos that the copy lacks, or that were damaged there: 1.");
    expect(photosHere().length).toBe(count - 2);
  });

  test("is listed", async () => {
    await fill();
    await copyOf(DAWN);
    await openTarget(inBucket()).put(
      `copies/${nameOf(DAWN + HOUR)}/0001`,
      new Uint8Array(1),
      "application/octet-stream",
    );

    const { said } = await shell.run(backup, ["copies"], { settings: settings() });

    expect(said).toBe(`${nameOf(DAWN + HOUR)}  unfinished\n${nameOf(DAWN)}  newest`);
  });
});

describe("copies of the daily backups", () => {
  test("are made once for each backup, and send each photo once", async () => {
    await fill();
    const copies = openCopies();
    await copyOf(DAWN, copies);
    await copyOf(DAWN + HOUR, copies);
    bucket.requests.length = 0;
    await copyOf(DAWN + DAY, openCopies());

    expect(logged.map(({ event }) => event)).toEqual(["backup_copy", "backup_copy"]);
    expect(logged.at(-1)?.details).toMatchObject({ newPhotos: 0, name: nameOf(DAWN + DAY) });
    expect(bucket.requests.filter((request) => /^PUT .*\/photos\//.test(request))).toEqual([]);
  });

  test("are deleted after some days, but never the newest one", async () => {
    await fill();
    const copies = openCopies({ keepDays: 2 });
    for (const day of [0, 1, 2, 3]) await copyOf(DAWN + day * DAY, copies);
    const names = async () => (await listCopies(openTarget(inBucket()))).map(({ name }) => name);
    expect(await names()).toEqual([DAWN + 2 * DAY, DAWN + 3 * DAY].map(nameOf));

    await copyOf(DAWN + 40 * DAY, copies);
    expect(await names()).toEqual([nameOf(DAWN + 40 * DAY)]);
  });

  test("keep a photo for as long as a copy may need it", async () => {
    await fill();
    const copies = openCopies({ keepDays: 2 });
    await copyOf(DAWN, copies);
    const [first = ""] = photosHere();
    const name = first.slice(0, 32);
    for (const file of [`${name}.webp`, `${name}-480.webp`])
      rmSync(join(shell.dataDir, "photos", file));
    const isKept = async () => (await objects()).includes(`photos/${name}`);

    for (const day of [1, 2, 3]) {
      await copyOf(DAWN + day * DAY, copies);
      expect(await isKept()).toBe(true);
    }
    for (const day of [4, 5]) await copyOf(DAWN + day * DAY, copies);

    expect(await isKept()).toBe(false);
    expect((await objects()).filter((key) => key.startsWith("unused/"))).toEqual([]);
  });

  test("leave out an empty data folder that took the place of a lost one", async () => {
    await fill();
    await copyOf(DAWN);
    rmSync(shell.dataDir, { recursive: true });
    await shell.look(() => {});
    await copyOf(DAWN + DAY);

    expect(logged.at(-1)).toMatchObject({ event: "backup_copy_failed" });
    expect(logged.at(-1)?.details["text"]).toContain(
      `The backup ${nameOf(DAWN + DAY)} holds no alerts, and the copy ${nameOf(DAWN)} does`,
    );
    const restored = await shell.run(
      restoreBackup,
      ["--copy", "latest", "--key", keyFile, "--dry-run"],
      { settings: settings() },
    );
    expect(restored.said).toContain("The backup is sound: 20 alerts");
  });

  test("that were interrupted are completed by the next try, an hour later", async () => {
    await fill();
    const copies = openCopies();
    bucket.trouble("read-only");
    await copyOf(DAWN, copies);
    bucket.recover();
    await copyOf(DAWN + HOUR / 2, copies);
    expect(copies.state()).toEqual({ lastAt: null, isFailing: true });
    await copyOf(DAWN + HOUR, copies);

    expect(logged.map(({ event }) => event)).toEqual(["backup_copy_failed", "backup_copy"]);
    expect(logged[0]?.details["text"]).toContain(
      "The key of BACKUP_COPY_URL may not do everything in the bucket",
    );
    expect(copies.state()).toEqual({ lastAt: DAWN, isFailing: false });
  });

  test("that were interrupted for good are deleted after a day", async () => {
    await fill();
    const left = `copies/${nameOf(DAWN - HOUR)}/0001`;
    await openTarget(inBucket()).put(left, new Uint8Array(1), "application/octet-stream");
    const copies = openCopies();
    await copyOf(DAWN, copies);
    expect(await objects()).toContain(left);
    await copyOf(DAWN + DAY, copies);

    expect(await objects()).not.toContain(left);
  });
});

describe("a folder as the place for copies", () => {
  test("serves like a bucket", async () => {
    await fill();
    const path = join(shell.folder, "disk");
    mkdirSync(path);
    const alerts = await shell.alerts();
    const copies = openCopies({ target: { kind: "folder", path }, keepDays: 1 });
    for (const day of [0, 1, 2]) await copyOf(DAWN + day * DAY, copies);
    rmSync(shell.dataDir, { recursive: true });

    await shell.run(restoreBackup, ["--copy", "latest", "--key", keyFile], {
      settings: { BACKUP_COPY_URL: path },
    });

    expect(logged.map(({ event }) => event)).toEqual(["backup_copy", "backup_copy", "backup_copy"]);
    expect(await shell.alerts()).toEqual(alerts);
    expect(readdirSync(join(path, "copies"))).toEqual([nameOf(DAWN + 2 * DAY)]);
  });
});

describe("the key for copies", () => {
  test("has a private part that age-keygen could have written, for its owner only", async () => {
    expect(readFileSync(keyFile, "utf8")).toMatch(
      /^# created: \S+\n# public key: age1[a-z0-9]{58}\nAGE-SECRET-KEY-1[0-9A-Z]{58}\n$/,
    );
  });

  test("that is none is refused", async () => {
    writeFileSync(keyFile, "hello");
    const restored = ["--copy", "latest", "--key", keyFile];
    expect(await shell.failing(restoreBackup, restored, { settings: settings() })).toContain(
      "holds no private key",
    );
    publicKey = publicKey.slice(0, -1) + (publicKey.endsWith("q") ? "p" : "q");
    expect(() => openCopies()).toThrow("BACKUP_COPY_KEY is not a public key");
  });
});
