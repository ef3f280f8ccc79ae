import { tmpdir } from "node:os";
import { createPreviewPainter } from "./photos/preview.ts";
import { version } from "../package.json" with { type: "json" };
import type { Config } from "./settings/config.ts";
import type { Email } from "./core/email.ts";
import { withTimeout } from "./core/timeout.ts";
import { createLinks } from "./core/urls.ts";
import { createService } from "./core/service/service.ts";
import { hashMailbox } from "./core/people/mailbox-spelling.ts";
import { openGazetteer } from "./places/places.ts";
import { readHelp } from "./settings/help-file.ts";
import { createApp } from "./http/app.ts";
import { createControl } from "./http/control.ts";
import { createRequestLog } from "./http/middleware/request-log.ts";
import { createIncomingMail, type IncomingMail } from "./mail/incoming-mail.ts";
import { composeEmail } from "./mail/emails/compose.ts";
import { createPhotoFetcher } from "./photos/fetch.ts";
import { createFormReader } from "./photos/uploaded-form.ts";
import type { MailboxReader } from "./mail/mailbox-reader.ts";
import { createPushSender, type SendPush } from "./push/push-service.ts";
import { createPushWorker } from "./push/push-worker.ts";
import { createOutboxWorker, SEND_SLOTS } from "./mail/outbox-worker.ts";
import type { Transport } from "./mail/smtp.ts";
import { openMailbox, openTransport } from "./mail/settings.ts";
import { createLog, type Log } from "./ops/log.ts";
import { createTableFetcher, type FetchTable } from "./tables/fetch.ts";
import { openTableList } from "./tables/table-list.ts";
import { createTableWorker } from "./tables/table-worker.ts";
import { createAlertIndex, createZoneIndex } from "./search/search.ts";
import { createCounters } from "./ops/counters.ts";
import { createMonitor } from "./ops/monitor.ts";
import { joinCluster } from "./ops/node.ts";
import { readLogo, readOperatorTexts } from "./settings/operator-files.ts";
import { openStorage } from "./storage/open.ts";
import type { Clock, Random } from "./core/instance.ts";

export const systemClock: Clock = Date.now;

/** Time for emails in progress when the service stops, and then for all that was aborted. */
const GRACE_MS = 1_500;
/** Time to leave the other nodes, which otherwise wait for the end of the lease. */
const LEAVE_GRACE_MS = 3_000;

/** Dependencies that tests replace. */
export type Parts = {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly transport?: Transport;
  /** Mailbox that receives bounces and replies; requires BOUNCE_ADDRESS or REPLY_ADDRESS. */
  readonly mailbox?: MailboxReader;
  /** Fetches photos from URLs given by clients. */
  readonly fetchPhoto?: (address: string) => Promise<Uint8Array>;
  /** Fetches tables from the addresses in sources.json. */
  readonly fetchTable?: FetchTable;
  /** Hands pushes to push services. */
  readonly sendPush?: SendPush;
  readonly log?: Log;
  /** Monotonic time in milliseconds. */
  readonly stopwatch?: () => number;
  /** Time of the database that several nodes share, in milliseconds since 1970 UTC. */
  readonly databaseTime?: () => Promise<number | null>;
  /** Bytes free on the disk of the data folder. */
  readonly freeBytes?: () => Promise<number>;
  /** Prints lines for the person at the terminal. */
  readonly announce?: (line: string) => void;
};

/** Place of the temporary files of nodes, which keep nothing on their machine. */
const TEMPORARY_DISK = { folder: tmpdir(), freeBytes: async () => Number.POSITIVE_INFINITY };

export type App = Awaited<ReturnType<typeof start>>;

/**
 * Wires the service on a data folder, or as one of several nodes on a database. Throws `Fault` with a sentence for the
 * operator when the folder is in use, damaged or from a newer version, when the database cannot be used, or when the mail
 * settings are not valid.
 */
export async function start(config: Config, parts: Parts = {}) {
  const clock = parts.clock ?? systemClock;
  const links = createLinks(config.baseUrl);
  const gazetteer = await openGazetteer();
  const transport = parts.transport ?? openTransport(config, parts.announce ?? (() => {}));
  const mailbox = parts.mailbox ?? openMailbox(config);
  const logo = await readLogo(config.logoFile);
  const counters = createCounters(parts.log ?? logToStderr(config), clock);
  const { log } = counters;
  const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
  const tableList = await openTableList({
    folder: config.configDir,
    gazetteer,
    fetchTable: parts.fetchTable ?? createTableFetcher(),
  });
  const storage = await openStorage(config, clock, log, parts.freeBytes);
  const { store, secrets, photos } = storage;
  const help = await readHelp(config.configDir, log);
  const stopwatch = parts.stopwatch ?? (() => performance.now());
  const random = parts.random ?? systemRandom(clock);
  const alertIndex = createAlertIndex();
  const zoneIndex = createZoneIndex();
  const { service, operator } = createService({
    ...storage,
    alertIndex,
    zoneIndex,
    gazetteer,
    fetchPhoto: parts.fetchPhoto ?? createPhotoFetcher(),
    random,
    clock,
    yieldToEventLoop,
    tableList,
    onTableRead: counters.countTableRead,
    links,
    rates: config.rates,
    onChangesLost: counters.countLostChanges,
    onRateLimited: counters.countRateLimited,
    sharedNetworks: config.sharedNetworks,
    adminEmails: config.adminEmails,
    reportEmails: config.reportEmails,
    siteName: config.siteName,
    operatorName: config.operator?.name ?? null,
    operatorEmails: operatorEmails(config),
    help,
    pushServices: config.pushServices,
  });
  try {
    const erased = await store.repeatErasures(clock());
    if (Object.values(erased).some((count) => count > 0)) log("erased_again", erased);
    await service.syncIndexes();
  } catch (error) {
    await store.close();
    throw error;
  }
  const node =
    storage.follow === null
      ? null
      : await joinCluster({
          id: random.id(),
          store: { ...store, databaseTime: parts.databaseTime ?? store.databaseTime },
          syncIndexes: service.syncIndexes,
          forgetAlerts: service.forgetAlerts,
          follow: storage.follow,
          clock,
          stopwatch,
          log,
        });
  const compose = (email: Email) =>
    composeEmail(email, {
      name: config.siteName,
      operator: config.operator,
      links,
      unseal: secrets.unseal,
      replyAddress: incoming.replyAddress,
    });
  const incoming: IncomingMail = createIncomingMail(config, {
    reader: mailbox,
    store,
    service: service.conversations,
    compose,
    secrets,
    clock,
    log: (text) => log("mailbox", { text }),
    countBounce: counters.countBounce,
    countReply: counters.countEmailedReply,
  });
  const outboxWorker = createOutboxWorker({
    store,
    transport,
    compose,
    clock,
    isSteady: service.isClockTrusted,
    log: (text, error) => log("mail", { text, ...(error === undefined ? {} : { error }) }),
    onOutcome: counters.countEmail,
    mailboxHash: (mailbox) => hashMailbox(secrets, mailbox),
    returnPath: incoming.returnPath,
  });
  const pushWorker = createPushWorker({
    store,
    send: parts.sendPush ?? createPushSender(),
    secrets,
    random,
    links,
    services: config.pushServices,
    clock,
    onOutcome: counters.countPush,
    log: (text, error) => log("push", { text, ...(error === undefined ? {} : { error }) }),
  });
  const tableWorker = createTableWorker(service.tables.pullDue, log);
  const monitor = createMonitor({
    ...storage,
    counters,
    clock,
    version,
    backupKeep: config.backupKeep,
    node,
    tables: service.tables.watchedTables,
    tableListProblem: tableList.problem,
    mailboxFailingSince: () => incoming.job?.failingSince ?? null,
    holdsReplies: incoming.readsReplies,
    mailPausedUntil: () => outboxWorker.pausedUntil,
    clockJump: service.clockJump,
    sizes: () => ({ alerts: alertIndex.size, zones: zoneIndex.size }),
  });
  const traffic = createRequestLog({
    random,
    stopwatch,
    logged: config.logRequests,
    log,
  });
  const gather = async () => [...traffic.metrics(), ...(await monitor.metrics())];
  const app = createApp({
    service,
    isReady: () => node?.isReady() ?? true,
    links,
    baseUrl: config.baseUrl,
    siteName: config.siteName,
    theme: { accent: config.accentColor, logo },
    languages: config.languages,
    isModerated: config.adminEmails.length > 0,
    tiles: config.tiles,
    version,
    trustProxy: config.trustProxy,
    onUnreadAddress: counters.countUnreadAddress,
    rates: config.rates,
    limitRead: config.limitRead,
    legal: {
      operator: config.operator,
      additions: await readOperatorTexts(config.legalFile),
      hasMailServer: config.smtp !== null,
      readsBounces: incoming.readsBounces,
      readsReplies: incoming.readsReplies,
      isBehindProxy: config.trustProxy > 0,
      backupKeep: config.cluster === null ? config.backupKeep : null,
      backupCopy: config.backupCopy && {
        days: config.backupCopy.keepDays,
        host:
          config.backupCopy.target.kind === "bucket"
            ? new URL(config.backupCopy.target.address.endpoint).hostname
            : null,
      },
    },
    sharedNetworks: config.sharedNetworks,
    allowedOrigins: config.allowedOrigins,
    drawPreview: createPreviewPainter(),
    pushKey: pushWorker.publicKey,
    clock,
    requestLog: traffic,
    metrics: {
      gather,
      isPublic: config.metricsPublic,
      token: config.metricsToken,
    },
    readMultipart: createFormReader({ ...(storage.disk ?? TEMPORARY_DISK), random }),
    onRateLimited: counters.countRateLimited,
    log,
  });

  const storageJobs = storage.createJobs(service.isClockTrusted);

  const writesEmails = parts.transport === undefined && config.smtp === null;
  /**
   * Without SMTP the file of an email is there as soon as the answer that announces it, unless many wait before it: an
   * answer waits for few, because others may be added all the time.
   */
  async function writeEmails(): Promise<void> {
    if ((await store.outboxState()).waiting > 0) await outboxWorker.tick(clock(), SEND_SLOTS);
  }

  let ticking: Promise<void> = Promise.resolve();
  let isStopping = false;
  return {
    service,
    operator,
    store,
    photos,
    gazetteer,
    secrets,
    random,
    clock,
    mail: transport.describe(),
    log,
    /** Routes with their middleware. */
    routes: app.routes,
    /** Handles a request; `address` is the peer's IP address. */
    async fetch(request: Request, address: string | null): Promise<Response> {
      node?.refresh();
      const response = await app.fetch(request, { address });
      if (writesEmails && request.method === "POST") await writeEmails();
      return response;
    },
    /** Handles requests of operator commands; only for a Unix socket. */
    control: createControl(operator, gather, log).fetch,
    /** Runs due jobs; resolves when the emails it started are done. Errors are logged, not thrown. */
    async tick(): Promise<void> {
      const now = clock();
      node?.refresh();
      const duty = (await node?.duty()) ?? "all";
      if (isStopping) return;
      if (duty === "none") return monitor.tick(now);
      try {
        await (ticking = duty === "all" ? service.tick(now) : service.tickOwn(now));
      } catch (error) {
        counters.countTickFailure();
        log("tick_failed", { error });
      }
      await monitor.tick(now);
      await storageJobs.tick(now);
      await Promise.all([
        outboxWorker.tick(now),
        pushWorker.tick(now),
        // Readers of one mailbox at the same time would get in each other's way.
        duty === "all" ? incoming.job?.tick(now) : undefined,
        duty === "all" ? tableWorker.tick() : undefined,
      ]);
    },
    /** Releases memory used by reading the whole store; to be called once, shortly after the start. */
    releaseMemory(): void {
      storage.releaseMemory();
      Bun.gc(true);
      Bun.shrink();
    },
    /** Gives emails in progress some time, aborts the rest (they become due again), then closes everything. */
    async stop(): Promise<void> {
      isStopping = true;
      await storageJobs.stop();
      await ticking.catch(() => {});
      const delivered = outboxWorker.stop();
      const stopped = [delivered, incoming.job?.stop(), pushWorker.stop(), tableWorker.stop()];
      await orTimeOut(delivered, GRACE_MS);
      transport.close();
      await orTimeOut(Promise.all(stopped), GRACE_MS);
      if (node !== null) await orTimeOut(node.stop(), LEAVE_GRACE_MS);
      await store.close();
    },
  };
}

function operatorEmails({ operator, adminEmails }: Config): readonly string[] {
  const contact = operator?.contact ?? null;
  return contact?.kind === "email" ? [contact.address] : adminEmails;
}

function logToStderr({ logRequests }: Config): Log {
  return createLog({
    write: (line) => console.error(line),
    clock: systemClock,
    whole: logRequests === "on" ? ["request"] : [],
  });
}

function systemRandom(clock: Clock): Random {
  return {
    bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    id: () => Bun.randomUUIDv7("hex", clock()),
  };
}

/** Waits for work, but no longer than this. */
const orTimeOut = (work: Promise<unknown>, ms: number) => withTimeout(work, ms, () => {});
