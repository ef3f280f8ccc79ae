import type { Point } from "../../values/point.ts";
import type { AlertDistance } from "../../search/search.ts";

/** First byte of a cursor; a change of the format or of the order gets another one. */
const VERSION = 1;
/** Version, distance, key, checksum. */
const LENGTH = 1 + 8 + 8 + 4;
const KM_AT = 1;
const KEY_AT = 9;
const CHECKSUM_AT = 17;
/** The bytes as base64url fill whole characters, so that each cursor has one spelling. */
const PATTERN = /^[A-Za-z0-9_-]{28}$/;

/** Opaque cursor of a search around a centre: version, distance and key of the last alert, and a checksum, as base64url. */
export function distanceCursor({ km, publishedAt }: AlertDistance, centre: Point): string {
  const bytes = new DataView(new ArrayBuffer(LENGTH));
  bytes.setUint8(0, VERSION);
  bytes.setFloat64(KM_AT, km);
  bytes.setFloat64(KEY_AT, publishedAt);
  bytes.setUint32(CHECKSUM_AT, checksum(bytes, centre));
  return new Uint8Array(bytes.buffer).toBase64({ alphabet: "base64url" });
}

/** True if a text has the form of a cursor of a search by distance, around any centre. */
export function isDistanceCursor(text: string): boolean {
  return bytesIn(text) !== null;
}

/** Position that a cursor stands for; null if it is malformed, or of a search around another centre. */
export function readDistanceCursor(text: string, centre: Point): AlertDistance | null {
  const bytes = bytesIn(text);
  if (bytes === null || bytes.getUint32(CHECKSUM_AT) !== checksum(bytes, centre)) return null;
  return { km: bytes.getFloat64(KM_AT), publishedAt: bytes.getFloat64(KEY_AT) };
}

function bytesIn(text: string): DataView | null {
  if (!PATTERN.test(text)) return null;
  const bytes = new DataView(Uint8Array.fromBase64(text, { alphabet: "base64url" }).buffer);
  const isSound =
    bytes.getUint8(0) === VERSION &&
    bytes.getFloat64(KM_AT) >= 0 &&
    Number.isSafeInteger(bytes.getFloat64(KEY_AT));
  return isSound ? bytes : null;
}

/**
 * FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo) of a cursor and its centre, for which alone the distance means something. It
 * detects mistakes; whoever forges a cursor only gets another page of the same public results.
 */
function checksum(cursor: DataView, { lat, lng }: Point): number {
  const bytes = new DataView(new ArrayBuffer(CHECKSUM_AT + 16));
  for (let at = 0; at < CHECKSUM_AT; at++) bytes.setUint8(at, cursor.getUint8(at));
  // Adding 0 makes -0 a 0.
  bytes.setFloat64(CHECKSUM_AT, lat + 0);
  bytes.setFloat64(CHECKSUM_AT + 8, lng + 0);
  let hash = 0x811c9dc5;
  for (let at = 0; at < bytes.byteLength; at++)
    hash = Math.imul(hash ^ bytes.getUint8(at), 0x01000193);
  return hash >>> 0;
}
