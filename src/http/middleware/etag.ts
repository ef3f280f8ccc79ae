import type { Context } from "hono";
import {
  type ContentCoding,
  codingFor,
  COMPRESSIBLE,
  compress,
  VARY_ACCEPT_ENCODING,
} from "./compress.ts";
import { defaultHeaders, respond, type ResponseBody, encodeBody } from "./response-headers.ts";

/** Body of a response that clients may revalidate by its ETag. */
export type CacheableBody = {
  readonly body: ResponseBody;
  readonly kind: CacheableKind;
  /** Computed from the body if absent. */
  readonly etag?: string;
  /** Link header; sent with 200 only. */
  readonly link?: string | null;
  /** More headers; sent with 304 too, because they may change while the body does not. */
  readonly headers?: Readonly<Record<string, string>>;
};

export type CacheableKind = ReturnType<typeof cacheable>;

/** Kind of body; to be made once, because its headers are built once for all responses. */
export function cacheable(type: string, cacheControl: string) {
  const isCompressed = COMPRESSIBLE.test(type);
  const headers = {
    "Cache-Control": cacheControl,
    ...(isCompressed ? VARY_ACCEPT_ENCODING : {}),
  };
  return {
    isCompressed,
    /** Headers of a 304 response. */
    addUnchanged: defaultHeaders(headers),
    addWhole: defaultHeaders({ ...headers, "Content-Type": type }),
  };
}

/** Responds with a body and its ETag, or 304 if the client has it already (RFC 9110, 13.1.2). */
export function sendWithEtag(
  c: Context,
  { body, kind, etag, link = null, headers: more = {} }: CacheableBody,
): Response {
  const plain = encodeBody(body);
  const coding = kind.isCompressed ? codingFor(c, plain.length) : null;
  const tag = encodedEtag(etag ?? etagOf(plain), coding);
  if (matches(tag, c.req.header("If-None-Match"))) {
    kind.addUnchanged(c);
    return respond(c, 304, { ETag: tag, ...more }, null);
  }
  kind.addWhole(c);
  const headers = { ETag: tag, ...more, ...(link === null ? {} : { Link: link }) };
  if (coding === null) return respond(c, 200, headers, plain);
  return respond(c, 200, { ...headers, "Content-Encoding": coding }, compress(plain, coding));
}

/** Handler that serves a document fixed at startup; clients may cache it for an hour. */
export function staticDocument(text: string, type: string): (c: Context) => Response {
  const body = new TextEncoder().encode(text);
  const document = { body, kind: cacheable(type, "public, max-age=3600"), etag: etagOf(body) };
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
