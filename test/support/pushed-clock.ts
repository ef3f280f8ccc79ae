import { missingProgram, PROGRAMS } from "./system-programs.ts";

/** Sentence for the reader when the clock of a process cannot be pushed on this machine; null when it can. */
export const missingPushedClock = missingProgram(PROGRAMS.faketime);

/** Environment of a process whose clock is ahead of the machine's. Its waits take as long as they always do. */
export function pushedClock(aheadMs: number): Record<string, string> {
  const library = Bun.spawnSync(["faketime", "-f", "+0", "printenv", "LD_PRELOAD"]).stdout;
  return {
    LD_PRELOAD: library.toString().trim(),
    FAKETIME: `+${Math.floor(aheadMs / 1_000)}`,
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}
