import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  write,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { Fault } from "../../core/fault.ts";
import { codeOf, flush } from "../../ops/fs.ts";
import { UsageError, type CommandContext } from "./command.ts";
import { cannotCreate, cannotWrite, refusePrivateTmp } from "./files.ts";

/** File name that stands for standard input or output. */
export const STANDARD_STREAM = "-";

/** File or standard output that a command writes its data to. */
export type Output = {
  write(content: string | Uint8Array): Promise<void>;
  /** Completes the output and flushes it to disk. */
  finish(): void;
  /** Deletes an unfinished file. */
  drop(): void;
};

/**
 * Opens standard output (`-`) or a new file, which gets its name once complete and never replaces another file. Private
 * output is readable by its owner only and is not written to a terminal. Throws `Fault` with a sentence for the operator.
 */
export function openOutput(
  path: string,
  context: CommandContext,
  { isPrivate }: { readonly isPrivate: boolean },
): Output {
  return path === STANDARD_STREAM
    ? toStandardOutput(context, isPrivate)
    : toFile(path, context, isPrivate);
}

/** Context for a command that writes `path`: if the data goes to standard output, messages go to standard error. */
export function messagesToStderr(path: string | null, context: CommandContext): CommandContext {
  if (path !== STANDARD_STREAM) return context;
  return { ...context, print: context.printError, ask: null, isTerminal: false };
}

function toStandardOutput(context: CommandContext, isPrivate: boolean): Output {
  if (isPrivate) requireNoTerminal(context);
  const { standardOutput } = context;
  return {
    write: (content) => standardOutput.write(Buffer.from(content)),
    finish: standardOutput.flush,
    drop() {},
  };
}

/** Throws `UsageError` when private or binary output would be shown at a terminal. */
export function requireNoTerminal({ standardOutput }: CommandContext): void {
  if (standardOutput.isTerminal)
    throw new UsageError("Private data is not written to a terminal: add > FILE, or name a file.");
}

function toFile(path: string, context: CommandContext, isPrivate: boolean): Output {
  refusePrivateTmp(path, context);
  if (existsSync(path)) throw alreadyExists(path);
  const unfinished = `${path}.part`;
  const file = create(unfinished, path, isPrivate ? 0o600 : 0o666);
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  const orFault = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw error instanceof Fault ? error : cannotWrite(path, error);
    }
  };
  return {
    async write(content) {
      orFault(() => writeFileSync(file, content));
    },
    finish() {
      orFault(() => {
        fsyncSync(file);
        close();
        renameNew(unfinished, path);
      });
    },
    drop() {
      close();
      rmSync(unfinished, { force: true });
    },
  };
}

/** Creates the unfinished file, replacing one left by a crash; does not follow a link of that name. */
function create(unfinished: string, path: string, mode: number): number {
  try {
    if (existsSync(unfinished)) rmSync(unfinished);
    return openSync(unfinished, "wx", mode);
  } catch (error) {
    throw cannotCreate(path, error);
  }
}

/** Renames without replacing a file created in the meantime, which rename(2) would do. */
function renameNew(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path);
    rmSync(unfinished);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw alreadyExists(path);
    // The file system has no hard links.
    renameSync(unfinished, path);
  }
  flush(dirname(resolve(path)));
}

function alreadyExists(path: string): Fault {
  return new Fault("bad_input", `The file ${path} already exists: choose another name.`);
}

const STANDARD_OUTPUT = 1;
const RETRY_MS = 10;
const writeSome = promisify(write);

/** Writes all bytes. Throws `unavailable` with a sentence when the reader has exited or the disk is full. */
export async function writeStandardOutput(bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    try {
      const { bytesWritten } = await writeSome(STANDARD_OUTPUT, bytes, at);
      at += bytesWritten;
    } catch (error) {
      // EAGAIN: a non-blocking pipe is full because its reader is slow.
      if (codeOf(error) !== "EAGAIN") throw cannotWrite("Standard output", error);
      await Bun.sleep(RETRY_MS);
    }
  }
}

/** Flushes standard output to disk if it is a file. */
export function flushStandardOutput(): void {
  try {
    fsyncSync(STANDARD_OUTPUT);
  } catch (error) {
    // Pipes and terminals cannot be flushed.
    if (!["EINVAL", "EROFS", "ENOTSUP"].includes(codeOf(error)))
      throw cannotWrite("Standard output", error);
  }
}
