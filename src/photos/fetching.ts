import { lookup as lookUp } from "node:dns/promises";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request as requestOf } from "node:https";
import { isIPv4, type LookupFunction } from "node:net";
import { Fault } from "../core/fault.ts";
import { inNetworks, type Network } from "../core/limit.ts";
import { isPublicAddress } from "./public-address.ts";
import { createTurns } from "./turns.ts";

/** Parts a test puts in the place of the real ones. */
export type FetchingParts = {
  /** Gives every IPv4 and IPv6 address of a host; rejects when it has none. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Networks that pass for public. */
  readonly alsoPublic?: readonly Network[];
  readonly port?: number;
  /** Certificate (PEM) trusted in the place of the system's. */
  readonly ca?: string;
  readonly timeoutMs?: number;
};

const HTTPS_PORT = 443;
const ADDRESS_LENGTH_MAX = 2_000;
/** From asking for the host's addresses to the last byte. */
const FETCH_SECONDS = 5;
const FETCHED_MB_MAX = 5;
const FETCHED_BYTES_MAX = FETCHED_MB_MAX * 1024 * 1024;
/** Of a host with many addresses these are tried, one after another. */
const IP_ADDRESSES_TRIED = 4;
const FETCHES_AT_ONCE = 4;
const WAITING_MAX = 16;

/**
 * Gives a function that fetches a picture from an address a stranger gave: only over https, from a host whose every
 * IP address is public, connected to at just these, without redirects, within 5 seconds and 5 MB. Thus it reaches
 * nothing that the stranger could not reach. The bytes are not looked at.
 *
 * Throws `bad_input` and `too_large` in a sentence that names the host and no more, `unavailable` when too many wait.
 */
export function createPhotoFetcher(
  parts: FetchingParts = {},
): (address: string) => Promise<Uint8Array> {
  const { resolve = resolveHost, alsoPublic = [], timeoutMs = FETCH_SECONDS * 1000 } = parts;
  const inTurn = createTurns({ atOnce: FETCHES_AT_ONCE, waitingMax: WAITING_MAX });
  return async (address) => {
    const url = readAddress(address);
    return inTurn(async () => {
      const time = AbortSignal.timeout(timeoutMs);
      try {
        const ips = await orEnd(resolve(url.hostname), time).catch(() => []);
        const isPublic = (ip: string) => isPublicAddress(ip) || inNetworks(alsoPublic, ip);
        time.throwIfAborted();
        // Whether a host is unknown or hidden is nobody's business.
        if (ips.length === 0 || !ips.every(isPublic)) throw notFound(url.hostname);
        return await fetchFrom(url, ips, time, parts);
      } catch (error) {
        throw error instanceof Fault ? error : unreachable(url.hostname, time);
      }
    });
  };
}

/** Labels of letters, digits and hyphens, at least two; the last begins with a letter, so it is no IP address. */
const HOST_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const HOST_LENGTH_MAX = 253;

function readAddress(address: string): URL {
  const url = address.length > ADDRESS_LENGTH_MAX ? null : URL.parse(address);
  if (url === null)
    throw refused("A picture's address must be a whole one, such as https://example.org/cat.jpg.");
  if (url.protocol !== "https:") throw refused("A picture's address must begin with https://.");
  if (url.username !== "" || url.password !== "")
    throw refused("A picture's address must not hold a user name or password.");
  if (url.hostname.length > HOST_LENGTH_MAX || !HOST_NAME.test(url.hostname))
    throw refused("A picture's address must name a public host, such as example.org.");
  if (url.port !== "")
    throw refused(`The address of a picture on ${url.hostname} must name no port.`);
  return url;
}

/** As the system knows it, its hosts file included. */
async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookUp(host, { all: true })).map(({ address }) => address);
}

async function fetchFrom(
  url: URL,
  ips: readonly string[],
  time: AbortSignal,
  { port = HTTPS_PORT, ca }: FetchingParts,
): Promise<Uint8Array> {
  const host = url.hostname;
  const request = requestOf({
    // The certificate must be this name's; the connection goes where `lookup` says and asks nobody else.
    hostname: host,
    lookup: pinnedTo(ips),
    port,
    path: `${url.pathname}${url.search}`,
    headers: { host, accept: "image/*", "accept-encoding": "identity", "user-agent": "Pet Alert" },
    agent: false,
    signal: time,
    ...(ca === undefined ? {} : { ca }),
  });
  try {
    const answer = await answerTo(request);
    refuseUnfit(answer, host);
    return await bodyOf(answer, host);
  } finally {
    request.destroy();
  }
}

/** IPv4 first: a machine without IPv6 may wait long for a connection that never comes. */
function pinnedTo(ips: readonly string[]): LookupFunction {
  const ordered = [...ips.filter(isIPv4), ...ips.filter((ip) => !isIPv4(ip))];
  const addresses = ordered
    .slice(0, IP_ADDRESSES_TRIED)
    .map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
  return (_host, _options, done) => done(null, addresses);
}

function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    // Stays, because an error may also come after the answer's head, and nobody else would hear it.
    request.on("error", reject);
    request.end();
  });
}

function refuseUnfit({ statusCode = 0, headers }: IncomingMessage, host: string): void {
  if (statusCode >= 300 && statusCode < 400)
    throw refused(`${host} passes on to another address: please give the picture's own.`);
  if (statusCode !== 200) throw refused(`${host} gives no picture there (status ${statusCode}).`);
  if ((headers["content-encoding"] ?? "identity") !== "identity")
    throw refused(`${host} packs the picture in a way that is not read here.`);
  if (Number(headers["content-length"] ?? 0) > FETCHED_BYTES_MAX) throw tooLarge(host);
}

async function bodyOf(answer: IncomingMessage, host: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > FETCHED_BYTES_MAX) throw tooLarge(host);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What comes first: the work's result or the end of the time. */
async function orEnd<Result>(work: Promise<Result>, time: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  time.addEventListener("abort", () => reject(time.reason), { once: true });
  return Promise.race([work, promise]);
}

function refused(sentence: string): Fault {
  return new Fault("bad_input", sentence);
}

function tooLarge(host: string): Fault {
  return new Fault("too_large", `The picture on ${host} is larger than ${FETCHED_MB_MAX} MB.`);
}

function notFound(host: string): Fault {
  return refused(`There is no public host named ${host}.`);
}

function unreachable(host: string, time: AbortSignal): Fault {
  return refused(
    time.aborted
      ? `${host} did not send the picture within ${FETCH_SECONDS} seconds.`
      : `${host} did not send the picture over a secure connection that holds.`,
  );
}
