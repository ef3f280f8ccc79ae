import type { Context, MiddlewareHandler } from "hono";
import { addressBytes } from "../core/limit.ts";
import { exposition, type Metric } from "../metrics.ts";
import type { HttpEnv } from "./caller.ts";

/** How /metrics is opened. */
export type MetricsDoor = {
  readonly gather: () => Promise<readonly Metric[]>;
  /** Whether everybody may read it. */
  readonly isPublic: boolean;
  readonly baseUrl: string;
  readonly trustProxy: number;
};

/**
 * The figures, to be mounted at /metrics; for those who may not read them it is as if there were no such address.
 *
 * A reverse proxy on this machine asks for all the world, from a loopback address, and some write nothing into what they
 * pass on: such a request is like one of a program here to the byte. So near ones are told of only where the settings
 * say that no proxy is there, the service's own address being a loopback one; elsewhere they ask at the control socket.
 */
export function metricsDoor(door: MetricsDoor): MiddlewareHandler<HttpEnv> {
  const { protocol, hostname } = new URL(door.baseUrl);
  const hasNoProxy = door.trustProxy === 0 && protocol === "http:" && isLoopback(hostname);
  return async (c, next) => {
    const mayRead = door.isPublic || (hasNoProxy && isFromThisMachine(c));
    if (!mayRead || (c.req.method !== "GET" && c.req.method !== "HEAD")) return next();
    return figuresTo(c, await door.gather());
  };
}

/** The answer that holds the figures. */
export function figuresTo(c: Context, metrics: readonly Metric[]): Response {
  c.header("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  c.header("Cache-Control", "no-store");
  return c.body(exposition(metrics));
}

/**
 * Whether a program on this machine asks for itself. A proxy that the settings do not know of is known by what proxies
 * write into requests, and by the name that was asked for, which also keeps out pages whose own name was made to lead here.
 */
function isFromThisMachine(c: Context<HttpEnv>): boolean {
  const isForwarded = WRITTEN_BY_PROXIES.some((name) => c.req.header(name) !== undefined);
  return (
    isLoopback(c.env.address ?? "") &&
    !isForwarded &&
    isLoopback(URL.parse(c.req.url)?.hostname ?? "")
  );
}

const WRITTEN_BY_PROXIES = [
  "Forwarded",
  "Via",
  "X-Forwarded-For",
  "X-Forwarded-Host",
  "X-Forwarded-Proto",
  "X-Real-IP",
] as const;

/** Whether an address, or the host of a URL, leads to this machine only. */
function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  const bytes = addressBytes(host.replace(/^\[|\]$/g, ""));
  if (bytes === null) return false;
  return bytes.length === 4 ? bytes[0] === 127 : bytes.toHex() === `${"0".repeat(31)}1`;
}
