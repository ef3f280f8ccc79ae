import { describe, expect, test } from "bun:test";
import { createPause } from "../../src/core/pause.ts";

const MINUTE = 60_000;

describe("a pause after failures", () => {
  test("is a minute, and twice as long after each further one that follows it", () => {
    const pause = createPause();

    expect(pause.begin(0)).toBe(MINUTE);
    expect(pause.begin(1)).toBe(MINUTE);
    expect(pause.holds(MINUTE)).toBe(false);
    expect(pause.begin(MINUTE)).toBe(3 * MINUTE);
  });

  test("lasts as long as the longest wait that was asked for, also while it holds", () => {
    const pause = createPause();

    pause.begin(0);

    expect(pause.begin(1_000, 30 * MINUTE)).toBe(30 * MINUTE + 1_000);
    expect(pause.begin(2_000, 5 * MINUTE)).toBe(30 * MINUTE + 1_000);
  });
});
