import type { Hit } from "../limits.ts";
import type { Language } from "../../messages/languages.ts";
import type { Email } from "../email.ts";

/**
 * Kinds of link that anyone may request and only the entitled mailbox receives: the sign-in of a moderator, or of a member
 * of an organisation ("inbox"), an erasure, or an owner's manage links.
 */
export type MagicLink = "admin" | "inbox" | "erase" | "links";

/** Request for a link by email. */
export type LinkRequest = {
  /** Ordered by time. */
  readonly id: string;
  readonly kind: MagicLink;
  /** Mailbox, and hash of the network that asked: see `sealRequester`. */
  readonly sealedRequester: string;
  readonly language: Language;
  /** Part of a list too long for one email, from 1. */
  readonly part: number;
  readonly askedAt: number;
};

/** Answer to a link request. Its emails are sent, and its hits counted once, only if its limits have room. */
export type LinkAnswer = {
  readonly requestId: string;
  /** One to the requester; several to a member whose address was spelled in several ways. */
  readonly emails: readonly [Email, ...Email[]];
  readonly hits: readonly Hit[];
  /** Alternatives: if one of them has room the emails are sent although `hits` are full. Counted like the others. */
  readonly alternatives?: readonly (readonly Hit[])[];
};

/** Page that a private link opens. */
export type LinkPurpose = "manage" | "conversation" | "unsubscribe" | "pair";

/** Private link, valid as long as its subject exists. Only a hash of the token is stored, and the sealed token for later emails. */
export type PrivateLink = {
  readonly tokenHash: string;
  readonly purpose: LinkPurpose;
  /**
   * manage: alert id; conversation: `<id>:owner` or `<id>:stranger`; unsubscribe: `zone:<id>`, `zones:<ids>`,
   * `reminders:<alert id>`, `matches:<alert id>`, `plan:<alert id>`, or for all alerts of an owner
   * `all-matches:<mailbox>` or `all-plans:<mailbox>`; pair: `<lost id>:<found id>:<the reader's side, lost or found>`.
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

  /** Answers a link request with sign-in links if its limits have room. */
  addSignInLinks(links: readonly SessionKey[], answer: LinkAnswer, now: number): Promise<void>;
  /** Opens a session with a valid link of this purpose. Returns false if the link is expired or used. */
  openSession(
    purpose: SessionPurpose,
    linkHash: string,
    session: Pick<SessionKey, "tokenHash" | "expiresAt">,
    now: number,
  ): Promise<boolean>;
  /** Mailbox of a session of this purpose; null if it has ended. */
  sessionMailbox(purpose: SessionPurpose, tokenHash: string, now: number): Promise<string | null>;
  /** Moves the end of a session that has not ended. */
  renewSession(tokenHash: string, expiresAt: number, now: number): Promise<void>;
  endSession(tokenHash: string): Promise<void>;
}

/** Purpose of a sign-in. */
export type SessionPurpose = "moderation" | "inbox";

/** Sign-in link or session of a moderator or member, identified by the hash of its token. */
type SessionKey = {
  readonly purpose: SessionPurpose;
  readonly tokenHash: string;
  readonly email: string;
  readonly expiresAt: number;
};
