import { CAPS, FACTORS } from "../caps.ts";
import type { Hit } from "../limits.ts";

/**
 * Limits on immediate confirmation emails. A request beyond them is accepted and answered the same; its email is held
 * and sent in turn. Null if the operator has switched off the limit for this kind of request.
 */
export type Throttle = {
  /** Limits of hosted assistants, whose addresses are shared: counted by mailbox instead of network. */
  readonly pool: { readonly unknown: Hit; readonly known: Hit } | null;
} | null;

/** Unanswered immediate emails of the last hour. */
export type SentAtOnce = { readonly inAll: number; readonly fromNetwork: number };

/**
 * Decides if one more email may be sent immediately. Part of the limit is reserved for mailboxes that have confirmed
 * something before, because anyone can invent other addresses.
 */
export function mayGoAtOnce(sent: SentAtOnce, mailbox: { readonly isKnown: boolean }): boolean {
  const { isKnown } = mailbox;
  const inAll = CAPS.confirmationEmailsAtOnce.max * (isKnown ? 1 : FACTORS.unknownMailboxesAtOnce);
  const fromNetwork =
    CAPS.confirmationEmailsAtOncePerNetwork.max * (isKnown ? FACTORS.knownMailboxesPerNetwork : 1);
  return sent.inAll < inAll && sent.fromNetwork < fromNetwork;
}

/** Maximum burst of held emails after a pause. */
const HELD_EMAIL_BURST = 4;
const HELD_EMAIL_INTERVAL_MS = CAPS.heldEmails.windowMs / CAPS.heldEmails.max;

export function heldEmailsDue(lastSentAt: number | null, now: number): number {
  if (lastSentAt === null) return HELD_EMAIL_BURST;
  const intervals = Math.floor((now - lastSentAt) / HELD_EMAIL_INTERVAL_MS);
  return Math.min(intervals, HELD_EMAIL_BURST);
}
