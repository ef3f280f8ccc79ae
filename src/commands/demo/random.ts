/** Chance that comes out the same for the same seed. */
export type Random = {
  /** In [0, 1). */
  next(): number;
  chance(probability: number): boolean;
  /** A whole number from 0 up to, and without, `end`. */
  below(end: number): number;
  of<Value>(values: readonly Value[]): Value;
  /** A value, drawn by its weight. */
  weighted<Value>(values: readonly (readonly [value: Value, weight: number])[]): Value;
  /** Around 0 with standard deviation 1. */
  bell(): number;
};

/** mulberry32 by Tommy Ettinger (2017, public domain; JavaScript by bryc), its state drawn from the seed's hash. */
export function randomFrom(seed: string): Random {
  let state = Bun.hash.xxHash32(seed);

  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  return {
    next,
    chance: (probability) => next() < probability,
    below: (end) => Math.floor(next() * end),
    of: (values) => values[Math.floor(next() * values.length)]!,
    weighted(values) {
      let left = next() * values.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of values) {
        left -= weight;
        if (left < 0) return value;
      }
      return values.at(-1)![0];
    },
    // Box and Muller 1958. 1 - next() is never 0.
    bell: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}
