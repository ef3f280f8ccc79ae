import type { Context } from "hono";
import { LRUCache } from "lru-cache";
import {
  callerBucket,
  type Caller,
  formatRate,
  type Limit,
  type Rate,
  tooMany,
} from "../../core/limits.ts";
import type { Cap } from "../../core/caps.ts";
import type { Clock } from "../../core/ports.ts";
import type { HttpEnv } from "../env.ts";
import { addressBytes, inNetworks, type Network } from "../../core/ip-address.ts";

/**
 * Sets `caller` to the address of the client. Behind `trustProxy` reverse proxies it is the entry that many steps from
 * the right of X-Forwarded-For; entries further left are written by the client and prove nothing.
 */
export function clientIp({ trustProxy }: { trustProxy: number }): (c: Context<HttpEnv>) => void {
  return (c) => {
    const entries = trustProxy === 0 ? [] : (c.req.header("X-Forwarded-For")?.split(",") ?? []);
    const entry = entries.at(-trustProxy)?.trim();
    const isValid = entry !== undefined && addressBytes(entry) !== null;
    c.set("caller", { address: isValid ? entry : c.env.address });
  };
}

/** Limit on reads per client. */
export type ReadLimit = {
  readonly limitRead: Rate;
  /** Networks of hosted assistants, which stand for many people. */
  readonly sharedNetworks: readonly Network[];
  readonly clock: Clock;
  readonly onRateLimited: (limit: Limit) => void;
};

/** Windows kept at once. Dropping one can only let a client through too early. */
const WINDOWS_MAX = 50_000;
/** Addresses whose quota is cached: parsing an address takes longer than counting its request. */
const QUOTAS_MAX = 1_000;
const SHARED_NETWORK_FACTOR = 10;

type Window = { readonly startedAt: number; count: number };

/**
 * Limits reads per client in fixed windows, in memory. IPv6 clients share a /64; an address in a network of hosted
 * assistants gets `SHARED_NETWORK_FACTOR` times the limit. Throws `too_many`, with the seconds until the window ends.
 */
export function limitReads(limit: ReadLimit): (caller: Caller, reads: number) => void {
  const { limitRead, clock } = limit;
  if (limitRead === null) return () => {};
  const countFor = clientWindows(limitRead, limit);
  return (caller, reads) => {
    const { isWithin, endsAt } = countFor(caller, reads);
    if (isWithin) return;
    const now = clock();
    const seconds = Math.max(1, Math.ceil((endsAt - now) / 1000));
    const rate = formatRate(limitRead);
    const reason = { reason: "too_often_just_now", seconds, rate } as const;
    throw tooMany(limit, "read", endsAt, now, reason);
  };
}

type Quota = { readonly client: string; readonly max: number };

/** Counter per client in fixed windows, in memory, as `limitReads` describes it. */
export function clientWindows(
  { max, windowMs }: Cap,
  { sharedNetworks, clock }: Pick<ReadLimit, "sharedNetworks" | "clock">,
): (caller: Caller, count: number) => { readonly isWithin: boolean; readonly endsAt: number } {
  const windows = new LRUCache<string, Window>({ max: WINDOWS_MAX });
  const quotas = new LRUCache<string, Quota>({ max: QUOTAS_MAX });

  function quotaOf(address: string | null): Quota {
    const cached = quotas.get(address ?? "");
    if (cached !== undefined) return cached;
    const factor = inNetworks(sharedNetworks, address) ? SHARED_NETWORK_FACTOR : 1;
    const quota = { client: callerBucket(address), max: max * factor };
    quotas.set(address ?? "", quota);
    return quota;
  }

  /** Current window of the client, or a new one. A window that starts in the future (clock set back) is replaced. */
  function windowOf(client: string, now: number): Window {
    const current = windows.get(client);
    if (current !== undefined && now >= current.startedAt && now - current.startedAt < windowMs)
      return current;
    const window = { startedAt: now, count: 0 };
    windows.set(client, window);
    return window;
  }

  return ({ address }, count) => {
    const quota = quotaOf(address);
    const window = windowOf(quota.client, clock());
    window.count += count;
    return { isWithin: window.count <= quota.max, endsAt: window.startedAt + windowMs };
  };
}
