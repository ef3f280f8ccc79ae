import { lookup as lookUp } from "node:dns/promises";
import {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestOverHttp,
} from "node:http";
import { request as requestOverHttps } from "node:https";
import { isIP, isIPv4, type LookupFunction } from "node:net";
import { inNetworks, type Network } from "../core/ip-address.ts";
import { isPublicAddress } from "./public-address.ts";

/** Dependencies of requests to hosts that others name, which tests replace. */
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

/**
 * Head of a response, whose body is to be read or destroyed. The host's addresses must all be public, and the connection is
 * pinned to them, so that a second answer of the DNS cannot lead elsewhere. "unknown": there is no such host; "private":
 * not all of its addresses are public. Rejects when the signal aborts it, or there is no connection.
 */
export async function requestPinned(
  url: URL,
  {
    headers,
    body,
    mayBePrivate = false,
    signal,
  }: {
    readonly headers: OutgoingHttpHeaders;
    /** Sent by POST. */
    readonly body?: Uint8Array;
    readonly mayBePrivate?: boolean;
    readonly signal: AbortSignal;
  },
  { resolve = resolveHost, alsoPublic = [], port, ca }: OutboundParts,
): Promise<IncomingMessage | "unknown" | "private"> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const ips =
    isIP(host) > 0 ? [host] : await withTimeout(resolve(host), signal).catch(() => [] as string[]);
  signal.throwIfAborted();
  if (ips.length === 0) return "unknown";
  const isPublic = (ip: string) => isPublicAddress(ip) || inNetworks(alsoPublic, ip);
  if (!mayBePrivate && !ips.every(isPublic)) return "private";
  const isEncrypted = url.protocol === "https:";
  const usualPort = isEncrypted ? 443 : 80;
  const request = (isEncrypted ? requestOverHttps : requestOverHttp)({
    // The certificate must match this name; the connection uses the addresses of `lookup`, without another DNS query.
    hostname: host,
    lookup: pinnedTo(ips),
    port: port ?? (url.port === "" ? usualPort : Number(url.port)),
    method: body === undefined ? "GET" : "POST",
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, "user-agent": "Pet Alert", ...headers },
    agent: false,
    signal,
    ...(ca === undefined ? {} : { ca }),
  });
  if (body !== undefined) request.write(body);
  return responseTo(request);
}

/** Addresses of a host that are tried, one after another. */
const IP_ADDRESSES_TRIED = 4;

/** Resolver of the system, including its hosts file. */
async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookUp(host, { all: true })).map(({ address }) => address);
}

/** Lookup that gives these addresses. IPv4 first: without IPv6, a connection attempt may take long to fail. */
function pinnedTo(ips: readonly string[]): LookupFunction {
  const ordered = [...ips.filter(isIPv4), ...ips.filter((ip) => !isIPv4(ip))];
  const addresses = ordered
    .slice(0, IP_ADDRESSES_TRIED)
    .map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
  return (_host, _options, done) => done(null, addresses);
}

/** Ends a request, whose body, if it has one, was written before; resolves with the head of the response. */
function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    // Not `once`: an error may also occur after the response head.
    request.on("error", reject);
    request.end();
  });
}

/** Rejects when the time is up before the work is done. */
async function withTimeout<Result>(work: Promise<Result>, time: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  time.addEventListener("abort", () => reject(time.reason), { once: true });
  return Promise.race([work, promise]);
}
