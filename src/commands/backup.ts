import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, readConfig } from "../settings/config.ts";
import { readBytes } from "../core/byte-limit.ts";
import { Fault } from "../core/fault.ts";
import { archiveBackup, backUp } from "../../db/sqlite/backups/backup.ts";
import { BACKUPS, backupName } from "../../db/sqlite/backups/daily-backups.ts";
import { type BackupCopySettings } from "../settings/backup-copies.ts";
import { type Contents, requireSound } from "../../db/sqlite/backups/check.ts";
import { decrypterOf, generateKeyFile, KEY_FILE_BYTES_MAX } from "../backups/key.ts";
import { fetchCopy } from "../backups/fetch.ts";
import { listCopies, newestCopy } from "../backups/list.ts";
import { openTarget } from "../backups/target.ts";
import { restore, withReceived } from "../../db/sqlite/backups/restore.ts";
import { unpackArchive } from "../../db/sqlite/backups/archive.ts";
import {
  type Command,
  type CommandContext,
  onlyArgument,
  readArguments,
  UsageError,
} from "./shell/command.ts";
import { messagesToStderr, requireNoTerminal, STANDARD_STREAM } from "./shell/output.ts";
import { cannotCreate, cannotRead, refusePrivateTmp } from "./shell/files.ts";
import { formatNumber, plural } from "../text/terminal-text.ts";
import { createProgress, type Progress } from "./shell/terminal.ts";

const BACKUP_USAGE = [
  "Usage: pet-alert backup [FOLDER|-]",
  "       pet-alert backup key FILE|-",
  "       pet-alert backup copies",
].join("\n");

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
    "The service itself makes one backup a day in DATA_DIR/backups and keeps the last BACKUP_KEEP of them. With",
    "BACKUP_COPY_URL it copies each of them to a bucket or another folder, encrypted.",
    "",
    "  backup key FILE  makes the key for these copies: writes the private part to FILE and says what to set. Keep FILE",
    "                   somewhere else, twice: without it no copy can be read, and the service does not need it",
    "  backup copies    lists the copies",
  ].join("\n"),
  async run(args, processContext) {
    const { positionals } = readArguments(args, {}, BACKUP_USAGE);
    if (positionals[0] === "key") return makeKey(positionals.slice(1), processContext);
    if (positionals[0] === "copies") return printCopies(positionals.slice(1), processContext);
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

/** Makes a key for copies. Its private part goes to a file that nobody else can read. */
async function makeKey(args: readonly string[], processContext: CommandContext): Promise<number> {
  const path = onlyArgument(args, "backup key takes one file.", BACKUP_USAGE);
  const context = messagesToStderr(path, processContext);
  const { publicKey, file } = await generateKeyFile(context.now());
  if (path === STANDARD_STREAM) {
    await context.standardOutput.write(new TextEncoder().encode(file));
    context.standardOutput.flush();
  } else {
    refusePrivateTmp(path, context);
    try {
      writeFileSync(path, file, { mode: 0o600, flag: "wx", flush: true });
    } catch (error) {
      throw cannotCreate(path, error);
    }
  }
  context.print(
    [
      `Set BACKUP_COPY_KEY=${publicKey}`,
      "Move the file with the private key to another machine, and keep a second copy of it, such as on paper. Without it no",
      "copy can be read. The service does not need it.",
    ].join("\n"),
  );
  return 0;
}

async function printCopies(
  args: readonly string[],
  { env, print, now }: CommandContext,
): Promise<number> {
  if (args.length > 0) throw new UsageError("backup copies takes no arguments.", BACKUP_USAGE);
  const copies = await listCopies(openTarget(requireCopies(readConfig(env)).target));
  const newest = newestCopy(copies, now());
  for (const copy of copies.toReversed())
    print(
      `${copy.name}${copy.isComplete ? "" : "  unfinished"}${copy === newest ? "  newest" : ""}`,
    );
  if (copies.length === 0) print("There are no copies yet.");
  return 0;
}

function requireCopies({ backupCopy }: Config): BackupCopySettings {
  if (backupCopy === null)
    throw new Fault("bad_input", "BACKUP_COPY_URL is not set: there are no copies elsewhere.");
  return backupCopy;
}

const RESTORE_USAGE = [
  "Usage: pet-alert restore FOLDER|- [--dry-run]",
  "       pet-alert restore --copy NAME|latest --key FILE|- [--dry-run]",
].join("\n");

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
    "With --copy, restore fetches a copy that the service made at BACKUP_COPY_URL (backup copies lists them).",
    "",
    "  --copy NAME  fetches the copy of that name, or the newest one: latest",
    "  --key FILE   file with the private key that backup key wrote; - reads it from standard input",
    "  --dry-run    checks the backup and shows its contents; changes nothing",
  ].join("\n"),
  async run(args, context) {
    const options = {
      "dry-run": { type: "boolean", default: false },
      copy: { type: "string" },
      key: { type: "string" },
    } as const;
    const { values, positionals } = readArguments(args, options, RESTORE_USAGE);
    const { copy, key } = values;
    const config = requireFolder(readConfig(context.env));
    const { dataDir } = config;
    const from = (backup: string) => restoreFrom(backup, dataDir, values["dry-run"], context);
    if (copy !== undefined || key !== undefined) {
      if (copy === undefined || key === undefined || positionals.length > 0)
        throw new UsageError(
          "restore takes --copy and --key together, or one folder.",
          RESTORE_USAGE,
        );
      await restoreCopy(config, { copy, keyFile: key }, from, context);
      return 0;
    }
    const folder = onlyArgument(positionals, "restore takes one folder.", RESTORE_USAGE);
    if (folder === STANDARD_STREAM) {
      const receive = (received: string) => unpackArchive(context.standardInput(), received);
      await withReceived(dataDir, receive, from);
    } else {
      refusePrivateTmp(folder, context);
      from(folder);
    }
    return 0;
  },
};

async function restoreCopy(
  config: Config,
  { copy, keyFile }: { readonly copy: string; readonly keyFile: string },
  from: (folder: string) => void,
  context: CommandContext,
): Promise<void> {
  const bucket = openTarget(requireCopies(config).target);
  const decrypter = decrypterOf(await readPrivateKey(keyFile, context), keyFile);
  const name = copy === "latest" ? newestCopy(await listCopies(bucket), context.now())?.name : copy;
  if (name === undefined)
    throw new Fault("not_found", "There is no complete copy at BACKUP_COPY_URL.");
  context.print(`Fetching the copy ${name}.`);
  const progress = createProgress(context.isTerminal);
  const receive = (folder: string) =>
    fetchCopy(bucket, name, { decrypter, folder, progress: copyProgress(progress) }).finally(
      progress.clear,
    );
  await withReceived(config.dataDir, receive, (folder, missing) => {
    if (missing.length > 0)
      context.print(
        `Photos that the copy lacks, or that were damaged there: ${missing.length}. Everything else is restored.`,
      );
    from(folder);
  });
}

async function readPrivateKey(path: string, context: CommandContext): Promise<string> {
  if (path === STANDARD_STREAM) {
    const why = "Standard input is not a file with a private key: it is too long.";
    const tooLong = () => new Fault("bad_input", why);
    const bytes = await readBytes(context.standardInput(), KEY_FILE_BYTES_MAX, tooLong);
    return new TextDecoder().decode(bytes);
  }
  refusePrivateTmp(path, context);
  try {
    return await Bun.file(path).slice(0, KEY_FILE_BYTES_MAX).text();
  } catch (error) {
    throw cannotRead(path, error);
  }
}

function restoreFrom(
  folder: string,
  dataDir: string,
  isDryRun: boolean,
  { print, now, isTerminal }: CommandContext,
): void {
  const onSound = (contents: Contents) =>
    print(`The backup is sound: ${describeContents(contents)}.`);
  if (isDryRun) {
    onSound(requireSound(folder));
    return print(`Nothing was changed. Without --dry-run, it would replace ${dataDir}.`);
  }
  const progress = createProgress(isTerminal);
  const asideName = `replaced-${backupName(now())}`;
  const aside = restore(dataDir, folder, { asideName, progress: copyProgress(progress), onSound });
  progress.clear();
  const previous = aside === null ? "" : ` The previous contents are in ${aside}.`;
  print(`Restored into ${dataDir}.${previous}`);
  print(
    "Your own files (help.csv, sources.json, its mappings and secrets) are in no backup: put them back if they were lost.",
  );
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
