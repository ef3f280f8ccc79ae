import type { MiddlewareHandler } from "hono";
import { DAY_MS } from "../../core/duration.ts";
import { Fault } from "../../core/fault.ts";
import { isLoopback } from "../../core/ip-address.ts";
import { defaultHeaders } from "../middleware/response-headers.ts";

/** Request variable set here. */
export type OriginVariables = {
  /** False for pages of origins that are neither ours nor listed by the operator: they may only read. */
  mayWrite: boolean;
};

/** Header that tells clients when to try again, and the one that names a request in the log. */
const EXPOSED_HEADERS = "Retry-After, X-Request-Id";
const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED_HEADERS,
  Vary: "Origin, Accept-Encoding",
};
/** Clients add headers of their own. The wildcard does not include Authorization; old browsers take it for a name. */
const PREFLIGHT_HEADERS = {
  "Access-Control-Allow-Methods": "POST",
  "Access-Control-Allow-Headers":
    "*, Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID",
  "Access-Control-Max-Age": String(DAY_MS / 1000),
};

/**
 * Lets pages of every origin call the tool server, without credentials. On a loopback address, which other machines'
 * pages could reach through a browser here, only loopback origins may, and the Host must be a loopback one (DNS
 * rebinding). Answers preflights.
 */
export function checkOrigins(
  baseUrl: string,
  allowedOrigins: readonly string[],
): MiddlewareHandler<{ Variables: OriginVariables }> {
  const own = new URL(baseUrl);
  const isLocal = isLoopback(own.hostname);
  const addCors = defaultHeaders(CORS_HEADERS);
  const addPreflight = defaultHeaders(PREFLIGHT_HEADERS);
  return (c, next) => {
    const host = c.req.header("Host") ?? own.host;
    if (isLocal && !isLoopbackUrl(`http://${host}`))
      throw new Fault("forbidden", "This server does not answer to that host name.");

    const origin = c.req.header("Origin");
    const isKnown =
      origin === undefined ||
      origin === own.origin ||
      allowedOrigins.includes(origin) ||
      (isLocal && isLoopbackUrl(origin));
    if (isLocal && !isKnown)
      throw new Fault("forbidden", "Pages of this origin may not use the tool server.");
    c.set("mayWrite", isKnown);
    addCors(c);
    if (c.req.method !== "OPTIONS") return next();
    addPreflight(c);
    return Promise.resolve(c.body(null, 204));
  };
}

function isLoopbackUrl(url: string): boolean {
  return isLoopback(URL.parse(url)?.hostname ?? "");
}
