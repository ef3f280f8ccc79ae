/** List that is filled once and then read in order, as often as needed. Each reading gives new values. */
export type PackedList<Value> = Iterable<Value> & {
  readonly length: number;
  add(value: Value): void;
};

const VALUES_PER_BLOCK = 250;

/**
 * List of plain values (as JSON has them), held as compressed JSON. The rows of a table are much alike, so that a hundred
 * thousand take a few megabytes instead of hundreds.
 */
export function createPackedList<Value>(): PackedList<Value> {
  const blocks: Uint8Array[] = [];
  let open: Value[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(value) {
      length++;
      open.push(value);
      if (open.length < VALUES_PER_BLOCK) return;
      blocks.push(Bun.zstdCompressSync(JSON.stringify(open)));
      open = [];
    },
    *[Symbol.iterator]() {
      for (const block of blocks)
        yield* JSON.parse(Bun.zstdDecompressSync(block).toString()) as Value[];
      yield* open;
    },
  };
}
