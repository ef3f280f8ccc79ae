import type { Throttle } from "./email-throttle.ts";
import type { Email } from "../email.ts";
import type { UnansweredEmail } from "./mailbox-budget.ts";
import type { Pending } from "./pending.ts";

/** Second email about a request, with its own token. */
export type ResentEmail = {
  readonly tokenHash: string;
  readonly sealedToken: string;
  readonly email: Email;
  readonly throttle: Throttle;
};

/** Queued request, and the unanswered emails to its mailbox. */
export type Queued = { readonly pending: Pending; readonly emails: readonly UnansweredEmail[] };

/** Email about queued requests of one mailbox. */
export type QueuedEmail = {
  readonly addressHash: string;
  /** Keyed hash of the network whose turn it was. */
  readonly networkHash: string;
  readonly kind: UnansweredEmail["kind"];
  readonly listed: readonly Pending[];
  readonly email: Email;
};

export type ConfirmationQueue = { readonly held: number; readonly heldSince: number | null };

/** Confirmation emails: resending, stopping and queueing. */
export interface ConfirmationStore {
  /**
   * Sends or queues a second email about a waiting action. Returns false if there was one already or the action no longer
   * waits. An action whose first email is still queued keeps its place.
   */
  resend(pendingId: string, email: ResentEmail, now: number): Promise<boolean>;
  /** "This was not me": drops the action with its content, and stops confirmation emails to its address. */
  disownPending(pendingId: string, tokenHash: string, now: number): Promise<void>;
  /** Stops confirmation emails to an address and ends its waiting actions. `tokenHash`: link that can undo it. */
  stopEmails(addressHash: string, tokenHash: string | null, now: number): Promise<void>;
  /** Allows confirmation emails to an address again. A block by a moderator stays. */
  allowEmails(
    addressHash: string,
    now: number,
  ): Promise<{ readonly wasStopped: boolean; readonly isBlocked: boolean }>;
  /** Hash of the address whose stop a link can undo, or null. */
  mailboxStoppedBy(tokenHash: string): Promise<string | null>;

  // Queue of confirmation emails that were not sent immediately
  /** Time of the last held or gathered email; null if there was none recently. */
  lastHeldEmailAt(now: number): Promise<number | null>;
  /** Due request whose turn it is: of the network with the fewest recent emails, known mailboxes first. */
  nextQueued(now: number): Promise<Queued | null>;
  /** Postpones a mailbox's queued requests from networks without room until its next gathered email. */
  postponeQueued(addressHash: string, now: number): Promise<void>;
  /**
   * Moves an email about queued requests to the outbox; their links are valid from now on. Returns false if one of them is
   * no longer queued, or the mailbox has no room left.
   */
  sendQueued(email: QueuedEmail, now: number): Promise<boolean>;
  /**
   * Requests that wait for a mailbox: the newest of each network, then the second newest of each, and so on. Requests that
   * were emailed but not confirmed count as turns of their network. Among networks with equal turns the most recent comes
   * first, so that repeated requests do not displace newcomers.
   */
  waitingRequests(
    addressHash: string,
    now: number,
    which: { readonly queuedOnly: boolean; readonly perNetwork: number; readonly limit: number },
  ): Promise<Pending[]>;
  /** Count of held requests whose email is due, and the time since which the first is held. */
  confirmationQueue(now: number): Promise<ConfirmationQueue>;
}
