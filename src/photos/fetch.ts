import type { IncomingMessage } from "node:http";
import { readBytes } from "../core/byte-limit.ts";
import { Fault } from "../core/fault.ts";
import { type OutboundParts, requestPinned } from "../outbound/pinned-request.ts";

const ADDRESS_LENGTH_MAX = 2_000;
/** From the DNS lookup to the last byte. */
const FETCH_SECONDS = 5;
const FETCHED_MB_MAX = 5;
const FETCHED_BYTES_MAX = FETCHED_MB_MAX * 1024 * 1024;

/**
 * Creates a function that fetches a photo from a URL given by a client: only over https, from a host whose addresses are
 * all public and to which the connection is pinned, without redirects, within 5 seconds and 5 MB. So it reaches nothing
 * that the client could not reach itself (SSRF). The bytes are not inspected.
 *
 * Throws `bad_input` and `too_large` with a sentence that names only the host.
 */
export function createPhotoFetcher(
  parts: OutboundParts = {},
): (address: string) => Promise<Uint8Array> {
  const { timeoutMs = FETCH_SECONDS * 1000 } = parts;
  return async (address) => {
    const url = readAddress(address);
    const host = url.hostname;
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = { accept: "image/*", "accept-encoding": "identity" };
    try {
      const response = await requestPinned(url, { headers, signal }, parts);
      // The same error for unknown and internal hosts, so that it does not reveal internal names.
      if (typeof response === "string") throw refused(`There is no public host named ${host}.`);
      try {
        checkHead(response, host);
        return await readBytes(response, FETCHED_BYTES_MAX, () => tooLarge(host));
      } finally {
        response.destroy();
      }
    } catch (error) {
      throw error instanceof Fault ? error : unreachable(host, signal);
    }
  };
}

/** Labels of letters, digits and hyphens, at least two; the last begins with a letter, so it is no IP address. */
const HOST_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const HOST_LENGTH_MAX = 253;

function readAddress(address: string): URL {
  const url = address.length > ADDRESS_LENGTH_MAX ? null : URL.parse(address);
  if (url === null)
    throw refused("A photo's URL must be complete, such as https://example.org/cat.jpg.");
  if (url.protocol !== "https:") throw refused("A photo's URL must begin with https://.");
  if (url.username !== "" || url.password !== "")
    throw refused("A photo's URL must not contain a user name or password.");
  if (url.hostname.length > HOST_LENGTH_MAX || !HOST_NAME.test(url.hostname))
    throw refused("A photo's URL must have a public host, such as example.org.");
  if (url.port !== "") throw refused(`A photo's URL on ${url.hostname} must not have a port.`);
  return url;
}

function checkHead({ statusCode = 0, headers }: IncomingMessage, host: string): void {
  if (statusCode >= 300 && statusCode < 400)
    throw refused(`${host} redirects to another URL: please use the photo's own URL.`);
  if (statusCode !== 200) throw refused(`${host} has no photo there (status ${statusCode}).`);
  if ((headers["content-encoding"] ?? "identity") !== "identity")
    throw refused(`${host} sends the photo with a content encoding that is not supported.`);
  if (Number(headers["content-length"] ?? 0) > FETCHED_BYTES_MAX) throw tooLarge(host);
}

function refused(sentence: string): Fault {
  return new Fault("bad_input", sentence);
}

function tooLarge(host: string): Fault {
  return new Fault("too_large", `The photo on ${host} is larger than ${FETCHED_MB_MAX} MB.`);
}

function unreachable(host: string, time: AbortSignal): Fault {
  return refused(
    time.aborted
      ? `${host} did not send the photo within ${FETCH_SECONDS} seconds.`
      : `${host} did not send the photo over a valid secure connection.`,
  );
}
