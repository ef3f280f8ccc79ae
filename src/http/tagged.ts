import type { Context } from "hono";
import { type Coding, codingFor, isPackable, packed, VARIES } from "./packed.ts";
import { type Body, bytesOf, respond } from "./said.ts";

/** A body with what is said of it. */
export type Tagged = {
  readonly body: Body;
  readonly type: string;
  readonly cacheControl: string;
  /** Worked out where it is not given. */
  readonly tag?: string;
  /** As a Link header; goes with a body only. */
  readonly link?: string | null;
};

/** The entity tag of a body: another body has another one. */
export function tagOf(body: string | Uint8Array): string {
  return `"${Bun.hash(body).toString(36)}"`;
}

/** Sends a body under its tag, or 304 to a client that holds that one already (RFC 9110, 13.1.2). */
export function sendTagged(
  c: Context,
  { body, type, cacheControl, link = null, ...given }: Tagged,
): Response {
  const plain = bytesOf(body);
  const canPack = isPackable(type);
  const coding = canPack ? codingFor(c, plain.length) : null;
  const tag = tagIn(coding, given.tag ?? tagOf(plain));
  const about = { ETag: tag, "Cache-Control": cacheControl, ...(canPack ? VARIES : {}) };
  if (isHeld(tag, c.req.header("If-None-Match"))) return respond(c, 304, about, null);
  const linked = link === null ? {} : { Link: link };
  const whole = { ...about, "Content-Type": type, ...linked };
  if (coding === null) return respond(c, 200, whole, plain);
  return respond(c, 200, { ...whole, "Content-Encoding": coding }, packed(plain, coding));
}

/** Packed, a body is other bytes, and has another tag (RFC 9110, 8.8.3.3). */
function tagIn(coding: Coding | null, tag: string): string {
  return coding === null ? tag : `${tag.slice(0, -1)}-${coding}"`;
}

/** Whether a list of tags names this one, weak or not; `*` names every one. */
function isHeld(tag: string, held: string | undefined): boolean {
  if (held === undefined) return false;
  const tags: readonly string[] = held.match(/"[^"]*"/g) ?? [];
  return held.trim() === "*" || tags.includes(tag);
}
