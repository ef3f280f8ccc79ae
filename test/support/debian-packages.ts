import { isRoot, missingProgram, PROGRAMS, type SystemProgram } from "./system-programs.ts";

// `bun run test:install`: installs the Debian packages of the programs that tests run, where these are missing. Tests
// themselves install nothing.

const LOCK_SECONDS_MAX = 600;
const LOCK_RETRY_MS = 5_000;
const INSTALL_MS_MAX = 300_000;

/** Installs Debian packages if this user may. False when they could not be installed. Waits while apt is locked. */
export function installPackages(packages: readonly string[]): boolean {
  if (!isRoot() || Bun.which("apt-get") === null) return false;
  const install = () => aptGet("install", "--yes", "--no-install-recommends", ...packages);
  if (install().success) return true;
  const end = performance.now() + LOCK_SECONDS_MAX * 1_000;
  let update = aptGet("update");
  // DPkg::Lock::Timeout does not cover the lock on the package lists.
  while (`${update.stderr}`.includes("Could not get lock") && performance.now() < end) {
    Bun.sleepSync(LOCK_RETRY_MS);
    update = aptGet("update");
  }
  const { success, stderr } = install();
  if (!success) console.warn(`${update.stderr}${stderr}`);
  return success;
}

function aptGet(...args: readonly string[]) {
  return Bun.spawnSync(
    ["apt-get", "--quiet=2", "-o", `DPkg::Lock::Timeout=${LOCK_SECONDS_MAX}`, ...args],
    {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      stdout: "ignore",
      stderr: "pipe",
      timeout: LOCK_SECONDS_MAX * 1_000 + INSTALL_MS_MAX,
    },
  );
}

function main(): number {
  const missing = () =>
    Object.values<SystemProgram>(PROGRAMS).filter((program) => missingProgram(program) !== null);
  const packages = [...new Set(missing().flatMap(({ debianPackages }) => debianPackages))];
  if (packages.length === 0) {
    console.log("All programs that tests run are installed.");
    return 0;
  }
  console.log(`Installing ${packages.join(" ")}.`);
  if (!installPackages(packages))
    console.error("They could not be installed: that needs root on Debian and its package server.");
  const left = missing();
  for (const { names } of left) console.error(`Still missing: ${names.join(" or ")}.`);
  return left.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exit(main());
