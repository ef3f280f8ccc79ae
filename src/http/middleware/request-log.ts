import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Dice } from "../../core/ports.ts";
import { metric, type Metric } from "../../ops/metrics.ts";
import type { HttpEnv } from "../env.ts";
import { applyDefaults } from "./response-headers.ts";

/** Request log and metrics. */
export type RequestLog = {
  /** Outermost middleware. Gives each response its default headers and an id, sent as X-Request-Id. */
  readonly middleware: MiddlewareHandler<HttpEnv>;
  readonly metrics: () => readonly Metric[];
};

export type RequestLogOptions = {
  readonly dice: Pick<Dice, "bytes">;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
  /** Requests that are logged: none, those that fail or are slow, or all. */
  readonly logged: "off" | "errors" | "on";
  readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void;
};

const SLOW_MS = 2_000;
/** Upper bounds of the duration histogram in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/**
 * Logs the route of a request (`/confirm/:token`), never its path, which may hold a token. Client addresses are not
 * logged: rate limiting does not need them.
 */
export function createRequestLog({ dice, stopwatch, logged, log }: RequestLogOptions): RequestLog {
  const nextId = requestIds(dice);
  const routes = new Map<string, RouteMetrics>();
  let inFlight = 0;

  const middleware: MiddlewareHandler<HttpEnv> = async (c, next) => {
    const requestId = nextId();
    const startedAt = stopwatch();
    c.set("requestId", requestId);
    inFlight += 1;
    try {
      await next();
    } finally {
      inFlight -= 1;
    }
    applyDefaults(c);
    c.res.headers.set(REQUEST_ID_HEADER, requestId);
    const ms = stopwatch() - startedAt;
    const route = routeOf(c);
    const { status } = c.res;
    record(metricsOf(routes, route), c.req.method, status, ms / 1000);
    if (logged === "off" || (logged === "errors" && status < 500 && ms < SLOW_MS)) return;
    const entry = {
      request: requestId,
      method: methodLabel(c.req.method),
      route,
      status,
      ms: Math.round(ms * 10) / 10,
    };
    onBodySent(c, (bytes) => log("request", { ...entry, bytes }));
  };

  return {
    middleware,
    metrics: () => [
      metric("pet_alert_http_requests_in_flight", inFlight),
      metric(
        "pet_alert_http_requests_total",
        [...routes].flatMap(([route, { responses }]) =>
          [...responses.values()].map(({ method, status, count }) => ({
            labels: { route, method, status: String(status) },
            value: count,
          })),
        ),
      ),
      metric(
        "pet_alert_http_request_duration_seconds",
        [...routes].flatMap(([route, ofRoute]) => histogram(route, ofRoute)),
      ),
    ],
  };
}

/** Header that a visitor can quote to the operator. hono/request-id would accept an id from the client. */
export const REQUEST_ID_HEADER = "X-Request-Id";
const ID_BYTES = 6;
const ID_DIGITS = 2 * ID_BYTES;
/** Ids drawn at once: a call for a few random bytes costs as much as one for many. */
const IDS_PER_DRAW = 512;

function requestIds(dice: Pick<Dice, "bytes">): () => string {
  let digits = "";
  let used = 0;
  return () => {
    if (used === digits.length) {
      digits = dice.bytes(IDS_PER_DRAW * ID_BYTES).toHex();
      used = 0;
    }
    used += ID_DIGITS;
    return digits.slice(used - ID_DIGITS, used);
  };
}

/** Reports the size of the response body: at once if it is known, else once it has been sent or the client has left. */
function onBodySent(c: Context, report: (bytes: number) => void): void {
  const { body, headers } = c.res;
  const length = headers.get("Content-Length");
  if (body === null || c.req.method === "HEAD") report(0);
  else if (length !== null) report(Number(length));
  else c.res = new Response(counted(body, report), c.res);
}

/** Passes a stream through unbuffered and counts its bytes. An async generator would read ahead. */
function counted(body: ReadableStream<Uint8Array>, report: (bytes: number) => void) {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          report(bytes);
          return controller.close();
        }
        bytes += value.byteLength;
        controller.enqueue(value);
      },
      cancel(reason) {
        report(bytes);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

type RouteMetrics = {
  /** Keyed by method and status as one number, which allocates no string per request. */
  readonly responses: Map<
    number,
    { readonly method: string; readonly status: number; count: number }
  >;
  /** Requests per bucket, not cumulative; the last one is unbounded. */
  readonly buckets: Uint32Array;
  seconds: number;
};

function metricsOf(routes: Map<string, RouteMetrics>, route: string): RouteMetrics {
  const known = routes.get(route);
  if (known !== undefined) return known;
  const metrics = {
    responses: new Map(),
    buckets: new Uint32Array(BUCKETS.length + 1),
    seconds: 0,
  };
  routes.set(route, metrics);
  return metrics;
}

const NO_ROUTE = "none";

/** Pattern of the route a request matches, even if middleware refused it. */
function routeOf(c: Context): string {
  for (const { path } of matchedRoutes(c)) if (!path.endsWith("*")) return path;
  return NO_ROUTE;
}

const METHODS: readonly string[] = ["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"];

function methodLabel(method: string): string {
  return METHODS.includes(method) ? method : "other";
}

function record(metrics: RouteMetrics, method: string, status: number, seconds: number): void {
  const key = METHODS.indexOf(method) * 1_000 + status;
  const known = metrics.responses.get(key);
  if (known === undefined)
    metrics.responses.set(key, { method: methodLabel(method), status, count: 1 });
  else known.count += 1;
  const index = BUCKETS.findIndex((bound) => seconds <= bound);
  const bucket = index < 0 ? BUCKETS.length : index;
  metrics.buckets[bucket] = (metrics.buckets[bucket] ?? 0) + 1;
  metrics.seconds += seconds;
}

/** Prometheus samples; buckets are cumulative. */
function histogram(route: string, { buckets, seconds }: RouteMetrics) {
  let count = 0;
  const bounds = [...BUCKETS.map(String), "+Inf"].map((le, index) => {
    count += buckets[index] ?? 0;
    return { suffix: "_bucket" as const, labels: { route, le }, value: count };
  });
  return [
    ...bounds,
    { suffix: "_sum" as const, labels: { route }, value: seconds },
    { suffix: "_count" as const, labels: { route }, value: count },
  ];
}
