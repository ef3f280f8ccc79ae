import { cpuUsage, memoryUsage } from "node:process";
import { HOUR_MS, MINUTE_MS } from "./core/duration.ts";
import { Fault } from "./core/fault.ts";
import { type Finding, ok, warn } from "./core/finding.ts";
import type { Clock } from "./core/ports.ts";
import type { OutboxState } from "./core/store.ts";
import type { ClockJump } from "./core/ticking.ts";
import { backupAge, mailFlow, spaceLeft } from "./core/upkeep.ts";
import { createCounts, gauge, type Metric } from "./http/metrics.ts";
import type { Log } from "./log.ts";

/** What is watched, and where it is looked at. */
export type WatchParts = {
  readonly log: Log;
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

/** The operator's eye on what goes on beside requests: figures for /metrics, and alerts in the log. */
export type Watch = ReturnType<typeof createWatch>;

/** Looking reads the disk and the store. */
const LOOK_MS = MINUTE_MS;
/** An alert that lasts is told again after this. */
const REPEAT_MS = HOUR_MS;
/** It ticks every second: who has not for so long was off, or the machine slept. What waited meanwhile is done first. */
const ASLEEP_MS = 10 * MINUTE_MS;
/** The day's backup is made when the service starts: until then an old one says nothing. */
const BACKUP_GRACE_MS = HOUR_MS;

const MAIL_OUTCOMES = ["sent", "refused", "deferred", "later", "given_up"] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];
/** What the operator is alerted about. */
const ABOUT = ["mail", "given_up", "disk", "backup", "clock"] as const;
type About = (typeof ABOUT)[number];

export function createWatch(parts: WatchParts) {
  const tallies = createTallies();
  const log: Log = (event, details) => {
    tallies.events.add(event);
    if (event === "backup_failed") backupFails = true;
    if (event === "backup") backupFails = false;
    parts.log(event, details);
  };
  const alarms = createAlarms(log);
  let tickedAt: number | null = null;
  let awakeSince = 0;
  let lookedAt: number | null = null;
  let pausedSince: number | null = null;
  let backupFails = false;
  let givenUp = { letters: 0, lastAt: 0 };

  /** Each kind of trouble and what a look at it finds. */
  const looks: Readonly<Record<About, (now: number) => Finding | Promise<Finding>>> = {
    mail: async (now) => mailFlow(await parts.outbox(), { pausedSince, awakeSince }, now),
    given_up: (now) => lettersGivenUp(now),
    disk: async () => spaceLeft(parts.dataDir, await parts.freeBytes()),
    backup: (now) => backups(now),
    clock: async (now) => clock(await parts.clockJump(now)),
  };

  function lettersGivenUp(now: number): Finding {
    if (givenUp.letters > 0 && Math.abs(now - givenUp.lastAt) > REPEAT_MS)
      givenUp = { letters: 0, lastAt: 0 };
    return givenUp.letters === 0
      ? ok("No letter was given up")
      : warn(
          `Letters given up in the last hour: ${givenUp.letters}`,
          "Their time was over before the mail server took them, and their readers do not know. See what the log says of mail.",
        );
  }

  function backups(now: number): Finding {
    if (parts.backupKeep === 0) return ok("No daily backup is made");
    if (backupFails)
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
        if (!(error instanceof Fault)) log("look_failed", { about, error });
      }
    }
  }

  return {
    /** The log, listened to: all that the service logs goes through here. */
    log,
    noteLimit: tallies.limits.add,
    noteTickFailure: () => void (tallies.tickFailures += 1),
    noteLetter(outcome: MailOutcome): void {
      tallies.letters.add(outcome);
      if (outcome === "given_up") givenUp = { letters: givenUp.letters + 1, lastAt: parts.clock() };
    },

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
      return figures(parts, { pausedSince, lastBackupAt: lastBackupAt(now) }, tallies, alarms, now);
    },
  };
}

/** What is counted as it happens. */
function createTallies() {
  return {
    tickFailures: 0,
    events: createCounts(
      "pet_alert_log_events_total",
      "Events of the log, those too that were left out of it.",
      "event",
      ["bug", "tick_failed", "backup_failed"],
    ),
    limits: createCounts(
      "pet_alert_limits_hit_total",
      "Callers held back, by what they did too often.",
      "limit",
      ["read"],
    ),
    letters: createCounts(
      "pet_alert_mail_letters_total",
      "What became of letters each time they were tried; later: the mail server took none.",
      "outcome",
      MAIL_OUTCOMES,
    ),
  };
}

/** What cannot be told just now is left out; the rest is wanted all the more. */
async function figures(
  parts: WatchParts,
  seen: { readonly pausedSince: number | null; readonly lastBackupAt: number | null },
  tallies: ReturnType<typeof createTallies>,
  alarms: ReturnType<typeof createAlarms>,
  now: number,
): Promise<readonly Metric[]> {
  const outbox = await parts.outbox().catch(() => null);
  const freeBytes = await parts.freeBytes().catch(() => null);
  const { alerts, zones } = parts.sizes();
  const since = (time: number | null) => (time === null ? 0 : Math.max(0, now - time) / 1000);
  return [
    tallies.limits.metric(),
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
    tallies.letters.metric(),
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
      name: "pet_alert_tick_failures_total",
      type: "counter",
      help: "Ticks in which a duty failed.",
      samples: [{ value: tallies.tickFailures }],
    },
    tallies.events.metric(),
    {
      name: "pet_alert_operator_alert",
      type: "gauge",
      help: "1 while the log's alert about it stands.",
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

/** Tells of trouble once, again every hour while it lasts, and once when all is well. */
function createAlarms(log: Log) {
  const standing = new Map<About, { readonly since: number; toldAt: number }>();
  return {
    stands: (about: About) => standing.has(about),
    hear(about: About, { level, text, advice }: Finding, now: number): void {
      const known = standing.get(about);
      if (level === "ok") {
        if (known !== undefined) log("well_again", { about, since: inIso(known.since) });
        standing.delete(about);
        return;
      }
      // A clock that was set back does not silence it.
      if (known !== undefined && Math.abs(now - known.toldAt) < REPEAT_MS) return;
      const since = known?.since ?? now;
      standing.set(about, { since, toldAt: now });
      log("alert", { level: "alert", about, since: inIso(since), text: `${text}.`, advice });
    },
  };
}

function inIso(time: number): string {
  return new Date(time).toISOString();
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

/** The same verbs; `hit` hears the name of each that held its caller back. */
export function hearingLimits<Verbs extends object>(
  verbs: Verbs,
  hit: (verb: string) => void,
): Verbs {
  const heard = Object.entries(verbs).map(([name, verb]: [string, unknown]) => {
    if (typeof verb !== "function") return [name, verb];
    const listening = (...args: unknown[]) => {
      const answer: unknown = Reflect.apply(verb, verbs, args);
      return answer instanceof Promise ? answer.catch(tell) : answer;
    };
    return [name, listening];

    function tell(error: unknown): never {
      if (error instanceof Fault && error.code === "too_many") hit(name);
      throw error;
    }
  });
  return Object.fromEntries(heard) as Verbs;
}
