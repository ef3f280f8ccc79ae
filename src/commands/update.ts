import {
  accessSync,
  constants,
  copyFileSync,
  linkSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../core/fault.ts";
import { codeOf, flush } from "../ops/fs.ts";
import { version } from "../../package.json" with { type: "json" };
import { type Command, type CommandContext, readArguments, UsageError } from "./shell/command.ts";
import { createProgress } from "./shell/terminal.ts";
import {
  downloadProgram,
  readRelease,
  type Release,
  RELEASE_SOURCE,
  type ReleaseSource,
} from "./update/release.ts";

const USAGE = "Usage: pet-alert update [--check] [--from URL]";

/** `update`, with the place of the releases. */
export function createUpdate(source: ReleaseSource | null): Command {
  return {
    name: "update",
    summary: "replaces the program with the newest release",
    help: [
      USAGE,
      "",
      "Downloads the newest release, checks its signature, and replaces the program. The previous one stays beside it, as",
      "pet-alert.old. The service may be running: restart it afterwards. Run it as the user who installed the program.",
      "",
      "  --check     only says whether there is a newer release",
      "  --from URL  reads the release from another address; its signature must be the same",
    ].join("\n"),
    async run(args, context) {
      const options = {
        check: { type: "boolean", default: false },
        from: { type: "string" },
      } as const;
      const { values, positionals } = readArguments(args, options, USAGE);
      if (positionals.length > 0) throw new UsageError("update takes no arguments.", USAGE);
      const program = values.check ? null : requireReplaceable(context.program);
      if (source === null)
        throw new Fault(
          "bad_input",
          "This program was built without an address of releases. Put the new file in its place by hand.",
        );
      context.print(await update({ ...source, url: values.from ?? source.url }, program, context));
      return 0;
    },
  };
}

export const updateProgram = createUpdate(RELEASE_SOURCE);

/** Installs the newest release, or without a program only looks for it; returns a sentence for the operator. */
async function update(
  source: ReleaseSource,
  program: string | null,
  context: CommandContext,
): Promise<string> {
  const release = await readRelease(source);
  if (Bun.semver.order(release.version, version) <= 0)
    return `Version ${version} is up to date: the newest release is ${release.version}.`;
  if (program === null)
    return `Version ${release.version} is available; this is ${version}. pet-alert update installs it.`;
  const fresh = `${program}.new`;
  try {
    rmSync(fresh, { force: true });
    await download(source, release, fresh, context);
    await requireVersion(fresh, release);
    replaceProgram(program, fresh);
  } catch (error) {
    if (error instanceof Fault || codeOf(error) === "") throw error;
    throw new Fault("unavailable", `${program} could not be replaced (${codeOf(error)}).`);
  } finally {
    rmSync(fresh, { force: true });
  }
  return `Version ${release.version} is installed, and ${version} is kept as ${program}.old. Restart the service (systemctl restart pet-alert).`;
}

/**
 * File of the running program, which this user may replace. Throws `bad_input` with a sentence for the operator if it is not a
 * file of its own, or if this user may not replace it.
 */
function requireReplaceable(program: string | null): string {
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

const BYTES_PER_MB = 1_000_000;

async function download(
  source: ReleaseSource,
  release: Release,
  fresh: string,
  { print, isTerminal }: CommandContext,
): Promise<void> {
  print(`Downloading version ${release.version}.`);
  const progress = createProgress(isTerminal);
  await downloadProgram(source, release, fresh, (bytes) =>
    progress.show(`${(bytes / BYTES_PER_MB).toFixed(0)} MB`),
  ).finally(progress.clear);
}

const VERSION_MS_MAX = 30_000;

/** Starts the new program, which may lack a library or be for another processor, for its version. */
async function requireVersion(fresh: string, release: Release): Promise<void> {
  const child = Bun.spawn([fresh, "--version"], {
    stdin: "ignore",
    stderr: "pipe",
    timeout: VERSION_MS_MAX,
    maxBuffer: 1024 * 1024,
  });
  const [said, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) === 0 && said.trim() === release.version) return;
  const reason = `${said}${errors}`.trimEnd().split("\n").at(-1) || "it gave no reason";
  throw new Fault(
    "unavailable",
    `The new program does not run on this machine, so nothing was changed: ${reason}`,
  );
}

/** Puts a new program in the place of the running one, which is kept. At every moment there is a whole program. */
function replaceProgram(program: string, fresh: string): void {
  const previous = `${program}.old`;
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
