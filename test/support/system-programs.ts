import * as bunTest from "bun:test";

/** Program that tests run and that is no npm package. */
export type SystemProgram = {
  /** Names on the PATH, or absolute paths. Any of them will do. */
  readonly names: readonly string[];
  readonly debianPackages: readonly string[];
  /** Environment variable with its path, for machines that have it elsewhere. */
  readonly setting?: string;
};

export const CURL: SystemProgram = { names: ["curl"], debianPackages: ["curl"] };

/** Long enough to download a browser. */
export const INSTALL_MS_MAX = 300_000;
const LOCK_SECONDS_MAX = 600;
const LOCK_RETRY_MS = 5_000;

/** Path of a program, which is installed first where that is possible. Throws with a sentence where it is missing. */
export function findProgram(program: SystemProgram): string {
  const missing = missingProgram(program);
  if (missing !== null) throw new Error(missing);
  return pathOf(program)!;
}

/** Sentence for the reader when a program is missing and cannot be installed; null when it is there. */
export function missingProgram(program: SystemProgram): string | null {
  const { names, debianPackages, setting } = program;
  if (pathOf(program) !== null || (installPackages(debianPackages) && pathOf(program) !== null))
    return null;
  const orSetting = setting === undefined ? "" : `, or set ${setting} to its path`;
  return `These tests need ${names.join(" or ")}: install ${debianPackages.join(" ")} (Debian)${orSetting}.`;
}

/**
 * `describe`, `test` and the hooks of bun:test, or ones that skip everything when something is missing on this machine.
 * Prints that sentence once. Throws it when the environment variable CI is set.
 */
export function testsUnlessMissing(
  missing: string | null,
): Pick<typeof bunTest, (typeof USED)[number]> {
  if (missing === null) return bunTest;
  if (process.env["CI"]) throw new Error(missing);
  if (!printed.has(missing)) console.warn(`SKIPPED: ${missing}`);
  printed.add(missing);
  const noHook = () => {};
  return {
    describe: bunTest.describe.skipIf(true),
    test: bunTest.test.skipIf(true),
    beforeAll: noHook,
    beforeEach: noHook,
    afterEach: noHook,
    afterAll: noHook,
  };
}

const USED = ["describe", "test", "beforeAll", "beforeEach", "afterEach", "afterAll"] as const;
const printed = new Set<string>();

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

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function pathOf({ setting, names }: SystemProgram): string | null {
  const set = setting === undefined ? undefined : process.env[setting];
  return set || (names.map((name) => Bun.which(name)).find((path) => path !== null) ?? null);
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
