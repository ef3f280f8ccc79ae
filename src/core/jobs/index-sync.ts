import type { Density } from "../../matching/matching.ts";
import type {
  AlertIndex,
  IndexedAlert,
  IndexedZone,
  ZoneChange,
  ZoneIndex,
} from "../../search/search.ts";
import type { ForgetfulCache } from "../alerts/alert-cache.ts";
import type { SyncIndexes } from "../instance.ts";
import type { createMatching } from "../matches/find-matches.ts";
import type { MatchSubject } from "../matches/pair-store.ts";
import { createMutex } from "../mutex.ts";

/** Receiver of alerts and zones read from the store, page by page. */
export type IndexWriter = {
  /** Alerts of a full read. A retried read may repeat some that have changed since. */
  active(alerts: readonly ActiveAlert[]): void;
  zones(zones: readonly IndexedZone[]): void;
  /** Keys of all alerts and ids of all zones that a full read found, when there were others before. */
  retain(alerts: ReadonlySet<number>, zones: ReadonlySet<string>): void;
  /** Changes since the last call. `more`: the next page follows at once. */
  changes(changes: {
    readonly alerts: readonly ActiveAlertChange[];
    readonly zones: readonly ZoneChange[];
    readonly more: boolean;
  }): void;
  /** Reading failed: any alert may have changed unnoticed. */
  failed(): void;
};

const CHANGES_PER_PAGE = 1_000;
/** Small pages keep memory low while a million alerts are read; larger ones are no faster. */
const ALERTS_PER_PAGE = 1_000;

/**
 * The only way into the indexes: a full read of active alerts and zones in key order, then the changes since the last
 * revision seen. When the history of the database is another one, everything is read again. Calls run one after another;
 * if two overlapped, older changes could be applied last.
 */
export function createIndexSync(
  ports: { readonly store: IndexFeedStore; readonly onChangesLost: (count: number) => void },
  writer: IndexWriter,
): SyncIndexes {
  let position: FeedPosition | null = null;
  /**
   * Position when the full read started. A retry must resume from it: alerts indexed by a failed attempt may have ended
   * since.
   */
  let readFrom: FeedPosition | null = null;
  const serially = createMutex();

  /** Returns the position from which changes made during the read are to be fetched. */
  async function readAll(): Promise<FeedPosition> {
    const from = (readFrom ??= await ports.store.position());
    // At the first read there is nothing to compare with, and a million keys take memory.
    const found =
      position === null ? null : { alerts: new Set<number>(), zones: new Set<string>() };
    for (let after: number | null = null; ;) {
      const alerts = await ports.store.activeAlerts(after, ALERTS_PER_PAGE);
      writer.active(alerts);
      for (const { publishedAt } of alerts) found?.alerts.add(publishedAt);
      after = alerts.at(-1)?.publishedAt ?? null;
      if (alerts.length < ALERTS_PER_PAGE) break;
    }
    for (let after: string | null = null; ;) {
      const zones = await ports.store.activeZones(after, ALERTS_PER_PAGE);
      writer.zones(zones);
      for (const { id } of zones) found?.zones.add(id);
      after = zones.at(-1)?.id ?? null;
      if (zones.length < ALERTS_PER_PAGE) break;
    }
    if (found !== null) writer.retain(found.alerts, found.zones);
    readFrom = null;
    return from;
  }

  async function sync(): Promise<number> {
    position ??= await readAll();
    for (let more = true; more;) {
      const changes: Awaited<ReturnType<IndexFeedStore["changesSince"]>> =
        await ports.store.changesSince(position.revision, CHANGES_PER_PAGE);
      const lost = position.revision - changes.revision;
      if (lost > 0) ports.onChangesLost(lost);
      if (lost > 0 || changes.history !== position.history) {
        position = await readAll();
        continue;
      }
      writer.changes(changes);
      position = { history: changes.history, revision: changes.revision };
      ({ more } = changes);
    }
    return position.revision;
  }

  return () =>
    serially(sync).catch((error: unknown) => {
      writer.failed();
      throw error;
    });
}

/** Writer to the search and zone indexes, the density of finds and the caches. */
export function createIndexWriter(
  { alertIndex, zoneIndex }: { readonly alertIndex: AlertIndex; readonly zoneIndex: ZoneIndex },
  density: Pick<Density, "add" | "remove">,
  matching: Pick<ReturnType<typeof createMatching>, "forget">,
  cache: ForgetfulCache,
): IndexWriter {
  function apply(changes: readonly ActiveAlertChange[], more: boolean): void {
    for (const change of changes) {
      const key = change.kind === "put" ? change.alert.publishedAt : change.publishedAt;
      matching.forget(key);
      cache.forget(key);
      const before = alertIndex.mark(key);
      if (before?.type === "found") density.remove(before);
      if (change.kind === "put" && change.alert.type === "found") density.add(change.alert);
    }
    alertIndex.apply(changes, { more });
  }

  return {
    active(alerts) {
      cache.forgetAll();
      const puts = alerts.map((alert) => ({ kind: "put", alert }) as const);
      apply(puts, true);
    },
    zones: (zones) => zoneIndex.apply(zones.map((zone) => ({ kind: "put", zone }))),
    retain(alerts, zones) {
      const gone = alertIndex
        .search({ limit: alertIndex.size })
        .filter((publishedAt) => !alerts.has(publishedAt))
        .map((publishedAt) => ({ kind: "drop", publishedAt }) as const);
      apply(gone, false);
      const goneZones = zoneIndex.ids().filter((id) => !zones.has(id));
      zoneIndex.apply(goneZones.map((id) => ({ kind: "drop", id }) as const).toArray());
    },
    changes({ alerts, zones, more }) {
      apply(alerts, more);
      zoneIndex.apply(zones);
    },
    failed: cache.forgetAll,
  };
}

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
