const UNPACK = { gzip: Bun.gunzipSync, zstd: Bun.zstdDecompressSync };

/**
 * The bytes of a body as they were before they were packed; `coding` is its Content-Encoding. Throws at one that is not
 * ours.
 */
export function decompressed(body: Uint8Array, coding: string | null): Buffer {
  // The answer to HEAD says how its body would be packed, and has none.
  if (coding === null || body.length === 0) return Buffer.from(body);
  if (!(coding === "gzip" || coding === "zstd")) throw new Error(`packed as ${coding}`);
  return Buffer.from(UNPACK[coding](new Uint8Array(body)));
}
