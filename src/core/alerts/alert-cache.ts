import { LRUCache } from "lru-cache";
import type { Ports } from "../ports.ts";
import { type AlertRef, alertRef, requirePublicAlert, type PublicAlert } from "./alert.ts";
import { requireAlertNamed } from "./directory.ts";

/** With the serialised forms attached to it, an entry takes about 3 KB. */
const ENTRIES_MAX = 4_096;

/** Cache of public views of live alerts. */
export type AlertCache = {
  /** Live alerts with these keys, in the order of the keys. */
  byKeys(keys: readonly number[]): Promise<PublicAlert[]>;
  /** Alert of any status by UUID, slug, short code or page address. Throws `not_found` and `gone`. */
  byName(name: string): Promise<PublicAlert>;
  /** Drops an alert that has changed. */
  forget(publishedAt: number): void;
  forgetAll(): void;
};

/**
 * Caches live alerts only. Any change visible in a cached alert bumps the store's revision, which triggers `forget`.
 * Views are frozen, and an alert keeps the same object until it changes: adapters attach serialised forms to the object.
 */
export function createAlertCache(ports: Pick<Ports, "store" | "links" | "clock">): AlertCache {
  const { store, links } = ports;
  /** Keys of cached alerts by the names used so far. A name never passes to another alert. */
  const keysByName = new Map<string, number>();
  const cache = new LRUCache<number, PublicAlert>({
    max: ENTRIES_MAX,
    dispose(alert) {
      for (const name of namesOf(alert)) keysByName.delete(name);
    },
  });
  let changes = 0;

  /** Result of `read`, cached unless any alert changed while it was being read. */
  async function readThrough<Read extends readonly PublicAlert[]>(
    read: () => Promise<Read>,
  ): Promise<Read> {
    const before = changes;
    const alerts = await read();
    if (changes === before)
      for (const alert of alerts)
        if (alert.status === "active") cache.set(alert.publishedAt, alert);
    return alerts;
  }

  /** Returns the cached object if the alert is cached under its key but not yet under this name. */
  async function readByName(name: string): Promise<PublicAlert> {
    const [alert] = await readThrough(async () => {
      const read = requirePublicAlert(await requireAlertNamed(ports, name), links);
      const known = cache.get(read.publishedAt);
      return [known?.updatedAt === read.updatedAt ? known : frozen(read)] as const;
    });
    return alert;
  }

  return {
    async byKeys(keys) {
      const known = keys.map((key) => cache.get(key));
      const missing = keys.filter((_, nth) => known[nth] === undefined);
      if (missing.length === 0) return known.filter((alert) => alert !== undefined);
      const read = await readThrough(async () => {
        const alerts = await store.alertsByKeys(missing);
        const live = alerts.filter(({ status }) => status === "active");
        return live.map((alert) => frozen(requirePublicAlert(alert, links)));
      });
      const fresh = new Map(read.map((alert) => [alert.publishedAt, alert]));
      return keys.flatMap((key, nth) => known[nth] ?? fresh.get(key) ?? []);
    },

    async byName(text) {
      const ref = alertRef(text);
      const name = ref === null ? text : nameIn(ref);
      const key = keysByName.get(name);
      const alert = (key === undefined ? undefined : cache.get(key)) ?? (await readByName(text));
      if (cache.has(alert.publishedAt) && namesOf(alert).includes(name))
        keysByName.set(name, alert.publishedAt);
      return alert;
    },

    forget(publishedAt) {
      changes += 1;
      cache.delete(publishedAt);
    },

    forgetAll() {
      changes += 1;
      cache.clear();
    },
  };
}

/** UUIDs, slugs and short codes have different forms (see `alertRef`), so one map holds all three. */
function namesOf({ id, slug, shortCode }: PublicAlert): readonly string[] {
  return [id, slug, shortCode];
}

function nameIn(ref: AlertRef): string {
  switch (ref.by) {
    case "id":
      return ref.id;
    case "slug":
      return ref.slug;
    case "code":
      return ref.code;
  }
}

function frozen(alert: PublicAlert): PublicAlert {
  Object.freeze(alert.photos);
  Object.freeze(alert.thumbnails);
  return Object.freeze(alert);
}
