import { dirname } from "node:path";
import { Fault } from "../core/fault.ts";

/** What the operator is told of a file that could not be made. */
export function notMade(path: string, error: unknown): Fault {
  return new Fault("bad_input", `The file ${path} cannot be made: ${reasonOf(path, error)}.`);
}

function reasonOf(path: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "ENOENT":
      return `there is no folder ${dirname(path)}`;
    case "ENOTDIR":
      return `${dirname(path)} is not a folder`;
    case "EISDIR":
      return "there is a folder by that name";
    case "EACCES":
    case "EPERM":
      return `this user may not write into ${dirname(path)}`;
    case "EROFS":
      return "the disk can only be read";
    case "ENOSPC":
      return "the disk is full";
    default:
      return code === "" ? "the reason is not known" : code;
  }
}
