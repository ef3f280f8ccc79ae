import type { Alert, AlertChange, AlertDraft } from "../alerts/alert.ts";
import type { PrivateLink } from "../people/link-store.ts";
import type { Sighting } from "../sightings/sighting.ts";

/** Alert that was imported from a table, and the state of its row there. */
export type ImportedAlert = {
  readonly alert: Alert & { readonly source: string };
  /** Keyed hash of the row as it was read last; null if it was imported before these were kept, or erased. */
  readonly rowHash: string | null;
  /** Number of good reads in a row in which the table lacked its row, at most `MISSED_READS_MAX`. */
  readonly missedReads: number;
  /** URL of the animal at its organisation's site, from the table. */
  readonly animalPage: string | null;
  /** True once personal data was erased: it cannot become active again. */
  readonly isErased: boolean;
};

/** Reads without its row after which an alert ends. */
export const MISSED_READS_MAX = 2;

/** Change of an imported alert, made only if the alert is still as seen. */
export type ImportUpdate = {
  readonly seen: ImportedAlert;
  readonly rowHash: string | null;
  readonly missedReads: number;
  /** New page of the animal; absent if it stays as it is. */
  readonly animalPage?: string | null;
  /** New description and position, if the row has changed. */
  readonly draft?: AlertDraft;
  /** New photos, where the description stays as it is. */
  readonly photos?: readonly string[];
  /** New status, or a later end. */
  readonly change?: AlertChange;
  /** As in `AlertStore.editAlert`. */
  readonly waitsMs?: readonly number[];
  /** Gives up the source, so that its row can be published again as a new alert. */
  readonly releasesSource?: true;
};

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

/** Imported alerts and what is known of their rows. */
export interface ImportStore {
  /** Adds alerts in order, each source once. Returns the sources that were new. Rejects if a short code is taken. */
  addAlerts(alerts: readonly BulkAlert[], now: number): Promise<string[]>;
  /** Alerts of any status whose source begins with this prefix, by source, after this one; null: from the first. */
  importedAlerts(prefix: string, after: string | null, limit: number): Promise<ImportedAlert[]>;
  /** Changes imported alerts, all in one transaction. Returns the ids of those that were as seen. */
  updateImported(updates: readonly ImportUpdate[], now: number): Promise<string[]>;
}
