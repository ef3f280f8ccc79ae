import { CAPS } from "../core/caps.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../core/duration.ts";
import { type CheckResult, fix, ok, warn } from "./check-result.ts";
import type { OutboxState } from "../core/email.ts";

// Health checks of an installation, used by `pet-alert check` and by the running service.

const BYTES_PER_GB = 1_000_000_000;
/** Below the minimum the service soon stops; below the second value it warns. */
const FREE_BYTES_MIN = 0.1 * BYTES_PER_GB;
const FREE_BYTES_ENOUGH = 1 * BYTES_PER_GB;
/** Backups are made daily; a single failed one causes no warning. */
const BACKUP_OLD_MS = 2 * DAY_MS;
/** A paused transport retries after one, two and four minutes. */
const MAIL_PAUSED_MS = 10 * MINUTE_MS;
/** A due email is normally sent within seconds, or minutes if there are many. */
const EMAIL_LATE_MS = 15 * MINUTE_MS;
/** Retention of copies from before an update or a restore: by then the operator knows if they are needed. */
export const OLD_COPY_KEEP_MS = 30 * DAY_MS;

/** Tolerance for maintenance of the mail server; bounces wait in the mailbox meanwhile. */
const MAILBOX_FAILS_MS = DAY_MS;
const REPLIES_FAIL_MS = 2 * HOUR_MS;

export function spaceLeft(path: string, freeBytes: number): CheckResult {
  const free = `${(freeBytes / BYTES_PER_GB).toFixed(1)} GB free`;
  const advice =
    "Make room: delete what BACKUP_KEEP and earlier versions left, or get a larger disk.";
  if (freeBytes < FREE_BYTES_MIN) return fix(`The disk of ${path} is full: ${free}`, advice);
  if (freeBytes < FREE_BYTES_ENOUGH)
    return warn(`The disk of ${path} is nearly full: ${free}`, advice);
  return ok(`The data folder ${path} can be written, ${free}`);
}

/** Difference between the clocks of a node and the database that is reported ... */
const CLOCK_OFF_MS = 2_000;
/** ... and the one at which the node does nothing that depends on the time. */
export const CLOCK_WRONG_MS = 10_000;

/**
 * Milliseconds by which our clock is ahead of another one, at the least: the time that it gave is of some moment between the
 * question and the answer.
 */
export function leastOffset(
  their: number,
  { askedAt, answeredAt }: { readonly askedAt: number; readonly answeredAt: number },
): number {
  return their < askedAt ? askedAt - their : Math.min(answeredAt - their, 0);
}

/** `offset`: milliseconds by which the clock of a node is ahead of the database's, or null. */
export function clockAgreement(offset: number | null): CheckResult {
  if (offset === null || Math.abs(offset) < CLOCK_OFF_MS) return ok("The clock runs steadily");
  const seconds = (Math.abs(offset) / 1000).toFixed(1);
  const text = `The clock is ${seconds} seconds ${offset > 0 ? "ahead of" : "behind"} the database's`;
  const advice = "Synchronize both over the network (timedatectl set-ntp true).";
  return Math.abs(offset) < CLOCK_WRONG_MS
    ? warn(text, advice)
    : fix(`${text}: this node runs no jobs and is not ready`, advice);
}

/** `staleSince`: time since which a node cannot read what others have changed, or null. */
export function following(staleSince: number | null): CheckResult {
  if (staleSince === null) return ok("The database answers");
  return fix(
    `The database does not answer since ${isoTime(staleSince)}: this node is not ready`,
    "Check DATABASE_URL and the network to the database (pet-alert check).",
  );
}

/** `lost`: number of changes that a node has read and that the database no longer has. */
export function completeHistory(lost: number): CheckResult {
  if (lost === 0) return ok("The database has lost no change");
  return fix(
    `The database has lost confirmed changes: ${lost}`,
    "Another server took over without them, or an older state was restored. Find out why, then restart this node (see docs/cluster.md).",
  );
}

/** `last`: time of the newest backup, or null. `isCopied`: backups are copied elsewhere. */
export function backupAge(last: number | null, now: number, isCopied = false): CheckResult {
  if (last === null)
    return ok("There is no backup yet: the service makes the first one when it starts");
  return now - last > BACKUP_OLD_MS
    ? warn(
        `The last backup is from ${isoTime(last)}`,
        "See backup_failed in the log of the service.",
      )
    : ok(
        `The last backup is from ${isoTime(last)}`,
        isCopied
          ? undefined
          : "It is on the same disk: copy it to another machine from time to time.",
      );
}

/** Copies of the daily backups in another place. */
export type CopyState = {
  /** Time of the newest backup that is copied; null if none is, or if that is not known yet. */
  readonly lastAt: number | null;
  /** True if the last try failed. */
  readonly isFailing: boolean;
};

/** A day, and half a day for the copy to be made, or tried again. */
const COPY_OLD_MS = 1.5 * DAY_MS;

export function copyAge({ lastAt, isFailing }: CopyState, now: number): CheckResult {
  if (lastAt === null)
    return isFailing
      ? warn("No backup could be copied elsewhere", SEE_COPY_FAILED)
      : ok("The next backup will be copied elsewhere");
  return now - lastAt > COPY_OLD_MS
    ? warn(`The last backup that was copied elsewhere is from ${isoTime(lastAt)}`, SEE_COPY_FAILED)
    : ok(`The last backup that was copied elsewhere is from ${isoTime(lastAt)}`);
}

const SEE_COPY_FAILED =
  "The log of the service says why (backup_copy_failed). It tries again every hour.";

/** Archive of the write-ahead log of a database, from which it is restored to any moment. */
export type ArchiveState = "off" | "works" | "fails";

export function archiving(state: ArchiveState): CheckResult {
  if (state === "works") return ok("The database archives its log, for backups");
  return state === "off"
    ? warn(
        "The database archives no log (archive_mode is off)",
        "Back it up with pgBackRest or WAL-G (see docs/cluster.md). Some providers do so without this setting.",
      )
    : fix(
        "The database fails to archive its log: no backup can be restored to a later moment",
        "See pg_stat_archiver and the log of the server.",
      );
}

/** Copies that an update, a restore or a crash left in the data folder. */
export function oldCopiesKept(
  copies: readonly { readonly name: string; readonly madeAt: number }[],
): CheckResult[] {
  if (copies.length === 0) return [];
  const days = OLD_COPY_KEEP_MS / DAY_MS;
  const names = copies.map(
    ({ name, madeAt }) => `${name} (until ${isoTime(madeAt + OLD_COPY_KEEP_MS)})`,
  );
  return [
    ok(
      `Copies from before an update or a restore: ${names.join(", ")}`,
      `They contain data that people have erased since. The service deletes them after ${days} days; delete them sooner if you do not need them.`,
    ),
  ];
}

/**
 * Delivery of emails. `pausedSince`: time since which the mail server has accepted none, or null; `awakeSince`: time since
 * which the service has been running.
 */
export function mailFlow(
  { waiting, dueSince }: OutboxState,
  { pausedSince, awakeSince }: { readonly pausedSince: number | null; readonly awakeSince: number },
  now: number,
): CheckResult {
  if (waiting === 0) return ok("No email is waiting");
  const many = waiting === 1 ? "1 email is waiting" : `${waiting} emails are waiting`;
  if (pausedSince !== null && now - pausedSince > MAIL_PAUSED_MS)
    return fix(
      `No email is being delivered: the mail server has accepted none since ${isoTime(pausedSince)}, and ${many}`,
      "The log gives the reason of each attempt (mail), and pet-alert check tests the mail settings. Emails are retried for 72 hours.",
    );
  if (dueSince !== null && now - Math.max(dueSince, awakeSince) > EMAIL_LATE_MS)
    return fix(
      `Emails are late: one has been due since ${isoTime(dueSince)}, and ${many}`,
      "Check that the service is running, and see mail in its log.",
    );
  return ok(many);
}

/**
 * Reading of the mailbox for bounces and replies. `failingSince`: time since which it cannot be read, or null. A reply keeps
 * its reader waiting, a bounce nobody.
 */
export function mailboxReading(
  failingSince: number | null,
  holdsReplies: boolean,
  now: number,
): CheckResult {
  const toleranceMs = holdsReplies ? REPLIES_FAIL_MS : MAILBOX_FAILS_MS;
  if (failingSince === null || now - failingSince < toleranceMs)
    return ok("The mailbox can be read, or reading it is switched off");
  return warn(
    `${holdsReplies ? "Replies by email and bounces" : "Bounces"} have not been read since ${isoTime(failingSince)}: the mailbox cannot be opened`,
    `The log gives the reason of each attempt (mailbox), and pet-alert check tests IMAP_URL. Until then ${holdsReplies ? "replies reach nobody" : "emails are still sent to dead mailboxes"}.`,
  );
}

/** `unconfirmed`: requests of the last hour that nobody confirmed, up to the cap on them. */
export function unconfirmedRequests(unconfirmed: number): CheckResult {
  const { max } = CAPS.unconfirmedRequests;
  if (unconfirmed < max) return ok("Few requests wait for their confirmation");
  return warn(
    `At least ${max} requests of the last hour wait for their confirmation, so networks above their share are refused`,
    "If this is an attack, find its networks in the reverse proxy's log and block them there.",
  );
}

/** `areUnread`: within the last hour, a request behind a proxy has not told the address of its client. */
export function clientAddresses(areUnread: boolean): CheckResult {
  if (!areUnread) return ok("The addresses of clients can be read");
  return warn(
    "X-Forwarded-For holds no address that can be read in requests of the last hour: all their clients count as one, the proxy",
    "Let the proxy write that header (see deploy/nginx.conf), and set TRUST_PROXY to the number of proxies. Programs on this machine that look at the service can ask for /healthz.",
  );
}

/** An ISO timestamp without its milliseconds. */
function isoTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
