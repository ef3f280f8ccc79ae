import type { Alert } from "../alerts/alert.ts";
import type { Ports } from "./ports.ts";

/** Alerts per batch. Each blocks the event loop for about 10 ms. */
const BATCH = 250;

/**
 * Alerts of any status, newest first, before a key (`publishedAt`) or from the newest, at most `max` of them. For what the
 * indexes cannot answer: they hold active alerts only.
 */
export async function* newestAlerts(
  { store, yieldToEventLoop }: Pick<Ports, "store" | "yieldToEventLoop">,
  before: number | null,
  max: number,
): AsyncGenerator<Alert> {
  let last = before;
  for (let left = max; left > 0;) {
    const limit = Math.min(BATCH, left);
    const batch = await store.alertsBefore(last, limit);
    yield* batch;
    last = batch.at(-1)?.publishedAt ?? null;
    if (batch.length < limit) return;
    left -= limit;
    await yieldToEventLoop();
  }
}
