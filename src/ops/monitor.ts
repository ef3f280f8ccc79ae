import { cpuUsage, memoryUsage } from "node:process";
import type { Store } from "../core/service/store.ts";
import { createAlarms } from "./alarms.ts";
import { HOUR_MS, MINUTE_MS } from "../core/duration.ts";
import { Fault } from "../core/fault.ts";
import { type CheckResult, ok, warn } from "./check-result.ts";
import { isSilent } from "../core/tables/table-state.ts";
import type { TableListProblem, TableState } from "../core/tables/table.ts";
import type { ClockJump } from "../core/jobs/scheduler.ts";
import {
  backupAge,
  archiving,
  type ArchiveState,
  copyAge,
  type CopyState,
  clientAddresses,
  clockAgreement,
  completeHistory,
  following,
  mailboxReading,
  mailFlow,
  spaceLeft,
  unconfirmedRequests,
} from "./health-checks.ts";
import { byLabel, metric, type Metric } from "./metrics.ts";
import type { Counters } from "./counters.ts";
import type { Node } from "./node.ts";
import { tableListCheck, tableReading } from "./table-checks.ts";
import type { Clock } from "../core/instance.ts";

/** State of the place of the data. */
export type StorageState = {
  /** Folder and the bytes free on its disk, which must not become full; null if nothing is kept on this machine. */
  readonly disk: { readonly folder: string; readonly freeBytes: () => Promise<number> } | null;
  /** Time of the newest backup that the service made; null if there is none. */
  lastBackupAt(now: number): number | null;
  /** State of the archive from which the database is restored; null if the service makes its own backups. */
  readonly archive: (() => Promise<ArchiveState>) | null;
  /** State of the copies of its backups elsewhere; null if none are made. */
  readonly copies: (() => CopyState) | null;
};

export type MonitorParts = StorageState & {
  readonly store: Pick<Store, "outboxState" | "suppressionCounts" | "unconfirmedRequests">;
  readonly counters: Counters;
  readonly clock: Clock;
  readonly version: string;
  /** This process as one of several nodes; null if it is alone. */
  readonly node: Pick<Node, "clockOffset" | "staleSince"> | null;
  /** Number of daily backups to keep; 0 means none are made. */
  readonly backupKeep: number;
  /** Time since which the mailbox cannot be read; null while it can, or if there is none. */
  readonly mailboxFailingSince: () => number | null;
  /** True if replies by email come to that mailbox. */
  readonly holdsReplies: boolean;
  /** Time before which no email is sent; null while the mail server accepts emails. */
  readonly mailPausedUntil: () => number | null;
  /** Tables that are read again and again. */
  readonly tables: () => Promise<readonly TableState[]>;
  /** Sentence about the operator's file of tables, which could not be used when it was last read; null if it could. */
  readonly tableListProblem: () => TableListProblem | null;
  /** Last jump of the clock, until it has run steadily again. */
  readonly clockJump: (now: number) => Promise<ClockJump | null>;
  /** Entries in the indexes. */
  readonly sizes: () => { readonly alerts: number; readonly zones: number };
};

/** Checks read the disk and the store, so they do not run on every tick. */
const CHECK_MS = MINUTE_MS;
/** A longer gap between ticks means the service was off or the machine slept; emails that piled up are sent first. */
const ASLEEP_MS = 10 * MINUTE_MS;
/** The service makes the day's backup after it starts, so an old backup is normal until then. */
const BACKUP_GRACE_MS = HOUR_MS;

/** Tables that are due are read within minutes after the start. */
const TABLE_GRACE_MS = HOUR_MS;

/** Subjects of alarms. */
const ABOUT = [
  "mail",
  "given_up",
  "unconfirmed",
  "mailbox",
  "proxy",
  "disk",
  "backup",
  "backup_copy",
  "clock",
  "database",
  "history",
  "sources",
] as const;
/** Alarm about a table, which begins with this. */
const ABOUT_TABLE = "table ";

/** Health monitor: metrics for /metrics and alarms in the log. */
export function createMonitor(parts: MonitorParts) {
  const { counters } = parts;
  const alarms = createAlarms(counters.log);
  let tickedAt: number | null = null;
  let awakeSince = 0;
  let checkedAt: number | null = null;
  let pausedSince: number | null = null;

  const checks: Readonly<
    Record<(typeof ABOUT)[number], (now: number) => CheckResult | Promise<CheckResult>>
  > = {
    mail: async (now) =>
      mailFlow(await parts.store.outboxState(), { pausedSince, awakeSince }, now),
    given_up: (now) => emailsGivenUp(counters.recentlyGivenUp(now)),
    mailbox: (now) => mailboxReading(parts.mailboxFailingSince(), parts.holdsReplies, now),
    proxy: (now) => clientAddresses(counters.hasRecentUnreadAddress(now)),
    unconfirmed: async (now) => unconfirmedRequests(await parts.store.unconfirmedRequests(now)),
    disk: async () =>
      parts.disk === null
        ? ok("Nothing is kept on this machine")
        : spaceLeft(parts.disk.folder, await parts.disk.freeBytes()),
    async backup(now) {
      const archive = (await parts.archive?.()) ?? null;
      if (archive === null) return backups(now);
      // A provider may back up by other means.
      return archive === "off" ? ok("The database archives no log") : archiving(archive);
    },
    backup_copy: (now) =>
      parts.copies === null ? ok("Backups are not copied elsewhere") : copyAge(parts.copies(), now),
    clock: async (now) => {
      const jump = clock(await parts.clockJump(now));
      return jump.level === "ok" ? clockAgreement(parts.node?.clockOffset() ?? null) : jump;
    },
    history: () => completeHistory(counters.lostChanges),
    sources: () => tableListCheck(parts.tableListProblem()),
    database: () => following(parts.node?.staleSince() ?? null),
  };

  function backups(now: number): CheckResult {
    if (parts.backupKeep === 0) return ok("Daily backups are off");
    if (counters.isBackupFailing)
      return warn(
        "The daily backup failed",
        "Each attempt logs the reason (backup_failed). The next attempt is within an hour.",
      );
    return now - awakeSince >= BACKUP_GRACE_MS
      ? backupAge(lastBackupAt(now), now)
      : ok("The day's backup is being made");
  }

  /** Null also if the backup folder cannot be read: then backups fail, which is an alarm of its own. */
  function lastBackupAt(now: number): number | null {
    if (parts.backupKeep === 0) return null;
    try {
      return parts.lastBackupAt(now);
    } catch {
      return null;
    }
  }

  async function runChecks(now: number): Promise<void> {
    for (const about of ABOUT) {
      try {
        alarms.report(about, await checks[about](now), now);
      } catch (error) {
        // A store that does not answer is reported by the code that uses it.
        if (!(error instanceof Fault)) counters.log("look_failed", { about, error });
      }
    }
    const states = await parts.tables().catch(() => null);
    if (states === null) return;
    const isAwake = now - awakeSince >= TABLE_GRACE_MS;
    for (const state of states) {
      // After the start, the time without a read says nothing yet.
      const isWaiting = !isAwake && state.failures === 0 && isSilent(state, now);
      const finding = isWaiting ? ok("The table is about to be read") : tableReading(state, now);
      alarms.report(`${ABOUT_TABLE}${state.name}`, finding, now);
    }
    const known = new Set(states.map(({ name }) => `${ABOUT_TABLE}${name}`));
    for (const about of alarms.active())
      if (about.startsWith(ABOUT_TABLE) && !known.has(about))
        alarms.report(about, ok("The table is gone"), now);
  }

  return {
    /** Runs the checks once a minute and logs alarms. Never rejects. */
    async tick(now: number): Promise<void> {
      if (tickedAt === null || Math.abs(now - tickedAt) > ASLEEP_MS) awakeSince = now;
      tickedAt = now;
      if (parts.mailPausedUntil() === null) pausedSince = null;
      else pausedSince ??= now;
      if (checkedAt !== null && Math.abs(now - checkedAt) < CHECK_MS) return;
      checkedAt = now;
      await runChecks(now);
    },

    metrics(): Promise<readonly Metric[]> {
      const now = parts.clock();
      const seen = { pausedSince, lastBackupAt: lastBackupAt(now), alarms: alarms.active() };
      return collectMetrics(parts, seen, now);
    },
  };
}

/** Metrics that cannot be read are omitted; the others are still reported. */
async function collectMetrics(
  parts: MonitorParts,
  seen: {
    readonly pausedSince: number | null;
    readonly lastBackupAt: number | null;
    readonly alarms: readonly string[];
  },
  now: number,
): Promise<readonly Metric[]> {
  const outbox = await parts.store.outboxState().catch(() => null);
  const suppressions = await parts.store.suppressionCounts().catch(() => null);
  const unconfirmed = await parts.store.unconfirmedRequests(now).catch(() => null);
  const tables = await parts.tables().catch(() => []);
  const freeBytes = (await parts.disk?.freeBytes().catch(() => null)) ?? null;
  const lastCopyAt = parts.copies?.().lastAt ?? null;
  const { alerts, zones } = parts.sizes();
  const since = (time: number | null) => (time === null ? 0 : Math.max(0, now - time) / 1000);
  return [
    ...parts.counters.metrics(),
    metric("pet_alert_outbox_emails", outbox && outbox.waiting),
    metric("pet_alert_outbox_oldest_age_seconds", outbox && since(outbox.oldestAt)),
    metric("pet_alert_outbox_overdue_seconds", outbox && since(outbox.dueSince)),
    metric("pet_alert_mail_paused_seconds", since(seen.pausedSince)),
    metric("pet_alert_suppressed_mailboxes", byLabel("reason", Object.entries(suppressions ?? {}))),
    metric("pet_alert_mailbox_failing_seconds", since(parts.mailboxFailingSince())),
    metric("pet_alert_unconfirmed_requests", unconfirmed),
    metric("pet_alert_index_alerts", alerts),
    metric("pet_alert_index_zones", zones),
    metric(
      "pet_alert_backup_last_success_timestamp_seconds",
      seen.lastBackupAt && seen.lastBackupAt / 1000,
    ),
    metric("pet_alert_backup_copy_last_success_timestamp_seconds", lastCopyAt && lastCopyAt / 1000),
    metric("pet_alert_disk_free_bytes", freeBytes),
    metric(
      "pet_alert_table_last_good_read_timestamp_seconds",
      byLabel(
        "table",
        tables.flatMap(({ name, goodAt }) => (goodAt === null ? [] : [[name, goodAt / 1000]])),
      ),
    ),
    metric(
      "pet_alert_table_refused_rows",
      byLabel(
        "table",
        tables.map(({ name, rejected }) => [name, rejected]),
      ),
    ),
    metric(
      "pet_alert_operator_alarm",
      byLabel("about", [
        ...ABOUT.map((about) => [about, seen.alarms.includes(about) ? 1 : 0] as const),
        ["table", seen.alarms.some((about) => about.startsWith(ABOUT_TABLE)) ? 1 : 0],
      ]),
    ),
    ...processMetrics(parts.version),
  ];
}

function emailsGivenUp(emails: number): CheckResult {
  return emails === 0
    ? ok("No email was given up")
    : warn(
        `Emails given up in the last hour: ${emails}`,
        "They expired before the mail server accepted them and will not be delivered. See the log events named mail.",
      );
}

function clock(jump: ClockJump | null): CheckResult {
  if (jump === null) return ok("The clock runs steadily");
  const [from, to] = [jump.from, jump.to].map((time) => new Date(time).toISOString());
  return warn(
    `The clock jumped from ${from} to ${to}, or the machine slept that long`,
    "Check that it is right now (timedatectl). Nothing expires or is erased until it has run steadily for a day.",
  );
}

const MICROSECONDS = 1_000_000;

function processMetrics(version: string): Metric[] {
  const { user, system } = cpuUsage();
  const labels = { version, bun: Bun.version };
  return [
    metric("process_start_time_seconds", performance.timeOrigin / 1000),
    metric("process_resident_memory_bytes", memoryUsage.rss()),
    metric("process_cpu_seconds_total", (user + system) / MICROSECONDS),
    metric("pet_alert_build_info", [{ labels, value: 1 }]),
  ];
}
