import type { IndexedAlert, IndexedZone, ZoneChange } from "../../search/search.ts";
import type { MatchSubject } from "../matches/subject.ts";

/** Fields of an active alert that the in-memory indexes read. */
export type ActiveAlert = IndexedAlert & MatchSubject;
/** Latest state of an alert for the indexes: its fields while active, otherwise a deletion. */
export type ActiveAlertChange =
  | { readonly kind: "put"; readonly alert: ActiveAlert }
  | { readonly kind: "drop"; readonly publishedAt: number };

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
