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

/** To be said with every answer that might have been packed, packed or not. */
export const VARIES = { Vary: "Accept-Encoding" } as const;

/** How to pack a body for who asks; null: send it as it is. */
export function codingFor(c: Context, type: string, bytes: number): Coding | null {
  const accepted = c.req.header("Accept-Encoding");
  if (accepted === undefined || bytes < PACKED_FROM_BYTES || !isPackable(type)) return null;
  return bestOf(accepted);
}

/** Whether bodies of this type are packed for those who can unpack them. */
export function isPackable(type: string): boolean {
  return PACKABLE.test(type);
}

/** Nearly everybody speaks in the words of one of the few browsers and libraries. */
const WORDINGS_KEPT = 100;
const bestOf = remembering(WORDINGS_KEPT, (accepted) => {
  const takes = parseAccept(accepted).filter(({ q }) => q > 0);
  return CODINGS.find((coding) => takes.some(({ type }) => type.toLowerCase() === coding)) ?? null;
});

/** The packed bytes. */
export function packed(
  body: Uint8Array<ArrayBuffer> | string,
  coding: Coding,
): Uint8Array<ArrayBuffer> {
  return coding === "gzip"
    ? Bun.gzipSync(body, { level: LEVEL })
    : (Bun.zstdCompressSync(body, { level: LEVEL }) as Buffer<ArrayBuffer>);
}
