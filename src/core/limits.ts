import { Fault, type FaultReason, type WriteLimit } from "./fault.ts";
import { type Cap, CAPS, FACTORS, formatRate, type PendingKind } from "./caps.ts";
import { HOUR_MS } from "./duration.ts";
import {
  callerBucket,
  callerHousehold,
  callerNetwork,
  type Network,
  networkOf,
} from "./ip-address.ts";
import type { Instance, Secrets } from "./instance.ts";

/** Client of a request. Its address is null once it is no longer known. */
export type Caller = { readonly address: string | null };

/** Limit that the operator sets; null for none. */
export type Rate = Cap | null;
export type Rates = Readonly<Record<PendingKind, Rate>>;

/** Actions that have a limit; `again` is resending an email. */
export type Limit =
  | PendingKind
  | "admin"
  | "again"
  | "erase"
  | "inbox"
  | "links"
  | "photo"
  | "read"
  | "reply"
  | "report";

/** One hit against one limit. `key` never contains an address in plain text. */
export type Hit = Cap & { readonly key: string };

/** Hits of all limits. */
export interface LimitStore {
  /** Counts hits if all limits have room and returns null; otherwise the time when the fullest has room again. */
  countHits(hits: readonly Hit[], now: number): Promise<number | null>;
  /** Result that `countHits` would give; counts nothing. */
  limitedUntil(hits: readonly Hit[], now: number): Promise<number | null>;
}

/** Settings of limits, and who is told. */
export type LimitPorts = Pick<Instance, "secrets"> & {
  readonly rates: Rates;
  /** Networks whose addresses are shared by many users, such as those of hosted assistants. */
  readonly sharedNetworks: readonly Network[];
  /** Called for every request refused by a limit. */
  readonly onRateLimited: (limit: Limit) => void;
};

/** Retention of hits. */
export const HITS_KEEP_MS = 24 * HOUR_MS;

/** Limits of a write by client address (IPv6: /64 and /56). */
export function hitsFor(ports: LimitPorts, kind: PendingKind, caller: Caller): Hit[] {
  const rate = ports.rates[kind];
  if (rate === null || poolOf(ports, caller) !== null) return [];
  return clientHits(ports, limitOf(kind), rate, caller);
}

/** Limit that a write counts against: a sighting counts as a message. */
function limitOf(kind: PendingKind): PendingKind {
  return kind === "sighting" ? "message" : kind;
}

/**
 * Network of a request, and the limit on requests of its kind from there that nobody has confirmed. Those of hosted
 * assistants, whose addresses strangers share, are one network each.
 */
export function networkFor(ports: LimitPorts, kind: PendingKind, caller: Caller) {
  const pool = poolOf(ports, caller);
  const rate = ports.rates[kind];
  const ofClients = rate && { ...rate, max: rate.max * FACTORS.networkClients };
  return {
    networkHash: hashNetwork(ports.secrets, pool ?? callerNetwork(caller.address)),
    isShared: pool !== null,
    /** Null for none. */
    unconfirmed: rate !== null && pool !== null ? CAPS.sharedNetworkRequests : ofClients,
  };
}

/** Limit that a request from a network of hosted assistants counts against once it is confirmed: that of its mailbox. */
export function confirmationHits(
  ports: LimitPorts,
  {
    kind,
    networkHash,
    addressHash,
  }: {
    readonly kind: PendingKind;
    readonly networkHash: string;
    readonly addressHash: string;
  },
): Hit[] {
  const rate = ports.rates[kind];
  const isShared = isSharedNetwork(ports, networkHash);
  return rate !== null && isShared
    ? [{ key: `${limitOf(kind)}:mail:${addressHash}`, ...rate }]
    : [];
}

/** True for the hash of a network of hosted assistants. */
export function isSharedNetwork(
  { sharedNetworks, secrets }: Pick<LimitPorts, "sharedNetworks" | "secrets">,
  networkHash: string,
): boolean {
  return sharedNetworks.some((network) => hashNetwork(secrets, poolKey(network)) === networkHash);
}

/** Limits of an action without an email address. Clients in a shared network have `assistantClients` times the limit together. */
export function callerHits(
  ports: Pick<LimitPorts, "sharedNetworks" | "secrets">,
  action: Limit,
  cap: Cap,
  caller: Caller,
): Hit[] {
  const pool = poolOf(ports, caller);
  if (pool === null) return clientHits(ports, action, cap, caller);
  return [{ ...cap, key: `${action}:${pool}`, max: cap.max * FACTORS.assistantClients }];
}

/**
 * Fault for a caller beyond a limit that has room again at `retryAt`. Reports it to `onRateLimited`. `why` is another
 * reason, or the limit of a write, to be named.
 */
export function tooMany(
  { onRateLimited }: Pick<LimitPorts, "onRateLimited">,
  limit: Limit,
  retryAt: number,
  now: number,
  why: FaultReason | WriteLimit | null = null,
): Fault {
  onRateLimited(limit);
  const retryAfterSeconds = Math.max(1, Math.ceil((retryAt - now) / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const isReason = why !== null && "reason" in why;
  const reason = isReason ? why : ({ reason: "too_often", minutes, over: why } as const);
  return new Fault("too_many", reason, { retryAfterSeconds });
}

/** Fault for a caller beyond the limit of a write, which it names. */
export function tooManyWrites(
  ports: Pick<LimitPorts, "onRateLimited" | "rates">,
  kind: PendingKind,
  retryAt: number,
  now: number,
): Fault {
  const rate = ports.rates[kind];
  return tooMany(ports, kind, retryAt, now, rate && { kind, rate: formatRate(rate) });
}

/** Keyed hash of a network. */
export function hashNetwork(secrets: Secrets, network: string): string {
  return secrets.keyedHash("caller", `network ${network}`);
}

/** Limits by client, and by IPv6 /56: the connection of one household has 256 networks of /64. */
function clientHits(
  { secrets }: Pick<LimitPorts, "secrets">,
  action: Limit,
  { max, windowMs }: Cap,
  { address }: Caller,
): Hit[] {
  const [bucket, household] = [callerBucket(address), callerHousehold(address)];
  const hits = [{ key: `${action}:from:${secrets.keyedHash("caller", bucket)}`, max, windowMs }];
  // All of an IPv4 address.
  if (household === bucket) return hits;
  const hash = secrets.keyedHash("caller", `56 ${household}`);
  return [...hits, { key: `${action}:56:${hash}`, max: max * FACTORS.writesPer56, windowMs }];
}

/** Key of the shared network that contains an address; null for any other address. */
function poolOf(
  { sharedNetworks }: Pick<LimitPorts, "sharedNetworks">,
  { address }: Caller,
): string | null {
  const network = networkOf(sharedNetworks, address);
  return network === null ? null : poolKey(network);
}

function poolKey({ bytes, prefix }: Network): string {
  return `pool:${bytes.join(".")}/${prefix}`;
}
