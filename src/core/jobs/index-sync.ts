import type { ForgetfulCache } from "../alerts/alert-cache.ts";
import type { createMatching } from "../matching/find-matches.ts";
import type { Statistics } from "../matching/statistics.ts";
import { createMutex } from "../mutex.ts";
import type { IndexedZone, Ports, ZoneChange } from "../ports.ts";
import type { ActiveAlert, ActiveAlertChange } from "../store/alerts.ts";

/**
 * Brings the in-memory indexes up to date with the store as of the call, or later. Returns the revision up to which they
 * have every change.
 */
export type SyncIndexes = () => Promise<number>;

/** Receiver of alerts and zones read from the store, page by page. */
export type IndexWriter = {
  /** Alerts of the first full read. A retried read may repeat some that have changed since. */
  active(alerts: readonly ActiveAlert[]): void;
  zones(zones: readonly IndexedZone[]): void;
  /** Changes since the last call. `more`: the next page follows at once. */
  changes(changes: {
    readonly alerts: readonly ActiveAlertChange[];
    readonly zones: readonly ZoneChange[];
    readonly more: boolean;
  }): void;
  /** Reading failed: any alert may have changed unnoticed. */
  failed?(): void;
};

const CHANGES_PER_PAGE = 1_000;
/** Small pages keep memory low while a million alerts are read; larger ones are no faster. */
const ALERTS_PER_PAGE = 1_000;

/**
 * The only way into the indexes: a full read of active alerts and zones in key order, then the changes since the last
 * revision seen. Calls run one after another; if two overlapped, older changes could be applied last.
 */
export function createIndexSync(ports: Pick<Ports, "store">, writer: IndexWriter): SyncIndexes {
  let revision: number | null = null;
  /**
   * Revision when the first full read started. A retry must resume from it: alerts indexed by a failed attempt may have
   * ended since.
   */
  let firstRevision: number | null = null;
  const serially = createMutex();

  /** Returns the revision from which changes made during the read are to be fetched. */
  async function readAll(): Promise<number> {
    firstRevision ??= await ports.store.revision();
    for (let after: number | null = null; ;) {
      const alerts = await ports.store.activeAlerts(after, ALERTS_PER_PAGE);
      writer.active(alerts);
      after = alerts.at(-1)?.publishedAt ?? null;
      if (alerts.length < ALERTS_PER_PAGE) break;
    }
    for (let after: string | null = null; ;) {
      const zones = await ports.store.activeZones(after, ALERTS_PER_PAGE);
      writer.zones(zones);
      after = zones.at(-1)?.id ?? null;
      if (zones.length < ALERTS_PER_PAGE) break;
    }
    return firstRevision;
  }

  async function sync(): Promise<number> {
    revision ??= await readAll();
    for (let more = true; more;) {
      const changes = await ports.store.changesSince(revision, CHANGES_PER_PAGE);
      writer.changes(changes);
      ({ revision, more } = changes);
    }
    return revision;
  }

  return () =>
    serially(sync).catch((error: unknown) => {
      writer.failed?.();
      throw error;
    });
}

/** Writer to the search and zone indexes, the matching statistics and the caches. */
export function createIndexWriter(
  { alertIndex, zoneIndex }: Pick<Ports, "alertIndex" | "zoneIndex">,
  statistics: Statistics,
  matching: Pick<ReturnType<typeof createMatching>, "forget">,
  cache: ForgetfulCache,
): IndexWriter {
  function update(change: ActiveAlertChange): void {
    const key = change.kind === "put" ? change.alert.publishedAt : change.publishedAt;
    matching.forget(key);
    cache.forget(key);
    if (change.kind === "put") statistics.put(key, change.alert);
    else statistics.drop(key);
  }

  return {
    active(alerts) {
      cache.forgetAll();
      for (const alert of alerts) statistics.put(alert.publishedAt, alert);
      alertIndex.apply(
        alerts.map((alert) => ({ kind: "put", alert })),
        { more: true },
      );
    },
    zones: (zones) => zoneIndex.apply(zones.map((zone) => ({ kind: "put", zone }))),
    changes({ alerts, zones, more }) {
      for (const change of alerts) update(change);
      alertIndex.apply(alerts, { more });
      zoneIndex.apply(zones);
    },
    failed: cache.forgetAll,
  };
}
