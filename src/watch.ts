import { cpuUsage, memoryUsage } from "node:process";
import { type Alarms, createAlarms } from "./alarms.ts";
import { HOUR_MS, MINUTE_MS } from "./core/duration.ts";
import { Fault } from "./core/fault.ts";
import { type Finding, ok, warn } from "./core/finding.ts";
import type { Clock } from "./core/ports.ts";
import type { OutboxState } from "./core/store.ts";
import type { ClockJump } from "./core/ticking.ts";
import { backupAge, mailFlow, spaceLeft } from "./core/upkeep.ts";
import { gauge, type Metric } from "./metrics.ts";
import type { Tallies } from "./tallies.ts";

/** What is watched, and where it is looked at. */
export type WatchParts = {
  readonly tallies: Tallies;
  readonly clock: Clock;
  readonly dataDir: string;
  readonly version: string;
  /** Bytes free on the disk of the data folder. */
  readonly freeBytes: () => Promise<number>;
  /** How many daily backups are kept; 0: none is made. */
  readonly backupKeep: number;
  readonly lastBackupAt: (now: number) => number | null;
  readonly outbox: () => Promise<OutboxState>;
  /** No letter is sent before this time; null while the mail server takes them. */
  readonly mailPausedUntil: () => number | null;
  /** The clock's last jump, until it has run steadily again. */
  readonly clockJump: (now: number) => Promise<ClockJump | null>;
  /** Entries in the indexes. */
  readonly sizes: () => { readonly alerts: number; readonly zones: number };
};

/** The operator's eye on what goes on beside requests: figures for /metrics, and alarms in the log. */
export type Watch = ReturnType<typeof createWatch>;

/** Looking reads the disk and the store. */
const LOOK_MS = MINUTE_MS;
/** It ticks every second: who has not for so long was off, or the machine slept. What waited meanwhile is done first. */
const ASLEEP_MS = 10 * MINUTE_MS;
/** The day's backup is made when the service starts: until then an old one says nothing. */
const BACKUP_GRACE_MS = HOUR_MS;

/** What there are alarms about. */
const ABOUT = ["mail", "given_up", "disk", "backup", "clock"] as const;
type About = (typeof ABOUT)[number];

export function createWatch(parts: WatchParts) {
  const { tallies } = parts;
  const alarms = createAlarms<About>(tallies.log);
  let tickedAt: number | null = null;
  let awakeSince = 0;
  let lookedAt: number | null = null;
  let pausedSince: number | null = null;

  /** Each kind of trouble and what a look at it finds. */
  const looks: Readonly<Record<About, (now: number) => Finding | Promise<Finding>>> = {
    mail: async (now) => mailFlow(await parts.outbox(), { pausedSince, awakeSince }, now),
    given_up: (now) => lettersGivenUp(now),
    disk: async () => spaceLeft(parts.dataDir, await parts.freeBytes()),
    backup: (now) => backups(now),
    clock: async (now) => clock(await parts.clockJump(now)),
  };

  function lettersGivenUp(now: number): Finding {
    const letters = tallies.givenUpLately(now);
    return letters === 0
      ? ok("No letter was given up")
      : warn(
          `Letters given up in the last hour: ${letters}`,
          "Their time was over before the mail server took them, and their readers do not know. See what the log says of mail.",
        );
  }

  function backups(now: number): Finding {
    if (parts.backupKeep === 0) return ok("No daily backup is made");
    if (tallies.backupFails)
      return warn(
        "The daily backup failed",
        "See why: the log says it with each try (backup_failed). It is tried once an hour.",
      );
    return now - awakeSince >= BACKUP_GRACE_MS
      ? backupAge(lastBackupAt(now), now)
      : ok("The day's backup is made");
  }

  /** Null, too, where the folder of backups cannot be read: then they fail, and that is told. */
  function lastBackupAt(now: number): number | null {
    if (parts.backupKeep === 0) return null;
    try {
      return parts.lastBackupAt(now);
    } catch {
      return null;
    }
  }

  async function look(now: number): Promise<void> {
    for (const about of ABOUT) {
      try {
        alarms.hear(about, await looks[about](now), now);
      } catch (error) {
        // A store that does not answer is told of by whoever needs it.
        if (!(error instanceof Fault)) tallies.log("look_failed", { about, error });
      }
    }
  }

  return {
    /** Looks once a minute, and logs what the operator must know. Never rejects. */
    async tick(now: number): Promise<void> {
      if (tickedAt === null || Math.abs(now - tickedAt) > ASLEEP_MS) awakeSince = now;
      tickedAt = now;
      if (parts.mailPausedUntil() === null) pausedSince = null;
      else pausedSince ??= now;
      if (lookedAt !== null && Math.abs(now - lookedAt) < LOOK_MS) return;
      lookedAt = now;
      await look(now);
    },

    metrics(): Promise<readonly Metric[]> {
      const now = parts.clock();
      return figures(parts, { pausedSince, lastBackupAt: lastBackupAt(now) }, alarms, now);
    },
  };
}

/** What cannot be told just now is left out; the rest is wanted all the more. */
async function figures(
  parts: WatchParts,
  seen: { readonly pausedSince: number | null; readonly lastBackupAt: number | null },
  alarms: Alarms<About>,
  now: number,
): Promise<readonly Metric[]> {
  const outbox = await parts.outbox().catch(() => null);
  const freeBytes = await parts.freeBytes().catch(() => null);
  const { alerts, zones } = parts.sizes();
  const since = (time: number | null) => (time === null ? 0 : Math.max(0, now - time) / 1000);
  return [
    ...parts.tallies.metrics(),
    gauge("pet_alert_outbox_letters", "Letters that wait.", outbox && outbox.waiting),
    gauge(
      "pet_alert_outbox_oldest_age_seconds",
      "Age of the oldest letter that waits.",
      outbox && since(outbox.oldestAt),
    ),
    gauge(
      "pet_alert_outbox_overdue_seconds",
      "For how long a letter has been due: the longest.",
      outbox && since(outbox.dueSince),
    ),
    gauge(
      "pet_alert_mail_paused_seconds",
      "For how long the mail server has taken no letter; 0 while it does.",
      since(seen.pausedSince),
    ),
    gauge("pet_alert_index_alerts", "Active alerts in the index.", alerts),
    gauge("pet_alert_index_zones", "Zones in the index.", zones),
    gauge(
      "pet_alert_backup_last_success_timestamp_seconds",
      "When the newest daily backup was made.",
      seen.lastBackupAt && seen.lastBackupAt / 1000,
    ),
    gauge("pet_alert_disk_free_bytes", "Free on the disk of the data folder.", freeBytes),
    {
      name: "pet_alert_operator_alarm",
      type: "gauge",
      help: "1 while the log's alarm about it stands.",
      samples: ABOUT.map((about) => ({
        labels: { about },
        value: alarms.stands(about) ? 1 : 0,
      })),
    },
    ...ofProcess(parts.version),
  ];
}

function clock(jump: ClockJump | null): Finding {
  if (jump === null) return ok("The clock runs steadily");
  const [from, to] = [jump.from, jump.to].map((time) => new Date(time).toISOString());
  return warn(
    `The clock jumped from ${from} to ${to}, or the machine slept so long`,
    "See whether it is right now (timedatectl). Nothing ends and nothing is erased until it has run for a day.",
  );
}

const MICROSECONDS = 1_000_000;

/** By the names that Prometheus gives them everywhere. */
function ofProcess(version: string): Metric[] {
  const { user, system } = cpuUsage();
  return [
    gauge("process_start_time_seconds", "When the process started.", performance.timeOrigin / 1000),
    gauge("process_resident_memory_bytes", "Memory of the process.", memoryUsage.rss()),
    {
      name: "process_cpu_seconds_total",
      type: "counter",
      help: "Time that processors spent on it.",
      samples: [{ value: (user + system) / MICROSECONDS }],
    },
    {
      name: "pet_alert_build_info",
      type: "gauge",
      help: "What runs.",
      samples: [{ labels: { version, bun: Bun.version }, value: 1 }],
    },
  ];
}
