import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { until } from "./process.ts";

/**
 * Starts a shell that waits until this process has ended, in whatever way. It then ends every process whose working
 * directory lies in `folder`, frozen ones too, and removes the folder; the function that this returns has it do so at once.
 * The shell is neither in the tree of processes that `bun test --no-orphans` kills, nor in the group that a run of faults
 * kills.
 */
export async function watchFolder(folder: string): Promise<() => Promise<void>> {
  const pipe = join(folder, "alive");
  if (!Bun.spawnSync(["mkfifo", pipe]).success) throw new Error(`no pipe in ${folder}`);
  // Closed by the system at the latest. Opened for both directions, because opening one waits for the other.
  const alive = openSync(pipe, "r+");
  const shell = Bun.spawn(["sh", "-c", DETACH, "sh", folder, WATCH], {
    cwd: "/",
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  if ((await shell.exited) !== 0) throw new Error(`no shell watches over ${folder}`);
  return async () => {
    closeSync(alive);
    await until(() => !existsSync(folder));
  };
}

const DETACH = `
exec 3<"$1/alive"
setsid sh -c "$2" sh "$1" <&3 3<&- &`;

const WATCH = `
folder=$1
cat >/dev/null
for signal in QUIT QUIT QUIT KILL KILL KILL KILL KILL KILL KILL; do
  left=
  for process in /proc/[0-9]*; do
    case "$(readlink "$process/cwd")" in
      "$folder"/*) kill -$signal "\${process#/proc/}" && left=1 ;;
    esac
  done
  [ -z "$left" ] && break
  sleep 0.1
done
rm -rf "$folder"`;
