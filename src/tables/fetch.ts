import type { IncomingMessage } from "node:http";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { MINUTE_MS } from "../core/duration.ts";
import { TableFault } from "../core/tables/table.ts";
import { type OutboundParts, requestPinned } from "../outbound/pinned-request.ts";

/** Request for a table. Everything in it may be secret, except for the host. */
export type TableRequest = {
  readonly url: URL;
  /** Lets the host be in a private network, and speak http. */
  readonly isPrivate: boolean;
  /** Value of the header `Authorization`. */
  readonly authorization: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
};

export type TableAnswer =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "body";
      /** Unpacked; throws `TableFault`. To be read to its end, or closed by `return`. */
      readonly bytes: AsyncGenerator<Uint8Array, void>;
      readonly etag: string | null;
      readonly lastModified: string | null;
    };

export type FetchTable = (request: TableRequest, signal: AbortSignal) => Promise<TableAnswer>;

/** From the DNS lookup to the last byte. */
const FETCH_MS_MAX = MINUTE_MS;
/** Size of a table, packed and unpacked. */
const TABLE_MB_MAX = 32;
const TABLE_BYTES_MAX = TABLE_MB_MAX * 1024 * 1024;
const REDIRECTS_MAX = 3;
/** Longest version that is kept. */
const VERSION_LENGTH_MAX = 200;

/**
 * Creates a function that fetches a table: only over https, from a host whose addresses are all public and to which the
 * connection is pinned, unless the operator says that it is private. Follows redirects within the host.
 */
export function createTableFetcher(parts: OutboundParts = {}): FetchTable {
  const { timeoutMs = FETCH_MS_MAX } = parts;
  return async (request, signal) => {
    const time = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const host = request.url.hostname;
    try {
      let url = request.url;
      for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
        const response = await responseFrom({ ...request, url }, time, parts);
        const isAnswer = !REDIRECTS.includes(response.statusCode ?? 0);
        if (isAnswer) return answerOf(response, request, time);
        response.destroy();
        url = targetOf(response, url);
      }
      throw unreachable(`${host} redirects too often.`);
    } catch (error) {
      throw error instanceof TableFault ? error : unreachable(notReached(host, time));
    }
  };
}

async function responseFrom(
  { url, isPrivate, authorization, etag, lastModified }: TableRequest,
  signal: AbortSignal,
  parts: OutboundParts,
): Promise<IncomingMessage> {
  const headers = {
    accept: "application/json, text/csv, */*;q=0.1",
    "accept-encoding": "gzip",
    ...(authorization === null ? {} : { authorization }),
    ...(etag === null ? {} : { "if-none-match": etag }),
    ...(lastModified === null ? {} : { "if-modified-since": lastModified }),
  };
  const request = { headers, mayBePrivate: isPrivate, signal };
  const response = await requestPinned(url, request, parts);
  switch (response) {
    case "unknown":
      throw unreachable(`There is no host named ${url.hostname}.`);
    case "private":
      throw unreachable(
        `${url.hostname} is in a private network: if that is right, add "private": true to its entry.`,
      );
    default:
      return response;
  }
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Address that a response redirects to. */
function targetOf({ headers }: IncomingMessage, from: URL): URL {
  const target = URL.parse(headers.location ?? "", from.href);
  if (target?.origin !== from.origin)
    throw unreachable(
      `${from.hostname} redirects to another address, which is not followed: write the table's own address into sources.json.`,
    );
  return target;
}

function answerOf(
  response: IncomingMessage,
  { url, etag, lastModified }: TableRequest,
  time: AbortSignal,
): TableAnswer {
  const { statusCode = 0, headers } = response;
  const host = url.hostname;
  if (statusCode === 200)
    return {
      kind: "body",
      bytes: bodyOf(response, host, time),
      etag: short(headers.etag),
      lastModified: short(headers["last-modified"]),
    };
  response.destroy();
  if (statusCode === 304 && (etag !== null || lastModified !== null)) return { kind: "unchanged" };
  if (statusCode === 401 || statusCode === 403)
    throw new TableFault(
      "denied",
      `${host} refuses to give the table (status ${statusCode}): check the password in the secret file.`,
    );
  throw unreachable(`${host} does not give the table (status ${statusCode}).`);
}

function short(header: string | undefined): string | null {
  return header === undefined || header.length > VERSION_LENGTH_MAX ? null : header;
}

async function* bodyOf(
  response: IncomingMessage,
  host: string,
  time: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  try {
    const expected = Number(response.headers["content-length"] ?? Number.NaN);
    if (expected > TABLE_BYTES_MAX) throw tooLarge(host);
    const packed = atMost(response as AsyncIterable<Uint8Array>, host, expected);
    const encoding = response.headers["content-encoding"] ?? "identity";
    if (encoding === "identity") yield* packed;
    else if (encoding === "gzip") yield* atMost(unpacked(packed), host);
    else throw unreachable(`${host} packs the table in a way that is not supported.`);
  } catch (error) {
    throw error instanceof TableFault ? error : unreachable(notReached(host, time));
  } finally {
    response.destroy();
  }
}

/** The same bytes, as far as a table may be large. `expected`: number of them, if it is known. */
async function* atMost(
  bytes: AsyncIterable<Uint8Array>,
  host: string,
  expected = Number.NaN,
): AsyncGenerator<Uint8Array, void> {
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > TABLE_BYTES_MAX) throw tooLarge(host);
    yield piece;
  }
  if (length < expected) throw unreachable(`${host} sent only a part of the table.`);
}

function unpacked(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip();
  // Errors are thrown by the iteration.
  pipeline(Readable.from(packed), gunzip, () => {});
  return gunzip as AsyncIterable<Uint8Array>;
}

function tooLarge(host: string): TableFault {
  return new TableFault("too_large", `The table on ${host} is larger than ${TABLE_MB_MAX} MB.`);
}

function notReached(host: string, time: AbortSignal): string {
  return time.aborted
    ? `${host} did not send the table within ${FETCH_MS_MAX / 1000} seconds.`
    : `${host} did not send the table: the connection failed, was not secure, or broke off.`;
}

function unreachable(sentence: string): TableFault {
  return new TableFault("unreachable", sentence);
}
