import type { Alert, AlertChange, AlertDraft } from "./alert.ts";
import type { AlertRef } from "./alert-ref.ts";
import type { MatchSubject } from "../matches/subject.ts";
import type { IndexedAlert, IndexedZone, ZoneChange } from "../ports.ts";
import type { Sighting } from "../sightings/sighting.ts";
import type { PrivateLink } from "../people/link-store.ts";

/** Alert added without a confirmation email: imported by the operator, or generated for a demo. */
export type BulkAlert = Pick<Alert, "ownerEmail" | "language" | "expiresAt"> & {
  readonly draft: AlertDraft;
  /** Origin and id there. Unique: an alert with a known source is not added again. */
  readonly source: string;
  readonly link: PrivateLink | null;
  /** Keyed hash of its row in the table it is imported from; absent if it has none. */
  readonly rowHash?: string;
  /** URL of the animal at its organisation's site, from that table. */
  readonly animalPage?: string;
  /** True if zones are notified of it. */
  readonly announce: boolean;
  /** Time of publication, if it is later than that of all others; absent: now. */
  readonly publishedAt?: number;
  /** Time at which it ended as home again; absent while active. */
  readonly resolvedAt?: number;
  readonly sightings?: readonly Sighting[];
};

/** Fields of an active alert that the in-memory indexes read. */
export type ActiveAlert = IndexedAlert & MatchSubject;
/** Latest state of an alert for the indexes: its fields while active, otherwise a deletion. */
export type ActiveAlertChange =
  | { readonly kind: "put"; readonly alert: ActiveAlert }
  | { readonly kind: "drop"; readonly publishedAt: number };

/** Alerts: reading, changes by owners, export. */
export interface AlertStore {
  /** Alert of any status, including removed ones. */
  alert(ref: AlertRef): Promise<Alert | null>;
  /** Alerts with these keys (`publishedAt`), in the order of the keys. Unknown keys are skipped. */
  alertsByKeys(keys: readonly number[]): Promise<Alert[]>;
  /** True if a short code was ever issued, including to a pending publication. */
  isShortCodeTaken(shortCode: string): Promise<boolean>;
  /** Adds alerts in order, each source once. Returns the sources that were new. Rejects if a short code is taken. */
  addAlerts(alerts: readonly BulkAlert[], now: number): Promise<string[]>;

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

/** Point in the sequence of changes. */
export type FeedPosition = {
  /**
   * Differs when changes may have been lost, so that revisions mean others than before: the database server was started
   * again, or another one took over.
   */
  readonly history: string;
  readonly revision: number;
};

/** Feed of active alerts and zones for the in-memory indexes. */
export interface IndexFeedStore {
  /** Current position. Every later change has a greater revision. */
  position(): Promise<FeedPosition>;
  /** Active alerts by ascending key after this one; null: from the first. */
  activeAlerts(after: number | null, limit: number): Promise<ActiveAlert[]>;
  /** Active zones by ascending id after this one; null: from the first. */
  activeZones(after: string | null, limit: number): Promise<IndexedZone[]>;
  /**
   * Changes after a revision, oldest first. Continue from the returned `revision`; `more`: the next page is ready. A lower
   * revision than that asked for means that the database has lost changes.
   */
  changesSince(
    revision: number,
    limit: number,
  ): Promise<
    FeedPosition & {
      readonly alerts: readonly ActiveAlertChange[];
      readonly zones: readonly ZoneChange[];
      readonly more: boolean;
    }
  >;
}
