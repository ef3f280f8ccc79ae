import { LRUCache } from "lru-cache";
import type { Point } from "../../values/point.ts";
import type { Ports } from "./ports.ts";
import { requirePublicAlert, type PublicAlert } from "./alert.ts";
import { type AlertRef, alertRef } from "./alert-ref.ts";
import { requireAlertNamed } from "./alert-by-name.ts";

/** Live alert in the form in which it is shown. */
export type CachedAlert<Form> = {
  readonly publishedAt: number;
  readonly updatedAt: number;
  readonly point: Point;
  readonly form: Form;
};

/** Cache of live alerts in one form. */
export type AlertCache<Form> = ForgetfulCache & {
  /** Live alerts with these keys, in the order of the keys. */
  byKeys(keys: readonly number[]): Promise<CachedAlert<Form>[]>;
  /** Alert of any status by UUID, slug, short code or page address. Throws `not_found` and `gone`. */
  byName(name: string): Promise<Form>;
};

export type ForgetfulCache = {
  /** Drops an alert that has changed. */
  forget(publishedAt: number): void;
  forgetAll(): void;
};

/** Names remembered: alerts are found by searches far more often than by name. */
const NAMES_MAX = 4_096;

/**
 * Caches live alerts only, in the form that `toForm` makes. Any change visible in an alert bumps the store's revision,
 * which triggers `forget`. An alert keeps the same form until then.
 */
export function createAlertCache<Form>(
  ports: Pick<Ports, "store" | "links" | "clock">,
  toForm: (alert: PublicAlert) => Form,
  entriesMax: number,
): AlertCache<Form> {
  const { store, links } = ports;
  const cache = new LRUCache<number, CachedAlert<Form>>({ max: entriesMax });
  /** Keys of live alerts by the names used so far. A name never passes to another alert. */
  const keysByName = new LRUCache<string, number>({ max: Math.min(entriesMax, NAMES_MAX) });
  let changes = 0;

  /** Alerts that `read` returns; they are cached if live, unless any alert changed while they were being read. */
  async function readThrough(read: () => Promise<readonly PublicAlert[]>) {
    const before = changes;
    const alerts = await read();
    return alerts.map((alert) => {
      const { publishedAt, updatedAt, lat, lng } = alert;
      const known = cache.get(publishedAt);
      if (known?.updatedAt === updatedAt) return known;
      const fresh = { publishedAt, updatedAt, point: { lat, lng }, form: toForm(alert) };
      if (changes === before && alert.status === "active") cache.set(publishedAt, fresh);
      return fresh;
    });
  }

  return {
    async byKeys(keys) {
      const known = keys.map((key) => cache.get(key));
      const missing = keys.filter((_, nth) => known[nth] === undefined);
      if (missing.length === 0) return known.filter((cached) => cached !== undefined);
      const read = await readThrough(async () => {
        const alerts = await store.alertsByKeys(missing);
        const live = alerts.filter(({ status }) => status === "active");
        return live.map((alert) => requirePublicAlert(alert, links));
      });
      const fresh = new Map(read.map((cached) => [cached.publishedAt, cached]));
      return keys.flatMap((key, nth) => known[nth] ?? fresh.get(key) ?? []);
    },

    async byName(text) {
      const ref = alertRef(text);
      const name = ref === null ? text : nameIn(ref);
      const key = keysByName.get(name);
      const known = key === undefined ? undefined : cache.get(key);
      if (known !== undefined) return known.form;
      const [read] = await readThrough(async () => [
        requirePublicAlert(await requireAlertNamed(ports, text), links),
      ]);
      if (cache.has(read!.publishedAt)) keysByName.set(name, read!.publishedAt);
      return read!.form;
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

/** UUIDs, slugs and short codes differ in their syntax (see `alertRef`), so one map holds all three. */
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
