import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Fault } from "../core/fault.ts";
import type { CommandContext } from "./command.ts";

/** Folders that systemd replaces with private ones (PrivateTmp=, which DynamicUser= implies). */
const TEMPORARY = ["/tmp", "/var/tmp"];

/**
 * Refuses a path in a private /tmp: files that the user put there are not visible to this command, and files written
 * there are deleted when it ends.
 */
export function refusePrivateTmp(
  path: string,
  context: Pick<CommandContext, "env" | "mounts">,
): void {
  const folder = TEMPORARY.find((one) => isWithin(resolve(path), one));
  if (folder === undefined || !isPrivate(folder, context)) return;
  throw new Fault(
    "bad_input",
    `${path} is not the file you see there: under systemd this command has its own private ${folder}. Use standard input or output instead: - in place of the name, and < FILE or > FILE after the command.`,
  );
}

/**
 * True in a systemd unit with a private /tmp. Units with a state directory are ours; newer versions of systemd do not
 * show the private /tmp in their list of mounts. In other units, the list of mounts shows it.
 */
function isPrivate(
  folder: string,
  { env, mounts }: Pick<CommandContext, "env" | "mounts">,
): boolean {
  if ((env["STATE_DIRECTORY"] ?? "") !== "") return true;
  return mounts()
    .split("\n")
    .some((line) => {
      // Root and mount point, https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html
      const [, , , root = "", mountPoint] = line.split(" ");
      return mountPoint === folder && root.includes("/systemd-private-");
    });
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Mounts of this process; "" on systems without /proc. */
export function readMounts(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return "";
  }
}
