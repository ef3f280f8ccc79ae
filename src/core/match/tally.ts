/** How often each of many whole numbers was counted: what a `Map` would tell, in a fifth of its memory. */
export type Tally = {
  /** `number` is from 0 to 2^31 - 2. */
  add(number: number, times: number): void;
  times(number: number): number;
};

const PLACES_MIN = 16;

export function createTally(): Tally {
  // Open addressing with a power of two of places, at most three in four of them taken. A taken place holds its number
  // and one more, so that 0 is a free one.
  let taken = 0;
  let numbers = new Int32Array(PLACES_MIN);
  let counts = new Int32Array(PLACES_MIN);

  /** Where a number is, or the free place where it belongs. */
  function placeOf(number: number): number {
    const mask = numbers.length - 1;
    const mixed = Math.imul(number, 0x9e3779b1);
    let place = (mixed ^ (mixed >>> 15)) & mask;
    while (numbers[place] !== 0 && numbers[place] !== number + 1) place = (place + 1) & mask;
    return place;
  }

  /** What has come down to nothing is left behind. */
  function widen(): void {
    const [oldNumbers, oldCounts] = [numbers, counts];
    const kept = oldCounts.reduce((sum, count) => sum + (count === 0 ? 0 : 1), 0);
    const length = kept * 2 > oldNumbers.length ? oldNumbers.length * 2 : oldNumbers.length;
    numbers = new Int32Array(length);
    counts = new Int32Array(length);
    taken = kept;
    for (let place = 0; place < oldNumbers.length; place++) {
      if (oldCounts[place] === 0) continue;
      const number = oldNumbers[place]! - 1;
      const there = placeOf(number);
      numbers[there] = number + 1;
      counts[there] = oldCounts[place]!;
    }
  }

  return {
    add(number, times) {
      let place = placeOf(number);
      if (numbers[place] === 0) {
        if (4 * (taken + 1) > 3 * numbers.length) {
          widen();
          place = placeOf(number);
        }
        taken++;
        numbers[place] = number + 1;
      }
      counts[place] = counts[place]! + times;
    },
    times: (number) => counts[placeOf(number)]!,
  };
}
