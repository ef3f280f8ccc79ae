import { readConfig } from "../config.ts";
import { backupName, requireSound, restore } from "../start.ts";
import { type Command, Misuse, readArguments } from "./command.ts";
import { contentsInWords, showCopying } from "./contents.ts";
import { createProgress } from "./progress.ts";

const USAGE = "Usage: pet-alert restore FOLDER [--dry-run]";

export const restoreBackup: Command = {
  name: "restore",
  summary: "puts a backup in place of the data folder's state",
  help: [
    USAGE,
    "",
    "Checks the backup in FOLDER, then puts its database, key and photos into DATA_DIR. What was there is kept in a folder",
    "named replaced-… inside DATA_DIR; delete it when all is well. The service must be stopped.",
    "",
    "  --dry-run  checks the backup and says what it holds; changes nothing",
  ].join("\n"),
  async run(args, { env, say, now, isTerminal }) {
    const options = { "dry-run": { type: "boolean", default: false } } as const;
    const { values, positionals } = readArguments(args, options, USAGE);
    const [folder, ...others] = positionals;
    if (folder === undefined || others.length > 0)
      throw new Misuse("restore takes one folder.", USAGE);
    const { dataDir } = readConfig(env);
    say(`The backup is sound: ${contentsInWords(requireSound(folder))}.`);
    if (values["dry-run"]) {
      say(`Nothing was changed. Without --dry-run it would go into ${dataDir}.`);
      return 0;
    }
    const progress = createProgress(isTerminal);
    const asideName = `replaced-${backupName(now())}`;
    const aside = restore(dataDir, folder, { asideName, progress: showCopying(progress) });
    progress.clear();
    say(`Restored into ${dataDir}.${aside === null ? "" : ` What was there lies in ${aside}.`}`);
    return 0;
  },
};
