import { Fault } from "../../core/fault.ts";
import { createPhotos } from "../../photos/stored-photos.ts";
import { type Bucket, keysUnder, LISTED_MAX, type StoredObject } from "./bucket.ts";
import {
  photoFile,
  photoOfFile,
  type Photos,
  type PhotoSize,
} from "../../core/photos/photo-files.ts";

/** Photos in a bucket, under `photos/`, in the same files as in a folder. */
export function openBucketPhotos(bucket: Bucket): Photos {
  const keyOf = (name: string, size: PhotoSize) => `${FOLDER}${photoFile(name, size)}`;
  return createPhotos({
    async put(name, { full, thumb }) {
      try {
        // The full photo last: if it exists, both do.
        await bucket.put(keyOf(name, "thumb"), thumb, MEDIA_TYPE);
        await bucket.put(keyOf(name, "full"), full, MEDIA_TYPE);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        throw new Fault("unavailable", { reason: "photos_not_kept" }, { retryAfterSeconds: 60 });
      }
    },
    read: (name, size) => bucket.get(keyOf(name, size)),
    has: (name) => bucket.has(keyOf(name, "full")),
    async drop(name) {
      await bucket.drop(keyOf(name, "full"));
      await bucket.drop(keyOf(name, "thumb"));
    },
    async names(after, limit) {
      const objectsMax = Math.min(2 * limit, LISTED_MAX);
      // A name sorts before its files, and the thumbnail before the full photo.
      const start = after === null ? null : keyOf(after, "full");
      const objects = await bucket.list(FOLDER, start, objectsMax);
      const isCut = objects.length === objectsMax;
      return namesOf(objects, isCut).slice(0, limit);
    },
  });
}

/** Files of photos in a bucket, each in its size. */
export function bucketPhotoFiles(bucket: Bucket) {
  return {
    /** Names of all files. */
    names: async () => new Set(await Array.fromAsync(keysUnder(bucket, FOLDER))),
    put: (file: string, bytes: Uint8Array) => bucket.put(`${FOLDER}${file}`, bytes, MEDIA_TYPE),
  };
}

const FOLDER = "photos/";
const MEDIA_TYPE = "image/webp";

/** Names of the photos of a listing. If it was cut after a thumbnail, the full photo may follow: the next page has both. */
function namesOf(
  objects: readonly StoredObject[],
  isCut: boolean,
): { readonly name: string; readonly keptAt: number }[] {
  const keptAt = new Map<string, number>();
  for (const { key, storedAt } of objects) {
    const photo = photoOfFile(key.slice(FOLDER.length));
    if (photo !== null) keptAt.set(photo.name, storedAt);
  }
  const last = photoOfFile(objects.at(-1)?.key.slice(FOLDER.length) ?? "");
  if (isCut && last?.size === "thumb" && keptAt.size > 1) keptAt.delete(last.name);
  return [...keptAt].map(([name, time]) => ({ name, keptAt: time }));
}
