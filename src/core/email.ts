import type { Language } from "../messages/languages.ts";
import { HOUR_MS } from "./duration.ts";
import type { Random } from "./instance.ts";

/**
 * Kinds of email, and their urgency. `requested` by the reader a moment ago: always sent, as answering one proves that the
 * mailbox works. `personal`: about the reader's own alert or conversation, or their work as a moderator or operator.
 * `notification`: one that a spam complaint stops.
 */
export const EMAIL_URGENCY = {
  confirm: "requested",
  links: "requested",
  admin: "requested",
  inbox: "requested",
  erase: "requested",
  live: "personal",
  reports: "personal",
  table: "personal",
  message: "personal",
  "reply-refusal": "personal",
  sighting: "personal",
  digest: "personal",
  reminder: "notification",
  plan: "notification",
  "plan-digest": "notification",
  match: "notification",
  "match-digest": "notification",
  zone: "notification",
} as const;
export type EmailKind = keyof typeof EMAIL_URGENCY;

/**
 * Email in the outbox. Its id becomes its Message-ID. Its content is data of its subject, rendered in the reader's language
 * when sent. Tokens of private links are sealed (see `Secrets`), so that the database holds no usable token.
 */
export type Email<Content = { readonly kind: EmailKind }> = {
  readonly id: string;
  /** One mailbox. */
  readonly to: string;
  readonly language: Language;
  readonly content: Content;
  readonly createdAt: number;
  /** Time at which delivery is given up. */
  readonly giveUpAt: number;
};

/** Final state in the outbox. `suppressed`: its mailbox is on the suppression list. */
export type EmailOutcome = "sent" | "refused" | "given_up" | "suppressed";

/** Time for which delivery is retried, unless the content expires sooner. */
const DELIVERY_MS = 72 * HOUR_MS;

/** New email to one mailbox. Delivery is given up when its content expires. */
export function emailTo<Content>(
  random: Random,
  reader: { readonly to: string; readonly language: Language },
  content: Content,
  now: number,
  expiresAt = Number.POSITIVE_INFINITY,
): Email<Content> {
  const giveUpAt = Math.min(expiresAt, now + DELIVERY_MS);
  return { id: random.id(), ...reader, content, createdAt: now, giveUpAt };
}

export type OutboxState = {
  readonly waiting: number;
  /** Creation time of the oldest; null if there is none. */
  readonly oldestAt: number | null;
  /** Earliest due time, possibly in the future. An email being sent is due again when its lease ends. */
  readonly dueSince: number | null;
};

/** End of an email. `mailboxHash`: hash of its mailbox if a bounce may follow. */
export type ClosedEmail = {
  readonly id: string;
  readonly outcome: EmailOutcome;
  readonly mailboxHash: string | null;
};

/** Email that one worker sends. If it does not end before `leasedUntil`, another worker may take the email. */
export type LeasedEmail = Email & { readonly leasedUntil: number };

export interface OutboxStore {
  /**
   * Due emails, oldest first, leased until `now + leaseMs` so that no other worker takes them. Emails to
   * `domainsToLeave` are skipped.
   */
  leaseEmails(
    now: number,
    leaseMs: number,
    limit: number,
    domainsToLeave?: readonly string[],
  ): Promise<LeasedEmail[]>;
  /** Deletes the contents and keeps the outcomes, with a hash of the mailbox if a bounce may follow. */
  closeEmails(closed: readonly ClosedEmail[], now: number): Promise<void>;
  /** Ends the lease and makes the email due again at `dueAt`. Does nothing if another worker has taken the email since. */
  postponeEmail(email: Pick<LeasedEmail, "id" | "leasedUntil">, dueAt: number): Promise<void>;
  outboxState(): Promise<OutboxState>;
}
