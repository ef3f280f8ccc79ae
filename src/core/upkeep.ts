import { DAY_MS, MINUTE_MS } from "./duration.ts";
import { type Finding, mend, ok, warn } from "./finding.ts";
import type { OutboxState } from "./store.ts";

/** What an operator should know of a running installation; `pet-alert check` and the service itself judge alike. */

const BYTES_PER_GB = 1_000_000_000;
/** Less free space stops the service soon; a little more is worth a word. */
const FREE_BYTES_MIN = 0.1 * BYTES_PER_GB;
const FREE_BYTES_ENOUGH = 1 * BYTES_PER_GB;
/** One is made a day; a second chance is not worth a word. */
const BACKUP_OLD_MS = 2 * DAY_MS;
/** A transport that pauses tries again after one minute, two and four. */
const MAIL_STANDS_MS = 10 * MINUTE_MS;
/** A letter that is due goes within seconds, or minutes where many are. */
const LETTER_LATE_MS = 15 * MINUTE_MS;

export function spaceLeft(path: string, freeBytes: number): Finding {
  const free = `${(freeBytes / BYTES_PER_GB).toFixed(1)} GB free`;
  const advice =
    "Make room: delete what BACKUP_KEEP and earlier versions left, or get a larger disk.";
  if (freeBytes < FREE_BYTES_MIN) return mend(`The disk of ${path} is full: ${free}`, advice);
  if (freeBytes < FREE_BYTES_ENOUGH)
    return warn(`The disk of ${path} is nearly full: ${free}`, advice);
  return ok(`The data folder ${path} can be written, ${free}`);
}

/** `last` is when the newest backup was made, null where there is none. */
export function backupAge(last: number | null, now: number): Finding {
  if (last === null)
    return ok("There is no backup yet: the service makes the first one when it starts");
  return now - last > BACKUP_OLD_MS
    ? warn(
        `The last backup is of ${inTime(last)}`,
        "See what the service says about it: its log has backup_failed.",
      )
    : ok(
        `The last backup is of ${inTime(last)}`,
        "It lies on the same disk: copy it to another machine from time to time.",
      );
}

/**
 * Whether letters go. `pausedSince` is when the mail server began to take none, null while it does; `awakeSince` since
 * when somebody could have sent them.
 */
export function mailFlow(
  { waiting, dueSince }: OutboxState,
  { pausedSince, awakeSince }: { readonly pausedSince: number | null; readonly awakeSince: number },
  now: number,
): Finding {
  if (waiting === 0) return ok("No letter waits");
  const many = waiting === 1 ? "1 letter waits" : `${waiting} letters wait`;
  if (pausedSince !== null && now - pausedSince > MAIL_STANDS_MS)
    return mend(
      `Mail stands still: the mail server has taken no letter since ${inTime(pausedSince)}, and ${many}`,
      "See why: the log says it with each try (mail), and pet-alert check tries the mail settings. Letters are tried for 72 hours.",
    );
  if (dueSince !== null && now - Math.max(dueSince, awakeSince) > LETTER_LATE_MS)
    return mend(
      `Letters go late: one has been due since ${inTime(dueSince)}, and ${many}`,
      "See whether the service runs, and what its log says of letters (mail).",
    );
  return ok(many);
}

/** An ISO timestamp without its milliseconds. */
function inTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
