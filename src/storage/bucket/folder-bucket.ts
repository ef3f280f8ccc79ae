import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Fault } from "../../core/fault.ts";
import { codeOf, flush } from "../../ops/fs.ts";
import type { Bucket, StoredObject } from "./bucket.ts";

/**
 * Folder that is used like a bucket, for copies of backups. It must exist: a disk that is not mounted then stops the copy,
 * which would otherwise fill the disk of the machine. Calls throw `unavailable` with a sentence for the operator.
 */
export function openFolderBucket(root: string): Bucket {
  const fileOf = (key: string) => join(root, key);

  function put(key: string, bytes: Uint8Array): void {
    requireRoot(root);
    const file = fileOf(key);
    const unfinished = join(root, UNFINISHED, key.replaceAll("/", "-"));
    for (const path of [unfinished, file])
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(unfinished, bytes, { mode: 0o600, flush: true });
    renameSync(unfinished, file);
    flush(dirname(file));
  }

  /** Deletes a file and the folders that are empty without it. */
  function drop(key: string): void {
    rmSync(fileOf(key), { force: true });
    for (let folder = dirname(key); folder !== "."; folder = dirname(folder)) {
      const path = join(root, folder);
      if (!existsSync(path) || readdirSync(path).length > 0) return;
      rmSync(path, { recursive: true });
    }
  }

  const calls = { put, drop, get: (key: string) => bytesOf(fileOf(key)) };
  const guarded =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Result) =>
    async (...args: Args): Promise<Result> => {
      try {
        return work(...args);
      } catch (error) {
        throw sentenceFor(root, error);
      }
    };

  return {
    put: guarded(calls.put),
    get: guarded(calls.get),
    drop: guarded(calls.drop),
    has: guarded((key: string) => existsSync(fileOf(key))),
    list: guarded((prefix: string, after: string | null, limit: number) => {
      requireRoot(root);
      return objectsUnder(root, prefix)
        .filter((key) => after === null || key > after)
        .slice(0, limit)
        .map((key): StoredObject => ({ key, storedAt: statSync(fileOf(key)).mtimeMs }));
    }),
    refuseUnusable: guarded(() => {
      put(PROBE, new TextEncoder().encode("written to see if it can be"));
      drop(PROBE);
      rmSync(join(root, UNFINISHED), { recursive: true, force: true });
    }),
  };
}

/** Subfolder for files until they are complete. */
const UNFINISHED = "unfinished";
const PROBE = "check";

function requireRoot(root: string): void {
  if (!existsSync(root))
    throw new Fault(
      "unavailable",
      `The folder ${root} of BACKUP_COPY_URL does not exist. Create it, or mount the disk that it is on.`,
    );
}

function bytesOf(file: string): Uint8Array | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Keys of all files whose folder is a prefix that ends with a slash, in ascending order. */
function objectsUnder(root: string, prefix: string): string[] {
  const folder = join(root, prefix);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(root, "/").length))
    .map((key) => key.replaceAll("\\", "/"))
    .toSorted();
}

const WHY: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "its disk can only be read, or systemd lets the service write elsewhere only",
  ENOSPC: "its disk is full",
  EDQUOT: "this user's disk quota is used up",
  EIO: "its disk does not respond",
};

function sentenceFor(root: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof Fault || code === "") return error;
  return new Fault(
    "unavailable",
    `The folder ${root} of BACKUP_COPY_URL cannot be used: ${WHY[code] ?? code}.`,
  );
}
