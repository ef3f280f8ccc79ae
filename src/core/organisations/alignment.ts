import { HOUR_MS } from "../duration.ts";
import type { Ports } from "./ports.ts";
import type { SyncIndexes } from "../instance.ts";

/** Time between the beginnings of two rounds over all organisations. */
const ROUND_MS = HOUR_MS;
/** Organisations looked at in one run, and alerts changed in one transaction. */
const ORGANISATIONS_PER_RUN = 10;
const ALERTS_PER_RUN = 200;

/**
 * Job that names organisations on alerts that lack them: while nodes of two releases run, the older may have added them,
 * and a command that names an organisation may have been interrupted. Each run does a part of a round.
 */
export function createAlignment(
  { store, yieldToEventLoop }: Pick<Ports, "store" | "yieldToEventLoop">,
  syncIndexes: SyncIndexes,
): (now: number) => Promise<void> {
  let startedAt: number | null = null;
  /** Slug of the last organisation of this round that is aligned; undefined between two rounds. */
  let after: string | null | undefined;

  return async (now) => {
    if (after === undefined) {
      if (startedAt !== null && Math.abs(now - startedAt) < ROUND_MS) return;
      startedAt = now;
      after = null;
    }
    for (const { slug } of await store.organisations(after, ORGANISATIONS_PER_RUN)) {
      const changed = await store.alignAlerts(slug, ALERTS_PER_RUN, now);
      if (changed > 0) await syncIndexes();
      // The next run goes on with the same organisation.
      if (changed === ALERTS_PER_RUN) return;
      after = slug;
      await yieldToEventLoop();
    }
    const [next] = await store.organisations(after, 1);
    if (next === undefined) after = undefined;
  };
}
