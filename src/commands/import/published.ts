import type { Store } from "../../core/store.ts";
import { many, type Progress } from "../progress.ts";

const CHANGES_AT_ONCE = 1_000;
const CHANGES_PER_PROGRESS = 50_000;

/** The sources that begin so of all alerts that were ever published, removed ones too. */
export async function publishedSources(
  store: Pick<Store, "changesSince" | "alertsByKeys">,
  beginning: string,
  progress: Progress,
): Promise<Set<string>> {
  const sources = new Set<string>();
  let looked = 0;
  for (let revision = 0, more = true; more;) {
    const changes = await store.changesSince(revision, CHANGES_AT_ONCE);
    const keys = changes.alerts.map((change) =>
      change.kind === "put" ? change.alert.publishedAt : change.publishedAt,
    );
    for (const { source } of await store.alertsByKeys(keys))
      if (source?.startsWith(beginning)) sources.add(source);
    looked += keys.length;
    if (looked % CHANGES_PER_PROGRESS < keys.length) {
      progress.show(`Looked through ${many(looked, "alert", "alerts")}`);
      // Lets a Ctrl-C be heard.
      await Bun.sleep(0);
    }
    ({ revision, more } = changes);
  }
  progress.clear();
  return sources;
}
