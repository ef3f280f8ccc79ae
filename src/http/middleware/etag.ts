import type { Context } from "hono";
import {
  type ContentCoding,
  codingFor,
  isCompressible,
  compress,
  VARY_ACCEPT_ENCODING,
} from "./compress.ts";
import { respond, type ResponseBody, encodeBody } from "./response-headers.ts";

/** Body of a response that clients may revalidate by its ETag. */
export type CacheableBody = {
  readonly body: ResponseBody;
  readonly type: string;
  readonly cacheControl: string;
  /** Computed from the body if absent. */
  readonly etag?: string;
  /** Link header; sent with 200 only. */
  readonly link?: string | null;
  /** More headers; sent with 304 too, because they may change while the body does not. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** Responds with a body and its ETag, or 304 if the client has it already (RFC 9110, 13.1.2). */
export function sendWithEtag(
  c: Context,
  { body, type, cacheControl, etag, link = null, headers: more }: CacheableBody,
): Response {
  const plain = encodeBody(body);
  const compressible = isCompressible(type);
  const coding = compressible ? codingFor(c, plain.length) : null;
  const tag = encodedEtag(etag ?? etagOf(plain), coding);
  const headers = {
    ETag: tag,
    "Cache-Control": cacheControl,
    ...(compressible ? VARY_ACCEPT_ENCODING : {}),
    ...more,
  };
  if (matches(tag, c.req.header("If-None-Match"))) return respond(c, 304, headers, null);
  const all = {
    ...headers,
    "Content-Type": type,
    ...(link === null ? {} : { Link: link }),
  };
  if (coding === null) return respond(c, 200, all, plain);
  return respond(c, 200, { ...all, "Content-Encoding": coding }, compress(plain, coding));
}

/** Handler that serves a document fixed at startup; clients may cache it for an hour. */
export function staticDocument(text: string, type: string): (c: Context) => Response {
  const body = new TextEncoder().encode(text);
  const document = { body, type, cacheControl: "public, max-age=3600", etag: etagOf(body) };
  return (c) => sendWithEtag(c, document);
}

/** Strong ETag of a body. */
export function etagOf(body: string | Uint8Array): string {
  return `"${Bun.hash(body).toString(36)}"`;
}

/** ETag of an encoded body: other bytes need another strong ETag (RFC 9110, 8.8.3.3). */
function encodedEtag(etag: string, coding: ContentCoding | null): string {
  return coding === null ? etag : `${etag.slice(0, -1)}-${coding}"`;
}

/** Weak comparison with the entries of If-None-Match; `*` matches any ETag. */
function matches(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  const etags: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return ifNoneMatch.trim() === "*" || etags.includes(etag);
}
