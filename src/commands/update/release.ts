import { closeSync, openSync, writeSync } from "node:fs";
import { MINUTE_MS } from "../../core/duration.ts";
import { limitBytes, readBytes } from "../../core/byte-limit.ts";
import { Fault } from "../../core/fault.ts";
import { codeOf, flushOpen } from "../../ops/fs.ts";
import { isLoopback } from "../../core/ip-address.ts";

/** Place of the releases, set when the program is built. */
export type ReleaseSource = {
  /** Address under which the files of the newest release lie. */
  readonly url: string;
  /** Ed25519 key that signs `SHA256SUMS` (SPKI, base64). */
  readonly publicKey: string;
  /** Name of the file for this system. */
  readonly file: string;
};

declare const RELEASES_URL: string;
declare const RELEASE_PUBLIC_KEY: string;
declare const RELEASE_FILE: string;

/** Source that this program was built with; null in a clone, or if it was built without one. */
export const RELEASE_SOURCE: ReleaseSource | null =
  typeof RELEASES_URL === "string" && RELEASES_URL !== ""
    ? { url: RELEASES_URL, publicKey: RELEASE_PUBLIC_KEY, file: RELEASE_FILE }
    : null;

/** Newest release, whose signature is checked. */
export type Release = {
  readonly version: string;
  /** SHA-256 of the program for this system, in hex. */
  readonly sha256: string;
};

const TEXT_BYTES_MAX = 64 * 1024;
const PROGRAM_BYTES_MAX = 1_000_000_000;
const TEXT_MS_MAX = 30_000;
const PROGRAM_MS_MAX = 30 * MINUTE_MS;

/** Reads the newest release. Throws `unavailable` or `bad_input` with a sentence for the operator. */
export async function readRelease(source: ReleaseSource): Promise<Release> {
  requireSafeAddress(source.url);
  const sums = await bytesAt(source, "SHA256SUMS");
  if (!(await isSigned(sums, await bytesAt(source, "SHA256SUMS.sig"), source.publicKey)))
    throw new Fault(
      "bad_input",
      `SHA256SUMS at ${source.url} does not carry the signature of this program's makers. Nothing was changed. Tell them, and do not install that release.`,
    );
  const hashes = hashesIn(new TextDecoder().decode(sums));
  const text = await bytesAt(source, "VERSION");
  requireHash(new Bun.CryptoHasher("sha256").update(text).digest("hex"), hashes, "VERSION");
  const sha256 = hashes.get(source.file);
  if (sha256 === undefined)
    throw new Fault(
      "not_found",
      `The newest release has no file for this system (${source.file}).`,
    );
  return { version: new TextDecoder().decode(text).trim(), sha256 };
}

/** Downloads the program of a release into a new file. Throws as `readRelease` does. */
export async function downloadProgram(
  source: ReleaseSource,
  { sha256 }: Release,
  path: string,
  progress: (bytes: number) => void,
): Promise<void> {
  const { file } = source;
  const hash = new Bun.CryptoHasher("sha256");
  let length = 0;
  try {
    const target = openSync(path, "wx", 0o755);
    try {
      const body = await bodyAt(source, file, PROGRAM_MS_MAX);
      for await (const piece of limitBytes(body, PROGRAM_BYTES_MAX, () => tooLong(file))) {
        length += piece.length;
        hash.update(piece);
        for (let at = 0; at < piece.length;) at += writeSync(target, piece, at);
        progress(length);
      }
      flushOpen(target);
    } finally {
      closeSync(target);
    }
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw /^(ENOSPC|EDQUOT)$/.test(codeOf(error))
      ? new Fault(
          "unavailable",
          `The disk of ${path} is full. Nothing was changed: make room, and try again.`,
        )
      : unreachable(source.url, error);
  }
  requireHash(hash.digest("hex"), new Map([[file, sha256]]), file);
}

/** Refuses plain http, over which anybody could offer an old release. */
function requireSafeAddress(address: string): void {
  const url = URL.parse(address);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))) return;
  throw new Fault(
    "bad_input",
    `The address of releases must begin with https://, not "${address}".`,
  );
}

async function isSigned(
  bytes: Uint8Array,
  signature: Uint8Array,
  publicKey: string,
): Promise<boolean> {
  const key = await crypto.subtle.importKey(
    "spki",
    Buffer.from(publicKey, "base64"),
    "Ed25519",
    false,
    ["verify"],
  );
  return crypto.subtle.verify("Ed25519", key, Buffer.from(signature), Buffer.from(bytes));
}

/** Hashes by file, from lines as `sha256sum` writes them. */
function hashesIn(sums: string): ReadonlyMap<string, string> {
  const lines = [...sums.matchAll(/^([0-9a-f]{64}) [ *](\S+)$/gm)];
  return new Map(lines.map(([, hash = "", file = ""]) => [file, hash]));
}

function requireHash(hash: string, hashes: ReadonlyMap<string, string>, file: string): void {
  if (hashes.get(file) === hash) return;
  throw new Fault(
    "unavailable",
    `${file} was cut off on its way, or a new release appeared just now. Nothing was changed: try again.`,
  );
}

async function bytesAt(source: ReleaseSource, file: string): Promise<Uint8Array> {
  try {
    const body = await bodyAt(source, file, TEXT_MS_MAX);
    return await readBytes(body, TEXT_BYTES_MAX, () => tooLong(file));
  } catch (error) {
    throw error instanceof Fault ? error : unreachable(source.url, error);
  }
}

async function bodyAt(
  { url }: ReleaseSource,
  file: string,
  ms: number,
): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(`${url.replace(/\/$/, "")}/${file}`, {
    signal: AbortSignal.timeout(ms),
  });
  if (!response.ok || response.body === null)
    throw new Fault(
      "unavailable",
      `${url} has no file ${file} (the answer was ${response.status}). Try again later.`,
    );
  return response.body;
}

function tooLong(file: string): Fault {
  return new Fault("bad_input", `${file} is far larger than it should be. Nothing was changed.`);
}

function unreachable(url: string, error: unknown): Fault {
  const why = codeOf(error) || (error instanceof Error ? error.name : "unknown error");
  return new Fault(
    "unavailable",
    `The releases at ${url} cannot be read (${why}). Nothing was changed. Is this machine online?`,
  );
}
