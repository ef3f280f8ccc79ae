/** Longest work without a turn for others, in milliseconds. To look for towns like an unknown one can take 50 more. */
const TURN_MS = 10;

/** Function to call often: yields to the event loop if the last yield is at least `TURN_MS` ago. */
export function createYield(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}
