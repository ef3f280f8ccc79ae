/** Time between two turns of the event loop: on the clock, and of the processor. */
export type Pause = { readonly pauseMs: number; readonly workMs: number };

/** Notes the longest of either. */
export function watchPauses(): { longest(): Pause } {
  let longest: Pause = { pauseMs: 0, workMs: 0 };
  let last = { at: performance.now(), workMs: processorMs() };
  let isWatching = true;
  const note = () => {
    const now = { at: performance.now(), workMs: processorMs() };
    longest = {
      pauseMs: Math.max(longest.pauseMs, now.at - last.at),
      workMs: Math.max(longest.workMs, now.workMs - last.workMs),
    };
    last = now;
  };
  const turn = () => {
    note();
    if (isWatching) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    longest() {
      isWatching = false;
      note();
      return longest;
    },
  };
}

/** Processor time of all threads since the process began. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
