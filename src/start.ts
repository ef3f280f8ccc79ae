import type { Logo } from "./http/web/assets/theme.ts";
import { createPreviewPainter } from "./photos/preview.ts";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { createBackups, lastBackupAt } from "../db/sqlite/daily-backups.ts";
import {
  storeKeyCheck,
  type KeyState,
  keyStateOf,
  missingKey,
  wrongKey,
} from "../db/sqlite/key-check.ts";
import { createOldCopies } from "../db/sqlite/old-copies.ts";
import { type OpenDatabase, openDatabase, openToRead } from "../db/sqlite/open.ts";
import { createSqliteStore } from "../db/sqlite/store.ts";
import { openTombstones } from "../db/sqlite/tombstones.ts";
import { version } from "../package.json" with { type: "json" };
import type { Config } from "./config.ts";
import { exportedAlerts, exportedOutcomes } from "./core/alerts/export.ts";
import { LANGUAGES } from "./core/alerts/alert.ts";
import { Fault } from "./core/fault.ts";
import { importLinks } from "./core/alerts/import-links.ts";
import { createLinks } from "./core/urls.ts";
import type { Clock, Dice, Secrets } from "./core/ports.ts";
import { createService } from "./core/service.ts";
import { hashMailbox } from "./core/mailbox-hash.ts";
import { openGazetteer } from "./geo/gazetteer.ts";
import { createApp } from "./http/app.ts";
import { createRequestBodies } from "./http/middleware/request-body.ts";
import { createControl } from "./http/control.ts";
import { createRequestLog } from "./http/middleware/request-log.ts";
import { createBounceCollector } from "./mail/bounce-collector.ts";
import { createEmailFiles } from "./mail/email-files.ts";
import { composeEmail } from "./mail/emails.ts";
import { openPhotoStore } from "./photos/photo-store.ts";
import { createPhotoFetcher } from "./photos/fetch.ts";
import type { MailboxReader } from "./mail/mailbox-reader.ts";
import { createOutboxWorker } from "./mail/outbox-worker.ts";
import { createReturnPaths } from "./mail/return-path.ts";
import type { Transport } from "./mail/smtp.ts";
import { mailFolder, openMailbox, openTransport } from "./mail/settings.ts";
import { createLog, type Log } from "./ops/log.ts";
import { createAlertIndex } from "./search/alert-index.ts";
import { createZoneIndex } from "./search/zone-index.ts";
import { createCounters } from "./ops/counters.ts";
import { generateKey, keyCheckOf, readKey } from "./ops/secret-key.ts";
import { createSecrets } from "./ops/secrets.ts";
import { createMonitor } from "./ops/monitor.ts";
import type { OutboxState } from "./core/store/jobs.ts";

export { archiveBackup, backUp } from "../db/sqlite/backup.ts";
export { BACKUPS, backupName, lastBackupAt } from "../db/sqlite/daily-backups.ts";
export { DATABASE_FILE, isOpenToOthers } from "../db/sqlite/open.ts";
export { checkDatabase, type Contents, requireSound } from "../db/sqlite/backup-check.ts";
export { oldCopies } from "../db/sqlite/old-copies.ts";
export { isThere } from "../db/sqlite/plain-files.ts";
export { restore, withArchive } from "../db/sqlite/restore.ts";
export { createDns, type Dns } from "./mail/dns.ts";
export { rasterize } from "./photos/rasterizer.ts";
export { version };

export const systemClock: Clock = Date.now;

const FOLDER_WAS_OPEN =
  "Other users of this machine could enter the data folder; now only its owner can.";
const FAILURE_LOG_MS = 60_000;
/** Time for emails in progress when the service stops. */
const EMAILS_GRACE_MS = 1_500;

/** Dependencies that tests replace. */
export type Parts = {
  readonly clock?: Clock;
  readonly dice?: Dice;
  readonly transport?: Transport;
  /** Mailbox that receives bounces; requires the setting BOUNCE_ADDRESS. */
  readonly mailbox?: MailboxReader;
  /** Fetches photos from URLs given by clients. */
  readonly fetchPhoto?: (address: string) => Promise<Uint8Array>;
  readonly log?: Log;
  /** Monotonic time in milliseconds. */
  readonly stopwatch?: () => number;
  /** Bytes free on the disk of the data folder. */
  readonly freeBytes?: () => Promise<number>;
  /** Prints lines for the person at the terminal. */
  readonly announce?: (line: string) => void;
};

export type App = Awaited<ReturnType<typeof start>>;

/**
 * Wires the service on a data folder. Throws `Fault` with a sentence for the operator when the folder is in use, damaged
 * or from a newer version, or the mail settings are not valid.
 */
export async function start(config: Config, parts: Parts = {}) {
  const clock = parts.clock ?? systemClock;
  const links = createLinks(config.baseUrl);
  const gazetteer = await openGazetteer();
  const transport = parts.transport ?? openTransport(config, parts.announce ?? (() => {}));
  const { database, secrets } = openFolder(config.dataDir);
  const counters = createCounters(parts.log ?? logToStderr(config), clock);
  const { log } = counters;
  const store = createSqliteStore(
    database,
    openTombstones(config.dataDir, secrets.keyedHash),
    (error) => log("database_damaged", { error }),
  );
  const dice = parts.dice ?? systemDice(clock);
  const rates = {
    publish: config.limitPublish,
    message: config.limitMessage,
    zone: config.limitSubscribe,
    sighting: config.limitMessage,
  };
  const alertIndex = createAlertIndex();
  const zoneIndex = createZoneIndex();
  const freeBytes = parts.freeBytes ?? (() => freeBytesOf(config.dataDir));
  const photos = await openPhotoStore({
    folder: join(config.dataDir, "photos"),
    clock,
    freeBytes,
  });
  const { service, operator } = createService({
    store,
    alertIndex,
    zoneIndex,
    gazetteer,
    emailFiles: createEmailFiles(mailFolder(config)),
    photos,
    fetchPhoto: parts.fetchPhoto ?? createPhotoFetcher(),
    secrets,
    dice,
    clock,
    yieldToEventLoop: () => new Promise((resolve) => setImmediate(resolve)),
    links,
    rates,
    onRateLimited: counters.countRateLimited,
    sharedNetworks: config.sharedEgress,
    adminEmails: config.adminEmails,
    reportEmails: config.reportEmails,
  });
  if (database.wasOpenToOthers) log("data_folder", { text: FOLDER_WAS_OPEN });
  try {
    const erased = await store.repeatErasures(clock());
    if (Object.values(erased).some((count) => count > 0)) log("erased_again", erased);
    await service.syncIndexes();
  } catch (error) {
    await store.close();
    throw error;
  }
  const returnPaths =
    config.bounceAddress === null
      ? null
      : createReturnPaths(config.bounceAddress, (emailId) => secrets.keyedHash("bounce", emailId));
  const outboxWorker = createOutboxWorker({
    store,
    transport,
    compose: (email) =>
      composeEmail(email, { name: config.siteName, links, unseal: secrets.unseal }),
    clock,
    isSteady: service.isClockTrusted,
    log: (text, error) => log("mail", { text, ...(error === undefined ? {} : { error }) }),
    onOutcome: counters.countEmail,
    mailboxHash: (mailbox) => hashMailbox(secrets, mailbox),
    returnPath: (emailId) => returnPaths?.of(emailId) ?? null,
  });
  const mailbox = parts.mailbox ?? openMailbox(config);
  const bounces =
    mailbox === null || returnPaths === null
      ? null
      : createBounceCollector({
          store,
          reader: mailbox,
          returnPaths,
          clock,
          log: (text) => log("mailbox", { text }),
          count: counters.countBounce,
        });
  const monitor = createMonitor({
    counters,
    clock,
    dataDir: config.dataDir,
    version,
    freeBytes,
    backupKeep: config.backupKeep,
    lastBackupAt: (now) => lastBackupAt(config.dataDir, now),
    outbox: store.outboxState,
    suppressions: store.suppressionCounts,
    mailboxFailingSince: () => bounces?.failingSince ?? null,
    confirmationQueue: store.confirmationQueue,
    mailPausedUntil: () => outboxWorker.pausedUntil,
    clockJump: service.clockJump,
    sizes: () => ({ alerts: alertIndex.size, zones: zoneIndex.size }),
  });
  const traffic = createRequestLog({
    dice,
    stopwatch: parts.stopwatch ?? (() => performance.now()),
    logged: config.logRequests,
    log,
  });
  const gather = async () => [...traffic.metrics(), ...(await monitor.metrics())];
  const bodies = createRequestBodies(clock);
  const app = createApp({
    service,
    links,
    baseUrl: config.baseUrl,
    siteName: config.siteName,
    theme: { accent: config.accentColor, logo: await readLogo(config.logoFile) },
    languages: [...LANGUAGES, ...config.unreviewedLanguages],
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
    drawPreview: createPreviewPainter(),
    clock,
    requestLog: traffic,
    metrics: {
      gather,
      isPublic: config.metricsPublic,
    },
    bodies,
    onRateLimited: counters.countRateLimited,
    log,
  });

  const backups = createBackups({ dataDir: config.dataDir, keep: config.backupKeep, log });
  const oldCopies = createOldCopies({
    dataDir: config.dataDir,
    isSteady: service.isClockTrusted,
    log,
  });

  const writesEmails = parts.transport === undefined && config.smtpUrl === null;
  /** Without SMTP the file of an email is there as soon as the answer that announces it. */
  async function writeEmails(): Promise<void> {
    if ((await store.outboxState()).waiting > 0) await outboxWorker.tick(clock());
  }

  let failureLoggedAt = -Infinity;
  let ticking: Promise<void> = Promise.resolve();
  return {
    service,
    operator,
    store,
    photos,
    gazetteer,
    secrets,
    dice,
    clock,
    mail: transport.describe(),
    log,
    /** Routes with their middleware. */
    routes: app.routes,
    /** Handles a request; `address` is the peer's IP address. */
    async fetch(request: Request, address: string | null): Promise<Response> {
      const response = await app.fetch(request, { address });
      if (writesEmails && request.method === "POST") await writeEmails();
      return response;
    },
    /** Bytes of request bodies held in memory. */
    bodyBytes: bodies.held,
    /** Handles requests of operator commands; only for a Unix socket. */
    control: createControl(operator, gather, log).fetch,
    /** Runs due jobs; resolves when the emails it started are done. Errors are logged, not thrown. */
    async tick(): Promise<void> {
      const now = clock();
      bodies.abortSlow();
      try {
        await (ticking = service.tick(now));
      } catch (error) {
        counters.countTickFailure();
        // At most once a minute, so that a lasting fault does not fill the log.
        if (Math.abs(now - failureLoggedAt) >= FAILURE_LOG_MS) {
          failureLoggedAt = now;
          log("tick_failed", { error });
        }
      }
      await monitor.tick(now);
      await oldCopies.tick(now);
      // Not awaited: a backup takes long and runs in its own thread.
      void backups.tick(now);
      await Promise.all([outboxWorker.tick(now), bounces?.tick(now)]);
    },
    /** Releases memory used by reading the whole store; to be called once, shortly after the start. */
    releaseMemory(): void {
      database.shrink();
      Bun.gc(true);
      Bun.shrink();
    },
    /** Gives emails in progress some time, aborts the rest (they become due again), then closes everything. */
    async stop(): Promise<void> {
      await backups.stop();
      await ticking.catch(() => {});
      const collected = bounces?.stop() ?? Promise.resolve();
      const delivered = outboxWorker.stop();
      await orTimeOut(delivered, EMAILS_GRACE_MS);
      transport.close();
      await orTimeOut(delivered, EMAILS_GRACE_MS);
      await orTimeOut(collected, EMAILS_GRACE_MS);
      await store.close();
    },
  };
}

const LOGO_BYTES_MAX = 100_000;
const LOGO_TYPES: Readonly<Record<string, string>> = {
  svg: "image/svg+xml",
  png: "image/png",
  webp: "image/webp",
};

/** Logo of the instance. Throws `bad_input` with a sentence for the operator. */
async function readLogo(path: string | null): Promise<Logo | null> {
  if (path === null) return null;
  const mediaType = LOGO_TYPES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()];
  const wrong = (what: string) => new Fault("bad_input", `The setting LOGO_FILE ${what}.`);
  if (mediaType === undefined) throw wrong("must name an SVG, PNG or WebP file");
  const file = Bun.file(path);
  if (!(await file.exists())) throw wrong(`names a file that does not exist: ${path}`);
  if (file.size > LOGO_BYTES_MAX) throw wrong("names a file of more than 100 KB");
  return { bytes: await file.bytes(), mediaType };
}

/**
 * Opens the database and the key of a data folder. A key is generated only for an empty folder. Throws `Fault` with a
 * sentence for the operator when the key is missing, unreadable or a different one.
 */
function openFolder(dataDir: string): {
  readonly database: OpenDatabase;
  readonly secrets: Secrets;
} {
  // The database first: if it cannot be opened, the folder must not get a key.
  const database = openDatabase(dataDir);
  try {
    const known = readKey(dataDir);
    const state = keyState(database, known);
    if (state === "differs") throw known === null ? missingKey(dataDir) : wrongKey(dataDir);
    if (known === null && state !== "unused") throw missingKey(dataDir);
    // The key is written before the database refers to it, so that the folder still opens after a crash in between.
    const key = known ?? generateKey(dataDir);
    if (state !== "fits") storeKeyCheck(database.sqlite, keyCheckOf(key));
    return { database, secrets: createSecrets(key) };
  } catch (error) {
    database.close();
    throw error;
  }
}

function keyState(database: OpenDatabase, key: Uint8Array | null): KeyState {
  if (key === null) return keyStateOf(database.sqlite, null, () => true);
  const secrets = createSecrets(key);
  return keyStateOf(database.sqlite, keyCheckOf(key), (sealed) => secrets.unseal(sealed) !== null);
}

/**
 * Compares the key of a data folder, which may be in use, with its database. Returns the fault that `start` would throw;
 * "unknown" if there is no readable database or no need for a key yet.
 */
export function examineKey(dataDir: string): "fits" | "unknown" | Fault {
  let database: OpenDatabase | undefined;
  try {
    database = openToRead(dataDir);
    const key = readKey(dataDir);
    const state = keyState(database, key);
    if (state === "unused") return "unknown";
    if (key === null) return missingKey(dataDir);
    return state === "differs" ? wrongKey(dataDir) : "fits";
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return database === undefined ? "unknown" : error;
  } finally {
    database?.close();
  }
}

/** Opens a data folder, which may be in use, for export. Throws `Fault` with a sentence when it cannot be read. */
export function openExport({ dataDir, baseUrl }: Config) {
  const store = createSqliteStore(openToRead(dataDir));
  return {
    alerts: () => exportedAlerts({ store, links: createLinks(baseUrl) }),
    outcomes: (now: number) => exportedOutcomes(store, now),
    close: () => store.close(),
  };
}

/** Opens a data folder, which may be in use, for the links of imported alerts. Throws `Fault` as `openExport` does. */
export function openImportLinks({ dataDir, baseUrl }: Config) {
  const key = readKey(dataDir);
  if (key === null) throw missingKey(dataDir);
  const store = createSqliteStore(openToRead(dataDir));
  const ports = { store, links: createLinks(baseUrl), secrets: createSecrets(key) };
  return {
    linksFor: (email: string, mapping: string | null) => importLinks(ports, email, mapping),
    close: () => store.close(),
  };
}

/** Reads the outbox state of a data folder, which may be in use. Throws `Fault` when it cannot be read. */
export async function readOutboxState(dataDir: string): Promise<OutboxState> {
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

function systemDice(clock: Clock): Dice {
  return {
    bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    id: () => Bun.randomUUIDv7("hex", clock()),
  };
}

/** Waits for work or for a timeout, whichever comes first. The timer is cleared so that it does not keep the process alive. */
async function orTimeOut(work: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
