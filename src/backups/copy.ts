import { join } from "node:path";
import type { Encrypter } from "age-encryption";
import { archiveOfFiles, filesBesidePhotos, PHOTO_LIST } from "../../db/sqlite/backups/archive.ts";
import { PHOTOS, photoFilesIn, rowsIn } from "../../db/sqlite/backups/check.ts";
import { DAY_MS } from "../core/duration.ts";
import { Fault } from "../core/fault.ts";
import { type Bucket, keysUnder } from "../storage/bucket/bucket.ts";
import {
  type BackupCopy,
  type Completion,
  listCopies,
  newestCopy,
  readCompletion,
} from "./list.ts";
import {
  COMPLETE,
  COPIES,
  PARTS_MAX,
  partKey,
  PHOTOS_OF_COPIES,
  UNUSED_PHOTOS,
  streamOf,
} from "./target.ts";

/** Numbers of a copy that was just made. */
export type Copied = {
  /** Photos that were not there yet. */
  readonly newPhotos: number;
  readonly photos: number;
  /** Size of the database and the other files, encrypted. */
  readonly bytes: number;
};

/**
 * Copies a backup, encrypted. Photos that are there already stay. Holds a few parts in memory at most. Returns null if the
 * copy exists. Throws `unavailable` with a sentence for the operator; the unfinished copy is then completed or deleted
 * by a later call. Throws `conflict` for an empty backup if the newest copy is not empty.
 */
export async function copyBackup(
  backup: { readonly folder: string; readonly name: string },
  bucket: Bucket,
  encrypter: Encrypter,
): Promise<Copied | null> {
  const copies = await listCopies(bucket);
  if (copies.some(({ name, isComplete }) => name === backup.name && isComplete)) return null;
  const { alerts, zones } = rowsIn(backup.folder);
  const rows = alerts + zones;
  if (rows === 0) await refuseAfterLoss(bucket, copies, backup.name);
  const photos = photosIn(backup.folder);
  const newPhotos = await copyPhotos(backup.folder, photos, bucket, encrypter);
  const archive = archiveOfFiles(backup.folder, filesBesidePhotos(backup.folder), {
    name: PHOTO_LIST,
    bytes: new TextEncoder().encode([...photos.keys()].map((name) => `${name}\n`).join("")),
  });
  const written = await putParts(bucket, backup.name, await encrypter.encrypt(streamOf(archive)));
  const completion: Completion = { format: 1, ...written, photos: photos.size, rows };
  const text = new TextEncoder().encode(`${JSON.stringify(completion)}\n`);
  await bucket.put(`${COPIES}${backup.name}/${COMPLETE}`, text, "application/json");
  return { newPhotos, photos: photos.size, bytes: written.bytes };
}

/** Refuses an empty backup where the newest copy is not empty: the data folder was lost, and `latest` must stay that copy. */
async function refuseAfterLoss(
  bucket: Bucket,
  copies: readonly BackupCopy[],
  name: string,
): Promise<void> {
  const newest = newestCopy(copies, Infinity);
  if (newest === null || !((await readCompletion(bucket, newest.name)).rows ?? 0)) return;
  throw new Fault(
    "conflict",
    `The backup ${name} holds no alerts, and the copy ${newest.name} does: it is not copied. If the data folder was lost, restore that copy; if you begin anew, name another place in BACKUP_COPY_URL.`,
  );
}

/** Files of each photo of a backup, by its name. A photo whose full size is missing is left out. */
function photosIn(folder: string): Map<string, string[]> {
  const photos = new Map<string, string[]>();
  const files = photoFilesIn(join(folder, PHOTOS)).toSorted();
  for (const file of files) {
    const name = file.slice(0, NAME_LENGTH);
    photos.set(name, [...(photos.get(name) ?? []), `${PHOTOS}/${file}`]);
  }
  for (const [name, ofPhoto] of photos)
    if (!ofPhoto.includes(`${PHOTOS}/${name}.webp`)) photos.delete(name);
  return photos;
}

const NAME_LENGTH = 32;
/** Photos that are sent at once. */
const PHOTOS_AT_ONCE = 4;
const MEDIA_TYPE = "application/octet-stream";

async function copyPhotos(
  folder: string,
  photos: ReadonlyMap<string, readonly string[]>,
  bucket: Bucket,
  encrypter: Encrypter,
): Promise<number> {
  const there = new Set<string>();
  for await (const name of keysUnder(bucket, PHOTOS_OF_COPIES)) there.add(name);
  const missing = [...photos].filter(([name]) => !there.has(name));
  for (let at = 0; at < missing.length; at += PHOTOS_AT_ONCE)
    await Promise.all(
      missing.slice(at, at + PHOTOS_AT_ONCE).map(async ([name, files]) => {
        const archive = Buffer.concat([...archiveOfFiles(folder, files)]);
        const sealed = await encrypter.encrypt(archive);
        await bucket.put(`${PHOTOS_OF_COPIES}${name}`, sealed, MEDIA_TYPE);
      }),
    );
  return missing.length;
}

const PART_BYTES = 4 * 1024 * 1024;

async function putParts(
  bucket: Bucket,
  name: string,
  stream: ReadableStream<Uint8Array>,
): Promise<{ readonly parts: number; readonly bytes: number }> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let parts = 0;
  let bytes = 0;
  const put = async () => {
    if (parts === PARTS_MAX)
      throw new Fault("too_large", "The database is too large to be copied elsewhere.");
    parts += 1;
    bytes += heldBytes;
    const part = Buffer.concat(held);
    held = [];
    heldBytes = 0;
    await bucket.put(partKey(name, parts), part, MEDIA_TYPE);
  };
  for await (const piece of stream) {
    for (let at = 0; at < piece.length;) {
      const fitting = piece.subarray(at, at + PART_BYTES - heldBytes);
      held.push(fitting);
      heldBytes += fitting.length;
      at += fitting.length;
      if (heldBytes === PART_BYTES) await put();
    }
  }
  if (heldBytes > 0) await put();
  return { parts, bytes };
}

/**
 * Deletes what is older than so many days: copies, except for the newest one; photos that are in no backup since then; and
 * unfinished copies after a day. Those that a wrong clock dated in the future stay.
 */
export async function dropOldCopies(
  bucket: Bucket,
  { folder, keepDays, now }: { folder: string; keepDays: number; now: number },
): Promise<void> {
  const copies = await listCopies(bucket);
  const newest = newestCopy(copies, now);
  const oldest = now - keepDays * DAY_MS;
  for (const copy of copies) {
    const isOld = copy.madeAt <= (copy.isComplete ? oldest : now - DAY_MS);
    if (isOld && copy !== newest) await dropCopy(bucket, copy);
  }
  await dropUnusedPhotos(bucket, { used: photosIn(folder), oldest, now });
}

async function dropCopy(bucket: Bucket, { name }: BackupCopy): Promise<void> {
  // First of all, so that a half-deleted copy does not pass for a complete one.
  await bucket.drop(`${COPIES}${name}/${COMPLETE}`);
  for await (const object of keysUnder(bucket, `${COPIES}${name}/`))
    await bucket.drop(`${COPIES}${name}/${object}`);
}

async function dropUnusedPhotos(
  bucket: Bucket,
  photos: { readonly used: ReadonlyMap<string, unknown>; oldest: number; now: number },
): Promise<void> {
  const marks = new Map<string, string>();
  for await (const key of keysUnder(bucket, UNUSED_PHOTOS)) {
    const [day = "", name = ""] = key.split("/");
    marks.set(name, day);
  }
  const today = dayOf(photos.now);
  for await (const name of keysUnder(bucket, PHOTOS_OF_COPIES))
    if (!photos.used.has(name) && !marks.has(name))
      await bucket.put(`${UNUSED_PHOTOS}${today}/${name}`, new Uint8Array(), MEDIA_TYPE);
  for (const [name, day] of marks) {
    const isUsed = photos.used.has(name);
    if (!isUsed && day >= dayOf(photos.oldest)) continue;
    if (!isUsed) await bucket.drop(`${PHOTOS_OF_COPIES}${name}`);
    await bucket.drop(`${UNUSED_PHOTOS}${day}/${name}`);
  }
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
