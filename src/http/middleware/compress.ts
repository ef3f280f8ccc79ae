import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";
import { memoize } from "../../text/memoize.ts";

// hono/compress does not fit: it has no zstd, it makes ETags weak, and it compresses private pages, too.

/** Content codings (RFC 9110, 8.4.1), the preferred one first: zstd makes a page a quarter smaller in the same time. */
const CODINGS = ["zstd", "gzip"] as const;
export type ContentCoding = (typeof CODINGS)[number];

/** Media types that are compressed. Of HTML only public pages are: others can hold secrets next to input of the requester (BREACH). */
export const COMPRESSIBLE = /^application\/(?:[\w.]+\+)?(?:json|xml)\b/;
/** Smaller bodies fit into one packet as they are. */
const BYTES_MIN = 1_400;
/**
 * Compression level of bodies made per request. Twenty alerts, 17 KB, become 3 or 4 KB in about 20 microseconds on a
 * Xeon, which is less than a gigabit link takes to carry the difference. Higher levels take several times as long for
 * little gain.
 */
const LEVEL = 1;
/** Compression level of bodies that are compressed once and sent often. */
export const STATIC_LEVEL = 9;

/** Header of every response that is compressed for some clients, whether or not it is for this one. */
export const VARY_ACCEPT_ENCODING = { Vary: "Accept-Encoding" } as const;

/** Longer headers are ignored: parsing kilobytes takes longer than compressing a page. */
const ACCEPT_ENCODING_LENGTH_MAX = 200;

/** Content coding that the client prefers for a body of this size; null: send it as it is. */
export function codingFor(c: Context, bytes = Infinity): ContentCoding | null {
  const accepted = c.req.header("Accept-Encoding") ?? "";
  if (bytes < BYTES_MIN || accepted.length > ACCEPT_ENCODING_LENGTH_MAX) return null;
  return preferredCoding(accepted);
}

/** Values of Accept-Encoding to remember: browsers and libraries send very few different ones. */
const MEMOIZED_MAX = 100;
const preferredCoding = memoize(MEMOIZED_MAX, (accepted) => {
  const weights = new Map(parseAccept(accepted).map(({ type, q }) => [type.toLowerCase(), q]));
  const weightOf = (coding: string) => weights.get(coding) ?? 0;
  const [best = CODINGS[0]] = CODINGS.toSorted((a, b) => weightOf(b) - weightOf(a));
  return weightOf(best) > 0 && weightOf(best) >= weightOf("identity") ? best : null;
});

/** Compresses a body; `level` 1 is the fastest. */
export function compress(
  body: Uint8Array<ArrayBuffer> | string,
  coding: ContentCoding,
  level: typeof LEVEL | typeof STATIC_LEVEL = LEVEL,
): Uint8Array<ArrayBuffer> {
  return coding === "gzip"
    ? Bun.gzipSync(body, { level })
    : (Bun.zstdCompressSync(body, { level }) as Buffer<ArrayBuffer>);
}
