import type { LinkAnswer } from "../people/link-store.ts";

/** Counts of the data stored under one mailbox. */
export type DataInventory = Readonly<Record<DataKind, number>>;
export const DATA_KINDS = [
  /** Published and not removed. */
  "alerts",
  "photos",
  /** Of its alerts. */
  "sightings",
  /** About its alerts, and those it began about the alerts of others. */
  "conversations",
  /** In these conversations, from either side. */
  "messages",
  "zones",
  /** Devices notified of what comes in about its alerts. */
  "devices",
  "requests",
  /** Unsent emails to it. */
  "emails",
  /** A moderator's sign-in links and sessions, and entries of the audit log. */
  "moderation",
  /** As a member of an organisation: membership, sign-in links, sessions, log; and as the address of one. */
  "memberships",
] as const;
type DataKind = (typeof DATA_KINDS)[number];

/** Link that erases all data of a mailbox, identified by the hash of its token. */
export type ErasureLink = {
  readonly tokenHash: string;
  readonly email: string;
  readonly expiresAt: number;
  /** Hash of a mailbox that never confirmed anything, for which the email counts as unanswered; null for any other. */
  readonly unconfirmedHash: string | null;
};

/** Erasure that has been recorded and is carried out in batches. */
type StartedErasure = {
  readonly email: string;
  /** Data created up to this time is erased. */
  readonly upTo: number;
  readonly inventory: DataInventory;
  readonly addressHash: string | null;
  /** Tombstones by which the store recognises the record. */
  readonly notes: readonly string[];
};

/** Erasure of personal data. Mailboxes match exactly as they are spelled. */
export interface ErasureStore {
  dataInventory(email: string): Promise<DataInventory>;
  /** Sealed tokens of both sides' private links to the conversations that an erasure of the mailbox would delete. */
  conversationLinks(email: string): Promise<string[]>;
  /** "none" if no data is stored under a mailbox, "unconfirmed" if the mailbox has not confirmed any of it. */
  mailboxStatus(email: string): Promise<"confirmed" | "unconfirmed" | "none">;
  /**
   * Answers a link request with an erasure link if its limits have room. A mailbox that never confirmed anything gets it
   * only if its budget of confirmation emails has room too.
   */
  addErasureLink(link: ErasureLink, answer: LinkAnswer, now: number): Promise<void>;
  /** Erasure link before or after its use; null if it is unknown or expired. */
  erasureLink(
    tokenHash: string,
    now: number,
  ): Promise<
    | ({ readonly state: "waiting" } & Omit<ErasureLink, "tokenHash">)
    | ({ readonly state: "done"; readonly erased: DataInventory } & Pick<
        ErasureLink,
        "unconfirmedHash"
      >)
    | null
  >;
  /**
   * Records that all data of a mailbox is to be erased. From then on it is certain to be erased: by `continueErasure`, or
   * by `repeatErasures` if that is interrupted.
   */
  beginErasure(email: string, now: number, addressHash?: string): Promise<StartedErasure>;
  /**
   * Erases a batch of at most `limit` alerts. Returns true if it was the last. Alerts are removed, zones ended;
   * conversations that the mailbox began are deleted for both sides; pending actions end; unsent emails to the mailbox or
   * with its messages are withdrawn. At the end its erasure links are marked as used, with the inventory. Only keyed
   * hashes of the mailbox remain.
   */
  continueErasure(begun: StartedErasure, limit: number, now: number): Promise<boolean>;
  /**
   * Repeats erasures, removals, ended zones and stops on devices after a backup was restored, from tombstones kept outside the backup.
   * Returns how much was erased; data created later stays. To be called before anything else; does nothing at no cost if
   * nothing came back.
   */
  repeatErasures(
    now: number,
  ): Promise<{ readonly alerts: number; readonly zones: number; readonly mailboxes: number }>;
  deleteTombstones(before: number): Promise<void>;
  /**
   * Overwrites erased data that is still on the disk because another connection, such as a backup, was reading during an
   * erasure. To be called repeatedly; costs nothing if there is nothing to do.
   */
  wipeErasedPages(): Promise<void>;
}

/** Emails written to files, on a server without SMTP. */
export interface EmailFiles {
  /** Count of emails to a mailbox, or with one of these private links. */
  count(mailbox: string, tokens: readonly string[]): Promise<number>;
  /** Deletes these emails and returns their count. */
  drop(mailbox: string, tokens: readonly string[]): Promise<number>;
}
