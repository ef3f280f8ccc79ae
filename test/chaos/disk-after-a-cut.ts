import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Random } from "../../src/commands/demo/random.ts";
import type { DiskEvent } from "./recorder.ts";

/**
 * What a disk may hold of what was not synced: nothing; some writes whole and others not; some of them torn into
 * sectors. Names follow the order in which they were made, as journaling file systems have it: of those whose folder
 * was not synced none, or the first few, are there.
 */
export const LOSSES = ["nothing unsynced", "half", "torn sectors"] as const;
export type Loss = (typeof LOSSES)[number];

const SECTOR_BYTES = 512;
/** File that SQLite rebuilds from the log. */
const IGNORED = /-shm$/;

/**
 * Replays what a program did to `folder`. Promises are those of POSIX and no more: a file's bytes are kept when it was
 * synced, its name when its folder was.
 */
export function createDisk(folder: string) {
  const files = new Map<number, Content>();
  /** Entries that are surely on the disk: path inside the folder → inode, null for folders. */
  const kept: Names = new Map();
  /** As the program sees it. */
  const seen: Names = new Map();
  /** Changes of names that their folder's sync has not reached. */
  let unsure: NameChange[] = [];
  const inside = (path: string) => relative(folder, path);
  const fileOf = (inode: number) => {
    const known = files.get(inode);
    if (known !== undefined) return known;
    const fresh: Content = { kept: createBytes(new Uint8Array(0)), unsure: [] };
    files.set(inode, fresh);
    return fresh;
  };
  const rename = (change: NameChange) => {
    carryOut(seen, change);
    unsure.push(change);
  };

  return {
    apply(event: Exclude<DiskEvent, { kind: "told" }>): void {
      switch (event.kind) {
        case "make":
          // The number of a file that is gone may be given out again.
          files.delete(event.inode);
          return rename({ kind: "add", path: inside(event.path), inode: event.inode });
        case "make_folder":
          // A program's own folder is there before it: whoever made it is not recorded.
          if (inside(event.path) === "") return;
          return rename({ kind: "add", path: inside(event.path), inode: null });
        case "rename":
          return rename({ kind: "move", path: inside(event.path), to: inside(event.to) });
        case "remove":
          return rename({ kind: "remove", path: inside(event.path) });
        case "write":
        case "resize":
          fileOf(event.inode).unsure.push(event);
          return;
        case "sync": {
          const path = inside(event.path);
          if (path === "" || seen.get(path) === null) {
            // Names of one folder in the order they were made; those of others wait for their own sync.
            for (const change of unsure) if (folderOf(change) === path) carryOut(kept, change);
            unsure = unsure.filter((change) => folderOf(change) !== path);
            return;
          }
          const file = fileOf(event.inode);
          for (const change of file.unsure) apply(file.kept, change);
          file.unsure = [];
          return;
        }
      }
    },

    /** Writes what the disk holds after a cut at this moment into a new folder. */
    imageInto(target: string, loss: Loss, random: Random): void {
      const names: Names = new Map(kept);
      const surviving = loss === "nothing unsynced" ? 0 : random.below(unsure.length + 1);
      for (const change of unsure.slice(0, surviving)) carryOut(names, change);
      mkdirSync(target, { recursive: true });
      for (const [path, inode] of names) if (inode === null) mkdirSync(join(target, path));
      for (const [path, inode] of names) {
        if (inode === null || IGNORED.test(path)) continue;
        // A folder that is lost has taken what was in it.
        const parent = dirname(path);
        if (parent !== "." && !names.has(parent)) continue;
        writeFileSync(join(target, path), bytesAfter(fileOf(inode), loss, random));
      }
    },
  };
}

type Change = Extract<DiskEvent, { kind: "write" | "resize" }>;
type Content = { readonly kept: Bytes; unsure: Change[] };
type Names = Map<string, number | null>;
type NameChange =
  | { readonly kind: "add"; readonly path: string; readonly inode: number | null }
  | { readonly kind: "move"; readonly path: string; readonly to: string }
  | { readonly kind: "remove"; readonly path: string };

function folderOf({ path }: NameChange): string {
  const folder = dirname(path);
  return folder === "." ? "" : folder;
}

function carryOut(names: Names, change: NameChange): void {
  switch (change.kind) {
    case "add":
      names.set(change.path, change.inode);
      return;
    case "move": {
      const inode = names.get(change.path);
      names.delete(change.path);
      if (inode !== undefined) names.set(change.to, inode);
      return;
    }
    case "remove":
      names.delete(change.path);
  }
}

function bytesAfter({ kept, unsure }: Content, loss: Loss, random: Random): Uint8Array {
  const file = createBytes(bytesOf(kept));
  if (loss === "nothing unsynced") return bytesOf(file);
  for (const change of unsure) {
    if (random.chance(0.5)) apply(file, change);
    else if (loss === "torn sectors" && change.kind === "write")
      for (const sector of sectorsOf(change)) if (random.chance(0.5)) apply(file, sector);
  }
  return bytesOf(file);
}

/** A file's bytes, with room to grow. */
type Bytes = { room: Uint8Array; length: number };

function createBytes(from: Uint8Array): Bytes {
  return { room: from.slice(), length: from.length };
}

function bytesOf({ room, length }: Bytes): Uint8Array {
  return room.subarray(0, length);
}

function apply(file: Bytes, change: Change): void {
  const end = change.kind === "resize" ? change.bytes : change.offset + change.data.length;
  if (end > file.room.length) {
    const larger = new Uint8Array(2 * end);
    larger.set(bytesOf(file));
    file.room = larger;
  }
  if (change.kind === "write") {
    file.room.set(change.data, change.offset);
    file.length = Math.max(file.length, end);
  } else {
    // What a shorter file held beyond its end reads as zeros once it grows again.
    file.room.fill(0, end);
    file.length = end;
  }
}

type Write = Extract<Change, { kind: "write" }>;

function sectorsOf(write: Write): Write[] {
  const sectors: Write[] = [];
  for (let at = 0; at < write.data.length;) {
    const length = Math.min(
      SECTOR_BYTES - ((write.offset + at) % SECTOR_BYTES),
      write.data.length - at,
    );
    sectors.push({
      ...write,
      offset: write.offset + at,
      data: write.data.subarray(at, at + length),
    });
    at += length;
  }
  return sectors;
}
