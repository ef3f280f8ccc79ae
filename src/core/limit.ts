import { HOUR_MS } from "./duration.ts";
import type { FaultReason } from "./fault-reason.ts";
import { Fault } from "./fault.ts";
import type { PendingKind } from "./letter.ts";
import type { Ports, Vault } from "./ports.ts";

/** Who calls: the address the request came from, or null when it is not known any more. */
export type Caller = { readonly address: string | null };

/** So many within a sliding window, or no limit. */
export type Rate = { readonly max: number; readonly windowMs: number } | null;
export type Rates = Readonly<Record<PendingKind, Rate>>;

/** What can be done too often; `again` is having a letter sent once more. */
export type Limit =
  PendingKind | "admin" | "again" | "erase" | "links" | "photo" | "read" | "reply" | "report";

/** "5 an hour", "3 a minute" or "unlimited". */
export function rateInWords(rate: Rate): string {
  if (rate === null) return "unlimited";
  return `${rate.max} ${rate.windowMs === HOUR_MS ? "an hour" : "a minute"}`;
}

/** One count against one limit. `key` never holds an address in clear. */
export type Hit = {
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
};

/** A network in CIDR form, read. */
export type Network = { readonly bytes: Uint8Array; readonly prefix: number };

/** Writes of one kind an hour from all shared networks together. */
const POOL_MAX = 100;
/** How long counts against limits are kept. */
export const HITS_KEEP_MS = 24 * HOUR_MS;

/**
 * The limits a write counts against: by the caller's address (IPv6 by its /64), or, where strangers share the
 * address, by the e-mail given, under a cap for the whole pool.
 */
export function hitsFor(
  kind: PendingKind,
  caller: Caller,
  addressMark: string,
  rates: Rates,
  sharedNetworks: readonly Network[],
  vault: Vault,
): Hit[] {
  const rate = rates[kind];
  if (rate === null) return [];
  const bytes = caller.address === null ? null : addressBytes(caller.address);
  if (inNetworks(sharedNetworks, caller.address)) {
    return [
      { key: `${kind}:mail:${addressMark}`, ...rate },
      { key: `${kind}:pool`, max: POOL_MAX, windowMs: HOUR_MS },
    ];
  }
  const who = bytes === null ? "unknown" : vault.mark("caller", bucketOf(bytes));
  return [{ key: `${kind}:from:${who}`, ...rate }];
}

/**
 * The limit of what a caller does without giving an address. Strangers that share one have so many times more
 * together.
 */
export function callerHits(
  action: Limit,
  rate: { readonly max: number; readonly windowMs: number },
  caller: Caller,
  sharedNetworks: readonly Network[],
  vault: Vault,
): Hit[] {
  if (inNetworks(sharedNetworks, caller.address))
    return [{ key: `${action}:pool`, max: rate.max * POOL_FACTOR, windowMs: rate.windowMs }];
  const who = vault.mark("caller", callerBucket(caller.address));
  return [{ key: `${action}:from:${who}`, ...rate }];
}
const POOL_FACTOR = 10;

/**
 * The fault for a caller whom a limit holds back, which is told to the operator. It has room again at `retryAt`; without
 * a reason of its own the fault says how long to wait.
 */
export function tooMany(
  { heldBack }: Pick<Ports, "heldBack">,
  limit: Limit,
  retryAt: number,
  now: number,
  why?: FaultReason,
): Fault {
  heldBack(limit);
  const retryAfterSeconds = Math.max(1, Math.ceil((retryAt - now) / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new Fault("too_many", why ?? { reason: "too_often", minutes }, { retryAfterSeconds });
}

/** The part of an address one caller holds: all of IPv4, the first 64 bits of IPv6; as text. */
export function callerBucket(address: string | null): string {
  const bytes = address === null ? null : addressBytes(address);
  return bytes === null ? "unknown" : bucketOf(bytes);
}

/** Whether an address lies in one of the networks. */
export function inNetworks(networks: readonly Network[], address: string | null): boolean {
  const bytes = address === null ? null : addressBytes(address);
  return bytes !== null && networks.some((network) => contains(network, bytes));
}

function bucketOf(bytes: Uint8Array): string {
  return (bytes.length === 4 ? bytes : bytes.subarray(0, 8)).join(".");
}

function contains(network: Network, bytes: Uint8Array): boolean {
  if (network.bytes.length !== bytes.length) return false;
  for (let bit = 0; bit < network.prefix; bit += 8) {
    const mask = network.prefix - bit >= 8 ? 0xff : (0xff00 >> (network.prefix - bit)) & 0xff;
    if (((network.bytes[bit / 8] ?? 0) & mask) !== ((bytes[bit / 8] ?? 0) & mask)) return false;
  }
  return true;
}

/** Reads `160.79.104.0/21` or `2001:db8::/32`; null when it is neither. */
export function readNetwork(text: string): Network | null {
  const [address = "", prefixText, extra] = text.trim().split("/");
  const bytes = addressBytes(address);
  if (bytes === null || extra !== undefined) return null;
  if (prefixText !== undefined && !/^\d{1,3}$/.test(prefixText)) return null;
  const prefix = prefixText === undefined ? bytes.length * 8 : Number(prefixText);
  return prefix <= bytes.length * 8 ? { bytes, prefix } : null;
}

/** 4 or 16 bytes of an IP address; an IPv4 address written as IPv6 (`::ffff:1.2.3.4`) gives its 4. Null when it is none. */
export function addressBytes(address: string): Uint8Array | null {
  if (address.length > 60) return null;
  const plain = address.replace(/%.*$/, "").toLowerCase();
  return plain.includes(":") ? ipv6Bytes(plain) : ipv4Bytes(plain);
}

function ipv4Bytes(text: string): Uint8Array | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part))) return null;
  const numbers = parts.map(Number);
  return numbers.every((number) => number <= 255) ? Uint8Array.from(numbers) : null;
}

function ipv6Bytes(text: string): Uint8Array | null {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const tail = dotted?.[2] === undefined ? null : ipv4Bytes(dotted[2]);
  if (dotted && tail === null) return null;
  const hex = dotted && tail ? `${dotted[1]}${hexGroups(tail)}` : text;

  const halves = hex.split("::");
  if (halves.length > 2) return null;
  const [head = [], rest = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - rest.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...Array<string>(halves.length === 2 ? missing : 0).fill("0"), ...rest];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return null;

  const bytes = Uint8Array.from(
    groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
  );
  const mapped =
    bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return mapped ? bytes.subarray(12) : bytes;
}

function hexGroups(bytes: Uint8Array): string {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
