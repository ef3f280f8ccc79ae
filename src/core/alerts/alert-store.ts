import type { Alert, AlertChange, AlertDraft } from "./alert.ts";
import type { AlertRef } from "./alert-ref.ts";

/** Alerts: reading, changes by owners, export. */
export interface AlertStore {
  /** Alert of any status, including removed ones. */
  alert(ref: AlertRef): Promise<Alert | null>;
  /** Alerts with these keys (`publishedAt`), in the order of the keys. Unknown keys are skipped. */
  alertsByKeys(keys: readonly number[]): Promise<Alert[]>;
  /** True if a short code was ever issued, including to a pending publication. */
  isShortCodeTaken(shortCode: string): Promise<boolean>;

  /**
   * Changes the status if status and end are still as in `seen`. Returns false otherwise. Withdraws a reminder of the end
   * that waits, and emails about the plan unless the alert is active.
   */
  changeStatus(seen: Alert, change: AlertChange, now: number): Promise<boolean>;
  /**
   * Replaces description, position and photos if the alert is still as `seen`. Returns false otherwise.
   * `waitsMs` is set for an edit that changes fields read by matching: the alert is matched again after the first wait,
   * after the second wait for the second such edit within a day, and so on; the last wait repeats.
   */
  editAlert(
    seen: Alert,
    draft: AlertDraft,
    now: number,
    waitsMs?: readonly number[],
  ): Promise<boolean>;
  /** Deletes description, owner, conversations, sightings, pairs, links and emails; keeps names and position. */
  removeAlert(id: string, now: number): Promise<void>;
  /** Unremoved alerts of this owner, newest first. */
  alertsOwnedBy(email: string, limit: number): Promise<Alert[]>;
  muteReminders(alertId: string): Promise<void>;
  /** Alerts that their owners ended as home again after this time, the last one first. */
  resolvedAlerts(endedAfter: number, limit: number): Promise<Alert[]>;
  /** Number of alerts that ended as home again, ever, except removed ones. */
  resolvedCount(): Promise<number>;

  /** Alerts of any status in the order of publication, after this key; null: from the first. */
  alertsAfter(publishedAt: number | null, limit: number): Promise<Alert[]>;
  /** Alerts of any status, newest first, before this key; null: from the newest. */
  alertsBefore(publishedAt: number | null, limit: number): Promise<Alert[]>;
}

/** Alerts by name, and requests for them. */
export type NamedAlertStore = Pick<AlertStore, "alert"> & {
  /** Request for the publication whose alert has, or would have, this id or short code. */
  publicationNamed(name: { readonly id: string } | { readonly shortCode: string }): Promise<{
    readonly state: string;
    readonly payload: object | null;
    readonly expiresAt: number;
  } | null>;
};
