import { HOUR_MS } from "./duration.ts";
import type { Clock } from "./instance.ts";

/** Caches a value for an hour; reads it again if the clock was set back, and after a failure. */
export function hourly<Value>(
  clock: Clock,
  read: (now: number) => Promise<Value>,
): () => Promise<Value> {
  let last: { readonly value: Value; readonly at: number } | null = null;
  return async () => {
    const now = clock();
    if (last === null || now < last.at || now >= last.at + HOUR_MS)
      last = { value: await read(now), at: now };
    return last.value;
  };
}
