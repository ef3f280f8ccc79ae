import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

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
