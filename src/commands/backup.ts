import { join } from "node:path";
import { type Config, readConfig } from "../config.ts";
import { Fault } from "../core/fault.ts";
import {
  archiveBackup,
  BACKUPS,
  backupName,
  backUp,
  type Contents,
  requireSound,
  restore,
  withArchive,
} from "../start.ts";
import {
  type Command,
  type CommandContext,
  onlyArgument,
  readArguments,
  UsageError,
} from "./command.ts";
import { messagesToStderr, requireNoTerminal, STANDARD_STREAM } from "./output.ts";
import { refusePrivateTmp } from "./files.ts";
import { createProgress, formatNumber, plural, type Progress } from "./terminal.ts";

const BACKUP_USAGE = "Usage: pet-alert backup [FOLDER|-]";

export const backup: Command = {
  name: "backup",
  summary: "makes a checked copy of the data folder while the service runs",
  help: [
    BACKUP_USAGE,
    "",
    "Copies the database, key and photos of DATA_DIR to FOLDER, which must not exist yet, and checks the copy. The service",
    "may be running. Without FOLDER, the copy goes to DATA_DIR/backups, named after the time. Keep copies on another",
    "machine, where only you can read them: they hold email addresses and the key. With - instead of a folder, the copy is",
    "written to standard output as one tar archive, which restore - reads.",
    "",
    "The service itself makes one backup a day in DATA_DIR/backups and keeps the last BACKUP_KEEP of them.",
  ].join("\n"),
  async run(args, processContext) {
    const { positionals } = readArguments(args, {}, BACKUP_USAGE);
    if (positionals.length > 1)
      throw new UsageError("backup takes at most one folder.", BACKUP_USAGE);
    const [path = null] = positionals;
    const context = messagesToStderr(path, processContext);
    const { env, print, now, stopped, isTerminal } = context;
    const { dataDir } = requireFolder(readConfig(env));
    const daily = join(dataDir, BACKUPS, backupName(now()));
    const progress = createProgress(isTerminal);
    const options = { progress: copyProgress(progress), stopped };
    if (path === STANDARD_STREAM) {
      requireNoTerminal(context);
      const { write, flush } = context.standardOutput;
      const contents = await archiveBackup(dataDir, daily, write, options);
      flush();
      print(`Backed up and checked: standard output\n${describeContents(contents)}`);
      return 0;
    }
    const folder = path ?? daily;
    refusePrivateTmp(folder, context);
    progress.show("Copying and checking the database");
    const contents = await backUp(dataDir, folder, options).finally(progress.clear);
    print(`Backed up and checked: ${folder}\n${describeContents(contents)}`);
    return 0;
  },
};

const RESTORE_USAGE = "Usage: pet-alert restore FOLDER|- [--dry-run]";

export const restoreBackup: Command = {
  name: "restore",
  summary: "replaces the contents of the data folder with a backup",
  help: [
    RESTORE_USAGE,
    "",
    "Checks the backup in FOLDER, then copies its database, key and photos into DATA_DIR. The previous contents are moved",
    "to a folder replaced-… inside DATA_DIR, which the service deletes after 30 days; delete it sooner once all is well.",
    "The service must be stopped. With - instead of a folder, restore reads the archive written by backup - from standard",
    "input.",
    "",
    "  --dry-run  checks the backup and shows its contents; changes nothing",
  ].join("\n"),
  async run(args, context) {
    const options = { "dry-run": { type: "boolean", default: false } } as const;
    const { values, positionals } = readArguments(args, options, RESTORE_USAGE);
    const folder = onlyArgument(positionals, "restore takes one folder.", RESTORE_USAGE);
    const { dataDir } = requireFolder(readConfig(context.env));
    const from = (backup: string) => restoreFrom(backup, dataDir, values["dry-run"], context);
    if (folder === STANDARD_STREAM) await withArchive(dataDir, context.standardInput(), from);
    else {
      refusePrivateTmp(folder, context);
      from(folder);
    }
    return 0;
  },
};

function restoreFrom(
  folder: string,
  dataDir: string,
  isDryRun: boolean,
  { print, now, isTerminal }: CommandContext,
): void {
  print(`The backup is sound: ${describeContents(requireSound(folder))}.`);
  if (isDryRun)
    return print(`Nothing was changed. Without --dry-run, it would replace ${dataDir}.`);
  const progress = createProgress(isTerminal);
  const asideName = `replaced-${backupName(now())}`;
  const aside = restore(dataDir, folder, { asideName, progress: copyProgress(progress) });
  progress.clear();
  const previous = aside === null ? "" : ` The previous contents are in ${aside}.`;
  print(`Restored into ${dataDir}.${previous}`);
}

/** Refuses a database that several nodes share: its own tools copy it without stopping them, and back to any moment. */
function requireFolder(config: Config): Config {
  if (config.cluster === null) return config;
  throw new Fault(
    "bad_input",
    "DATABASE_URL is set: back up and restore the database with pgBackRest, WAL-G or the tools of its provider, and keep versions of the bucket (see docs/cluster.md).",
  );
}

const BYTES_PER_MB = 1_000_000;

/** `2 alerts, 1 zone, 0 photos; database 0.3 MB`. */
function describeContents({ alerts, zones, photos, bytes }: Contents): string {
  const megabytes = (bytes / BYTES_PER_MB).toFixed(1);
  const parts = [plural(alerts, "alert"), plural(zones, "zone"), plural(photos, "photo")];
  return `${parts.join(", ")}; database ${megabytes} MB`;
}

function copyProgress(progress: Progress) {
  return (done: number, of: number) =>
    progress.show(`${formatNumber(done)} of ${plural(of, "photo file")}`);
}
