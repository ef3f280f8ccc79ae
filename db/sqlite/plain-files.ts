import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/core/fault.ts";
import { codeOf } from "../../src/ops/fs.ts";

/**
 * Checks that these files of a folder are plain files, not symbolic links, folders or devices: through a link, another
 * file of this machine would be copied and served. Those in `optional` may be missing. Throws `bad_input` with a message.
 */
export function requirePlainFiles(
  folder: string,
  names: readonly string[],
  optional: readonly string[] = [],
): void {
  for (const name of [...names, ...optional]) {
    const found = statOf(join(folder, name));
    if (found === null) {
      if (optional.includes(name)) continue;
      throw new Fault("bad_input", `${folder} is not a backup: ${name} is missing.`);
    }
    if (!found.isFile()) throw notPlain(join(folder, name));
  }
}

/**
 * Checks that a folder is not a link, and that its files with our names are plain files. A missing folder passes. Throws
 * `bad_input` with a message.
 */
export function requirePlainFolder(folder: string, isOurs: (name: string) => boolean): void {
  const found = statOf(folder);
  if (found === null) return;
  if (!found.isDirectory())
    throw new Fault(
      "bad_input",
      `${folder} is not a folder. It may be a symbolic link: a backup has none.`,
    );
  for (const entry of entriesOf(folder))
    if (isOurs(entry.name) && !entry.isFile()) throw notPlain(join(folder, entry.name));
}

function notPlain(path: string): Fault {
  return new Fault(
    "bad_input",
    `${path} is not a plain file. It may be a symbolic link: a backup has none. Check where it came from.`,
  );
}

/** True if the path exists. Throws `unavailable` if this user may not read it. */
export function isThere(path: string): boolean {
  return statOf(path) !== null;
}

function statOf(path: string) {
  try {
    return lstatSync(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw noAccess(path, code);
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw noAccess(folder, codeOf(error));
  }
}

function noAccess(path: string, code: string): Fault {
  const why = code === "EACCES" || code === "EPERM" ? "this user may not" : code;
  return new Fault("unavailable", `${path} cannot be read: ${why}.`);
}
