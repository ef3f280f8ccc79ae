/** Random number generator with a seed. */
export type Random = {
  /** In [0, 1). */
  next(): number;
  chance(probability: number): boolean;
  /** Integer in [0, end). */
  below(end: number): number;
  of<Value>(values: readonly Value[]): Value;
  weighted<Value>(values: readonly (readonly [value: Value, weight: number])[]): Value;
  /** Normal distribution with mean 0 and standard deviation 1. */
  normal(): number;
};

/** mulberry32 by Tommy Ettinger (2017, public domain; JavaScript by bryc), seeded with a hash of `seed`. */
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
    // Box and Muller, 1958. 1 - next() is never 0.
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}
