/** A program that is no npm package. */
export type Program = {
  /** The environment variable that names it, for machines that keep it elsewhere. */
  readonly setting: string;
  /** What it may be called on the PATH. */
  readonly names: readonly string[];
  readonly debianPackage: string;
};

/** A browser and all it stands on comes over the network once. */
export const INSTALL_MS_MAX = 300_000;

/**
 * Where a program is: as its setting says, on the PATH, or installed now with apt-get when we are root on Debian.
 * Throws one sentence that says how to get it.
 */
export function findProgram(program: Program): string {
  const named = process.env[program.setting];
  if (named) return named;
  const found = onPath(program);
  if (found !== null) return found;
  if (isRoot() && Bun.which("apt-get") !== null) install(program.debianPackage);
  const installed = onPath(program);
  if (installed !== null) return installed;
  const [name, ...others] = program.names;
  throw new Error(
    `These tests need ${[name, ...others].join(" or ")}: install the Debian package ${program.debianPackage}, or name the program in ${program.setting}.`,
  );
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function onPath({ names }: Program): string | null {
  return names.map((name) => Bun.which(name)).find((path) => path !== null) ?? null;
}

/** A failure shows in the program still missing; what apt-get said of it stands in the test's output. */
function install(debianPackage: string): void {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const command of [
    ["update"],
    ["install", "--yes", "--no-install-recommends", debianPackage],
  ])
    Bun.spawnSync(["apt-get", "--quiet=2", ...command], {
      env,
      stdout: "ignore",
      stderr: "inherit",
      timeout: INSTALL_MS_MAX,
    });
}
