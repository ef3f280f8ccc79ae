import type { MiddlewareHandler } from "hono";
import {
  addressBytes,
  type Caller,
  callerBucket,
  inNetworks,
  type Limit,
  type Network,
  type Rate,
  tooMany,
} from "../core/limit.ts";
import type { Clock } from "../core/ports.ts";
import type { Said } from "./said.ts";

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
  } & Said;
};

/** How callers are told apart, and how much each may read. */
export type Admission = {
  readonly trustProxy: number;
  readonly limitRead: Rate;
  readonly sharedNetworks: readonly Network[];
  readonly clock: Clock;
  /** Told of those held back. */
  readonly heldBack: (limit: Limit) => void;
};

/** Finds out who calls, and refuses those that ask too often. Throws `too_many`. */
export function admit({
  trustProxy,
  limitRead,
  sharedNetworks,
  clock,
  heldBack,
}: Admission): MiddlewareHandler<HttpEnv> {
  const countReads = readCount(limitRead, sharedNetworks, clock, heldBack);
  return (c, next) => {
    const forwarded = trustProxy === 0 ? null : (c.req.header("X-Forwarded-For") ?? "");
    const address =
      forwarded === null ? c.env.address : (claimed(forwarded, trustProxy) ?? c.env.address);
    c.set("caller", { address });
    c.set("countReads", (reads) => countReads(address, reads));
    countReads(address, 1);
    return next();
  };
}

/**
 * Behind `trustProxy` reverse proxies the caller is that many steps from the right of X-Forwarded-For: what stands
 * further left was written by the caller and proves nothing. Null where no address stands there.
 */
function claimed(forwarded: string, trustProxy: number): string | null {
  const address = forwarded.split(",").at(-trustProxy)?.trim() ?? "";
  return addressBytes(address) === null ? null : address;
}

/** Callers remembered at once; beyond that the oldest window is forgotten. */
const CALLERS_MAX = 50_000;
/** Addresses whose caller is remembered: reading one takes longer than counting its request. */
const ADDRESSES_MAX = 1_000;
/** A network of hosted assistants stands for many people. */
const SHARED_FACTOR = 10;

/** Counts requests in memory for each caller and window of time. What it gives throws `too_many`. */
function readCount(
  rate: Rate,
  shared: readonly Network[],
  clock: Clock,
  heldBack: (limit: Limit) => void,
): (address: string | null, reads: number) => void {
  if (rate === null) return () => {};
  const { max, windowMs } = rate;
  const counts = new Map<string, Count>();
  const shares = new Map<string | null, Share>();
  return (address, reads) => {
    const now = clock();
    const fullUntil = countRequests(counts, shareOf(address), reads, now);
    if (fullUntil === null) return;
    const seconds = Math.max(1, Math.ceil((fullUntil - now) / 1000));
    const why = { reason: "too_often_just_now", seconds } as const;
    throw tooMany({ heldBack }, "read", fullUntil, now, why);
  };

  function shareOf(address: string | null): Share {
    const known = shares.get(address);
    if (known !== undefined) return known;
    const factor = inNetworks(shared, address) ? SHARED_FACTOR : 1;
    const share = { who: callerBucket(address), max: max * factor, windowMs };
    if (shares.size >= ADDRESSES_MAX) shares.clear();
    shares.set(address, share);
    return share;
  }
}

/** How much one caller may read. */
type Share = { readonly who: string; readonly max: number; readonly windowMs: number };
type Count = { readonly since: number; requests: number };

/** When there is room again; null while there is. */
function countRequests(
  counts: Map<string, Count>,
  { who, max, windowMs }: Share,
  reads: number,
  now: number,
): number | null {
  const known = counts.get(who);
  const running = known !== undefined && now >= known.since && now - known.since < windowMs;
  const count = running ? known : { since: now, requests: 0 };
  if (!running) {
    counts.delete(who);
    counts.set(who, count);
    const oldest = counts.keys().next();
    if (counts.size > CALLERS_MAX && !oldest.done) counts.delete(oldest.value);
  }
  count.requests += reads;
  return count.requests > max ? count.since + windowMs : null;
}
