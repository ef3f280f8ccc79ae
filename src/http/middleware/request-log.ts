import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { metric, type Metric } from "../../ops/metrics.ts";
import type { HttpEnv } from "./env.ts";
import { applyDefaults } from "./response-headers.ts";
import type { Random } from "../../core/instance.ts";

/** Request log and metrics. */
export type RequestLog = {
  /** Outermost middleware. Gives each response its default headers and an id, sent as X-Request-Id. */
  readonly middleware: MiddlewareHandler<HttpEnv>;
  readonly metrics: () => readonly Metric[];
};

export type RequestLogOptions = {
  readonly random: Pick<Random, "bytes">;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
  /** Requests that are logged: none, those that fail or are slow, or all. */
  readonly logged: "off" | "errors" | "on";
  readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void;
};

/** Header that a visitor can quote to the operator. hono/request-id would accept an id from the client. */
export const REQUEST_ID_HEADER = "X-Request-Id";
const ID_BYTES = 6;
const SLOW_MS = 2_000;
const METHODS: readonly string[] = ["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"];
const NO_ROUTE = "none";
/** Upper bounds of the duration histogram in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Infinity];

/**
 * Logs the route of a request (`/confirm/:token`), never its path, which may hold a token. Client addresses are not
 * logged: rate limiting does not need them.
 */
export function createRequestLog({
  random,
  stopwatch,
  logged,
  log,
}: RequestLogOptions): RequestLog {
  const routes = new Map<string, RouteMetrics>();
  let inFlight = 0;

  const middleware: MiddlewareHandler<HttpEnv> = async (c, next) => {
    const request = random.bytes(ID_BYTES).toHex();
    const startedAt = stopwatch();
    c.set("requestId", request);
    inFlight += 1;
    try {
      await next();
    } finally {
      inFlight -= 1;
    }
    applyDefaults(c);
    c.res.headers.set(REQUEST_ID_HEADER, request);
    const ms = stopwatch() - startedAt;
    const route = routeOf(c);
    const method = METHODS.includes(c.req.method) ? c.req.method : "other";
    const { status } = c.res;
    record(metricsOf(routes, route), `${method} ${status}`, ms / 1000);
    if (logged === "on" || (logged === "errors" && (status >= 500 || ms >= SLOW_MS)))
      log("request", { request, method, route, status, ms: Math.round(ms * 10) / 10 });
  };

  return {
    middleware,
    metrics: () => [
      metric("pet_alert_http_requests_in_flight", inFlight),
      metric("pet_alert_http_requests_total", [...routes].flatMap(responseCounts)),
      metric("pet_alert_http_request_duration_seconds", [...routes].flatMap(histogram)),
    ],
  };
}

/** Pattern of the route a request matches, even if middleware refused it. */
function routeOf(c: Context): string {
  return matchedRoutes(c).find(({ path }) => !path.endsWith("*"))?.path ?? NO_ROUTE;
}

type RouteMetrics = {
  /** Responses by method and status: "GET 200". */
  readonly responses: Map<string, number>;
  /** Requests per bucket, not cumulative. */
  readonly buckets: number[];
  seconds: number;
};

function metricsOf(routes: Map<string, RouteMetrics>, route: string): RouteMetrics {
  const known = routes.get(route);
  if (known !== undefined) return known;
  const fresh = { responses: new Map(), buckets: BUCKETS.map(() => 0), seconds: 0 };
  routes.set(route, fresh);
  return fresh;
}

function record(metrics: RouteMetrics, response: string, seconds: number): void {
  metrics.responses.set(response, (metrics.responses.get(response) ?? 0) + 1);
  metrics.buckets[BUCKETS.findIndex((bound) => seconds <= bound)]! += 1;
  metrics.seconds += seconds;
}

function responseCounts([route, { responses }]: [string, RouteMetrics]) {
  return [...responses].map(([response, value]) => {
    const [method = "", status = ""] = response.split(" ");
    return { labels: { route, method, status }, value };
  });
}

/** Prometheus samples; buckets are cumulative. */
function histogram([route, { buckets, seconds }]: [string, RouteMetrics]) {
  let count = 0;
  const bounds = buckets.map((value, at) => {
    count += value;
    const bound = BUCKETS[at]!;
    const le = bound === Infinity ? "+Inf" : String(bound);
    return { suffix: "_bucket" as const, labels: { route, le }, value: count };
  });
  return [
    ...bounds,
    { suffix: "_sum" as const, labels: { route }, value: seconds },
    { suffix: "_count" as const, labels: { route }, value: count },
  ];
}
