import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Decrypter } from "age-encryption";
import { PHOTO_LIST, unpackArchive } from "../../db/sqlite/backups/archive.ts";
import { PHOTOS } from "../../db/sqlite/backups/check.ts";
import { Fault } from "../core/fault.ts";
import type { Bucket } from "../storage/bucket/bucket.ts";
import { readCompletion } from "./list.ts";
import { partKey, PHOTOS_OF_COPIES, streamOf } from "./target.ts";

/** Callback for the progress: the number of photos fetched, and of all. */
type FetchProgress = (photos: number, of: number) => void;

/**
 * Fetches a copy into an empty folder, as a backup. Returns the names of photos that are missing or damaged. Throws
 * `bad_input` or `not_found` with a sentence for the operator if the key is another one or the copy is incomplete or was
 * changed, and `unavailable` if the place does not answer.
 */
export async function fetchCopy(
  bucket: Bucket,
  name: string,
  {
    decrypter,
    folder,
    progress,
  }: { decrypter: Decrypter; folder: string; progress: FetchProgress },
): Promise<string[]> {
  const { parts } = await readCompletion(bucket, name);
  const what = `The copy ${name}`;
  const sealed = streamOf(partsOf(bucket, name, parts));
  const archive = await decrypter.decrypt(sealed).catch((error: unknown) => {
    throw unreadable(error, what);
  });
  try {
    await unpackArchive(archive, folder, what);
  } catch (error) {
    throw unreadable(error, what);
  }
  return fetchPhotos(bucket, { decrypter, folder, progress });
}

async function* partsOf(bucket: Bucket, name: string, parts: number): AsyncGenerator<Uint8Array> {
  for (let number = 1; number <= parts; number++) {
    const part = await bucket.get(partKey(name, number));
    if (part === null)
      throw new Fault(
        "bad_input",
        `The copy ${name} is incomplete: part ${number} of ${parts} is missing. Choose another copy.`,
      );
    yield part;
  }
}

/** Error of the age format as a sentence for the operator. Our own errors and those of the network stay what they are. */
function unreadable(error: unknown, what: string): unknown {
  if (error instanceof Fault || !(error instanceof Error)) return error;
  if (/no identity matched/.test(error.message))
    return new Fault(
      "bad_input",
      `${what} was encrypted for another key. Give the file with its private key by --key.`,
    );
  return new Fault(
    "bad_input",
    `${what} was cut off or changed after it was made, and cannot be decrypted. Choose another copy.`,
  );
}

async function fetchPhotos(
  bucket: Bucket,
  {
    decrypter,
    folder,
    progress,
  }: { decrypter: Decrypter; folder: string; progress: FetchProgress },
): Promise<string[]> {
  const list = join(folder, PHOTO_LIST);
  const names = readFileSync(list, "utf8")
    .split("\n")
    .filter((name) => PHOTO_NAME.test(name));
  rmSync(list);
  const missing: string[] = [];
  for (const [done, name] of names.entries()) {
    progress(done, names.length);
    const sealed = await bucket.get(`${PHOTOS_OF_COPIES}${name}`);
    const isThere = sealed !== null && (await isUnpacked(sealed, name, decrypter, folder));
    if (!isThere) missing.push(name);
  }
  return missing;
}

const PHOTO_NAME = /^[0-9a-f]{32}$/;

/** Unpacks a photo. Returns false if it is not the one of that name. */
async function isUnpacked(
  sealed: Uint8Array,
  name: string,
  decrypter: Decrypter,
  folder: string,
): Promise<boolean> {
  const file = join(folder, PHOTOS, `${name}.webp`);
  try {
    await unpackArchive([await decrypter.decrypt(sealed)], folder, `The photo ${name}`);
  } catch (error) {
    if (error instanceof Fault && error.code === "unavailable") throw error;
    return false;
  }
  return existsSync(file);
}
