import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Dice } from "../core/ports.ts";
import { gauge, type Metric } from "../metrics.ts";
import type { HttpEnv } from "./caller.ts";

/** Watches the requests as they come and go. */
export type Traffic = {
  /** Around all other middleware. Gives each request an id, which the answer carries as X-Request-Id. */
  readonly watch: MiddlewareHandler<HttpEnv>;
  readonly metrics: () => readonly Metric[];
};

export type TrafficParts = {
  readonly dice: Pick<Dice, "bytes">;
  /** Milliseconds since some moment, unmoved by the clock being set. */
  readonly stopwatch: () => number;
  /** Which requests get a line in the log: none, those that failed or took long, or all. */
  readonly logged: "off" | "errors" | "on";
  readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void;
};

/** A request that takes longer is worth a line: a person has begun to wonder. */
const SLOW_MS = 2_000;
/** Upper bounds in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/**
 * A line says what was asked for by its route (`/confirm/:token`), never by its path, and nothing of who asked: limits
 * hold back callers, and nobody needs to find them in a log.
 */
export function createTraffic({ dice, stopwatch, logged, log }: TrafficParts): Traffic {
  const drawId = createIds(dice);
  const routes = new Map<string, RouteFigures>();
  let inFlight = 0;

  const watch: MiddlewareHandler<HttpEnv> = async (c, next) => {
    const request = drawId();
    const startedAt = stopwatch();
    c.set("request", request);
    inFlight += 1;
    try {
      await next();
    } finally {
      inFlight -= 1;
    }
    c.res.headers.set(REQUEST_ID_HEADER, request);
    const ms = stopwatch() - startedAt;
    const route = routeOf(c);
    const { status } = c.res;
    note(figuresOf(routes, route), c.req.method, status, ms / 1000);
    if (logged === "off" || (logged === "errors" && status < 500 && ms < SLOW_MS)) return;
    const line = {
      request,
      method: methodOf(c.req.method),
      route,
      status,
      ms: Math.round(ms * 10) / 10,
    };
    withBytesCounted(c, (bytes) => log("request", { ...line, bytes }));
  };

  return {
    watch,
    metrics: () => [
      gauge("pet_alert_http_requests_in_flight", "Requests under way.", inFlight),
      {
        name: "pet_alert_http_requests_total",
        type: "counter",
        help: "Requests answered, by route, method and HTTP status.",
        samples: [...routes].flatMap(([route, { answers }]) =>
          [...answers.values()].map(({ method, status, count }) => ({
            labels: { route, method, status: String(status) },
            value: count,
          })),
        ),
      },
      {
        name: "pet_alert_http_request_duration_seconds",
        type: "histogram",
        help: "Time from a request's head to its answer, by route.",
        samples: [...routes].flatMap(([route, figures]) => histogram(route, figures)),
      },
    ],
  };
}

/** What a person can quote to the operator, who finds it in the log. Ours alone: never taken from the caller. */
export const REQUEST_ID_HEADER = "X-Request-Id";
const ID_BYTES = 6;
const ID_DIGITS = 2 * ID_BYTES;
/** Drawn at once: asking for few bytes costs as much as asking for many. */
const IDS_DRAWN = 512;

function createIds(dice: Pick<Dice, "bytes">): () => string {
  let drawn = "";
  let used = 0;
  return () => {
    if (used === drawn.length) {
      drawn = dice.bytes(IDS_DRAWN * ID_BYTES).toHex();
      used = 0;
    }
    used += ID_DIGITS;
    return drawn.slice(used - ID_DIGITS, used);
  };
}

/** Tells the size of the answer's body: at once where its head says it, else when all of it has gone or nobody reads on. */
function withBytesCounted(c: Context, told: (bytes: number) => void): void {
  const { body, headers } = c.res;
  const length = headers.get("Content-Length");
  if (body === null || c.req.method === "HEAD") told(0);
  else if (length !== null) told(Number(length));
  else c.res = new Response(counted(body, told), c.res);
}

/** The same bytes as they come, none of them kept. */
function counted(
  body: ReadableStream<Uint8Array>,
  told: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          told(bytes);
          return controller.close();
        }
        bytes += value.byteLength;
        controller.enqueue(value);
      },
      cancel(reason) {
        told(bytes);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

type RouteFigures = {
  /** By method and status in one number, so that a request makes no text. */
  readonly answers: Map<
    number,
    { readonly method: string; readonly status: number; count: number }
  >;
  /** Requests by the smallest bucket that takes them; the last is beyond all. */
  readonly buckets: Uint32Array;
  seconds: number;
};

function figuresOf(routes: Map<string, RouteFigures>, route: string): RouteFigures {
  const known = routes.get(route);
  if (known !== undefined) return known;
  const figures = { answers: new Map(), buckets: new Uint32Array(BUCKETS.length + 1), seconds: 0 };
  routes.set(route, figures);
  return figures;
}

const NO_ROUTE = "none";

/** The pattern a request fits, however early it was refused. */
function routeOf(c: Context): string {
  for (const { path } of matchedRoutes(c)) if (!path.endsWith("*")) return path;
  return NO_ROUTE;
}

const METHODS = ["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"] as const;

function methodOf(method: string): string {
  return METHODS.find((known) => known === method) ?? "other";
}

function note(figures: RouteFigures, method: string, status: number, seconds: number): void {
  const key = METHODS.findIndex((known) => known === method) * 1_000 + status;
  const known = figures.answers.get(key);
  if (known === undefined) figures.answers.set(key, { method: methodOf(method), status, count: 1 });
  else known.count += 1;
  const fits = BUCKETS.findIndex((bound) => seconds <= bound);
  const bucket = fits < 0 ? BUCKETS.length : fits;
  figures.buckets[bucket] = (figures.buckets[bucket] ?? 0) + 1;
  figures.seconds += seconds;
}

/** Each bucket counts those below it, too. */
function histogram(route: string, { buckets, seconds }: RouteFigures) {
  let count = 0;
  const bounds = [...BUCKETS.map(String), "+Inf"].map((le, nth) => {
    count += buckets[nth] ?? 0;
    return { suffix: "_bucket" as const, labels: { route, le }, value: count };
  });
  return [
    ...bounds,
    { suffix: "_sum" as const, labels: { route }, value: seconds },
    { suffix: "_count" as const, labels: { route }, value: count },
  ];
}
