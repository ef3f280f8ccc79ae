import { DAY_MS } from "../duration.ts";
import { EMAIL_URGENCY, type EmailKind } from "../email.ts";

/** Suppression of emails to one mailbox. Times are milliseconds since 1970 UTC. */
export type Suppression = {
  /** Time since which its emails bounce; null if they do not. */
  readonly deadSince: number | null;
  /** Time at which it reported one of our emails as spam; null if it did not. */
  readonly complainedAt: number | null;
};

/** Mailboxes that get no emails, or fewer. */
export type SuppressionCounts = { readonly dead: number; readonly complained: number };

/** Outcome of a bounce or a complaint about one email. */
export type BounceOutcome =
  | "recorded"
  /** About an email older than two weeks, counted before, or lifted since; or a complaint that stops nothing. */
  | "ignored";

export interface SuppressionStore {
  /** Null if the mailbox gets all emails. */
  suppression(mailboxHash: string): Promise<Suppression | null>;
  /** Counts a permanent failure against the mailbox of an email that was sent, once for each email. */
  recordBounce(emailId: string, now: number): Promise<BounceOutcome>;
  /** Stops notifications to the mailbox of a notification that was sent, once for each email. */
  recordComplaint(emailId: string, now: number): Promise<BounceOutcome>;
  /** Removes a mailbox from the list; bounces of earlier emails no longer count. Returns false if it was not listed. */
  liftSuppression(mailboxHash: string): Promise<boolean>;
  suppressionCounts(): Promise<SuppressionCounts>;
}

/** Classes of messages to the bounce address, for the metrics. */
export const BOUNCE_CLASSES = [
  "dead_mailbox",
  "permanent",
  "transient",
  "complaint",
  /** Carries the MAC of an email but is not a bounce; usually an automatic answer. */
  "unrecognised",
  "forged",
  /** About an email that is too old, was counted before, or whose mailbox has confirmed something since. */
  "ignored",
  "read_failed",
] as const;
export type BounceClass = (typeof BOUNCE_CLASSES)[number];

/** Time after sending in which bounces and complaints count. Mail servers give up after five days at most. */
export const BOUNCE_WINDOW_MS = 14 * DAY_MS;
/**
 * Minimum time between two bounced emails before a mailbox counts as dead. One bounce is not enough: on
 * 15 December 2020 Gmail answered "550 5.1.1 no such account" for existing accounts for about seven hours.
 */
const DEAD_AFTER_MS = DAY_MS;
/** Retention of a single failure. */
export const FAILURE_KEEP_MS = 30 * DAY_MS;
/** Time after which a dead mailbox gets emails again: it may have been reopened. Complaints are kept. */
export const DEAD_KEEP_MS = 365 * DAY_MS;

/**
 * True for an enhanced status code that says the mailbox does not exist or takes no mail (RFC 3463, 3.2 and 3.3; RFC 7505
 * for 5.1.10). Other permanent codes are about us (5.7.x: policy, reputation), the message (5.6.x), the network (5.4.x) or
 * a full mailbox (5.2.2): if they counted, anyone who gets us blocklisted would silence every mailbox of a provider.
 */
export function isDeadMailboxStatus(status: string): boolean {
  return /^5\.(?:1\.(?:1|2|3|6|10)|2\.1)$/.test(status);
}

/** Decides if an email of this kind is held back from a mailbox. */
export function isSuppressed(kind: EmailKind, suppression: Suppression): boolean {
  switch (EMAIL_URGENCY[kind]) {
    case "requested":
      return false;
    case "personal":
      return suppression.deadSince !== null;
    case "notification":
      return suppression.deadSince !== null || suppression.complainedAt !== null;
  }
}

/**
 * Decides if a spam complaint about an email of this kind stops notifications. Strangers can cause confirmation emails,
 * messages and sightings: if complaints about those counted, a stranger could make an owner lose match emails.
 */
export function complaintCounts(kind: EmailKind): boolean {
  return EMAIL_URGENCY[kind] === "notification";
}

/** Bounces of a mailbox: time at which the first bounced email was sent, and time since which it is taken for dead. */
type BounceState = {
  readonly firstFailureAt: number | null;
  readonly deadSince: number | null;
};

/** State after one more email, sent at `sentAt`, bounced; `before` is null if none has. Bounces may arrive in any order. */
export function stateAfterBounce(
  before: BounceState | null,
  sentAt: number,
  now: number,
): BounceState {
  const { firstFailureAt, deadSince } = before ?? { firstFailureAt: null, deadSince: null };
  if (firstFailureAt === null || Math.abs(sentAt - firstFailureAt) > FAILURE_KEEP_MS)
    return { firstFailureAt: sentAt, deadSince };
  const isSecond = Math.abs(sentAt - firstFailureAt) >= DEAD_AFTER_MS;
  return {
    firstFailureAt: Math.min(firstFailureAt, sentAt),
    deadSince: deadSince ?? (isSecond ? now : null),
  };
}
