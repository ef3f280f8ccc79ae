import type { Links } from "../urls.ts";
import type { AlertStore } from "./alert-store.ts";
import { type Alert, type PublicAlert, toPublicAlert } from "./alert.ts";

const ALERTS_PER_PAGE = 500;

/** Public views of active, resolved and expired alerts in the order of publication, in pages. */
export async function* exportedAlerts({
  store,
  links,
}: {
  readonly store: Pick<AlertStore, "alertsAfter">;
  readonly links: Links;
}): AsyncGenerator<readonly PublicAlert[]> {
  for await (const page of alertPages(store))
    yield page.flatMap((alert) => toPublicAlert(alert, links) ?? []);
}

/** Alerts of any status in the order of publication, in pages. */
export async function* alertPages(
  store: Pick<AlertStore, "alertsAfter">,
): AsyncGenerator<readonly Alert[]> {
  for (let after: number | null = null; ;) {
    const page = await store.alertsAfter(after, ALERTS_PER_PAGE);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.publishedAt;
  }
}
