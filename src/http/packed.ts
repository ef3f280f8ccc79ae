import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";
import { remembering } from "../core/remembering.ts";

/** How a body is packed (RFC 9110, 8.4.1). The better one first: it makes a page a quarter smaller in the same time. */
const CODINGS = ["zstd", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

/** Pages are not: secrets stand in some of them, beside words of who asks. */
const PACKABLE = /^application\/(?:[\w.]+\+)?(?:json|xml)\b/;
/** What is smaller goes in one packet as it is. */
const PACKED_FROM_BYTES = 1_400;
/**
 * Twenty alerts, 17 KB, become 3 or 4 KB in some 20 microseconds of a Xeon, sooner than a gigabit a second carries the
 * rest. Higher levels take several times as long for little (`bun test/bench/packing.ts`).
 */
const LEVEL = 1;
/** For what is packed once and sent often. */
export const ONCE = 9;

/** To be said with every answer that might have been packed, packed or not. */
export const VARIES = { Vary: "Accept-Encoding" } as const;

/** Whether bodies of this type are packed for those who can unpack them. */
export function isPackable(type: string): boolean {
  return PACKABLE.test(type);
}

/** How to pack a packable body for who asks; null: send it as it is. */
export function codingFor(c: Context, bytes: number): Coding | null {
  return bytes < PACKED_FROM_BYTES ? null : codingWanted(c);
}

/** Reading kilobytes of it would take longer than packing a page. */
const ACCEPTED_LENGTH_MAX = 200;

/** What who asks unpacks best; null where that is neither of ours. */
export function codingWanted(c: Context): Coding | null {
  const accepted = c.req.header("Accept-Encoding");
  return accepted === undefined || accepted.length > ACCEPTED_LENGTH_MAX ? null : bestOf(accepted);
}

/** Nearly everybody speaks in the words of one of the few browsers and libraries. */
const WORDINGS_KEPT = 100;
const bestOf = remembering(WORDINGS_KEPT, (accepted) => {
  const weights = parseAccept(accepted).map(({ type, q }) => [type.toLowerCase(), q] as const);
  const weightOf = (coding: string) => new Map(weights).get(coding) ?? 0;
  const [best] = CODINGS.toSorted((one, other) => weightOf(other) - weightOf(one));
  const isWanted =
    best !== undefined && weightOf(best) > 0 && weightOf(best) >= weightOf("identity");
  return isWanted ? best : null;
});

/** The packed bytes; `level` goes from 1, the fastest. */
export function packed(
  body: Uint8Array<ArrayBuffer> | string,
  coding: Coding,
  level: typeof LEVEL | typeof ONCE = LEVEL,
): Uint8Array<ArrayBuffer> {
  return coding === "gzip"
    ? Bun.gzipSync(body, { level })
    : (Bun.zstdCompressSync(body, { level }) as Buffer<ArrayBuffer>);
}
