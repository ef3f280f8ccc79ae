import type { Context } from "hono";
import { respond } from "./said.ts";
import type { Pieces } from "./written.ts";

/** A body with what is said of it. */
export type Tagged = {
  readonly body: string | Uint8Array<ArrayBuffer> | Pieces;
  readonly type: string;
  readonly cacheControl: string;
  readonly tag: string;
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
  { body, type, cacheControl, tag, link = null }: Tagged,
): Response {
  const about = { ETag: tag, "Cache-Control": cacheControl };
  if (isHeld(tag, c.req.header("If-None-Match"))) return respond(c, 304, about, null);
  const linked = link === null ? {} : { Link: link };
  return respond(c, 200, { ...about, "Content-Type": type, ...linked }, body);
}

/** Whether a list of tags names this one, weak or not; `*` names every one. */
function isHeld(tag: string, held: string | undefined): boolean {
  if (held === undefined) return false;
  const tags: readonly string[] = held.match(/"[^"]*"/g) ?? [];
  return held.trim() === "*" || tags.includes(tag);
}
