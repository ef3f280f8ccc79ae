import { CAPS, FACTORS, STOCKS } from "../caps.ts";
import { DAY_MS } from "../duration.ts";
import { CONFIRM_MS } from "./pending.ts";

/** Email that anyone can trigger, to a mailbox that has confirmed nothing since. */
export type UnansweredEmail = {
  readonly sentAt: number;
  /** Keyed hash of the network that triggered it. */
  readonly networkHash: string;
  /** `gathered` emails list several requests; `single` ones are about one. */
  readonly kind: "single" | "gathered";
};

/** Time for which an email counts against the budget. */
export const BUDGET_MS = CONFIRM_MS;

/**
 * Time at which the next email to a mailbox may be sent: now while its budget has room for the network, else with the
 * next gathered email. `emails` are the unanswered ones of the last `BUDGET_MS`.
 */
export function emailDueAt(
  emails: readonly UnansweredEmail[],
  networkHash: string,
  now: number,
): number {
  return hasRoom(emails, networkHash, now) ? now : Math.max(now, gatheredDueAt(emails, now));
}

/**
 * True if the budget has room for an email about one request. Each network gets only part of the daily budget, and one
 * place is reserved for networks that have sent this mailbox nothing yet.
 */
export function hasRoom(
  emails: readonly UnansweredEmail[],
  networkHash: string,
  now: number,
): boolean {
  const today = ofToday(emails, now);
  if (today.length >= CAPS.confirmationEmailsPerMailbox.max - FACTORS.gatheredEmailsKept)
    return false;
  const singles = emails.filter(({ kind }) => kind === "single");
  const own = singles.filter((email) => email.networkHash === networkHash);
  if (ofToday(own, now).length >= CAPS.confirmationEmailsPerMailboxAndNetwork.max) return false;
  const { unconfirmedPerMailbox, unconfirmedPerMailboxForNewNetwork } = STOCKS;
  const isNew = own.length === 0;
  return singles.length < (isNew ? unconfirmedPerMailboxForNewNetwork : unconfirmedPerMailbox);
}

/**
 * Time of the next gathered email. The rest of the daily budget is spread evenly over the time until it has room again,
 * so that no request waits longer than half a day.
 */
export function gatheredDueAt(emails: readonly UnansweredEmail[], now: number): number {
  const today = ofToday(emails, now).toSorted((a, b) => a.sentAt - b.sentAt);
  const first = today[0];
  if (first === undefined) return now;
  const freeAt = first.sentAt + DAY_MS;
  const left = CAPS.confirmationEmailsPerMailbox.max - today.length;
  if (left <= 0) return freeAt;
  const since = today.findLast(({ kind }) => kind === "gathered")?.sentAt ?? first.sentAt;
  return since + (freeAt - since) / (left + 1);
}

/** Emails that are a little later count too, as those of another node may be: the store leaves out what cannot be right. */
function ofToday(emails: readonly UnansweredEmail[], now: number): UnansweredEmail[] {
  return emails.filter(({ sentAt }) => sentAt > now - DAY_MS);
}
