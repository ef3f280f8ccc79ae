import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storedKeyCheck } from "../../db/sqlite/key-check.ts";
import { openDatabase } from "../../db/sqlite/open.ts";
import { KEY_FILE } from "../../src/ops/secret-key.ts";
import { FROM_SOURCES, type Program } from "../support/process.ts";
import { createDisk, LOSSES } from "./disk-after-a-cut.ts";
import { formatNumber, type Bite, randomFor, type Fault } from "./fault.ts";
import type { Told } from "./power-cut-load.ts";
import { createRecorder, type DiskEvent } from "./recorder.ts";
import { type Weakening, without } from "./weakened.ts";

const ALERTS = 60;
/** Each gives one image for every kind of loss. */
const CUTS = 300;
/** Enough to bite: without a defence most cuts lose something. */
const CUTS_WITHOUT = 60;
/** Named at most, so that a broken disk does not fill the screen. */
const SHOWN_MAX = 5;

const NORMAL: Weakening = {
  module: "db/sqlite/open.ts",
  name: "openDatabase",
  instead: `(dataDir) => {
    const database = original.openDatabase(dataDir);
    database.sqlite.run("PRAGMA synchronous = NORMAL");
    return database;
  }`,
};
/** Folders are still synced. */
const UNSYNCED_PHOTO: Weakening = {
  module: "src/photos/photo-folder.ts",
  name: "openPhotoFolder",
  instead: `async (options) => {
    const handle = await require("node:fs/promises").open(".", "r");
    const FileHandle = Object.getPrototypeOf(handle);
    await handle.close();
    const { sync } = FileHandle;
    FileHandle.sync = async function () {
      if ((await this.stat()).isDirectory()) await sync.call(this);
    };
    return original.openPhotoFolder(options);
  }`,
};
const UNSYNCED_FOLDER: Weakening = {
  module: "src/ops/fs.ts",
  name: "flushed",
  instead: 'async (path) => { if (!path.endsWith("/photos")) await original.flushed(path); }',
};
const UNSYNCED_ALBUM: Weakening = {
  module: "src/ops/fs.ts",
  name: "flushed",
  instead: 'async (path) => { if (path.endsWith("/photos")) await original.flushed(path); }',
};
const UNSYNCED_KEY: Weakening = {
  module: "src/ops/secret-key.ts",
  name: "generateKey",
  instead: `(folder: string) => {
    const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
    require("node:fs").writeFileSync(folder + "/secret.key", key);
    return key;
  }`,
};

/** The power goes while the whole service is at work, and the disk forgets what it may forget. */
export const powerCut: Fault = {
  name: "power cut under load",
  promise: "what was answered is on the disk: alerts, messages, photos, emails and the key",
  async run(say) {
    const real = await cutShort(FROM_SOURCES, CUTS);
    say(`${real.images} images of ${formatNumber(real.events)} disk calls: ${real.broken} broken`);
    const bites: Bite[] = [];
    for (const [defence, weakenings] of [
      ["synchronous = FULL", [NORMAL]],
      ["the sync of a photo's bytes", [UNSYNCED_PHOTO]],
      ["the sync of a photo's name", [UNSYNCED_FOLDER]],
      ["the sync of the photos' folder's name", [UNSYNCED_ALBUM]],
      // Either of the two syncs of the data folder keeps the key.
      ["the sync of the key and of its name", [UNSYNCED_KEY, UNSYNCED_ALBUM]],
    ] as const) {
      const { images, broken, failures } = await without(weakenings, ({ program }) =>
        cutShort(program, CUTS_WITHOUT),
      );
      bites.push({
        defence,
        found: `${broken} of ${images} images lost something (${failures[0]})`,
        bit: broken > 0,
      });
      say(`without ${defence}: ${broken} of ${images} images broken`);
    }
    return {
      tried: `${formatNumber(real.images)} images of the disk at ${CUTS} moments of ${formatNumber(real.told)} answers`,
      lost: String(real.broken),
      failures: real.failures,
      bites,
    };
  },
};

/** Runs the load on a recorded disk, and opens what a cut at each of so many moments leaves. */
async function cutShort({ command: [bun = ""], cwd }: Program, cuts: number) {
  const scratch = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "pet-alert-power-cut-"));
  try {
    const folder = join(scratch, "data");
    const recorder = await createRecorder(folder, scratch);
    const load = Bun.spawn(
      [bun, join(cwd, "test/chaos/power-cut-load.ts"), folder, String(ALERTS)],
      {
        cwd,
        env: { ...recorder.env },
        stdout: "inherit",
        stderr: "inherit",
      },
    );
    if ((await load.exited) !== 0) throw new Error("the load did not come to its end");
    return openImages(folder, recorder.events(), cuts, join(scratch, "image"));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A disk in memory: 900 images need not wear out a real one. What is lost is decided here, not by the disk. */
const MEMORY = "/dev/shm";

function openImages(folder: string, events: readonly DiskEvent[], cuts: number, image: string) {
  const random = randomFor("power cut");
  const key = readFileSync(join(folder, KEY_FILE));
  const moments = Array.from({ length: cuts }, () => random.below(events.length)).sort(
    (a, b) => a - b,
  );
  const disk = createDisk(folder);
  const told: Told[] = [];
  const failures: string[] = [];
  let broken = 0;
  let at = 0;
  for (const moment of moments) {
    for (; at <= moment; at++) {
      const event = events[at]!;
      if (event.kind === "told") told.push(event.what as Told);
      else disk.apply(event);
    }
    for (const loss of LOSSES) {
      mkdirSync(image);
      disk.imageInto(image, loss, random);
      const missing = missingIn(image, told, key);
      if (missing.length > 0) broken += 1;
      if (missing.length > 0 && failures.length < SHOWN_MAX)
        failures.push(`cut at call ${moment}, ${loss}: ${missing.slice(0, 3).join(", ")}`);
      rmSync(image, { recursive: true });
    }
  }
  const answers = events.filter(({ kind }) => kind === "told").length;
  return {
    images: moments.length * LOSSES.length,
    events: events.length,
    told: answers,
    broken,
    failures,
  };
}

/** Errors in an image, in sentences; none if it opens, is sound and has every acknowledged write. */
function missingIn(image: string, told: readonly Told[], key: Buffer): string[] {
  let open: ReturnType<typeof openDatabase>;
  try {
    open = openDatabase(image);
  } catch (error) {
    return [`it cannot be opened: ${error instanceof Error ? error.message : String(error)}`];
  }
  try {
    return [...unsoundIn(open.sqlite), ...forgottenIn(image, open.sqlite, told, key)];
  } finally {
    open.close();
  }
}

function unsoundIn(sqlite: Database): string[] {
  const { integrity_check: integrity } = sqlite
    .query<{ integrity_check: string }, []>("PRAGMA integrity_check")
    .get()!;
  const orphans = sqlite.query("PRAGMA foreign_key_check").all().length;
  return [
    ...(integrity === "ok" ? [] : [`the database is corrupt: ${integrity}`]),
    ...(orphans === 0 ? [] : [`${orphans} broken references`]),
  ];
}

function forgottenIn(
  image: string,
  sqlite: Database,
  told: readonly Told[],
  key: Buffer,
): string[] {
  const column = (sql: string) =>
    new Set(
      sqlite
        .query<{ it: unknown }, []>(sql)
        .all()
        .map(({ it }) => it),
    );
  const codes = column("SELECT code AS it FROM short_code");
  const alerts = column("SELECT id AS it FROM alert");
  const resolved = column("SELECT id AS it FROM alert WHERE status = 'resolved'");
  const messages = column("SELECT text AS it FROM message");
  const emails = column("SELECT id AS it FROM outbox").size;
  const gone: string[] = [];
  let emailsDue = 0;
  for (const one of told) {
    // What was told, and the email that was put into the outbox with it.
    if (one.kind !== "resolved") emailsDue += 1;
    switch (one.kind) {
      case "asked":
        if (!codes.has(one.code)) gone.push(`the asked alert ${one.code}`);
        break;
      case "live":
        if (!alerts.has(one.id)) gone.push(`the live alert ${one.id}`);
        gone.push(
          ...one.photos.filter((name) => !hasPhoto(image, name)).map((name) => `the photo ${name}`),
        );
        break;
      case "said":
        if (!messages.has(one.text)) gone.push(`the message "${one.text}"`);
        break;
      case "resolved":
        if (!resolved.has(one.id)) gone.push(`that ${one.id} is home`);
    }
  }
  if (emails < emailsDue) gone.push(`${emailsDue - emails} emails`);
  const keyFile = join(image, KEY_FILE);
  // Refused for ever: the database knows of a key that never reached the disk.
  if (storedKeyCheck(sqlite) !== null && !existsSync(keyFile))
    gone.push("the key that the database asks for");
  if (told.length > 0 && !(existsSync(keyFile) && readFileSync(keyFile).equals(key)))
    gone.push("the key");
  return gone;
}

/** Whole in both sizes: a full picture is named by what it holds. */
function hasPhoto(image: string, name: string): boolean {
  const [full, thumb] = [`${name}.webp`, `${name}-480.webp`].map((file) =>
    join(image, "photos", file),
  );
  if (!existsSync(full!) || !existsSync(thumb!)) return false;
  const bytes = readFileSync(full!);
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  return hash.startsWith(name) && readFileSync(thumb!).length > 0;
}
