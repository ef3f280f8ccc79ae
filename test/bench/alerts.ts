import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase, openToRead } from "../../db/sqlite/open.ts";
import { generateKey, keyCheckOf } from "../../src/ops/secret-key.ts";
import { storeKeyCheck } from "../../db/sqlite/key-check.ts";
import { createSqliteStore } from "../../db/sqlite/store.ts";
import { findArea } from "../../src/commands/demo/area.ts";
import { generateAlerts } from "../../src/commands/demo/generate.ts";
import { type Random, randomFrom } from "../../src/commands/demo/random.ts";
import {
  type Alert,
  requirePublicAlert,
  searchableTexts,
  slugOf,
} from "../../src/core/alerts/alert.ts";
import { shortCode } from "../../src/core/alerts/new-names.ts";
import { createLinks, type Links } from "../../src/core/urls.ts";
import { ALERT_WORDS_MAX, tokenize } from "../../src/text/tokenize.ts";
import { openGazetteer } from "../../src/places/gazetteer.ts";
import { alertToWire } from "../../src/http/api/alert-json.ts";
import type { AlertType, Species } from "../../src/values/animal.ts";
import type { Gazetteer } from "../../src/places/town.ts";
import type { BulkAlert } from "../../src/core/tables/imported-alert.ts";

/** The public address that every contender writes into its answers: the bytes can then be compared. */
export const BASE_URL = "https://pets.example";
/** The alerts were published between these two; nothing ends before `LIVES_UNTIL`. */
export const PUBLISHED_FROM = Date.UTC(2026, 8, 1);
export const PUBLISHED_UNTIL = Date.UTC(2026, 9, 1);
const LIVES_UNTIL = Date.UTC(2100, 0, 1);

const SEED = "bench";
/** Added in one transaction: as many as make so many transactions of them all, or this many. */
const BATCHES_MAX = 1_000;
const BATCH_MIN = 100;
const READ_AT_ONCE = 1_000;

/** What an alert is to a peer: the columns its questions go by and the answer's JSON, ready made. */
export type BenchRow = {
  readonly publishedAt: number;
  readonly species: Species;
  readonly type: AlertType;
  readonly lat: number;
  readonly lng: number;
  /** The folded words a search looks at, parted by spaces. */
  readonly words: string;
  /** The alert as the REST interface writes it, without a distance. */
  readonly json: string;
};

/** Outside the repository, for what takes long to make; runs with the same seed share it. `BENCH_DIR` names another one. */
const SCRATCH = process.env["BENCH_DIR"] ?? join(tmpdir(), "pet-alert-bench");

/** A name in the scratch folder, or in another. */
export function scratch(name: string, root: string = SCRATCH): string {
  mkdirSync(root, { recursive: true, mode: 0o755 });
  return join(root, name);
}

/**
 * A data folder with so many alerts, clustered around the towns of the world by their population. The same count
 * always gives the same ones; they are made once in `root`, and again when what makes them changed.
 */
export async function alertsFolder(count: number, root: string = SCRATCH): Promise<string> {
  const gazetteer = await openGazetteer();
  const folder = scratch(`alerts-${count}-${fingerprint(gazetteer)}`, root);
  if (existsSync(folder)) {
    // The schema may be newer than what was kept.
    openDatabase(folder).close();
    return folder;
  }
  const unfinished = `${folder}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  await fill(unfinished, gazetteer, count);
  renameSync(unfinished, folder);
  return folder;
}

/** Every alert of a data folder, newest last. */
export async function* rowsIn(folder: string): AsyncGenerator<BenchRow> {
  const links = createLinks(BASE_URL);
  const store = createSqliteStore(openToRead(folder));
  let last: number | null = null;
  for (;;) {
    const alerts: Alert[] = await store.alertsAfter(last, READ_AT_ONCE);
    for (const alert of alerts) yield asRow(alert, links);
    last = alerts.at(-1)?.publishedAt ?? null;
    if (last === null) break;
  }
  await store.close();
}

function asRow(alert: Alert, links: Links): BenchRow {
  const { publishedAt, species, type, point } = alert;
  return {
    publishedAt,
    species,
    type,
    ...point,
    words: tokenize(
      searchableTexts([alert.name, alert.breed, alert.color, alert.district, alert.city]).join(" "),
      ALERT_WORDS_MAX,
    ).join(" "),
    json: JSON.stringify(alertToWire(requirePublicAlert(alert, links))),
  };
}

/** Made to see what the others would be like. */
const SAMPLE = 20;

/** Changes with what is made, and with the JSON that peers are given. */
function fingerprint(gazetteer: Gazetteer): string {
  const make = alertMaker(gazetteer, SEED);
  const links = createLinks(BASE_URL);
  const sample = Array.from({ length: SAMPLE }, () => {
    const bulk = make(PUBLISHED_FROM);
    const alert: Alert = {
      ...bulk.draft,
      status: "active",
      publishedAt: PUBLISHED_FROM,
      updatedAt: PUBLISHED_FROM,
      expiresAt: bulk.expiresAt,
      endedAt: null,
      ownerEmail: bulk.ownerEmail,
      language: bulk.language,
      source: bulk.source,
      organisation: null,
      organisationName: null,
    };
    return asRow(alert, links);
  });
  return Bun.hash(JSON.stringify(sample)).toString(16).slice(0, 8);
}

async function fill(folder: string, gazetteer: Gazetteer, count: number): Promise<void> {
  const make = alertMaker(gazetteer, SEED);
  const database = openDatabase(folder);
  storeKeyCheck(database.sqlite, keyCheckOf(generateKey(folder)));
  // A folder cut short is made anew.
  database.sqlite.run("PRAGMA synchronous = OFF");
  const store = createSqliteStore(database);
  const batch = Math.max(BATCH_MIN, Math.ceil(count / BATCHES_MAX));
  for (let done = 0; done < count; done += batch) {
    const now = PUBLISHED_FROM + Math.floor((PUBLISHED_UNTIL - PUBLISHED_FROM) * (done / count));
    const length = Math.min(batch, count - done);
    await store.addAlerts(
      Array.from({ length }, () => make(now)),
      now,
    );
  }
  await store.close();
}

/** Makes alerts without end, each with its own names, to be published at the time it is given. */
export function alertMaker(gazetteer: Gazetteer, seed: string): (now: number) => BulkAlert {
  const random = randomFrom(seed);
  const area = findArea(gazetteer, "world");
  const alerts = generateAlerts({ random, area, gazetteer, now: PUBLISHED_FROM });
  const codes = new Set<string>();
  return (now) => {
    const { about, point } = alerts.next().value;
    const code = freshCode(random, codes);
    const names = { id: uuidAt(now, random), slug: slugOf(about, code), shortCode: code };
    return {
      draft: { ...names, ...about, point, photos: [], chipHash: null },
      ownerEmail: null,
      language: "en",
      source: `${seed}:${code}`,
      expiresAt: LIVES_UNTIL,
      link: null,
      announce: false,
    };
  };
}

function freshCode(random: Random, taken: Set<string>): string {
  for (;;) {
    const code = shortCode((count) => bytesFrom(random, count));
    if (taken.has(code)) continue;
    taken.add(code);
    return code;
  }
}

/** UUID v7 (RFC 9562): 48 bits of time, then chance. */
function uuidAt(time: number, random: Random): string {
  const bytes = bytesFrom(random, 16);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(time / 2 ** 32));
  view.setUint32(2, time % 2 ** 32);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function bytesFrom(random: Random, count: number) {
  return Uint8Array.from({ length: count }, () => random.below(256));
}
