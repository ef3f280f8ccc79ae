import { HOUR_MS } from "../core/duration.ts";
import type { Limit } from "../core/limits.ts";
import {
  EMAILED_REPLY_CLASSES,
  type EmailedReplyClass,
} from "../core/conversations/emailed-reply.ts";
import { BOUNCE_CLASSES, type BounceClass } from "../core/people/suppression.ts";
import { type PullReport, TABLE_PROBLEMS } from "../core/tables/table.ts";
import type { Log } from "./log.ts";
import { byLabel, metric, type Metric } from "./metrics.ts";
import type { Clock } from "../core/instance.ts";

const MAIL_OUTCOMES = ["sent", "refused", "deferred", "later", "given_up", "suppressed"] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];

const PUSH_OUTCOMES = ["sent", "gone", "refused", "later", "given_up"] as const;
export type CountedPush = (typeof PUSH_OUTCOMES)[number];

/** Operational counters for metrics and alarms. */
export type Counters = ReturnType<typeof createCounters>;

/** Time during which an email that was given up is reported, or an address that could not be read. */
const RECENT_MS = HOUR_MS;

export function createCounters(log: Log, clock: Clock) {
  const events = createCounts(["bug", "tick_failed", "backup_failed"]);
  const limits = createCounts(["read"]);
  const emails = createCounts(MAIL_OUTCOMES);
  const pushes = createCounts(PUSH_OUTCOMES);
  const bounces = createCounts(BOUNCE_CLASSES);
  const tables = createCounts(["good", ...TABLE_PROBLEMS]);
  const replies = createCounts(EMAILED_REPLY_CLASSES);
  // Absolute differences, so that what a clock that ran ahead has counted is dropped too.
  const isRecent = (at: number, now: number) => Math.abs(now - at) <= RECENT_MS;
  let givenUpAt: readonly number[] = [];
  let addressUnreadAt = -Infinity;
  let tickFailures = 0;
  let lostChanges = 0;
  let backupFails = false;

  return {
    /** Log that counts its events; the whole service logs through it. */
    log(event: string, details?: Readonly<Record<string, unknown>>): void {
      events.add(event);
      if (event === "backup_failed") backupFails = true;
      if (event === "backup") backupFails = false;
      log(event, details);
    },
    countRateLimited: (limit: Limit) => limits.add(limit),
    countEmail(outcome: MailOutcome): void {
      emails.add(outcome);
      if (outcome !== "given_up") return;
      const now = clock();
      givenUpAt = [...givenUpAt.filter((at) => isRecent(at, now)), now];
    },
    countPush: (outcome: CountedPush) => pushes.add(outcome),
    countBounce: (what: BounceClass) => bounces.add(what),
    /** Logs and counts a table that was read, or could not be. */
    countTableRead({ name, result, rejected, problem }: PullReport): void {
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
    countEmailedReply: (what: EmailedReplyClass) => replies.add(what),
    countTickFailure: () => void (tickFailures += 1),
    /** Counts changes that the database has lost. */
    countLostChanges: (count: number) => void (lostChanges += count),
    get lostChanges() {
      return lostChanges;
    },
    get isBackupFailing() {
      return backupFails;
    },
    /** Counts a request whose client's address the proxy does not tell. */
    countUnreadAddress: () => void (addressUnreadAt = clock()),
    hasRecentUnreadAddress: (now: number) => isRecent(addressUnreadAt, now),
    recentlyGivenUp: (now: number) => givenUpAt.filter((at) => isRecent(at, now)).length,
    metrics: (): readonly Metric[] => [
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
