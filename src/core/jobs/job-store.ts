import type { Alert } from "../alerts/alert.ts";
import type { Email, EmailOutcome } from "../email.ts";
import type { PrivateLink } from "../people/link-store.ts";

/** Time of the last tick, and the time since which the clock has run without a jump. */
export type Heartbeat = { readonly at: number; readonly steadySince: number };

/** Ages beyond which `sweep` deletes rows. */
export type Sweep = {
  /** Contents of unconfirmed actions that have expired are deleted. */
  readonly now: number;
  /** Actions, closed emails, delivered news, counted edits and ended zones older than this are deleted. */
  readonly before: number;
  /** Hits against limits older than this are deleted. */
  readonly hitsBefore: number;
  /** Audit log entries and unhandled reports older than this are deleted. */
  readonly auditLogBefore: number;
};

export type OutboxState = {
  readonly waiting: number;
  /** Creation time of the oldest; null if there is none. */
  readonly oldestAt: number | null;
  /** Earliest due time, possibly in the future. An email being sent is due again when its lease ends. */
  readonly dueSince: number | null;
};

export interface JobStore {
  /**
   * Takes or keeps the lead, which one node of several on a database has at a time. Returns false if another node has it. The
   * database's clock decides: the lease lasts `leaseMs` from the call, or slightly longer. Always true on a database of one
   * process.
   */
  takeLead(node: string, leaseMs: number): Promise<boolean>;
  /** Gives the lead up, if the node has it, so that another can take it at once. */
  endLead(node: string): Promise<void>;
  /** Time of the database's clock; null if it is that of this process. */
  databaseTime(): Promise<number | null>;
  heartbeat(): Promise<Heartbeat | null>;
  /** Stores it. What is due so late that the clock must have been ahead when that was written is due now. */
  recordHeartbeat(heartbeat: Heartbeat): Promise<void>;
  /** Active, unmuted alerts of owners (not imported ones) that end within `withinMs` and got no reminder at that distance. */
  dueReminders(now: number, withinMs: number, limit: number): Promise<Alert[]>;
  /** Queues a reminder, once per alert, expiry and distance, if the alert has not changed. */
  addReminder(
    alert: Alert,
    withinMs: number,
    email: Email,
    links: readonly PrivateLink[],
  ): Promise<void>;
  /** Expires active alerts whose time is over, and withdraws emails about their plans that wait. Returns the count. */
  expireAlerts(now: number, limit: number): Promise<number>;
  /** Deletes owners, conversations, sightings, pairs and links of alerts that ended before `endedBefore`. Returns the count of alerts. */
  eraseEnded(endedBefore: number, now: number, limit: number): Promise<number>;
  /** Deletes a batch of outdated rows of each kind. */
  sweep(sweep: Sweep, limit: number): Promise<void>;
}

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

/** Photos of alerts, sightings, messages and pending actions. Their files are in the photo store. */
export interface PhotoStore {
  /** True if a public alert shows the photo, as its own or as that of a sighting. */
  isPhotoPublic(name: string): Promise<boolean>;
  /** Those of the photos that an alert, a sighting, a message or a waiting action uses. */
  photosInUse(names: readonly string[]): Promise<string[]>;
  /**
   * Keeps an uploaded photo until a time, or until its first use ends. Returns false, and does nothing, if it is being
   * deleted: its files can vanish at any moment.
   */
  keepUploadedPhoto(name: string, until: number): Promise<boolean>;
  /**
   * Holds photos for a request that may use them: they are not deleted until `releasePhotos`, or until a time if it never
   * comes. Returns false, and holds none, if one of them is being deleted.
   */
  holdPhotos(names: readonly string[], until: number): Promise<boolean>;
  /** Ends one `holdPhotos`. */
  releasePhotos(names: readonly string[]): Promise<void>;
  /** Adds photos to those to be deleted, except those in use and those that are kept. */
  addUnusedPhotos(names: readonly string[]): Promise<void>;
  /** Photos that nobody holds; most of them are not used either. Those whose deletion was interrupted come again. */
  unusedPhotos(now: number, limit: number): Promise<string[]>;
  /**
   * Takes photos for deletion: returns those that nobody uses or holds, and that nobody can use or hold any more until
   * `forgetUnusedPhotos`. One is taken a second time only if its deletion was interrupted, after two minutes.
   */
  takeUnusedPhotos(names: readonly string[], now: number): Promise<string[]>;
  /**
   * Ends the deletion of photos: their files are gone, and may be stored again. Those that were taken at another time are
   * left to whoever took them.
   */
  forgetUnusedPhotos(names: readonly string[], takenAt: number): Promise<void>;
}
