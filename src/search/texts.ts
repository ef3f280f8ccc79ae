import { withRoom } from "./lists.ts";

/**
 * Lists of numbers, remembered by text. Where texts are many, looking one up is mostly waiting for the memory, and a
 * `Map` of strings goes there six times: here a text and its list lie together, and all of them in two typed arrays.
 */
export type Texts = {
  readonly size: number;
  /** Where the list of a text begins in `numbers`: there stands its length, and then the list. Null when it has none. */
  find(text: string): number | null;
  /** Remembers the list of a text that has none; gives what `find` will. */
  add(text: string, list: readonly number[]): number;
  /** Good until the next text is added. */
  readonly numbers: Int32Array;
};

const PLACES_MIN = 64;
/** Numbers to a place: the hash of a text, and where it lies; 0 for a free place. */
const PLACE = 2;

export function createTexts(): Texts {
  // Open addressing with a power of two of places, at most half of them taken.
  let places = new Int32Array(PLACE * PLACES_MIN);
  /** Of each text its length, its UTF-16 units, the length of its list and the list; nothing lies at 0. */
  let numbers = new Int32Array(64);
  let used = 1;
  let size = 0;

  const placeOf = (hash: number) => (PLACE * (hash ^ (hash >>> 15))) & (places.length - 1);
  const placeAfter = (place: number) => (place + PLACE) & (places.length - 1);

  function isAt(at: number, text: string): boolean {
    if (numbers[at] !== text.length) return false;
    for (let nth = 0; nth < text.length; nth++) {
      if (numbers[at + 1 + nth] !== text.charCodeAt(nth)) return false;
    }
    return true;
  }

  function take(hash: number, at: number): void {
    let place = placeOf(hash);
    while (places[place + 1] !== 0) place = placeAfter(place);
    places[place] = hash;
    places[place + 1] = at;
  }

  function widen(): void {
    const old = places;
    places = new Int32Array(2 * old.length);
    for (let place = 0; place < old.length; place += PLACE) {
      if (old[place + 1] !== 0) take(old[place]!, old[place + 1]!);
    }
  }

  return {
    get size() {
      return size;
    },
    get numbers() {
      return numbers;
    },

    find(text) {
      const hash = hashOf(text);
      for (let place = placeOf(hash); places[place + 1] !== 0; place = placeAfter(place)) {
        const at = places[place + 1]!;
        if (places[place] === hash && isAt(at, text)) return at + 1 + text.length;
      }
      return null;
    },

    add(text, list) {
      if (2 * PLACE * (size + 1) > places.length) widen();
      take(hashOf(text), used);
      size++;
      const listAt = used + 1 + text.length;
      numbers = withRoom(numbers, listAt + 1 + list.length);
      numbers[used] = text.length;
      for (let nth = 0; nth < text.length; nth++) numbers[used + 1 + nth] = text.charCodeAt(nth);
      numbers[listAt] = list.length;
      numbers.set(list, listAt + 1);
      used = listAt + 1 + list.length;
      return listAt;
    },
  };
}

function hashOf(text: string): number {
  let hash = text.length;
  for (let nth = 0; nth < text.length; nth++) {
    hash = Math.imul(hash ^ text.charCodeAt(nth), 0x9e3779b1);
  }
  return hash;
}
