import { chmod, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "../core/fault.ts";
import type { Clock, Photos, PhotoSize } from "../core/ports.ts";
import { codeOf, flushed } from "../disk.ts";
import { createPictureReader } from "./picture.ts";
import { createTurns } from "./turns.ts";

/** Pictures decoded at once, and those that are dropped meanwhile, stay far below. */
const CHANGES_WAITING_MAX = 64;

/**
 * Keeps pictures in a folder, which is made when it is missing and is this album's alone: `<name>.webp` and
 * `<name>-480.webp`, where the name is the first 128 bits of the SHA-256 of the full picture, in hex. A picture kept
 * again counts as kept now.
 */
export async function openAlbum(options: {
  readonly folder: string;
  readonly clock: Clock;
}): Promise<Photos> {
  const { folder, clock } = options;
  await prepare(folder);
  const readPicture = createPictureReader();
  const fileOf = (name: string, size: PhotoSize) => join(folder, `${name}${SUFFIX[size]}`);
  // One that is dropped while it is kept again would stay by half.
  const turns = createTurns({ atOnce: 1, waitingMax: CHANGES_WAITING_MAX });
  const inTurn = (work: () => Promise<void>) => turns(() => diskFaultsInWords(work));
  let writes = 0;

  return {
    async keep(bytes) {
      const { full, thumb } = await readPicture(bytes);
      const name = nameOf(full);
      await inTurn(async () => {
        // The full picture last: where it is, both are.
        await writeWhole(fileOf(name, "thumb"), thumb);
        await writeWhole(fileOf(name, "full"), full);
        await flushed(folder);
      });
      return name;
    },
    async read(name, size) {
      return NAME.test(name) ? orIfMissing(Bun.file(fileOf(name, size)).bytes(), null) : null;
    },
    async has(name) {
      return NAME.test(name) && (await timeOf(fileOf(name, "full"))) !== null;
    },
    async drop(name) {
      if (!NAME.test(name)) return;
      await inTurn(async () => {
        await rm(fileOf(name, "full"), { force: true });
        await rm(fileOf(name, "thumb"), { force: true });
        await flushed(folder);
      });
    },
    async names(after, limit) {
      const kept = (await readdir(folder)).flatMap((file) => FILE.exec(file)?.[1] ?? []);
      const page = [...new Set(kept)]
        .filter((name) => after === null || name > after)
        .sort()
        .slice(0, limit);
      const dated = page.map(async (name) => ({ name, keptAt: await keptAt(name) }));
      // One that has been deleted since has no time.
      return (await Promise.all(dated)).flatMap(({ name, keptAt }) =>
        keptAt === null ? [] : { name, keptAt },
      );
    },
  };

  /** By a temporary name first: whoever reads the folder finds whole pictures only, also after a power cut. */
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

  /** A crash between the two files of a picture leaves the thumbnail alone. */
  async function keptAt(name: string): Promise<number | null> {
    return (await timeOf(fileOf(name, "full"))) ?? (await timeOf(fileOf(name, "thumb")));
  }
}

const NAME_LENGTH = 32;
const NAME = /^[0-9a-f]{32}$/;
const FILE = /^([0-9a-f]{32})(?:-480)?\.webp$/;
const SUFFIX: Readonly<Record<PhotoSize, string>> = { full: ".webp", thumb: "-480.webp" };
const TEMPORARY = ".part";

function nameOf(full: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(full).digest("hex").slice(0, NAME_LENGTH);
}

/** Nobody else may look inside; what a crash left half written goes. */
async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  // Else a power cut could take the folder with all that was kept in it.
  await flushed(dirname(folder));
  for (const file of await readdir(folder)) {
    if (file.endsWith(TEMPORARY)) await rm(join(folder, file), { force: true });
  }
}

/** When a file was last written, milliseconds since 1970 UTC; null when there is none. */
async function timeOf(file: string): Promise<number | null> {
  const found = await orIfMissing(stat(file), null);
  return found && Math.round(found.mtimeMs);
}

async function orIfMissing<Value, Missing>(found: Promise<Value>, missing: Missing) {
  try {
    return await found;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return missing;
    throw error;
  }
}

/** Errors of the disk that pass: the caller may ask again. */
const PASSING = ["ENOSPC", "EDQUOT", "EROFS", "EIO"];

async function diskFaultsInWords(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!PASSING.includes(codeOf(error))) throw error;
    throw new Fault("unavailable", { reason: "photos_not_kept" }, { retryAfterSeconds: 60 });
  }
}
