/** Counts by whole number: a hash table with open addressing that takes a fifth of the memory of a `Map`. */
export type IntCounter = {
  /** Adds to the count of a key from 0 to 2^31 - 2. */
  add(key: number, delta: number): void;
  get(key: number): number;
};

const BUCKETS_MIN = 16;
/** Array elements of a bucket: the key plus one (0 marks a free bucket), and the count. */
const BUCKET_SIZE = 2;

export function createIntCounter(): IntCounter {
  // A power of two of buckets, at most three quarters of them used.
  let used = 0;
  let buckets = new Int32Array(BUCKET_SIZE * BUCKETS_MIN);

  /** Bucket of a key, or the free one where it belongs. */
  function bucketOf(key: number): number {
    const mask = buckets.length - 1;
    const mixed = Math.imul(key, 0x9e3779b1);
    let bucket = (BUCKET_SIZE * (mixed ^ (mixed >>> 15))) & mask;
    while (buckets[bucket] !== 0 && buckets[bucket] !== key + 1)
      bucket = (bucket + BUCKET_SIZE) & mask;
    return bucket;
  }

  /** Drops the keys with a count of 0, and doubles the table if it is still too full. */
  function rehash(): void {
    const old = buckets;
    used = 0;
    for (let bucket = 0; bucket < old.length; bucket += BUCKET_SIZE)
      if (old[bucket + 1] !== 0) used++;
    buckets = new Int32Array(used * 2 * BUCKET_SIZE > old.length ? old.length * 2 : old.length);
    for (let bucket = 0; bucket < old.length; bucket += BUCKET_SIZE) {
      if (old[bucket + 1] === 0) continue;
      const moved = bucketOf(old[bucket]! - 1);
      buckets[moved] = old[bucket]!;
      buckets[moved + 1] = old[bucket + 1]!;
    }
  }

  return {
    add(key, delta) {
      let bucket = bucketOf(key);
      if (buckets[bucket] === 0) {
        if (4 * BUCKET_SIZE * (used + 1) > 3 * buckets.length) {
          rehash();
          bucket = bucketOf(key);
        }
        used++;
        buckets[bucket] = key + 1;
      }
      buckets[bucket + 1] = buckets[bucket + 1]! + delta;
    },
    get: (key) => buckets[bucketOf(key) + 1]!,
  };
}
