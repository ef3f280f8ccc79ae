import { type Cap, CAPS, FACTORS, formatCap } from "./caps.ts";
import { HOUR_MS } from "./duration.ts";
import type { FaultReason } from "./fault-sentences.ts";
import { Fault } from "./fault.ts";
import type { PendingKind } from "./email.ts";
import { addressBytes, type Network, networkOf } from "./ip-address.ts";
import type { Pending } from "./confirmation/pending.ts";
import { smallMailDomain } from "./mailbox-spelling.ts";
import type { Ports, Secrets } from "./ports.ts";

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

/** "5 an hour", "3 a minute" or "unlimited". */
export function formatRate(rate: Rate): string {
  return rate === null ? "unlimited" : formatCap(rate);
}

/** One hit against one limit. `key` never contains an address in plain text. */
export type Hit = Cap & { readonly key: string };

/** Retention of hits. */
export const HITS_KEEP_MS = 24 * HOUR_MS;

/** Limit that a write counts against: a sighting counts as a message. */
function limitOf(kind: PendingKind): PendingKind {
  return kind === "sighting" ? "message" : kind;
}

/** Limits of a write by client address (IPv6: /64 and /56). */
export function hitsFor(ports: LimitPorts, kind: PendingKind, caller: Caller): Hit[] {
  const rate = ports.rates[kind];
  if (rate === null || poolOf(ports, caller) !== null) return [];
  return clientHits(ports, limitOf(kind), rate, caller);
}

type LimitPorts = Pick<Ports, "rates" | "sharedNetworks" | "secrets">;

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
export function hitsOnceConfirmed(
  ports: LimitPorts,
  { kind, networkHash, addressHash }: Pick<Pending, "kind" | "networkHash" | "addressHash">,
): Hit[] {
  const rate = ports.rates[kind];
  const isShared = ports.sharedNetworks.some(
    (network) => hashNetwork(ports.secrets, poolKey(network)) === networkHash,
  );
  return rate !== null && isShared
    ? [{ key: `${limitOf(kind)}:mail:${addressHash}`, ...rate }]
    : [];
}

/** Limit on emails to a mail domain whose mailboxes may all be one person's; null for a large provider. */
export function smallDomainHit(secrets: Secrets, email: string): Hit | null {
  const domain = smallMailDomain(email);
  if (domain === null) return null;
  const key = `small-domain:${secrets.keyedHash("address", domain)}`;
  return { key, ...CAPS.confirmationEmailsPerSmallDomain };
}

const POOL_FACTOR = 10;

/** Limits of an action without an email address. Clients in a shared network have `POOL_FACTOR` times the limit together. */
export function callerHits(
  ports: Pick<Ports, "sharedNetworks" | "secrets">,
  action: Limit,
  cap: Cap,
  caller: Caller,
): Hit[] {
  const pool = poolOf(ports, caller);
  if (pool === null) return clientHits(ports, action, cap, caller);
  return [{ key: `${action}:${pool}`, max: cap.max * POOL_FACTOR, windowMs: cap.windowMs }];
}

/** Fault for a caller beyond a limit that has room again at `retryAt`. Reports it to `onRateLimited`. */
export function tooMany(
  { onRateLimited }: Pick<Ports, "onRateLimited">,
  limit: Limit,
  retryAt: number,
  now: number,
  why?: FaultReason,
): Fault {
  onRateLimited(limit);
  const retryAfterSeconds = secondsUntil(retryAt, now);
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new Fault("too_many", why ?? { reason: "too_often", minutes }, { retryAfterSeconds });
}

/** Fault for a caller beyond the limit of a write, which it names. */
export function tooManyWrites(
  ports: Pick<Ports, "onRateLimited" | "rates">,
  kind: PendingKind,
  retryAt: number,
  now: number,
): Fault {
  const rate = ports.rates[kind];
  const over = rate === null ? null : { kind, rate: formatRate(rate) };
  const minutes = Math.ceil(secondsUntil(retryAt, now) / 60);
  return tooMany(ports, kind, retryAt, now, { reason: "too_often", minutes, over });
}

function secondsUntil(retryAt: number, now: number): number {
  return Math.max(1, Math.ceil((retryAt - now) / 1000));
}

/** Keyed hash of a network. */
export function hashNetwork(secrets: Secrets, network: string): string {
  return secrets.keyedHash("caller", `network ${network}`);
}

/** Limits by client, and by IPv6 /56: the connection of one household has 256 networks of /64. */
function clientHits(
  { secrets }: Pick<Ports, "secrets">,
  action: Limit,
  { max, windowMs }: Cap,
  { address }: Caller,
): Hit[] {
  const client = secrets.keyedHash("caller", callerBucket(address));
  const hits = [{ key: `${action}:from:${client}`, max, windowMs }];
  const bytes = address === null ? null : addressBytes(address);
  if (bytes === null || bytes.length === 4) return hits;
  const household = secrets.keyedHash("caller", `56 ${bytes.subarray(0, 7).join(".")}`);
  return [...hits, { key: `${action}:56:${household}`, max: max * FACTORS.writesPer56, windowMs }];
}

/**
 * Network of an address in plain text: /48 of IPv6, /24 of IPv4, so about one organisation or one street of a provider. For
 * use in memory only, never in the store.
 */
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
function poolOf(
  { sharedNetworks }: Pick<Ports, "sharedNetworks">,
  { address }: Caller,
): string | null {
  const network = networkOf(sharedNetworks, address);
  return network === null ? null : poolKey(network);
}

function poolKey({ bytes, prefix }: Network): string {
  return `pool:${bytes.join(".")}/${prefix}`;
}
