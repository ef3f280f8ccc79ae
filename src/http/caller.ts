import type { MiddlewareHandler } from "hono";
import { Fault } from "../core/fault.ts";
import {
  addressBytes,
  type Caller,
  callerBucket,
  inNetworks,
  type Network,
  type Rate,
} from "../core/limit.ts";
import type { Clock } from "../core/ports.ts";

/** What the server hands to every request, and what the middleware makes of it. */
export type HttpEnv = {
  /** The peer's address as the socket knows it; null once the peer is gone. */
  Bindings: { address: string | null };
  Variables: {
    caller: Caller;
    /** What the log and the answer call this request. */
    request: string;
    /** Counts reads beyond the request itself, such as the further calls of a batch. Throws `too_many`. */
    countReads: (reads: number) => void;
  };
};

/**
 * Finds out who calls. Behind `trustProxy` reverse proxies the caller is that many steps from the right of
 * X-Forwarded-For: what stands further left was written by the caller and proves nothing.
 */
export function callerAddress(trustProxy: number): MiddlewareHandler<HttpEnv> {
  return (c, next) => {
    const forwarded = trustProxy === 0 ? [] : (c.req.header("X-Forwarded-For") ?? "").split(",");
    const claimed = forwarded.at(-trustProxy)?.trim() ?? "";
    const address =
      forwarded.length >= trustProxy && addressBytes(claimed) !== null ? claimed : c.env.address;
    c.set("caller", { address });
    return next();
  };
}

/** Callers remembered at once; beyond that the oldest window is forgotten. */
const CALLERS_MAX = 50_000;
/** A network of hosted assistants stands for many people. */
const SHARED_FACTOR = 10;

/** Refuses callers that ask too often, by a count in memory for each window of time. Throws `too_many`. */
export function readLimit(
  rate: Rate,
  shared: readonly Network[],
  clock: Clock,
): MiddlewareHandler<HttpEnv> {
  const counts = new Map<string, { since: number; requests: number }>();
  return (c, next) => {
    const { address } = c.get("caller");
    const countReads = (reads: number) => {
      if (rate === null) return;
      const max = inNetworks(shared, address) ? rate.max * SHARED_FACTOR : rate.max;
      countRequests(
        counts,
        callerBucket(address),
        reads,
        { max, windowMs: rate.windowMs },
        clock(),
      );
    };
    c.set("countReads", countReads);
    countReads(1);
    return next();
  };
}

function countRequests(
  counts: Map<string, { since: number; requests: number }>,
  who: string,
  reads: number,
  rate: { max: number; windowMs: number },
  now: number,
): void {
  const known = counts.get(who);
  const running = known !== undefined && now >= known.since && now - known.since < rate.windowMs;
  const count = running ? known : { since: now, requests: 0 };
  if (!running) {
    counts.delete(who);
    counts.set(who, count);
    const oldest = counts.keys().next();
    if (counts.size > CALLERS_MAX && !oldest.done) counts.delete(oldest.value);
  }
  count.requests += reads;
  if (count.requests > rate.max) {
    const retryAfterSeconds = Math.max(1, Math.ceil((count.since + rate.windowMs - now) / 1000));
    throw new Fault(
      "too_many",
      { reason: "too_often_just_now", seconds: retryAfterSeconds },
      { retryAfterSeconds },
    );
  }
}
