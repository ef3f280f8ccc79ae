import { createHash, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { exposition, type Metric } from "../../ops/metrics.ts";
import type { HttpEnv } from "../middleware/env.ts";
import { isLoopback } from "../../core/ip-address.ts";

export type MetricsOptions = {
  readonly gather: () => Promise<readonly Metric[]>;
  /** True if anyone may read the metrics; otherwise only programs on this machine. */
  readonly isPublic: boolean;
  /** Bearer token of programs that may read them from anywhere; null: none. */
  readonly token: string | null;
  readonly baseUrl: string;
  readonly trustProxy: number;
};

/**
 * Serves the metrics, to be mounted at /metrics; other clients get 404.
 *
 * Requests from a local reverse proxy also come from a loopback address, and some proxies add no header. So local
 * programs are served only if the settings rule out a proxy: `TRUST_PROXY` is 0 and the service's own address is a
 * loopback one. Elsewhere they use the control socket, or send the token.
 */
export function serveMetrics(options: MetricsOptions): MiddlewareHandler<HttpEnv> {
  const { protocol, hostname } = new URL(options.baseUrl);
  const hasNoProxy = options.trustProxy === 0 && protocol === "http:" && isLoopback(hostname);
  return async (c, next) => {
    const mayRead =
      options.isPublic ||
      hasToken(c.req.header("Authorization") ?? "", options.token) ||
      (hasNoProxy && isFromThisMachine(c));
    if (!mayRead || (c.req.method !== "GET" && c.req.method !== "HEAD")) return next();
    return sendMetrics(c, await options.gather());
  };
}

/** True if a header has the token. Compares hashes, so that the time tells neither its length nor a beginning of it. */
function hasToken(authorization: string, token: string | null): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === null || given === undefined) return false;
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}

/** Responds with metrics in the Prometheus text format. */
export function sendMetrics(c: Context, metrics: readonly Metric[]): Response {
  c.header("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  c.header("Cache-Control", "no-store");
  return c.body(exposition(metrics));
}

/**
 * True for a request by a program on this machine. Headers that proxies add give away a proxy the settings do not
 * mention; the host name keeps out web pages that rebind their own name to this address.
 */
function isFromThisMachine(c: Context<HttpEnv>): boolean {
  return (
    isLoopback(c.env.address ?? "") &&
    !PROXY_HEADERS.some((name) => c.req.header(name) !== undefined) &&
    isLoopback(URL.parse(c.req.url)?.hostname ?? "")
  );
}

const PROXY_HEADERS = [
  "Forwarded",
  "Via",
  "X-Forwarded-For",
  "X-Forwarded-Host",
  "X-Forwarded-Proto",
  "X-Real-IP",
] as const;
