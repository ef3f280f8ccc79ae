import { dirname, resolve } from "node:path";
import { Fault } from "../../core/fault.ts";
import { codeOf } from "../../ops/fs.ts";
import type { CommandContext } from "./command.ts";

// Files that the operator names: a private /tmp is refused, and errors of the file system become sentences.

/** Folders that systemd replaces with private ones (PrivateTmp=, which DynamicUser= implies). */
const TEMPORARY = ["/tmp", "/var/tmp"];

/**
 * Refuses a path in a private /tmp: files that the user put there are not visible to this command, and files written
 * there are deleted when it ends.
 */
export function refusePrivateTmp(path: string, { env }: Pick<CommandContext, "env">): void {
  const folder = TEMPORARY.find((one) => isWithin(resolve(path), one));
  // Units with a state directory are ours, and have a private one.
  if (folder === undefined || !env["STATE_DIRECTORY"]) return;
  throw new Fault(
    "bad_input",
    `${path} is not the file you see there: under systemd this command has its own private ${folder}. Use standard input or output instead: - in place of the name, and < FILE or > FILE after the command.`,
  );
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Error for a file that could not be created. */
export function cannotCreate(path: string, error: unknown): Fault {
  const code = codeOf(error);
  const folder = dirname(resolve(path));
  const reason: Readonly<Record<string, string>> = {
    ENOENT: `there is no folder ${folder}`,
    ENOTDIR: `${folder} is not a folder`,
    EACCES: `this user may not write to ${folder}`,
    EPERM: `this user may not write to ${folder}`,
    EROFS: `${folder} is read-only`,
  };
  return new Fault(
    "bad_input",
    `The file ${path} cannot be created: ${reason[code] ?? reasonOf(error)}.`,
  );
}

/** Error for a file or folder that could not be read. */
export function cannotRead(path: string, error: unknown): Fault {
  if (codeOf(error) === "ENOENT") return new Fault("bad_input", `There is no file ${path}.`);
  return new Fault("bad_input", `${path} cannot be read: ${reasonOf(error)}.`);
}

/** Error for a file that could not be written completely. */
export function cannotWrite(path: string, error: unknown): Fault {
  return new Fault("unavailable", `${path} could not be written: ${reasonOf(error)}.`);
}

/** Sentence for a system error that was not handled; null for other errors, which are bugs. */
export function systemErrorMessage(error: unknown): string | null {
  if (!/^(?:E[A-Z0-9]+|SQLITE_\w+)$/.test(codeOf(error))) return null;
  return `The command failed: ${reasonOf(error)}.`;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "a file or folder is missing",
  ENOTDIR: "part of the path is not a folder",
  EISDIR: "it is a folder",
  EEXIST: "a file or folder of that name already exists",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "this user's disk quota is used up",
  EIO: "the disk does not respond",
  EPIPE: "the program reading it has exited",
};

/** Reason as the end of a sentence. */
function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return REASONS[code] ?? (code === "" ? "unknown error" : code);
}
