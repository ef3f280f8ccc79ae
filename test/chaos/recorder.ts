import { dlopen, ptr } from "bun:ffi";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { missingProgram, PROGRAMS } from "../support/system-programs.ts";
import { Skipped } from "./fault.ts";

/** The compiled recorder.c: what a program does to a folder is written down, and its syncs can be made to fail. */
export type Recorder = {
  /** The environment of a program that is to be recorded: it calls `beginRecording`. */
  readonly env: Readonly<Record<string, string>>;
  /** The next so many syncs fail with EIO. */
  failSyncs(count: number): void;
  /** Number of syncs that have yet to fail. */
  syncsLeftToFail(): number;
  /** Events, in order. */
  events(): DiskEvent[];
};

/** One thing a program did to its folder. Paths are whole. */
export type DiskEvent =
  | {
      readonly kind: "write";
      readonly inode: number;
      readonly offset: number;
      readonly data: Uint8Array;
    }
  | { readonly kind: "resize"; readonly inode: number; readonly bytes: number }
  | { readonly kind: "sync"; readonly inode: number; readonly path: string }
  | { readonly kind: "make" | "make_folder"; readonly inode: number; readonly path: string }
  | { readonly kind: "rename"; readonly path: string; readonly to: string }
  | { readonly kind: "remove"; readonly path: string }
  /** The program told somebody that something is done. */
  | { readonly kind: "told"; readonly what: unknown };

const VARIABLE = "DISK_RECORDER";
const CONTROL_BYTES = 4;
type Where = Readonly<Record<"library" | "folder" | "log" | "control", string>>;

/**
 * A recorder of what happens in `folder`, which need not exist yet; its own files lie in `scratch`. Throws `Skipped`
 * where there is no such machine or no compiler to be had.
 */
export async function createRecorder(folder: string, scratch: string): Promise<Recorder> {
  const library = await compiled(scratch);
  const log = join(scratch, "disk.log");
  const control = join(scratch, "disk.control");
  writeFileSync(control, new Uint8Array(CONTROL_BYTES));
  const number = () => new DataView(readFileSync(control).buffer);
  return {
    env: { [VARIABLE]: JSON.stringify({ library, folder, log, control } satisfies Where) },
    failSyncs: (count) =>
      writeFileSync(control, new Uint8Array(new Int32Array([count]).buffer), { flag: "r+" }),
    syncsLeftToFail: () => number().getInt32(0, true),
    events: () => eventsIn(readFileSync(log)),
  };
}

/** Sentence for the reader where the recorder cannot run; null where it can. */
export function missingFromRecorder(): string | null {
  return process.platform === "linux" && process.arch === "x64"
    ? missingProgram(PROGRAMS.gcc)
    : "The recorder of disk calls is for Linux on x86-64.";
}

async function compiled(scratch: string): Promise<string> {
  const missing = missingFromRecorder();
  if (missing !== null) throw new Skipped(missing);
  const library = join(scratch, "recorder.so");
  const source = join(import.meta.dir, "recorder.c");
  const compiler = Bun.spawn(
    [
      "gcc",
      "-Wall",
      "-Wextra",
      "-Werror",
      "-O1",
      "-shared",
      "-fPIC",
      "-o",
      library,
      source,
      "-lpthread",
    ],
    { stdout: "inherit", stderr: "inherit" },
  );
  if ((await compiler.exited) !== 0) throw new Error("recorder.c cannot be compiled");
  return library;
}

/**
 * Called by the program that is to be recorded, once it has started all the programs it will ever start. What it gives
 * writes down that somebody was told something.
 */
export function beginRecording(): (what: unknown) => void {
  const where: Where = JSON.parse(process.env[VARIABLE] ?? "null");
  const { symbols } = dlopen(where.library, {
    recorder_begin: { args: ["cstring", "cstring", "cstring"], returns: "i32" },
    recorder_told: { args: ["ptr", "u64"], returns: "void" },
  });
  const text = (words: string) => Buffer.from(`${words}\0`);
  if (symbols.recorder_begin(text(where.folder), text(where.log), text(where.control)) !== 0)
    throw new Error("the calls of this program cannot be recorded");
  return (what) => {
    const bytes = Buffer.from(JSON.stringify(what));
    symbols.recorder_told(ptr(bytes), BigInt(bytes.length));
  };
}

/** kind, 7 unused bytes, and four numbers: inode, offset, length of the path, length of the data. */
const HEAD_BYTES = 8 + 4 * 8;

function eventsIn(log: Buffer): DiskEvent[] {
  const events: DiskEvent[] = [];
  for (let at = 0; at + HEAD_BYTES <= log.length;) {
    const kind = String.fromCharCode(log[at] ?? 0);
    const [inode = 0, offset = 0, pathLength = 0, dataLength = 0] = [0, 1, 2, 3].map((nth) =>
      Number(log.readBigInt64LE(at + 8 + nth * 8)),
    );
    const pathAt = at + HEAD_BYTES;
    const dataAt = pathAt + pathLength;
    at = dataAt + dataLength;
    const path = log.toString("utf8", pathAt, dataAt);
    const data = log.subarray(dataAt, at);
    events.push(eventOf(kind, inode, offset, path, data));
  }
  return events;
}

function eventOf(
  kind: string,
  inode: number,
  offset: number,
  path: string,
  data: Buffer,
): DiskEvent {
  switch (kind) {
    case "W":
      return { kind: "write", inode, offset, data };
    case "T":
      return { kind: "resize", inode, bytes: offset };
    case "S":
      return { kind: "sync", inode, path };
    case "C":
      return { kind: "make", inode, path };
    case "M":
      return { kind: "make_folder", inode, path };
    case "R":
      return { kind: "rename", path, to: data.toString() };
    case "U":
      return { kind: "remove", path };
    case "A":
      return { kind: "told", what: JSON.parse(data.toString()) };
    default:
      throw new Error(`the recorder does not understand what was done to ${path} (${kind})`);
  }
}
