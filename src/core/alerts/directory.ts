import type { SyncIndexes } from "../jobs/index-sync.ts";
import { distanceKm } from "../place.ts";
import type { Ports } from "../ports.ts";
import type { Store } from "../store.ts";
import type { AlertCache } from "./alert-cache.ts";
import { type Alert, alertRef } from "./alert.ts";
import { indexQuery, type SearchInput, type SearchPage } from "./search.ts";
import { NOTHING_TO_EXPLAIN, readAgain } from "./query-words.ts";
import type { BulkAlert } from "../store/alerts.ts";

/** The public directory: search and short codes, and bulk additions by the operator. */
export function createDirectory(ports: Ports, cache: AlertCache, syncIndexes: SyncIndexes) {
  return {
    /** Live alerts, newest first. Throws `bad_input` for fields that contradict each other. */
    async search(input: SearchInput): Promise<SearchPage> {
      const query = indexQuery(input);
      const first = ports.alertIndex.search(query);
      const again =
        first.length > 0
          ? null
          : readAgain(ports.alertIndex, query, {
              text: input.query ?? null,
              isFirstPage: query.before === null,
            });
      const keys = again === null ? first : ports.alertIndex.search({ ...query, ...again.words });
      const explanation = again?.explanation ?? NOTHING_TO_EXPLAIN;
      const shown = keys.slice(0, query.limit - 1);
      const live = await cache.byKeys(shown);
      const centre = query.near?.point;
      const alerts = live.map((alert) => ({
        alert,
        distanceKm: centre ? Math.round(distanceKm(centre, alert) * 10) / 10 : null,
      }));
      return {
        alerts,
        nextCursor: keys.length > shown.length ? (shown.at(-1) ?? null) : null,
        explanation,
      };
    },

    /** True if a short code was ever issued; its QR image exists from then on. */
    async isShortCodeTaken(code: string): Promise<boolean> {
      const ref = alertRef(code);
      return ref?.by === "code" && (await ports.store.isShortCodeTaken(ref.code));
    },

    /** Adds alerts without a confirmation email, each source once. Returns the sources that were new. */
    async addAlerts(alerts: readonly BulkAlert[]): Promise<string[]> {
      const added = await ports.store.addAlerts(alerts, ports.clock());
      await syncIndexes();
      return added;
    },
  };
}

/** Alert of any status by UUID, slug, short code or page address. */
export async function findAlert(store: Pick<Store, "alert">, name: string): Promise<Alert | null> {
  const ref = alertRef(name);
  if (ref === null) return null;
  const alert = await store.alert(ref);
  if (alert !== null || ref.by !== "slug") return alert;
  // A slug changes when its owner corrects the name; the short code at its end does not.
  const code = alertRef(name.slice(name.lastIndexOf("-") + 1));
  return code?.by === "code" ? store.alert(code) : null;
}
