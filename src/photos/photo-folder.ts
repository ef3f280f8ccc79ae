import { chmod, lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { QUOTAS } from "../core/caps.ts";
import { Fault } from "../core/fault.ts";
import { createMutex } from "../core/mutex.ts";
import { codeOf, flushed } from "../ops/fs.ts";
import { createPhotos } from "./stored-photos.ts";
import { readPlainFile } from "./plain-file.ts";
import type { Clock } from "../core/instance.ts";
import { photoFile, photoOfFile, type Photos, type PhotoSize } from "../core/photos/photo-files.ts";

/** Stores photos in a folder of its own, which it creates if missing. */
export async function openPhotoFolder(options: {
  readonly folder: string;
  readonly clock: Clock;
  /** Free space on its disk. */
  readonly freeBytes: () => Promise<number>;
}): Promise<Photos> {
  const { folder, clock, freeBytes } = options;
  await prepare(folder);
  const fileOf = (name: string, size: PhotoSize) => join(folder, photoFile(name, size));
  // Serialised: a photo deleted while it is stored again would lose one of its files.
  const lock = createMutex();
  const exclusively = (work: () => Promise<void>) => lock(() => withDiskFaults(work));
  let writes = 0;

  const photos = createPhotos({
    put: (name, { full, thumb }) =>
      exclusively(async () => {
        // The full photo last: if it exists, both do.
        await writeWhole(fileOf(name, "thumb"), thumb);
        await writeWhole(fileOf(name, "full"), full);
        await flushed(folder);
      }),
    read: (name, size) => readPlainFile(fileOf(name, size)),
    has: async (name) => (await timeOf(fileOf(name, "full"))) !== null,
    drop: (name) =>
      exclusively(async () => {
        await rm(fileOf(name, "full"), { force: true });
        await rm(fileOf(name, "thumb"), { force: true });
        await flushed(folder);
      }),
    async names(after, limit) {
      const kept = (await readdir(folder)).flatMap((file) => photoOfFile(file)?.name ?? []);
      const page = [...new Set(kept)]
        .filter((name) => after === null || name > after)
        .sort()
        .slice(0, limit);
      const dated = page.map(async (name) => ({ name, keptAt: await keptAt(name) }));
      // A photo deleted in the meantime has no time.
      return (await Promise.all(dated)).flatMap(({ name, keptAt }) =>
        keptAt === null ? [] : { name, keptAt },
      );
    },
  });
  return {
    ...photos,
    async keep(photo, network) {
      await requireRoom(freeBytes);
      return photos.keep(photo, network);
    },
  };

  /** Writes under a temporary name first, so that the folder has complete photos only, also after a power cut. */
  async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
    writes += 1;
    const temporary = join(folder, `${writes}${TEMPORARY}`);
    try {
      const handle = await open(temporary, "w", 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.utimes(clock() / 1000, clock() / 1000);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  /** Falls back to the thumbnail, which a crash may leave without its full photo. */
  async function keptAt(name: string): Promise<number | null> {
    return (await timeOf(fileOf(name, "full"))) ?? (await timeOf(fileOf(name, "thumb")));
  }
}

const TEMPORARY = ".part";

/** Makes the folder private and deletes files left incomplete by a crash. */
async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  // Otherwise a power cut could lose the folder with everything in it.
  await flushed(dirname(folder));
  for (const file of await readdir(folder)) {
    if (file.endsWith(TEMPORARY)) await rm(join(folder, file), { force: true });
  }
}

/** Modification time of a regular file, milliseconds since 1970 UTC; null if there is none. */
async function timeOf(file: string): Promise<number | null> {
  const found = await lstat(file).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  });
  return found?.isFile() ? Math.round(found.mtimeMs) : null;
}

/** Temporary errors of the disk and too many open files, after which the client may retry. */
const TEMPORARY_ERRORS = ["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE"];

/** Runs work on files of photos. Throws `unavailable` if the disk cannot do it at the moment. */
export async function withDiskFaults(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!TEMPORARY_ERRORS.includes(codeOf(error))) throw error;
    throw photosNotKept();
  }
}

/** Throws `unavailable` if the disk is full, and `too_large` if it has no room left for photos. */
export async function requireRoom(freeBytes: () => Promise<number>): Promise<void> {
  const free = await freeBytes();
  if (free < QUOTAS.uploadBytes) throw photosNotKept();
  // Not "unavailable": sending the same again would not help.
  if (free < QUOTAS.diskWithoutPhotos) throw new Fault("too_large", { reason: "photos_no_room" });
}

function photosNotKept(): Fault {
  return new Fault("unavailable", { reason: "photos_not_kept" }, { retryAfterSeconds: 60 });
}
