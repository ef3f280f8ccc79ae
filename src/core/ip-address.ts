import { isIP, isIPv4 } from "node:net";

/** Length of an address with a zone. */
const ADDRESS_LENGTH_MAX = 60;

/** Network in CIDR form. */
export type Network = { readonly bytes: Uint8Array; readonly prefix: number };

/** True if a host name or address, with or without brackets, always leads to this machine. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === "localhost") return true;
  const bytes = addressBytes(host.replace(/^\[(.*)\]$/, "$1"));
  if (bytes === null) return false;
  return bytes.length === 4 ? bytes[0] === 127 : bytes.toHex() === `${"0".repeat(31)}1`;
}

/** True if an address is in one of the networks. */
export function inNetworks(networks: readonly Network[], address: string | null): boolean {
  return networkOf(networks, address) !== null;
}

/** First of the networks that contains an address, or null. */
export function networkOf(networks: readonly Network[], address: string | null): Network | null {
  const bytes = address === null ? null : addressBytes(address);
  return bytes === null ? null : (networks.find((network) => contains(network, bytes)) ?? null);
}

function contains({ bytes, prefix }: Network, address: Uint8Array): boolean {
  if (bytes.length !== address.length) return false;
  return bytes.every((byte, nth) => {
    const bits = Math.min(8, Math.max(0, prefix - nth * 8));
    return (byte ^ address[nth]!) >> (8 - bits) === 0;
  });
}

/** Parses `160.79.104.0/21` or `2001:db8::/32`; null if the text is neither. */
export function readNetwork(text: string): Network | null {
  const [address = "", prefixText, extra] = text.trim().split("/");
  const bytes = addressBytes(address);
  if (bytes === null || extra !== undefined) return null;
  if (prefixText !== undefined && !/^\d{1,3}$/.test(prefixText)) return null;
  const prefix = prefixText === undefined ? bytes.length * 8 : Number(prefixText);
  return prefix <= bytes.length * 8 ? { bytes, prefix } : null;
}

/**
 * Address in an entry of X-Forwarded-For, which some proxies write with a port, in brackets or in quotes, as in
 * `"[2001:db8::1]:443"`. Null if it holds none.
 */
export function forwardedAddress(entry: string): string | null {
  const bare = entry.trim().replace(/^"(.*)"$/, "$1");
  for (const text of [bare, bare.replace(/:\d{1,5}$/, "")]) {
    const address = text.replace(/^\[(.*)\]$/, "$1");
    if (addressBytes(address) !== null) return address;
  }
  return null;
}

/** Bytes of an IP address: 4, or 16; 4 for IPv4 mapped to IPv6 (`::ffff:1.2.3.4`). Null if the text is not an address. */
export function addressBytes(text: string): Uint8Array | null {
  if (text.length > ADDRESS_LENGTH_MAX) return null;
  const address = text.replace(/%.*$/, "");
  if (isIPv4(address)) return Uint8Array.from(address.split("."), Number);
  if (isIP(address) !== 6) return null;
  // A URL writes an IPv6 address as hexadecimal groups in lower case.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical
    .split("::")
    .map((half) => half.split(":").filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  const groups = [...head, ...zeros, ...tail].map((group) => group.padStart(4, "0"));
  const bytes = Uint8Array.fromHex(groups.join(""));
  const isMapped = bytes.toHex().startsWith(`${"0".repeat(20)}ffff`);
  return isMapped ? bytes.subarray(12) : bytes;
}

/**
 * Network of an address in plain text: /48 of IPv6, /24 of IPv4, so about one organisation or one street of a provider. For
 * use in memory only, never in the store.
 */
export function callerNetwork(address: string | null): string {
  return prefixOf(address, { ipv4: 3, ipv6: 6 });
}

/** Connection of one household: all of an IPv4 address, a /56 of IPv6. */
export function callerHousehold(address: string | null): string {
  return prefixOf(address, { ipv4: 4, ipv6: 7 });
}

/** Part of an address that identifies one client, as text: all of IPv4, the first 64 bits of IPv6. */
export function callerBucket(address: string | null): string {
  return prefixOf(address, { ipv4: 4, ipv6: 8 });
}

/** First bytes of an address as text. */
function prefixOf(
  address: string | null,
  bytes: { readonly ipv4: number; readonly ipv6: number },
): string {
  const all = address === null ? null : addressBytes(address);
  if (all === null) return "unknown";
  return all.subarray(0, all.length === 4 ? bytes.ipv4 : bytes.ipv6).join(".");
}
