import type { Hit } from "../limits.ts";
import type { LinkRequest } from "./magic-link.ts";

/** Page that a private link opens. */
export type LinkPurpose = "manage" | "conversation" | "unsubscribe" | "pair";

/** Private link, valid as long as its subject exists. Only a hash of the token is stored, and the sealed token for later emails. */
export type PrivateLink = {
  readonly tokenHash: string;
  readonly purpose: LinkPurpose;
  /**
   * manage: alert id; conversation: `<id>:owner` or `<id>:stranger`; unsubscribe: `zone:<id>`, `zones:<ids>`,
   * `reminders:<alert id>`, `matches:<alert id>`, `plan:<alert id>`, or for all alerts of the owner of one
   * `all-matches:<alert id>` or `all-plans:<alert id>`, see `groupSubject` and `redirectedSubject`; pair: `<lost id>:<found id>:<the
   * reader's side, lost or found>`.
   */
  readonly subject: string;
  readonly sealed: string;
};

/** One part of the alerts that a mailbox can manage, newest first, with their manage links. */
export interface LinkStore {
  /** Link with this token and purpose. */
  link(tokenHash: string, purpose: LinkPurpose): Promise<PrivateLink | null>;
  /** Link with this purpose and subject. */
  linkTo(purpose: LinkPurpose, subject: string): Promise<PrivateLink | null>;
  /** Links with this purpose to any of the subjects, in any order. */
  linksTo(purpose: LinkPurpose, subjects: readonly string[]): Promise<PrivateLink[]>;

  /** Stores a request if all limits have room and returns null; otherwise the time when the fullest has room again. */
  addLinkRequest(request: LinkRequest, hits: readonly Hit[], now: number): Promise<number | null>;
  /** Unanswered requests, oldest first. */
  linkRequests(limit: number): Promise<LinkRequest[]>;
  /** Deletes a request without an answer. */
  dropLinkRequest(id: string): Promise<void>;
}

/** Sign-in link or session of a moderator or member, identified by the hash of its token. */
export type SessionKey = {
  readonly tokenHash: string;
  readonly email: string;
  readonly expiresAt: number;
};
