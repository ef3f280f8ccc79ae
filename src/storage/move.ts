import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { copyTables, type MovedRows, requireEmpty } from "../../db/postgres/move.ts";
import { openPostgres } from "../../db/postgres/open.ts";
import { missingKey, storedKeyCheck, wrongKey } from "../../db/sqlite/key-check.ts";
import { openAlone } from "../../db/sqlite/open.ts";
import { isThere } from "../../db/sqlite/plain-files.ts";
import { createSqliteReader } from "../../db/sqlite/reader.ts";
import { fileTombstones } from "../../db/sqlite/tombstones.ts";
import type { Cluster } from "../settings/config.ts";
import { Fault } from "../core/fault.ts";
import { type Bucket, openBucket } from "./bucket/bucket.ts";
import { bucketPhotoFiles } from "./bucket/photos.ts";
import { bucketTombstones } from "./bucket/tombstones.ts";
import { keyCheckOf, readKey, readKeyFile } from "../ops/secret-key.ts";
import { photoOfFile } from "../core/photos/photo-files.ts";
import { readPlainFile } from "../photos/plain-file.ts";

export type Moved = {
  readonly rows: MovedRows;
  readonly photoFiles: number;
  readonly tombstones: number;
  /** False if the nodes' key file does not exist on this machine yet. */
  readonly hasKeyFile: boolean;
};

/**
 * Copies a data folder, which no other process may use, into the empty database and the bucket of a cluster. The folder
 * stays as it is. The rows go last, in one transaction: until then the database is empty, and what lies in the bucket is
 * used by the next try. Throws `Fault` with a sentence for the operator.
 */
export async function moveFolder(
  dataDir: string,
  cluster: Cluster,
  options: {
    readonly stopped: AbortSignal;
    readonly onProgress: (text: string, done: number) => void;
  },
): Promise<Moved> {
  const source = openAlone(dataDir);
  try {
    const key = readKey(dataDir);
    if (key === null) throw missingKey(dataDir);
    if (storedKeyCheck(source.sqlite) !== keyCheckOf(key)) throw wrongKey(dataDir);
    const hasKeyFile = isThere(cluster.keyFile);
    if (hasKeyFile && !readKeyFile(cluster.keyFile).equals(key))
      throw new Fault(
        "conflict",
        `${cluster.keyFile}, the file of SECRET_KEY_FILE, is not the key of ${dataDir}. Copy secret.key from there.`,
      );
    const stones = fileTombstones(dataDir).all();
    const pool = await openPostgres(cluster.databaseUrl, 2);
    try {
      await requireEmpty(pool);
      const bucket = openBucket(cluster.bucket);
      await bucket.refuseUnusable();
      const photoFiles = await copyPhotos(join(dataDir, "photos"), bucket, options);
      await inTurns(stones, options.stopped, async ({ line }) =>
        bucketTombstones(bucket).add(line),
      );
      const rows = await copyTables(pool, createSqliteReader(source.sqlite), (table, count) => {
        refuseStopped(options.stopped);
        options.onProgress(table, count);
      });
      return { rows, photoFiles, tombstones: stones.length, hasKeyFile };
    } finally {
      await pool.close();
    }
  } finally {
    source.close();
  }
}

async function copyPhotos(
  folder: string,
  bucket: Bucket,
  { stopped, onProgress }: Parameters<typeof moveFolder>[2],
): Promise<number> {
  const files = isThere(folder)
    ? (await readdir(folder)).filter((file) => photoOfFile(file) !== null)
    : [];
  const objects = bucketPhotoFiles(bucket);
  const known = await objects.names();
  const here = new Set(files);
  if ([...known].some((file) => !here.has(file)))
    throw new Fault(
      "conflict",
      `The bucket of S3_URL has photos that are not in ${folder}. Each service needs a bucket of its own.`,
    );
  let copied = known.size;
  await inTurns(
    // The full photo last: if it exists, both do.
    files.filter((file) => !known.has(file)).toSorted(),
    stopped,
    async (file) => {
      const bytes = await readPlainFile(join(folder, file));
      if (bytes !== null) await objects.put(file, bytes);
      copied += 1;
      onProgress("photo files", copied);
    },
  );
  return files.length;
}

/** Requests to the bucket at once. */
const AT_ONCE = 16;

/** Works on all, some at a time, in their order. Ends at the first error. */
async function inTurns<Item>(
  items: readonly Item[],
  stopped: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    refuseStopped(stopped);
    await Promise.all(items.slice(at, at + AT_ONCE).map(work));
  }
}

function refuseStopped(stopped: AbortSignal): void {
  if (stopped.aborted)
    throw new Fault(
      "unavailable",
      "Stopped. The folder is as it was, and the database is still empty: move it again whenever you like.",
    );
}
