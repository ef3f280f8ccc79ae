import type { IndexedZone, Ports, ZoneChange } from "./ports.ts";
import type { ActiveAlert, LearnedChange } from "./store.ts";

/** Brings the indexes up to what the store held when it was called, or later. */
export type CatchUp = () => Promise<void>;

/** What gets into the indexes, in parts. */
export type Learning = {
  /** Alerts that nobody knew yet, or that may have changed since they were seen. */
  active(alerts: readonly ActiveAlert[]): void;
  zones(zones: readonly IndexedZone[]): void;
  /** `more` follow at once. */
  changes(changes: {
    readonly alerts: readonly LearnedChange[];
    readonly zones: readonly ZoneChange[];
    readonly more: boolean;
  }): void;
};

const CHANGES_AT_ONCE = 1_000;
/** Few, so that a million alerts are never in memory as objects; some hundred do as well as thousands. */
const READ_AT_ONCE = 1_000;

/**
 * The one way anything gets into the indexes. At first all that is active is read in the order of its keys, which is
 * how the store keeps it; from then on, whatever changed since the revision last seen. One call at a time: of two that
 * ran together, the one that read first could apply what it read last.
 */
export function createCatchingUp(ports: Pick<Ports, "store">, learn: Learning): CatchUp {
  let revision: number | null = null;
  /** When reading first began: what an attempt that failed half way has learned may end before the next one. */
  let before: number | null = null;
  let last: Promise<void> = Promise.resolve();

  /** What changes meanwhile has a greater revision than the one given, and is learned after. */
  async function readAll(): Promise<number> {
    before ??= await ports.store.revision();
    for (let after: number | null = null; ;) {
      const alerts = await ports.store.activeAlerts(after, READ_AT_ONCE);
      learn.active(alerts);
      after = alerts.at(-1)?.publishedAt ?? null;
      if (alerts.length < READ_AT_ONCE) break;
    }
    for (let after: string | null = null; ;) {
      const zones = await ports.store.activeZones(after, READ_AT_ONCE);
      learn.zones(zones);
      after = zones.at(-1)?.id ?? null;
      if (zones.length < READ_AT_ONCE) break;
    }
    return before;
  }

  async function drain(): Promise<void> {
    revision ??= await readAll();
    for (let more = true; more;) {
      const changes = await ports.store.changesSince(revision, CHANGES_AT_ONCE);
      learn.changes(changes);
      ({ revision, more } = changes);
    }
  }

  return () => {
    // What went wrong before was told to who called then.
    last = last.catch(() => {}).then(drain);
    return last;
  };
}
