/** Longest work without a turn for others, in milliseconds. To look for towns like an unknown one can take 50 more. */
const TURN_MS = 10;

/** Gives others a turn on the event loop if this had one for long enough; to be called often. */
export function createYield(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}
