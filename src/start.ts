import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createBackups } from "../db/sqlite/backups.ts";
import { openDatabase, openToRead } from "../db/sqlite/open.ts";
import { createSqliteStore } from "../db/sqlite/store.ts";
import { version } from "../package.json" with { type: "json" };
import type { Config } from "./config.ts";
import { createExporting, type Exporting } from "./core/exporting.ts";
import { Fault } from "./core/fault.ts";
import { type Finding, mend, warn } from "./core/finding.ts";
import { createLinks } from "./core/links.ts";
import type { Clock, Dice } from "./core/ports.ts";
import { createService } from "./core/service.ts";
import { openGazetteer } from "./gazetteer/gazetteer.ts";
import { createApp } from "./http/app.ts";
import { checkMail } from "./mail/check.ts";
import { composeLetter } from "./mail/letters.ts";
import { openAlbum } from "./photos/album.ts";
import { createPhotoFetcher } from "./photos/fetching.ts";
import { createPostman } from "./mail/postman.ts";
import type { Dns } from "./mail/dns.ts";
import {
  fileTransport,
  smtpTransport,
  type SmtpTransport,
  type Transport,
} from "./mail/transport.ts";
import { createAlertIndex } from "./search/alert-index.ts";
import { createZoneIndex } from "./search/zone-index.ts";
import { openVault } from "./vault.ts";

export { backUp } from "../db/sqlite/backup.ts";
export { BACKUPS, backupName, lastBackupAt } from "../db/sqlite/backups.ts";
export { type Contents, requireSound } from "../db/sqlite/contents.ts";
export { restore } from "../db/sqlite/restore.ts";
export { createDns, type Dns } from "./mail/dns.ts";
export { version };

/** The time of the machine. */
export const systemClock: Clock = Date.now;

const FAILURE_LOG_MS = 60_000;
/** How long letters under way may take when everything ends. */
const LETTERS_GRACE_MS = 1_500;

/** One line of the log: JSON, so that it can be searched. Never holds an address, a token, an exact point or a text. */
export type Log = (event: string, details?: Readonly<Record<string, unknown>>) => void;

/** Parts a test puts in the place of the real ones. */
export type Parts = {
  readonly clock?: Clock;
  readonly transport?: Transport;
  /** Fetches pictures from addresses that strangers give. */
  readonly fetchPhoto?: (address: string) => Promise<Uint8Array>;
  readonly log?: Log;
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
  const log = parts.log ?? logToStderr;
  const links = createLinks(config.baseUrl);
  const gazetteer = await openGazetteer();
  const transport = parts.transport ?? openTransport(config, parts.announce ?? (() => {}));
  const store = createSqliteStore(openDatabase(config.dataDir));
  const vault = openVault(config.dataDir);
  const dice: Dice = {
    bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    id: () => Bun.randomUUIDv7("hex", clock()),
  };
  const rates = {
    publish: config.limitPublish,
    message: config.limitMessage,
    zone: config.limitSubscribe,
    sighting: config.limitMessage,
  };
  const service = createService({
    store,
    alertIndex: createAlertIndex(),
    zoneIndex: createZoneIndex(),
    gazetteer,
    photos: await openAlbum({ folder: join(config.dataDir, "photos"), clock }),
    fetchPhoto: parts.fetchPhoto ?? createPhotoFetcher(),
    vault,
    dice,
    clock,
    links,
    rates,
    sharedNetworks: config.sharedEgress,
    adminEmails: config.adminEmails,
  });
  await service.catchUp();
  // Reading the whole store leaves much behind that is never needed again.
  Bun.gc(true);
  Bun.shrink();
  const postman = createPostman({
    store,
    transport,
    compose: (letter) =>
      composeLetter(letter, { name: config.siteName, links, unseal: vault.unseal }),
    clock,
    isSteady: service.isSteady,
    log: (text, error) => log("mail", { text, ...(error === undefined ? {} : { error }) }),
  });
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
    sharedNetworks: config.sharedEgress,
    allowedOrigins: config.allowedOrigins,
    clock,
    log,
  });

  const backups = createBackups({ dataDir: config.dataDir, keep: config.backupKeep, log });

  let failureLoggedAt = -Infinity;
  return {
    service,
    store,
    gazetteer,
    vault,
    dice,
    clock,
    mail: transport.describe(),
    /** Answers a request; `address` is the peer's, as the socket knows it. */
    fetch: (request: Request, address: string | null) => app.fetch(request, { address }),
    /** Does what is due; resolves when the letters it started are dealt with. An error inside is logged, not thrown. */
    async tick(): Promise<void> {
      const now = clock();
      try {
        await service.tick(now);
      } catch (error) {
        // Once a minute: a fault that lasts would fill the log.
        if (Math.abs(now - failureLoggedAt) >= FAILURE_LOG_MS) {
          failureLoggedAt = now;
          log("tick_failed", {
            errors: error instanceof AggregateError ? error.errors.map(shown) : [shown(error)],
          });
        }
      }
      // Takes its time in a thread of its own; nobody waits for it.
      void backups.tick(now);
      await postman.tick(now);
    },
    /** Gives letters under way their time, cuts the rest short (they fall due again), then closes everything. */
    async stop(): Promise<void> {
      await backups.stop();
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

/**
 * Whether letters go out as the settings say, and will be trusted; sends one to `to`. Throws `Fault` with a sentence for
 * the operator when the mail settings cannot be used.
 */
export async function checkMailOf(
  config: Config,
  dns: Dns,
  to: string | null,
): Promise<readonly Finding[]> {
  const dkim = readDkimKey(config.dkim);
  if (config.smtpUrl === null) return [to === null ? NO_MAIL_SERVER : NO_LETTER];
  const transport = openSmtp(config, config.smtpUrl);
  try {
    const mail = {
      from: config.mailFrom,
      dkim,
      transport,
      siteName: config.siteName,
      siteUrl: createLinks(config.baseUrl).home,
    };
    const at = systemClock();
    return await checkMail(mail, dns, to === null ? null : { to, at, id: Bun.randomUUIDv7() });
  } finally {
    transport.close();
  }
}

const NO_MAIL_SERVER = warn(
  "No letter leaves this machine: each is written to DATA_DIR/mail, and its link printed",
  "Set SMTP_URL and MAIL_FROM once others are to use this.",
);
const NO_LETTER = mend(
  "The letter cannot be sent: there is no mail server to take it",
  "Set SMTP_URL and MAIL_FROM.",
);

/** Waits, but no longer than that; the timer is cleared, so that it keeps no process alive. */
async function orTimeOut(work: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

function openTransport(config: Config, announce: (line: string) => void): Transport {
  if (config.smtpUrl !== null) return openSmtp(config, config.smtpUrl);
  return mailSettingsInWords(() =>
    fileTransport({ folder: join(config.dataDir, "mail"), from: config.mailFrom, announce }),
  );
}

function openSmtp(config: Config, url: string): SmtpTransport {
  const dkim = readDkimKey(config.dkim);
  return mailSettingsInWords(() => smtpTransport({ url, from: config.mailFrom, dkim }));
}

function mailSettingsInWords<Opened>(open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    throw new Fault(
      "bad_input",
      `The mail settings (SMTP_URL, MAIL_FROM, DKIM_…) cannot be used: ${why}.`,
    );
  }
}

function readDkimKey(dkim: Config["dkim"]) {
  if (dkim === null) return null;
  try {
    const privateKey = readFileSync(dkim.keyFile, "utf8");
    return { domain: dkim.domain, selector: dkim.selector, privateKey };
  } catch {
    throw new Fault(
      "bad_input",
      `The setting DKIM_KEY_FILE names a file that cannot be read: ${dkim.keyFile}.`,
    );
  }
}

const ERROR_SHOWN = ["name", "message", "stack", "code"] as const;

function logToStderr(event: string, details: Readonly<Record<string, unknown>> = {}): void {
  const plain = Object.entries(details).map(([name, value]) => [
    name,
    value instanceof Error ? shown(value) : value,
  ]);
  console.error(
    JSON.stringify({ at: new Date().toISOString(), event, ...Object.fromEntries(plain) }),
  );
}

function shown(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  return Object.fromEntries(
    ERROR_SHOWN.flatMap((name) => (name in error ? [[name, Reflect.get(error, name)]] : [])),
  );
}
