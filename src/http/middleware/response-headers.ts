import type { Context, MiddlewareHandler } from "hono";

/** Headers of draft-ietf-httpapi-ratelimit-headers: the limit, and the reads left with the seconds until it starts anew. */
export type RateLimitHeaders = Readonly<Record<(typeof RATE_LIMIT_HEADERS)[number], string>>;
export const RATE_LIMIT_HEADERS = ["RateLimit-Policy", "RateLimit"] as const;

/** Request variables set by this module. */
export type ResponseVariables = {
  /** Headers that every response of the path carries. */
  defaultHeaders: Headers;
  /** Rest of the client's limit, on paths for programs. */
  rateLimit: RateLimitHeaders | null;
  /** Response made by `respond`, which carries them already. */
  response: Response;
};

/** Headers by name; null removes a default that was set for a wider path. */
type DefaultHeaders = Readonly<Record<string, string | null>>;

/** Middleware that adds default headers to every response of some paths, errors included. */
export function responseHeaders(headers: DefaultHeaders): MiddlewareHandler {
  const addDefaults = defaultHeaders(headers);
  return (c, next) => {
    addDefaults(c);
    return next();
  };
}

/**
 * Adds default headers to the response of one request. Each combination of defaults is built once: creating a response
 * from a ready `Headers` object (see `respond`) costs far less than setting its headers one by one.
 */
export function defaultHeaders(headers: DefaultHeaders): (c: Context) => void {
  const merged = new Map<Headers | undefined, Headers>();
  return (c) => {
    const current: Headers | undefined = c.get("defaultHeaders");
    const defaults = merged.get(current) ?? merge(current, headers);
    merged.set(current, defaults);
    c.set("defaultHeaders", defaults);
  };
}

/** Header whose values are appended; any other is replaced. */
const APPENDED = "Link";

function merge(current: Headers | undefined, headers: DefaultHeaders): Headers {
  const defaults = new Headers(current);
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) defaults.delete(name);
    else if (name === APPENDED) defaults.append(name, value);
    else defaults.set(name, value);
  }
  return defaults;
}

/** Adds the defaults to a response that was not made by `respond`. */
export function applyDefaults(c: Context): void {
  if (c.res === c.get("response")) return;
  const defaults: Headers = c.get("defaultHeaders");
  for (const [name, value] of defaults) {
    if (name === APPENDED.toLowerCase()) c.res.headers.append(name, value);
    else c.res.headers.set(name, value);
  }
  addRateLimit(c, c.res);
}

function addRateLimit(c: Context, { headers }: Response): void {
  const limit: RateLimitHeaders | null | undefined = c.get("rateLimit");
  if (limit == null) return;
  headers.set("RateLimit-Policy", limit["RateLimit-Policy"]);
  headers.set("RateLimit", limit.RateLimit);
}

/** Responds with the default headers of the path and these. Headers set by `c.header` are not included. */
export function respond(
  c: Context,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: ResponseBody | null,
): Response {
  const defaults: Headers = c.get("defaultHeaders");
  const response = new Response(body === null ? null : encodeBody(body), {
    status,
    headers: defaults,
  });
  for (const [name, value] of Object.entries(headers)) {
    const rest = name === APPENDED ? defaults.get(APPENDED) : null;
    response.headers.set(name, rest === null ? value : `${value}, ${rest}`);
  }
  addRateLimit(c, response);
  c.set("response", response);
  return response;
}

/** JSON text in fragments, to be concatenated when it is sent: the fragments of an alert are cached and shared. */
export type JsonFragments = readonly (string | Uint8Array<ArrayBuffer>)[];

export type ResponseBody = string | Uint8Array<ArrayBuffer> | JsonFragments;

/** UTF-8 bytes of a body. */
export function encodeBody(body: ResponseBody): Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return body;
  if (typeof body === "string") return Buffer.from(body);
  return Buffer.concat(body.map((one) => (typeof one === "string" ? Buffer.from(one) : one)));
}
