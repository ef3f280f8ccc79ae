import type { Alert, AlertChange } from "../alerts/alert.ts";
import type { MemberAction, Membership } from "../organisations/organisation.ts";
import type { ChangedMembers, MemberChanges } from "../organisations/organisation-store.ts";

/** Conversation in the inbox of an organisation. */
export type InboxEntry = Pick<Alert, "shortCode" | "type" | "species" | "name"> & {
  readonly id: string;
  readonly strangerName: string | null;
  /** Stranger's newest message, and its time. */
  readonly text: string;
  readonly at: number;
  /** True until somebody answers the newest message, or marks it as read. */
  readonly isUnread: boolean;
  readonly isClosed: boolean;
};

/** Page of an inbox: unread conversations first, and of those the newest of each network in turn. */
export type InboxPage = {
  readonly conversations: readonly InboxEntry[];
  /** Numbers on all pages. */
  readonly total: number;
  readonly unread: number;
};

/** Alert to end, as it was seen. */
export type ResolvedAlert = {
  readonly seen: Alert;
  readonly change: AlertChange;
  readonly action: MemberAction;
};

/** Members of organisations: their sign-in and what they do. */
export interface InboxStore {
  /**
   * Address of a member, found in any case, in every spelling that organisations use: the given one first, then the oldest.
   * Empty if there is no such member.
   */
  memberAddresses(email: string, limit: number): Promise<string[]>;
  /**
   * Memberships for which a session may act, oldest first: those of exactly its address that began before its sign-in link
   * was made. None once it has ended. Another spelling may be another person's mailbox.
   */
  memberships(tokenHash: string, now: number, limit: number): Promise<Membership[]>;

  /** Conversations about the alerts of an organisation. Beyond the last page it is empty with total 0. */
  inbox(slug: string, limit: number, offset: number): Promise<InboxPage>;
  /** Marks a conversation as read up to the time of the action, unless the stranger wrote nothing since it was last read. */
  markRead(conversationId: string, action: MemberAction): Promise<void>;
  /** Ends alerts that are still as seen and of the organisation. Returns the ids of those that were. */
  resolveAlerts(alerts: readonly ResolvedAlert[], now: number): Promise<string[]>;
  /**
   * Changes the members of an organisation, which keeps a manager if it has one. With `needsManager` only if the member who
   * acts is still a manager.
   */
  changeMembers(
    members: MemberChanges,
    action: MemberAction,
    needsManager: boolean,
  ): Promise<ChangedMembers>;
  /** Newest first. */
  memberActions(slug: string, limit: number): Promise<MemberAction[]>;
}
