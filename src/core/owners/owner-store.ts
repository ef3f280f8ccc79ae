import type { Alert } from "../alerts/alert.ts";
import type { Email } from "../email.ts";
import type { LinkAnswer, PrivateLink } from "../people/link-store.ts";

type ManageableAlerts = {
  readonly alerts: readonly { readonly alert: Alert; readonly link: PrivateLink }[];
  /** Count of alerts in all parts. */
  readonly total: number;
};

/** Private links, and requests for links by email. */

/** Links and reminders of owners. */
export interface OwnerStore {
  /** Alerts of this owner that have a manage link, newest first: `limit` of them after the first `offset`. */
  manageableAlerts(email: string, limit: number, offset: number): Promise<ManageableAlerts>;
  /**
   * Answers a request with the manage links of these alerts if its limits have room. The request stays if one of the
   * alerts has another owner by now. The email is withdrawn if one of them is erased before it is sent.
   */
  sendManageLinks(alertIds: readonly string[], answer: LinkAnswer, now: number): Promise<void>;
  /** Active, unmuted alerts of owners (not imported ones) that end within `withinMs` and got no reminder at that distance. */
  dueReminders(now: number, withinMs: number, limit: number): Promise<Alert[]>;
  /** Queues a reminder, once per alert, expiry and distance, if the alert has not changed. */
  addReminder(
    alert: Alert,
    withinMs: number,
    email: Email,
    links: readonly PrivateLink[],
  ): Promise<void>;
}
