import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { createBackups, lastBackupAt } from "../db/sqlite/backups.ts";
import { openDatabase, openToRead } from "../db/sqlite/open.ts";
import { createSqliteStore } from "../db/sqlite/store.ts";
import { openTombstones } from "../db/sqlite/tombstones.ts";
import { version } from "../package.json" with { type: "json" };
import type { Config } from "./config.ts";
import { createExporting, type Exporting } from "./core/exporting.ts";
import { createLinks } from "./core/links.ts";
import type { Clock, Dice } from "./core/ports.ts";
import { createService } from "./core/service.ts";
import type { OutboxState } from "./core/store.ts";
import { openGazetteer } from "./gazetteer/gazetteer.ts";
import { createApp } from "./http/app.ts";
import { createControl } from "./http/control.ts";
import { createTraffic } from "./http/traffic.ts";
import { createLetterFiles } from "./mail/letter-files.ts";
import { composeLetter } from "./mail/letters.ts";
import { openAlbum } from "./photos/album.ts";
import { createPhotoFetcher } from "./photos/fetching.ts";
import { createPostman } from "./mail/postman.ts";
import type { Transport } from "./mail/transport.ts";
import { mailFolder, openTransport } from "./mail-settings.ts";
import { createLog, type Log } from "./log.ts";
import { createAlertIndex } from "./search/alert-index.ts";
import { createZoneIndex } from "./search/zone-index.ts";
import { createTallies } from "./tallies.ts";
import { openVault } from "./vault.ts";
import { createWatch } from "./watch.ts";

export { backUp } from "../db/sqlite/backup.ts";
export { BACKUPS, backupName, lastBackupAt } from "../db/sqlite/backups.ts";
export { DATABASE_FILE, isOpenToOthers } from "../db/sqlite/open.ts";
export { type Contents, requireSound } from "../db/sqlite/contents.ts";
export { restore } from "../db/sqlite/restore.ts";
export { createDns, type Dns } from "./mail/dns.ts";
export { version };

/** The time of the machine. */
export const systemClock: Clock = Date.now;

const SHUT_OUT =
  "Other users of this machine could enter the data folder; from now on its owner alone can.";
const FAILURE_LOG_MS = 60_000;
/** How long letters under way may take when everything ends. */
const LETTERS_GRACE_MS = 1_500;

/** Parts a test puts in the place of the real ones. */
export type Parts = {
  readonly clock?: Clock;
  readonly dice?: Dice;
  readonly transport?: Transport;
  /** Fetches pictures from addresses that strangers give. */
  readonly fetchPhoto?: (address: string) => Promise<Uint8Array>;
  readonly log?: Log;
  /** Milliseconds since some moment, unmoved by the clock being set. */
  readonly stopwatch?: () => number;
  /** Bytes free on the disk of the data folder. */
  readonly freeBytes?: () => Promise<number>;
  /** Gets lines meant for the person at the terminal. */
  readonly announce?: (line: string) => void;
};

export type App = Awaited<ReturnType<typeof start>>;

/**
 * The whole service on one data folder, with every part wired. Throws `Fault` with a sentence for the operator when
 * the folder is in use, damaged or newer, or the mail settings cannot be used.
 */
export async function start(config: Config, parts: Parts = {}) {
  const clock = parts.clock ?? systemClock;
  const links = createLinks(config.baseUrl);
  const gazetteer = await openGazetteer();
  const transport = parts.transport ?? openTransport(config, parts.announce ?? (() => {}));
  // The database first: a folder that is not to be opened must not be given a key.
  const database = openDatabase(config.dataDir);
  const vault = openVault(config.dataDir);
  const store = createSqliteStore(database, openTombstones(config.dataDir, vault.mark));
  const dice = parts.dice ?? systemDice(clock);
  const rates = {
    publish: config.limitPublish,
    message: config.limitMessage,
    zone: config.limitSubscribe,
    sighting: config.limitMessage,
  };
  const alertIndex = createAlertIndex();
  const zoneIndex = createZoneIndex();
  const tallies = createTallies(parts.log ?? logToStderr(config), clock);
  const { log } = tallies;
  const { service, operator } = createService({
    store,
    alertIndex,
    zoneIndex,
    gazetteer,
    letterFiles: createLetterFiles(mailFolder(config)),
    photos: await openAlbum({ folder: join(config.dataDir, "photos"), clock }),
    fetchPhoto: parts.fetchPhoto ?? createPhotoFetcher(),
    vault,
    dice,
    clock,
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    links,
    rates,
    heldBack: tallies.heldBack,
    sharedNetworks: config.sharedEgress,
    adminEmails: config.adminEmails,
  });
  if (database.wasOpenToOthers) log("data_folder", { text: SHUT_OUT });
  const again = await store.eraseAgain(clock());
  if (Object.values(again).some((many) => many > 0)) log("erased_again", again);
  await service.catchUp();
  const postman = createPostman({
    store,
    transport,
    compose: (letter) =>
      composeLetter(letter, { name: config.siteName, links, unseal: vault.unseal }),
    clock,
    isSteady: service.isSteady,
    log: (text, error) => log("mail", { text, ...(error === undefined ? {} : { error }) }),
    told: tallies.noteLetter,
  });
  const watch = createWatch({
    tallies,
    clock,
    dataDir: config.dataDir,
    version,
    freeBytes: parts.freeBytes ?? (() => freeBytesOf(config.dataDir)),
    backupKeep: config.backupKeep,
    lastBackupAt: (now) => lastBackupAt(config.dataDir, now),
    outbox: store.outboxState,
    mailPausedUntil: () => postman.pausedUntil,
    clockJump: service.clockJump,
    sizes: () => ({ alerts: alertIndex.size, zones: zoneIndex.size }),
  });
  const traffic = createTraffic({
    dice,
    stopwatch: parts.stopwatch ?? (() => performance.now()),
    logged: config.logRequests,
    log,
  });
  const gather = async () => [...traffic.metrics(), ...(await watch.metrics())];
  const app = createApp({
    service,
    links,
    baseUrl: config.baseUrl,
    siteName: config.siteName,
    isModerated: config.adminEmails.length > 0,
    tiles:
      config.tileUrl === null ? null : { url: config.tileUrl, attribution: config.tileAttribution },
    version,
    trustProxy: config.trustProxy,
    rates,
    limitRead: config.limitRead,
    backupKeep: config.backupKeep,
    sharedNetworks: config.sharedEgress,
    allowedOrigins: config.allowedOrigins,
    clock,
    traffic,
    metrics: {
      gather,
      isPublic: config.metricsPublic,
    },
    heldBack: tallies.heldBack,
    log,
  });

  const backups = createBackups({ dataDir: config.dataDir, keep: config.backupKeep, log });

  let failureLoggedAt = -Infinity;
  let ticking: Promise<void> = Promise.resolve();
  return {
    service,
    operator,
    store,
    gazetteer,
    vault,
    dice,
    clock,
    mail: transport.describe(),
    log,
    /** Every address there is, and what stands before it. */
    routes: app.routes,
    /** Answers a request; `address` is the peer's, as the socket knows it. */
    fetch: (request: Request, address: string | null) => app.fetch(request, { address }),
    /** Answers a command of the machine's own shell: to be opened on a Unix socket and nowhere else. */
    control: createControl(operator, gather, log).fetch,
    /** Does what is due; resolves when the letters it started are dealt with. An error inside is logged, not thrown. */
    async tick(): Promise<void> {
      const now = clock();
      try {
        await (ticking = service.tick(now));
      } catch (error) {
        tallies.noteTickFailure();
        // Once a minute: a fault that lasts would fill the log.
        if (Math.abs(now - failureLoggedAt) >= FAILURE_LOG_MS) {
          failureLoggedAt = now;
          log("tick_failed", { error });
        }
      }
      await watch.tick(now);
      // Takes its time in a thread of its own; nobody waits for it.
      void backups.tick(now);
      await postman.tick(now);
    },
    /** Gives back what reading the whole store left behind; to be called once, a moment after the start. */
    settle(): void {
      database.shrink();
      Bun.gc(true);
      Bun.shrink();
    },
    /** Gives letters under way their time, cuts the rest short (they fall due again), then closes everything. */
    async stop(): Promise<void> {
      await backups.stop();
      await ticking.catch(() => {});
      const delivered = postman.stop();
      await orTimeOut(delivered, LETTERS_GRACE_MS);
      transport.close();
      await orTimeOut(delivered, LETTERS_GRACE_MS);
      await store.close();
    },
  };
}

/**
 * What can be exported from a data folder, which a service may be using. Throws `Fault` with a sentence for the operator
 * when it cannot be read.
 */
export function openExporting({
  dataDir,
  baseUrl,
}: Config): Exporting & { close(): Promise<void> } {
  const store = createSqliteStore(openToRead(dataDir));
  return { ...createExporting({ store, links: createLinks(baseUrl) }), close: () => store.close() };
}

/** How many letters wait in a data folder, which a service may be using. Throws `Fault` when it cannot be read. */
export async function outboxOf(dataDir: string): Promise<OutboxState> {
  const store = createSqliteStore(openToRead(dataDir));
  try {
    return await store.outboxState();
  } finally {
    await store.close();
  }
}

function logToStderr({ logRequests }: Config): Log {
  return createLog({
    write: (line) => console.error(line),
    clock: systemClock,
    whole: logRequests === "on" ? ["request"] : [],
  });
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Chance as the machine gives it. */
function systemDice(clock: Clock): Dice {
  return {
    bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    id: () => Bun.randomUUIDv7("hex", clock()),
  };
}

/** Waits, but no longer than that; the timer is cleared, so that it keeps no process alive. */
async function orTimeOut(work: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
