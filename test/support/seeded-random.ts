import type { Clock, Random } from "../../src/core/instance.ts";

/** Randomness that is the same for the same seed; ids follow each other as those of `Bun.randomUUIDv7` do. */
export function seededRandom(seed: number, clock: Clock): Random {
  let blocks = 0;
  const bytes = (count: number): Uint8Array => {
    const drawn = new Uint8Array(count);
    for (let at = 0; at < count; at += 32) {
      const block = new Bun.CryptoHasher("sha256").update(`${seed} ${(blocks += 1)}`).digest();
      drawn.set(block.subarray(0, Math.min(32, count - at)), at);
    }
    return drawn;
  };
  let last = { at: 0, nth: 0 };
  return {
    bytes,
    id() {
      const at = Math.max(clock(), last.at);
      last = { at, nth: at === last.at ? last.nth + 1 : 0 };
      const id = Buffer.alloc(16);
      id.writeUIntBE(at, 0, 6);
      id.writeUInt16BE(0x7000 | last.nth, 6);
      id.set(bytes(8), 8);
      id[8] = 0x80 | ((id[8] ?? 0) & 0x3f);
      return id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    },
  };
}
