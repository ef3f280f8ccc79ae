import { lookup as lookUp } from "node:dns/promises";
import type { ClientRequest, IncomingMessage } from "node:http";
import { isIPv4, type LookupFunction } from "node:net";

// Requests that are pinned to addresses checked before, so that a second answer of the DNS cannot lead elsewhere.

/** Addresses of a host that are tried, one after another. */
const IP_ADDRESSES_TRIED = 4;

/** Resolver of the system, including its hosts file. */
export async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookUp(host, { all: true })).map(({ address }) => address);
}

/** Lookup that gives these addresses. IPv4 first: without IPv6, a connection attempt may take long to fail. */
export function pinnedTo(ips: readonly string[]): LookupFunction {
  const ordered = [...ips.filter(isIPv4), ...ips.filter((ip) => !isIPv4(ip))];
  const addresses = ordered
    .slice(0, IP_ADDRESSES_TRIED)
    .map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
  return (_host, _options, done) => done(null, addresses);
}

/** Ends a request, whose body, if it has one, was written before; resolves with the head of the response. */
export function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    // Not `once`: an error may also occur after the response head.
    request.on("error", reject);
    request.end();
  });
}

/** Rejects when the time is up before the work is done. */
export async function withTimeout<Result>(
  work: Promise<Result>,
  time: AbortSignal,
): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  time.addEventListener("abort", () => reject(time.reason), { once: true });
  return Promise.race([work, promise]);
}
