import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../../core/fault.ts";
import { codeOf, flush } from "../../ops/fs.ts";

/**
 * File of the running program, which this user may replace. Throws `bad_input` with a sentence for the operator if it is not a
 * file of its own, or if this user may not replace it.
 */
export function requireReplaceable(program: string | null): string {
  if (program === null)
    throw new Fault(
      "bad_input",
      "This is a clone of the repository, which git updates: git pull, then start the service again.",
    );
  const file = realpathSync(program);
  try {
    accessSync(dirname(file), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Fault(
      "bad_input",
      codeOf(error) === "EROFS"
        ? `${file} is on a disk that can only be read, as in a container: start the new image instead.`
        : `This user may not replace ${file}. Run update as the user who installed it, such as root (sudo); in a container, start the new image instead.`,
    );
  }
  return file;
}

/** File to which the previous program is moved. */
function previousFile(program: string): string {
  return `${program}.old`;
}

/** Puts a new program in the place of the running one, which is kept. At every moment there is a whole program. */
export function replaceProgram(program: string, fresh: string): void {
  const previous = previousFile(program);
  rmSync(previous, { force: true });
  try {
    linkSync(program, previous);
  } catch {
    // The disk has no hard links.
    copyFileSync(program, previous);
  }
  try {
    renameSync(fresh, program);
  } catch (error) {
    // Windows replaces no program that runs, but renames it.
    if (!["EPERM", "EACCES", "EBUSY"].includes(codeOf(error))) throw error;
    rmSync(previous, { force: true });
    renameSync(program, previous);
    renameSync(fresh, program);
  }
  flush(dirname(program));
}

/** File of the previous program. Throws `not_found` with a sentence if there is none. */
export function requirePrevious(program: string): string {
  const previous = previousFile(program);
  if (!existsSync(previous))
    throw new Fault("not_found", `There is no previous version: ${previous} does not exist.`);
  return previous;
}

/** Puts the previous program back in the place of the running one. */
export function putBack(program: string): void {
  const replaced = `${program}.new`;
  rmSync(replaced, { force: true });
  renameSync(program, replaced);
  renameSync(previousFile(program), program);
  // Windows deletes no program that runs; the next update does.
  try {
    rmSync(replaced, { force: true });
  } catch {}
  flush(dirname(program));
}
