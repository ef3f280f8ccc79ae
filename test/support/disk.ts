import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Folder on a disk: that for scratch folders may lie in memory (test/run.ts). */
export const DISK = process.env["TEST_DISK"] ?? tmpdir();

/**
 * Every byte a folder holds, its folders included, as text in which bytes are characters. A file that gets another name
 * or goes while a running service's folder is read is left out.
 */
export function bytesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => textOf(join(parentPath, name)))
    .join("\n");
}

function textOf(file: string): string[] {
  try {
    return [readFileSync(file).toString("latin1")];
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

const BALLAST = "ballast";

/** A disk of its own at a path, in memory; null where this user may mount none. */
export async function openSmallDisk(path: string, megabytes: number) {
  mkdirSync(path);
  const mount = (words: readonly string[]) =>
    Bun.spawn([...words], { stdout: "ignore", stderr: "ignore" }).exited;
  const isRoot = process.getuid?.() === 0;
  if (
    process.platform !== "linux" ||
    !isRoot ||
    (await mount(["mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path])) !== 0
  )
    return null;
  const ballast = join(path, BALLAST);
  return {
    path,
    /** To the last byte. The program may write meanwhile, so a write of the ballast can find less room than was counted. */
    fill() {
      for (;;) {
        const { bavail, bsize } = statfsSync(path);
        if (bavail === 0) return;
        try {
          writeFileSync(ballast, new Uint8Array(bavail * bsize), { flag: "a" });
        } catch (error) {
          if (!isNoSpace(error)) throw error;
        }
      }
    },
    empty() {
      if (existsSync(ballast)) rmSync(ballast);
    },
    unmount: () => mount(["umount", "--lazy", path]),
  };
}

function isNoSpace(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOSPC";
}

/** Temporary files of uploads that a process has open (Linux). They have no name any more. */
export function openUploads(pid: number | "self" = "self") {
  const folder = `/proc/${pid}/fd`;
  const files = readdirSync(folder).flatMap((number) => {
    const path = `${folder}/${number}`;
    return /\/upload-[\w-]+\.part \(deleted\)$/.test(targetOf(path)) ? [path] : [];
  });
  return {
    count: files.length,
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    /** Their contents, as text in which bytes are characters. */
    read: () => files.map((file) => readFileSync(file).toString("latin1")),
  };
}

/** Path of an open file; "" if it was closed meanwhile. */
function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
