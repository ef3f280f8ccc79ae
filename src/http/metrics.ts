import type { Context, MiddlewareHandler } from "hono";
import { addressBytes } from "../core/limit.ts";
import type { HttpEnv } from "./caller.ts";

/** Figures of one kind, as Prometheus reads them: seconds and bytes, counters that end in `_total`. */
export type Metric = {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** Without any, the metric is left out. */
  readonly samples: readonly Sample[];
};
export type Sample = {
  /** What a histogram's name is followed by. */
  readonly suffix?: "_bucket" | "_sum" | "_count";
  /** Never what a caller wrote: each value is a series for good. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
};

/** How /metrics is opened. */
export type MetricsDoor = {
  readonly gather: () => Promise<readonly Metric[]>;
  /** Whether everybody may read it. */
  readonly isPublic: boolean;
  readonly baseUrl: string;
  readonly trustProxy: number;
};

/** The figures, to be mounted at /metrics; for those who may not read them it is as if there were no such address. */
export function metricsDoor(door: MetricsDoor): MiddlewareHandler<HttpEnv> {
  const hasUnknownProxy = door.trustProxy === 0 && door.baseUrl.startsWith("https:");
  return async (c, next) => {
    const mayRead = door.isPublic || (!hasUnknownProxy && isFromThisMachine(c));
    if (!mayRead || (c.req.method !== "GET" && c.req.method !== "HEAD")) return next();
    c.header("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    c.header("Cache-Control", "no-store");
    return c.body(exposition(await door.gather()));
  };
}

/**
 * Whether a program on this machine asks for itself. A reverse proxy here asks for all the world, from a loopback
 * address: it is known by what proxies write into requests, and by the name that was asked for, which also keeps out
 * pages whose own name was made to lead here. https says that there is one (we speak none), so where none is trusted
 * nobody is known to be near.
 */
function isFromThisMachine(c: Context<HttpEnv>): boolean {
  const isForwarded = WRITTEN_BY_PROXIES.some((name) => c.req.header(name) !== undefined);
  const host = URL.parse(c.req.url)?.hostname.replace(/^\[|\]$/g, "") ?? "";
  return (
    isLoopback(c.env.address ?? "") && !isForwarded && (host === "localhost" || isLoopback(host))
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

function isLoopback(address: string): boolean {
  const bytes = addressBytes(address);
  if (bytes === null) return false;
  return bytes.length === 4 ? bytes[0] === 127 : bytes.toHex() === `${"0".repeat(31)}1`;
}

/**
 * Metrics in the Prometheus text format 0.0.4.
 * Source: https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function exposition(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) =>
      [
        `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
        `# TYPE ${name} ${type}`,
        ...samples.map(
          ({ suffix = "", labels = {}, value }) =>
            `${name}${suffix}${labelsInText(labels)} ${numberInText(value)}`,
        ),
        "",
      ].join("\n"),
    )
    .join("");
}

function labelsInText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function numberInText(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}

/** One figure that goes up and down; null: it is not known now, and left out. */
export function gauge(name: string, help: string, value: number | null): Metric {
  return { name, type: "gauge", help, samples: value === null ? [] : [{ value }] };
}

/** Counts by one label. Those in `known` are there from the start, so that their first rise is seen. */
export type Counts = { readonly add: (value: string) => void; readonly metric: () => Metric };

export function createCounts(
  name: string,
  help: string,
  label: string,
  known: readonly string[],
): Counts {
  const counts = new Map(known.map((value) => [value, 0]));
  return {
    add: (value) => void counts.set(value, (counts.get(value) ?? 0) + 1),
    metric: () => ({
      name,
      type: "counter",
      help,
      samples: [...counts].map(([value, count]) => ({ labels: { [label]: value }, value: count })),
    }),
  };
}
