import { lookup as lookUp } from "node:dns/promises";
import { type IncomingMessage, request as requestOverHttp } from "node:http";
import { request as requestOverHttps, type RequestOptions } from "node:https";
import { isIP, isIPv4, type LookupFunction } from "node:net";
import { inNetworks, type Network } from "../core/ip-address.ts";
import { isPublicAddress } from "./public-address.ts";

// Requests that are pinned to addresses checked before, so that a second answer of the DNS cannot lead elsewhere.

/** Dependencies that tests replace. */
export type OutboundParts = {
  /** Resolves a host to all its IPv4 and IPv6 addresses; rejects when it has none. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Networks treated as public. */
  readonly alsoPublic?: readonly Network[];
  readonly port?: number;
  /** Certificate (PEM) trusted instead of the system's. */
  readonly ca?: string;
  readonly timeoutMs?: number;
};

/** Addresses of a host that are tried, one after another. */
const IP_ADDRESSES_TRIED = 4;

/** Addresses of a host, none if it is unknown, and whether all of them are public. Throws when the time is up. */
export async function addressesOf(
  host: string,
  time: AbortSignal,
  { resolve = resolveHost, alsoPublic = [] }: OutboundParts,
): Promise<{ readonly ips: readonly string[]; readonly arePublic: boolean }> {
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  time.addEventListener("abort", () => reject(time.reason), { once: true });
  const ips = isIP(host) > 0 ? [host] : await Promise.race([resolve(host), timeUp]).catch(() => []);
  time.throwIfAborted();
  const arePublic = ips.every((ip) => isPublicAddress(ip) || inNetworks(alsoPublic, ip));
  return { ips, arePublic };
}

/** Resolver of the system, including its hosts file. */
async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookUp(host, { all: true })).map(({ address }) => address);
}

/** Head of the response of a host at these addresses, without redirects. Its body is to be read, or destroyed. */
export function responseOf(
  url: URL,
  ips: readonly string[],
  {
    method = "GET",
    headers,
    body,
  }: Pick<RequestOptions, "method"> & {
    readonly headers: Readonly<Record<string, string | number>>;
    readonly body?: Uint8Array;
  },
  time: AbortSignal,
  { port, ca }: OutboundParts,
): Promise<IncomingMessage> {
  const isEncrypted = url.protocol === "https:";
  const request = (isEncrypted ? requestOverHttps : requestOverHttp)({
    // The certificate must match this name; the connection uses the addresses of `lookup`, without another DNS query.
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    lookup: pinnedTo(ips),
    port: port ?? (url.port === "" ? (isEncrypted ? 443 : 80) : Number(url.port)),
    method,
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, "user-agent": "Pet Alert", ...headers },
    agent: false,
    signal: time,
    ...(ca === undefined ? {} : { ca }),
  });
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    // Not `once`: an error may also occur after the response head.
    request.on("error", reject);
    request.end(body);
  });
}

/** Lookup that gives these addresses. IPv4 first: without IPv6, a connection attempt may take long to fail. */
function pinnedTo(ips: readonly string[]): LookupFunction {
  const ordered = [...ips.filter(isIPv4), ...ips.filter((ip) => !isIPv4(ip))];
  const addresses = ordered
    .slice(0, IP_ADDRESSES_TRIED)
    .map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
  return (_host, _options, done) => done(null, addresses);
}
