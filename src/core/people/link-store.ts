import type { Alert } from "../alerts/alert.ts";
import type { Hit } from "../limits.ts";
import type { LinkAnswer, LinkRequest } from "./magic-link.ts";

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
export type ManageableAlerts = {
  readonly alerts: readonly { readonly alert: Alert; readonly link: PrivateLink }[];
  /** Count of alerts in all parts. */
  readonly total: number;
};

/** Private links, and requests for links by email. */
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
  /** Alerts of this owner that have a manage link, newest first: `limit` of them after the first `offset`. */
  manageableAlerts(email: string, limit: number, offset: number): Promise<ManageableAlerts>;
  /**
   * Answers a request with the manage links of these alerts if its limits have room. The request stays if one of the
   * alerts has another owner by now. The email is withdrawn if one of them is erased before it is sent.
   */
  sendManageLinks(alertIds: readonly string[], answer: LinkAnswer, now: number): Promise<void>;
}
