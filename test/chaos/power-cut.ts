import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storedKeyCheck } from "../../db/sqlite/key-check.ts";
import { openDatabase } from "../../db/sqlite/open.ts";
import { KEY_FILE } from "../../src/ops/secret-key.ts";
import { FROM_SOURCES } from "../support/process.ts";
import { createDisk, LOSSES } from "./disk-after-a-cut.ts";
import { formatNumber, partOf, randomFor, type Fault } from "./fault.ts";
import type { Told } from "./power-cut-load.ts";
import { createRecorder, type DiskEvent } from "./recorder.ts";

const ALERTS = 60;
/** Each gives one image for every kind of loss. */
const CUTS = partOf(300);
/** Named at most, so that a broken disk does not fill the screen. */
const SHOWN_MAX = 5;

/** The power goes while the whole service is at work, and the disk forgets what it may forget. */
export const powerCut: Fault = {
  name: "power cut under load",
  promise: "what was answered is on the disk: alerts, messages, photos, emails and the key",
  async run(say) {
    const real = await cutShort();
    say(`${real.images} images of ${formatNumber(real.events)} disk calls: ${real.broken} broken`);
    return {
      tried: `${formatNumber(real.images)} images of the disk at ${CUTS} moments of ${formatNumber(real.told)} answers`,
      lost: String(real.broken),
      failures: real.failures,
    };
  },
};

/** Runs the load on a recorded disk, and opens what a cut at each of the moments leaves. */
async function cutShort() {
  const { cwd } = FROM_SOURCES;
  const scratch = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "pet-alert-power-cut-"));
  try {
    const folder = join(scratch, "data");
    const recorder = await createRecorder(folder, scratch);
    const load = Bun.spawn(
      [process.execPath, join(cwd, "test/chaos/power-cut-load.ts"), folder, String(ALERTS)],
      {
        cwd,
        env: { ...recorder.env },
        stdout: "inherit",
        stderr: "inherit",
      },
    );
    if ((await load.exited) !== 0) throw new Error("the load did not come to its end");
    return openImages(folder, recorder.events(), join(scratch, "image"));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A disk in memory: 900 images need not wear out a real one. What is lost is decided here, not by the disk. */
const MEMORY = "/dev/shm";

function openImages(folder: string, events: readonly DiskEvent[], image: string) {
  const random = randomFor("power cut");
  const key = readFileSync(join(folder, KEY_FILE));
  const moments = Array.from({ length: CUTS }, () => random.below(events.length)).sort(
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
