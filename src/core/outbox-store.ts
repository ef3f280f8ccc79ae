import type { Email, EmailOutcome } from "./email.ts";

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
