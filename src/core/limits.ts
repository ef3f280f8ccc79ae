import { CAPS, FACTORS } from "./caps.ts";
import { HOUR_MS } from "./duration.ts";
import type { Throttle } from "./confirmation/email-throttle.ts";
import type { FaultReason } from "./fault-sentences.ts";
import { Fault } from "./fault.ts";
import type { PendingKind } from "./email.ts";
import { addressBytes, type Network, networkOf } from "./ip-address.ts";
import type { Ports, Secrets } from "./ports.ts";
/** Client of a request. Its address is null once it is no longer known. */
export type Caller = { readonly address: string | null };

/** Limit within a sliding window; null for none. */
export type Rate = { readonly max: number; readonly windowMs: number } | null;
export type Rates = Readonly<Record<PendingKind, Rate>>;

/** Actions that have a limit; `again` is resending an email. */
export type Limit =
  PendingKind | "admin" | "again" | "erase" | "links" | "photo" | "read" | "reply" | "report";

/** "5 an hour", "3 a minute" or "unlimited". */
export function formatRate(rate: Rate): string {
  if (rate === null) return "unlimited";
  return `${rate.max} ${rate.windowMs === HOUR_MS ? "an hour" : "a minute"}`;
}

/** One hit against one limit. `key` never contains an address in plain text. */
export type Hit = {
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
};

/** Retention of hits. */
export const HITS_KEEP_MS = 24 * HOUR_MS;

/**
 * Limits of a write, beyond which it is refused: by client address (IPv6: /64 and /56), or for a shared network by the
 * email address given, with a cap for the whole network.
 */
export function hitsFor(
  kind: PendingKind,
  caller: Caller,
  addressHash: string,
  rates: Rates,
  sharedNetworks: readonly Network[],
  secrets: Secrets,
): Hit[] {
  const rate = rates[kind];
  if (rate === null) return [];
  const pool = poolOf(sharedNetworks, caller.address);
  if (pool === null) return clientHits(kind, rate, caller.address, secrets);
  return [
    { key: `${kind}:mail:${addressHash}`, ...rate },
    { key: `${kind}:requests:${pool}`, ...CAPS.sharedNetworkRequests },
  ];
}

/**
 * Limits on immediate confirmation emails. Requests beyond them are accepted and answered the same, and their emails
 * held: refusing would let one client lock out its neighbours, and reveal which mailboxes are known.
 */
export function throttleFor(
  kind: PendingKind,
  caller: Caller,
  rates: Rates,
  sharedNetworks: readonly Network[],
): Throttle {
  if (rates[kind] === null) return null;
  const pool = poolOf(sharedNetworks, caller.address);
  if (pool === null) return { pool: null };
  const { max, windowMs } = CAPS.sharedNetworkWrites;
  const unknown = Math.floor(max * FACTORS.unknownMailboxesInPool);
  return {
    pool: {
      unknown: { key: `${kind}:emails:${pool}:unknown`, max: unknown, windowMs },
      known: { key: `${kind}:emails:${pool}:known`, max: max - unknown, windowMs },
    },
  };
}

/** Limits of an action without an email address. Clients in a shared network have `POOL_FACTOR` times the limit together. */
export function callerHits(
  action: Limit,
  rate: { readonly max: number; readonly windowMs: number },
  caller: Caller,
  sharedNetworks: readonly Network[],
  secrets: Secrets,
): Hit[] {
  const pool = poolOf(sharedNetworks, caller.address);
  if (pool === null) return clientHits(action, rate, caller.address, secrets);
  return [{ key: `${action}:${pool}`, max: rate.max * POOL_FACTOR, windowMs: rate.windowMs }];
}
const POOL_FACTOR = 10;

/** Fault for a caller beyond a limit that has room again at `retryAt`. Reports it to `onRateLimited`. */
export function tooMany(
  { onRateLimited }: Pick<Ports, "onRateLimited">,
  limit: Limit,
  retryAt: number,
  now: number,
  why?: FaultReason,
): Fault {
  onRateLimited(limit);
  const retryAfterSeconds = Math.max(1, Math.ceil((retryAt - now) / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new Fault("too_many", why ?? { reason: "too_often", minutes }, { retryAfterSeconds });
}

/** Keyed hash of the client's network: /48 of IPv6, /24 of IPv4, so about one organisation or one street of a provider. */
export function hashNetwork({ address }: Caller, secrets: Secrets): string {
  return secrets.keyedHash("caller", `network ${callerNetwork(address)}`);
}

/** Limits by client, and by IPv6 /56: the connection of one household has 256 networks of /64. */
function clientHits(
  action: Limit,
  { max, windowMs }: NonNullable<Rate>,
  address: string | null,
  secrets: Secrets,
): Hit[] {
  const client = {
    key: `${action}:from:${secrets.keyedHash("caller", callerBucket(address))}`,
    max,
    windowMs,
  };
  const bytes = address === null ? null : addressBytes(address);
  if (bytes === null || bytes.length === 4) return [client];
  const household = secrets.keyedHash("caller", `56 ${bytes.subarray(0, 7).join(".")}`);
  return [client, { key: `${action}:56:${household}`, max: max * FACTORS.writesPer56, windowMs }];
}

/** Network of an address in plain text: /48 of IPv6, /24 of IPv4. For use in memory only, never in the store. */
export function callerNetwork(address: string | null): string {
  const bytes = address === null ? null : addressBytes(address);
  return bytes === null ? "unknown" : bytes.subarray(0, bytes.length === 4 ? 3 : 6).join(".");
}

/** Part of an address that identifies one client, as text: all of IPv4, the first 64 bits of IPv6. */
export function callerBucket(address: string | null): string {
  const bytes = address === null ? null : addressBytes(address);
  return bytes === null ? "unknown" : bytes.subarray(0, bytes.length === 4 ? 4 : 8).join(".");
}

/** Key of the shared network that contains an address; null for any other address. */
function poolOf(networks: readonly Network[], address: string | null): string | null {
  const network = networkOf(networks, address);
  return network === null ? null : `pool:${network.bytes.join(".")}/${network.prefix}`;
}
