import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Config, readConfig } from "../settings/config.ts";
import { MINUTE_MS } from "../core/duration.ts";
import { Fault } from "../core/fault.ts";
import { codeOf } from "../ops/fs.ts";
import {
  backUp,
  checkDatabase,
  DATABASE_FILE,
  isThere,
  servedBy,
  start,
  version,
} from "../start.ts";
import { type Command, type CommandContext, readArguments, UsageError } from "./shell/command.ts";
import { createProgress } from "./shell/terminal.ts";
import {
  putBack,
  replaceProgram,
  requirePrevious,
  requireReplaceable,
} from "./update/program-file.ts";
import {
  downloadProgram,
  readRelease,
  type Release,
  RELEASE_SOURCE,
  type ReleaseSource,
} from "./update/release.ts";

const USAGE = [
  "Usage: pet-alert update [--check] [--from URL] [--untried]",
  "       pet-alert update --back",
].join("\n");

/** `update`, with the place of the releases. */
export function createUpdate(source: ReleaseSource | null): Command {
  return {
    name: "update",
    summary: "replaces the program with the newest release, once that works with your data",
    help: [
      USAGE,
      "",
      "Downloads the newest release, checks its signature, tries it on a copy of DATA_DIR, and only then replaces the program.",
      "The previous one stays beside it, as pet-alert.old. The service may be running: restart it afterwards. Run it as the",
      "user who installed the program, with the DATA_DIR of the service.",
      "",
      "  --check     only says whether there is a newer release",
      "  --from URL  reads the release from another address; its signature must be the same",
      "  --untried   does not try it on a copy of the data",
      "  --back      puts the previous version back, if the new one has not served yet",
    ].join("\n"),
    async run(args, context) {
      const { values, positionals } = readArguments(args, OPTIONS, USAGE);
      if (positionals.length > 0) throw new UsageError("update takes no arguments.", USAGE);
      if (values.try !== undefined) return tryFolder(values.try, context);
      if (values.back) return goBack(values.untried, context);
      const from = source === null ? null : { ...source, url: values.from ?? source.url };
      return update(from, { isCheck: values.check, isUntried: values.untried }, context);
    },
  };
}

export const updateProgram = createUpdate(RELEASE_SOURCE);

const OPTIONS = {
  check: { type: "boolean", default: false },
  from: { type: "string" },
  untried: { type: "boolean", default: false },
  back: { type: "boolean", default: false },
  // For the new program, which the previous one starts.
  try: { type: "string" },
} as const;

async function update(
  source: ReleaseSource | null,
  { isCheck, isUntried }: { readonly isCheck: boolean; readonly isUntried: boolean },
  context: CommandContext,
): Promise<number> {
  const { print } = context;
  const program = isCheck ? null : requireReplaceable(context.program);
  if (source === null)
    throw new Fault(
      "bad_input",
      "This program was built without an address of releases. Put the new file in its place by hand.",
    );
  const release = await readRelease(source);
  if (Bun.semver.order(release.version, version) <= 0)
    return printed(
      print,
      `Version ${version} is up to date: the newest release is ${release.version}.`,
    );
  if (program === null)
    return printed(
      print,
      `Version ${release.version} is available; this is ${version}. pet-alert update installs it.`,
    );
  const config = readConfig(context.env);
  if (!isUntried) requireData(config);
  const fresh = `${program}.new`;
  try {
    rmSync(fresh, { force: true });
    await download(source, release, fresh, context);
    await requireVersion(fresh, release);
    if (!isUntried) await tryOnCopy({ fresh, copy: `${program}.trial` }, release, config, context);
    replaceProgram(program, fresh);
  } catch (error) {
    if (error instanceof Fault || codeOf(error) === "") throw error;
    throw new Fault("unavailable", `${program} could not be replaced (${codeOf(error)}).`);
  } finally {
    rmSync(fresh, { force: true });
  }
  print(
    `Version ${release.version} is installed, and ${version} is kept as ${program}.old. Restart the service (systemctl restart pet-alert). Until it has served, pet-alert update --back puts ${version} back.`,
  );
  return 0;
}

/** Exit code of a run that ends with a sentence. */
function printed(print: CommandContext["print"], text: string): 0 {
  print(text);
  return 0;
}

/** Refuses to go on without the data of the service, which is often in the folder of another user. */
function requireData({ cluster, dataDir }: Config): void {
  if (cluster !== null)
    throw new Fault(
      "bad_input",
      "With DATABASE_URL there is no copy of the data to try a new version on. Add --untried, update one node first, and see that it is ready: two releases run side by side.",
    );
  if (!isThere(join(dataDir, DATABASE_FILE)))
    throw new Fault(
      "bad_input",
      `There is no data in ${dataDir} to try the new version on. Set DATA_DIR as the service has it (DATA_DIR=/var/lib/pet-alert pet-alert update), or add --untried.`,
    );
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
const TRY_MS_MAX = 30 * MINUTE_MS;

async function requireVersion(fresh: string, release: Release): Promise<void> {
  const { code, output } = await run([fresh, "--version"], {}, VERSION_MS_MAX);
  if (code === 0 && output.trim() === release.version) return;
  throw new Fault(
    "unavailable",
    `The new program does not run on this machine, so nothing was changed: ${lastLine(output)}`,
  );
}

/**
 * Runs the new program on a copy of the data, which it migrates. The data itself is not touched. The copy lies beside the
 * program: root writes nothing into the data folder, whose owner could lead it elsewhere by a link.
 */
async function tryOnCopy(
  { fresh, copy }: { readonly fresh: string; readonly copy: string },
  release: Release,
  { dataDir }: Config,
  { print, env, stopped }: CommandContext,
): Promise<void> {
  print("Trying it on a copy of the data.");
  const discard = () => rmSync(copy, { recursive: true, force: true });
  try {
    discard();
    await backUp(dataDir, copy, { stopped, withPhotos: false });
    const { code, output } = await run([fresh, "update", "--try", copy], env, TRY_MS_MAX);
    if (code !== 0)
      throw new Fault(
        "unavailable",
        `Version ${release.version} does not work with your data, so nothing was changed: ${lastLine(output)}`,
      );
  } finally {
    discard();
  }
}

/** Runs a program to its end, or stops it. Its output is cut. */
async function run(
  command: string[],
  env: CommandContext["env"],
  ms: number,
): Promise<{ readonly code: number; readonly output: string }> {
  const child = Bun.spawn(command, {
    env: { ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: ms,
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  const [out, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output: `${out}${errors}` };
}

const OUTPUT_BYTES_MAX = 1024 * 1024;

function lastLine(output: string): string {
  return output.trimEnd().split("\n").at(-1) || "it gave no reason";
}

/** Opens a copy of the data as the service would, answers two requests, and closes it. No job runs, so no email is sent. */
async function tryFolder(folder: string, { env, print }: CommandContext): Promise<number> {
  readConfig(env);
  const config = readConfig({ ...env, DATA_DIR: folder, ...NOTHING_LEAVES });
  const app = await start(config, { log: () => {} });
  try {
    for (const path of ["/readyz", "/"]) {
      const { status } = await app.fetch(new Request(new URL(path, config.baseUrl).href), null);
      if (status !== 200)
        throw new Fault("unavailable", `The new version answers ${path} with ${status}.`);
    }
  } finally {
    await app.stop();
  }
  checkDatabase(folder);
  print(`Version ${version} works with this copy.`);
  return 0;
}

/** Settings without which the copy reaches nobody. */
const NOTHING_LEAVES = {
  SMTP_URL: "",
  IMAP_URL: "",
  BACKUP_COPY_URL: "",
  BACKUP_COPY_KEY: "",
};

async function goBack(isUntried: boolean, context: CommandContext): Promise<number> {
  const program = requireReplaceable(context.program);
  const previous = requirePrevious(program);
  const config = readConfig(context.env);
  if (!isUntried) {
    requireData(config);
    if (servedBy(config.dataDir) === version)
      throw new Fault(
        "conflict",
        `Version ${version} has served since, and the previous one may not understand what it stored. To go back all the same, stop the service, restore a backup from before the update, and move ${previous} to ${program}.`,
      );
  }
  putBack(program);
  const { output } = await run([program, "--version"], {}, VERSION_MS_MAX);
  context.print(`Version ${output.trim()} is back. Restart the service if it was started since.`);
  return 0;
}
