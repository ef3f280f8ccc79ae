import { HOUR_MS, MINUTE_MS } from "../core/duration.ts";
import type { Limit } from "../core/limits.ts";
import type { PullReport } from "../core/tables/pulls.ts";
import {
  EMAILED_REPLY_CLASSES,
  type EmailedReplyClass,
} from "../core/conversations/emailed-reply.ts";
import { BOUNCE_CLASSES, type BounceClass } from "../core/people/suppression.ts";
import { TABLE_PROBLEMS } from "../core/tables/source.ts";
import type { Log } from "./log.ts";
import { byLabel, metric, type Metric } from "./metrics.ts";
import type { Clock } from "../core/instance.ts";

const MAIL_OUTCOMES = ["sent", "refused", "deferred", "later", "given_up", "suppressed"] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];

const PUSH_OUTCOMES = ["sent", "gone", "refused", "later", "given_up"] as const;
export type CountedPush = (typeof PUSH_OUTCOMES)[number];

/** Operational counters for metrics and alarms. */
export type Counters = {
  /** Log that counts its events; the whole service logs through it. */
  readonly log: Log;
  /** Counts a client that exceeded this rate limit. */
  readonly countRateLimited: (limit: Limit) => void;
  /** Counts the outcome of an attempt to send an email. */
  readonly countEmail: (outcome: MailOutcome) => void;
  /** Counts the outcome of an attempt to send a notification to a device. */
  readonly countPush: (outcome: CountedPush) => void;
  /** Counts a message to the bounce address by class, or a failed read of the mailbox. */
  readonly countBounce: (what: BounceClass) => void;
  /** Logs and counts a table that was read, or could not be. */
  readonly countTableRead: (report: PullReport) => void;
  /** Counts an email to a reply address by what became of it. */
  readonly countEmailedReply: (what: EmailedReplyClass) => void;
  /** Counts a tick in which a job failed. */
  readonly countTickFailure: () => void;
  /** Counts changes that the database has lost. */
  readonly countLostChanges: (count: number) => void;
  /** Number of changes that the database has lost since the start. */
  readonly lostChanges: number;
  /** True when the last daily backup failed. */
  readonly isBackupFailing: boolean;
  /** Counts a request whose client's address the proxy does not tell. */
  readonly countUnreadAddress: () => void;
  /** Number of those requests within the last hour. */
  readonly recentlyUnreadAddresses: (now: number) => number;
  /** Emails given up within the last hour. */
  readonly recentlyGivenUp: (now: number) => number;
  readonly metrics: () => readonly Metric[];
};

/** Time during which an email that was given up is reported, or an address that could not be read. */
const RECENT_MS = HOUR_MS;

export function createCounters(log: Log, clock: Clock): Counters {
  const events = createCounts(["bug", "tick_failed", "backup_failed"]);
  const limits = createCounts(["read"]);
  const emails = createCounts(MAIL_OUTCOMES);
  const pushes = createCounts(PUSH_OUTCOMES);
  const bounces = createCounts(BOUNCE_CLASSES);
  const tables = createCounts(["good", ...TABLE_PROBLEMS]);
  const replies = createCounts(EMAILED_REPLY_CLASSES);
  const givenUp = createRecentCount(RECENT_MS);
  const unreadAddresses = createRecentCount(RECENT_MS);
  let tickFailures = 0;
  let lostChanges = 0;
  let backupFails = false;

  return {
    log(event, details) {
      events.add(event);
      if (event === "backup_failed") backupFails = true;
      if (event === "backup") backupFails = false;
      log(event, details);
    },
    countRateLimited: limits.add,
    countEmail(outcome) {
      emails.add(outcome);
      if (outcome === "given_up") givenUp.add(clock());
    },
    countPush: pushes.add,
    countBounce: bounces.add,
    countTableRead({ name, result, rejected, problem }) {
      tables.add(problem?.kind ?? "good");
      if (problem !== null) {
        log("table_refused", { table: name, problem: problem.kind, text: problem.text });
        return;
      }
      if (result === null) return;
      const { published, updated, reopened, ended, missing, refused, photos } = result;
      const counts = { published, updated, reopened, ended, missing };
      log("table_read", {
        table: name,
        ...counts,
        refused: refused.length + rejected.length,
        photos: photos.fetched,
        photos_failed: photos.failed.length,
      });
    },
    countEmailedReply: replies.add,
    countTickFailure: () => void (tickFailures += 1),
    countLostChanges: (count) => void (lostChanges += count),
    get lostChanges() {
      return lostChanges;
    },
    get isBackupFailing() {
      return backupFails;
    },
    countUnreadAddress: () => unreadAddresses.add(clock()),
    recentlyUnreadAddresses: unreadAddresses.count,
    recentlyGivenUp: givenUp.count,
    metrics: () => [
      metric("pet_alert_limits_hit_total", byLabel("limit", limits.counts)),
      metric("pet_alert_emails_total", byLabel("outcome", emails.counts)),
      metric("pet_alert_pushes_total", byLabel("outcome", pushes.counts)),
      metric("pet_alert_bounces_total", byLabel("class", bounces.counts)),
      metric("pet_alert_table_reads_total", byLabel("outcome", tables.counts)),
      metric("pet_alert_emailed_replies_total", byLabel("class", replies.counts)),
      metric("pet_alert_tick_failures_total", tickFailures),
      metric("pet_alert_log_events_total", byLabel("event", events.counts)),
    ],
  };
}

/** Counts by value. Those in `known` start at 0, so that their first increase is visible. */
function createCounts(known: readonly string[]) {
  const counts = new Map(known.map((value) => [value, 0]));
  const add = (value: string) => void counts.set(value, (counts.get(value) ?? 0) + 1);
  return { counts, add };
}

/** Count of events within the last `windowMs`, to the minute. */
function createRecentCount(windowMs: number) {
  const minutes = new Map<number, number>();
  return {
    add(now: number): void {
      const minute = Math.floor(now / MINUTE_MS);
      minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
    },
    count(now: number): number {
      const last = Math.floor(now / MINUTE_MS);
      for (const minute of minutes.keys()) {
        // Absolute, so that events counted by a clock that ran ahead are dropped too.
        if (Math.abs(last - minute) * MINUTE_MS > windowMs) minutes.delete(minute);
      }
      return [...minutes.values()].reduce((sum, times) => sum + times, 0);
    },
  };
}
