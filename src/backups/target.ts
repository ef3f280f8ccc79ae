import { type Bucket, openBucket } from "../storage/bucket/bucket.ts";
import type { CopyTarget } from "../settings/backup-copies.ts";
import { openFolderBucket } from "../storage/bucket/folder-bucket.ts";

// Layout of the place with the copies:
//   copies/<time>/0001 …             the database, key and list of what was erased: a tar archive, encrypted, in parts
//   copies/<time>/complete.json      written last: without it, the copy is unfinished
//   photos/<name>                    both sizes of a photo: a tar archive, encrypted; shared by all copies
//   unused/<day>/<name>              empty: the photo is in no backup since that day

/** Longest wait for one request: a part takes this long at 300 kbit a second. */
const CALL_MS_MAX = 120_000;

/** Opens the place. Its calls throw `unavailable` with sentences for the operator. */
export function openTarget(target: CopyTarget): Bucket {
  return target.kind === "folder"
    ? openFolderBucket(target.path)
    : openBucket(target.address, {
        setting: "BACKUP_COPY_URL",
        errorsFor: "operator",
        callMs: CALL_MS_MAX,
      });
}

export const COPIES = "copies/";
export const PHOTOS_OF_COPIES = "photos/";
export const UNUSED_PHOTOS = "unused/";
/** Name of the object that ends a copy. */
export const COMPLETE = "complete.json";

export function partKey(copy: string, number: number): string {
  return `${COPIES}${copy}/${`${number}`.padStart(PART_DIGITS, "0")}`;
}

/** Enough for a database of 40 GB. */
const PART_DIGITS = 4;
export const PARTS_MAX = 10 ** PART_DIGITS - 1;

/** Stream of the pieces of a generator. */
export function streamOf(
  pieces: Generator<Uint8Array, void> | AsyncGenerator<Uint8Array, void>,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void pieces.return(),
  });
}
