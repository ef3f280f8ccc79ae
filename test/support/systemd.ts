import { join } from "node:path";
import { scratchFolder } from "./process.ts";
import { isRoot, missingProgram, PROGRAMS, testsUnlessMissing } from "./system-programs.ts";

const [SYSTEMD] = PROGRAMS.systemd.names;
const BOOT_TRIES = 1_200;
const BOOT_STEP_MS = 100;

/** `describe`, `test` and hooks of tests that boot systemd. */
export const systemdTests = testsUnlessMissing(
  ...(process.platform === "linux" && isRoot()
    ? [PROGRAMS.systemd, PROGRAMS.dbus, PROGRAMS.curl].map(missingProgram)
    : ["These tests boot systemd, which needs root on Linux."]),
);

export type Machine = Awaited<ReturnType<typeof bootMachine>>;

/**
 * Boots the systemd of this machine in its own namespaces (processes, mounts, network) on a copy of the file system
 * whose changes are discarded. Services of this machine are not started in it. `files` are installed first, by their
 * paths there. Call `end()` when done.
 */
export async function bootMachine(files: Readonly<Record<string, { from: string; mode: string }>>) {
  const scratch = scratchFolder();
  const script = join(scratch.path, "boot.sh");
  await Bun.write(script, bootScript(scratch.path, files));
  const log = Bun.file(join(scratch.path, "boot.log"));
  const outer = Bun.spawn(
    [
      "unshare",
      "--mount",
      "--pid",
      "--fork",
      "--kill-child",
      "--uts",
      "--ipc",
      "--net",
      "sh",
      script,
    ],
    { stdout: log, stderr: log, stdin: "ignore" },
  );

  /** Runs a shell command on that machine, in /root. */
  async function sh(line: string) {
    const child = Bun.spawn(
      [
        "nsenter",
        "-t",
        String(await initOf(outer.pid)),
        "-m",
        "-p",
        "-u",
        "-i",
        "-n",
        "-r",
        "-w",
        "sh",
        "-c",
        `cd /root && ${line}`,
      ],
      {
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
        env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" },
      },
    );
    const [code, said, errors] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { code, said, errors };
  }

  async function end(): Promise<void> {
    outer.kill("SIGKILL");
    await outer.exited;
    scratch.forget();
  }

  // The message bus comes first: systemd-run needs it to wait.
  for (let left = BOOT_TRIES; (await sh("systemctl start dbus.service")).code !== 0; left--) {
    if (left === 0 || outer.exitCode !== null) {
      const said = await log.text();
      await end();
      throw new Error(`systemd did not boot: ${said}`);
    }
    await Bun.sleep(BOOT_STEP_MS);
  }
  return { sh, end };
}

/** Process id of that machine's init. */
async function initOf(outer: number): Promise<number> {
  const children = `/proc/${outer}/task/${outer}/children`;
  return Number((await Bun.file(children).text()).trim().split(" ")[0]);
}

function bootScript(
  scratch: string,
  files: Readonly<Record<string, { from: string; mode: string }>>,
): string {
  const root = `${scratch}/t/root`;
  const devices = ["null", "zero", "full", "random", "urandom", "tty"];
  return `set -e
mount --make-rprivate /
mkdir ${scratch}/t
mount -t tmpfs -o size=1g tmpfs ${scratch}/t
cd ${scratch}/t
mkdir upper work root
mount -t overlay overlay -o lowerdir=/,upperdir=$PWD/upper,workdir=$PWD/work root
rm -rf ${root}/etc/systemd/system/* ${root}/usr/lib/systemd/system/*.target.wants ${root}/usr/lib/systemd/system-generators ${root}/etc/rc*.d
${Object.entries(files)
  .map(([path, { from, mode }]) => `install -D -m ${mode} '${from}' '${root}${path}'`)
  .join("\n")}
mkdir -p ${root}/proc ${root}/sys ${root}/dev ${root}/run ${root}/tmp
mount -t proc proc ${root}/proc
mount --bind ${root}/proc/sys ${root}/proc/sys
mount -o remount,ro,bind ${root}/proc/sys
mount -t sysfs -o ro sysfs ${root}/sys
mount -t tmpfs tmpfs ${root}/dev
for device in ${devices.join(" ")}; do touch ${root}/dev/$device; mount --bind /dev/$device ${root}/dev/$device; done
mkdir ${root}/dev/shm ${root}/dev/pts ${root}/dev/mqueue
mount -t tmpfs tmpfs ${root}/dev/shm
mount -t mqueue mqueue ${root}/dev/mqueue
mount -t devpts -o newinstance,ptmxmode=0666 devpts ${root}/dev/pts
ln -s pts/ptmx ${root}/dev/ptmx
ln -s /proc/self/fd ${root}/dev/fd
mount -t tmpfs tmpfs ${root}/run
mount -t tmpfs tmpfs ${root}/tmp
mount -t tmpfs tmpfs ${root}/sys/fs/cgroup
mkdir ${root}/sys/fs/cgroup/systemd
mount -t cgroup -o none,name=pet-alert-test cgroup ${root}/sys/fs/cgroup/systemd
cd ${root}
mkdir -p old
# Not chroot: within one, no service gets users of its own.
pivot_root . old
umount -l old
# As systemd does on a machine that is no container: services get credentials (LoadCredential) by mounts that it shares.
mount --make-rshared /
exec env container=lxc ${SYSTEMD} --unit=basic.target --log-target=console --show-status=0
`;
}
