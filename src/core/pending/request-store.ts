import type { AlertNames, NewAlert } from "../alerts/alert.ts";
import type { Cap } from "../caps.ts";
import type { ConfirmEmail, Pending } from "./pending.ts";
import type { Conversation, Message } from "../conversations/conversation.ts";
import type { OwnerEmail } from "../conversations/conversation-store.ts";
import type { Email } from "../email.ts";
import type { Hit } from "../limits.ts";
import type { Sighting } from "../sightings/sighting.ts";
import type { Zone } from "../zones/zone.ts";
import type { PrivateLink } from "../people/link-store.ts";

/** New pending action with its confirmation email. */
export type NewRequest = {
  readonly pending: Pending;
  readonly email: Email<ConfirmEmail>;
  /** Limits that the request counts against, including a repeated one. */
  readonly hits: readonly Hit[];
  /** Limit on requests of this kind from its network that nobody confirmed; null for none. */
  readonly unconfirmed: Cap | null;
  /** True for a network of hosted assistants, whose emails have a limit of their own. */
  readonly isShared: boolean;
  /** Limit on emails to the mailboxes of one mail domain that never confirmed anything; null for large providers. */
  readonly domain: Hit | null;
};

export type NewRequestOutcome =
  /**
   * Stored. A repetition within ten minutes, or with the same idempotency hash within 48 hours, sends an email only if none
   * about the first request was sent, and gets its names; its page shows the first request and cannot change it. The outcome is the same for a
   * mailbox over its budget or one that stopped emails.
   */
  | { readonly kind: "kept"; readonly pending: Pending }
  | { readonly kind: "limited" | "network_limited"; readonly retryAt: number };

/** Rows written when a pending action is confirmed. The store assigns the alert's `publishedAt`. */
export type ConfirmationChanges = {
  readonly links: readonly PrivateLink[];
  /** Limits of the confirming sender, counted when the changes are written. */
  readonly hits: readonly Hit[];
} & (
  | { readonly kind: "publish"; readonly alert: NewAlert; readonly email: Email }
  /** The zone is not added if its mailbox has one with the same circle, which then becomes the result. */
  | { readonly kind: "zone"; readonly zone: Zone }
  | {
      readonly kind: "message";
      readonly alertId: string;
      readonly message: Message;
      /** Conversation that the message opens; null if it is there. */
      readonly opened: Conversation | null;
      readonly ownerEmail: OwnerEmail | null;
    }
  | {
      readonly kind: "sighting";
      readonly sighting: Sighting;
      readonly ownerEmail: OwnerEmail | null;
    }
);

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

/** Mailbox as two keyed hashes: of exactly this spelling, and of its normalised address. */
export type ListedMailbox = { readonly mailboxHash: string; readonly addressHash: string };

/**
 * Outcome of having an email sent to another spelling of a mailbox. `full`: the mailbox got twice its budget, or takes no
 * emails; `not_listed`: no such request waits without an email.
 */
export type OtherSpellingOutcome = "sent" | "full" | "not_listed";

/** Request that waits for a mailbox. */
export type WaitingRequest = {
  readonly pending: Pending;
  /** True for the newest of its network and kind. */
  readonly isNewest: boolean;
};

export interface RequestStore {
  /** Adds a request, and reserves the short code of a publication. Fails if that was issued before. */
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
  ): Promise<NewRequestOutcome | { readonly kind: "late" }>;
}

/** Confirmation emails: resending, stopping, and the list of what waits for a mailbox. */
export interface ConfirmationStore {
  /**
   * Sends a second email about a waiting action if its mailbox can get one. Returns false if this was called before or the
   * action no longer waits.
   */
  resend(
    pendingId: string,
    request: Pick<NewRequest, "email" | "isShared" | "domain">,
    now: number,
  ): Promise<boolean>;
  /** "This was not me": drops the action with its content, and stops confirmation emails to its address. */
  disownPending(pendingId: string, tokenHash: string, now: number): Promise<void>;
  /** Stops confirmation emails to an address and ends its waiting actions. `tokenHash`: link that can undo it. */
  stopEmails(addressHash: string, tokenHash: string | null, now: number): Promise<void>;
  /** Allows confirmation emails to an address again. A block by a moderator stays. */
  allowEmails(
    addressHash: string,
  ): Promise<{ readonly wasStopped: boolean; readonly isBlocked: boolean }>;
  /** Hash of the address whose stop a link can undo, or null. */
  mailboxStoppedBy(tokenHash: string): Promise<string | null>;

  /**
   * Mailbox to which an email brought a confirmation link within the last 48 hours, whatever became of its action: its newest
   * email counts, so that nobody fills the budget with emails whose links end before it has room again.
   */
  listedMailbox(tokenHash: string, now: number): Promise<ListedMailbox | null>;
  /**
   * Actions that wait for exactly this spelling of a mailbox. The newest of each network and kind come first, then
   * publications, then those of networks that began to ask later, so that repeated requests displace no newcomer.
   */
  waitingRequests(
    mailboxHash: string,
    now: number,
    limit: number,
  ): Promise<readonly WaitingRequest[]>;
  /** Actions that wait for other spellings of a mailbox, and of which no email was sent, in the same order. */
  otherSpellings(
    mailbox: ListedMailbox,
    now: number,
    limit: number,
  ): Promise<readonly WaitingRequest[]>;
  /** Sends the email about an action that waits for another spelling of the mailbox without one. */
  sendToOtherSpelling(
    mailbox: ListedMailbox,
    pendingId: string,
    email: Email<ConfirmEmail>,
    now: number,
  ): Promise<OtherSpellingOutcome>;
  /** Count of unconfirmed requests within the last hour, up to the cap on them. */
  unconfirmedRequests(now: number): Promise<number>;
}
