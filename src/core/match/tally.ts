/** How often each of many whole numbers was counted: what a `Map` would tell, in a fifth of its memory. */
export type Tally = {
  /** `number` is from 0 to 2^31 - 2. */
  add(number: number, times: number): void;
  times(number: number): number;
};

const PLACES_MIN = 16;
/** Numbers to a place: what is counted and one more, so that 0 is a free one, and how often. */
const PLACE = 2;

export function createTally(): Tally {
  // Open addressing with a power of two of places, at most three in four of them taken.
  let taken = 0;
  let places = new Int32Array(PLACE * PLACES_MIN);

  /** Where a number is, or the free place where it belongs. */
  function placeOf(number: number): number {
    const mask = places.length - 1;
    const mixed = Math.imul(number, 0x9e3779b1);
    let place = (PLACE * (mixed ^ (mixed >>> 15))) & mask;
    while (places[place] !== 0 && places[place] !== number + 1) place = (place + PLACE) & mask;
    return place;
  }

  /** What has come down to nothing is left behind. */
  function widen(): void {
    const old = places;
    taken = 0;
    for (let place = 0; place < old.length; place += PLACE) if (old[place + 1] !== 0) taken++;
    places = new Int32Array(taken * 2 * PLACE > old.length ? old.length * 2 : old.length);
    for (let place = 0; place < old.length; place += PLACE) {
      if (old[place + 1] === 0) continue;
      const there = placeOf(old[place]! - 1);
      places[there] = old[place]!;
      places[there + 1] = old[place + 1]!;
    }
  }

  return {
    add(number, times) {
      let place = placeOf(number);
      if (places[place] === 0) {
        if (4 * PLACE * (taken + 1) > 3 * places.length) {
          widen();
          place = placeOf(number);
        }
        taken++;
        places[place] = number + 1;
      }
      places[place + 1] = places[place + 1]! + times;
    },
    times: (number) => places[placeOf(number) + 1]!,
  };
}
