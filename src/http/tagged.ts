import type { Context } from "hono";

/** A body with what is said of it. */
export type Tagged = {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly cacheControl: string;
  /** `tagOf` the body, where that is known already. */
  readonly tag?: string;
};

/** The entity tag of a body: another body has another one. */
export function tagOf(body: string | Uint8Array): string {
  return `"${Bun.hash(body).toString(36)}"`;
}

/**
 * Sends a body under its tag, or 304 to a client that holds that one already (RFC 9110, 13.1.2). What the handler set
 * with `c.header` goes with a body only.
 */
export function sendTagged(
  c: Context,
  { body, type, cacheControl, tag = tagOf(body) }: Tagged,
): Response {
  const said = { ETag: tag, "Cache-Control": cacheControl };
  if (isHeld(tag, c.req.header("If-None-Match")))
    return new Response(null, { status: 304, headers: said });
  return c.body(body, 200, { ...said, "Content-Type": type });
}

/** Whether a list of tags names this one, weak or not; `*` names every one. */
function isHeld(tag: string, held: string | undefined): boolean {
  if (held === undefined) return false;
  const tags: readonly string[] = held.match(/"[^"]*"/g) ?? [];
  return held.trim() === "*" || tags.includes(tag);
}
