import type { AlertNames, NewAlert } from "../alerts/alert.ts";
import type { Throttle } from "../confirmation/email-throttle.ts";
import type { UnansweredEmail } from "../confirmation/mailbox-budget.ts";
import type { Pending, PendingResult } from "../confirmation/pending.ts";
import type { Conversation, Message } from "../conversations/conversation.ts";
import type { OwnerEmail } from "./conversations.ts";
import type { Email } from "../email.ts";
import type { Hit } from "../limits.ts";
import type { Sighting } from "../sightings/sighting.ts";
import type { Zone } from "../zones/zone.ts";
import type { PrivateLink } from "./links.ts";

/** New pending action with its confirmation email. */
export type NewRequest = {
  readonly pending: Pending;
  readonly email: Email;
  /** Short code to reserve, for a publication. */
  readonly shortCode: string | null;
  /** Limits that the request counts against, including a repeated one. */
  readonly hits: readonly Hit[];
  readonly throttle: Throttle;
};

export type NewRequestOutcome =
  /**
   * Stored. A repetition within ten minutes, or with the same idempotency hash within 48 hours, sends no email and gets the
   * names of the first request; its page shows the first request and cannot change it. The outcome is the same for a
   * mailbox over its budget or one that stopped emails.
   */
  | { readonly kind: "kept"; readonly pending: Pending }
  | { readonly kind: "limited"; readonly retryAt: number }
  /** The short code is taken: retry with another one. */
  | { readonly kind: "code_taken" };

/** Rows written when a pending action is confirmed. The store assigns the alert's `publishedAt`. */
export type ConfirmationChanges = {
  readonly result: PendingResult;
  readonly alert?: NewAlert;
  /** Added unless its mailbox has a zone with the same circle, which then becomes the result. */
  readonly zone?: Zone;
  readonly conversation?: Conversation | undefined;
  readonly message?: Message;
  readonly sighting?: Sighting;
  /** Limits of the confirming sender, counted when the changes are written. */
  readonly hits?: readonly Hit[];
  /** Email to the owner about the message or sighting. */
  readonly ownerEmail?: OwnerEmail | undefined;
  readonly links: readonly PrivateLink[];
  readonly emails: readonly Email[];
  /** Hash of the confirming mailbox. It evidently works, so it is removed from the suppression list. */
  readonly mailboxHash?: string;
};

export type ConfirmOutcome =
  | { readonly kind: "won" }
  /** The action no longer waits: it was confirmed before, disowned or expired. */
  | { readonly kind: "late" }
  /** The mailbox has the maximum number of zones. The action still waits. */
  | { readonly kind: "zones_full" }
  /** One of the limits in `hits` is full. The action still waits. */
  | { readonly kind: "limited"; readonly retryAt: number }
  /** The data that the changes are based on was modified. The action still waits: compute the changes again. */
  | { readonly kind: "outdated" };

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

export interface RequestStore {
  addPending(request: NewRequest, now: number): Promise<NewRequestOutcome>;
  pending(id: string): Promise<Pending | null>;
  pendingByToken(tokenHash: string): Promise<Pending | null>;
  /** Request for the publication whose alert has, or would have, this id or short code. */
  publicationNamed(
    name: Pick<AlertNames, "id"> | Pick<AlertNames, "shortCode">,
  ): Promise<Pending | null>;
  /** Writes the changes if the action still waits at `now`. */
  confirmPending(
    pendingId: string,
    changes: ConfirmationChanges,
    now: number,
  ): Promise<ConfirmOutcome>;
  /**
   * Replaces a waiting action by one for another mailbox and withdraws the first email. `late` if the action no longer
   * waits or was corrected too often.
   */
  correctAddress(
    pendingId: string,
    request: NewRequest,
    now: number,
  ): Promise<Exclude<NewRequestOutcome, { kind: "code_taken" }> | { readonly kind: "late" }>;
  /** Counts hits if all limits have room and returns null; otherwise the time when the fullest has room again. */
  countHits(hits: readonly Hit[], now: number): Promise<number | null>;
  /** What `countHits` would return; counts nothing. */
  limitedUntil(hits: readonly Hit[], now: number): Promise<number | null>;
}

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
