import { join } from "node:path";
import { readConfig } from "../config.ts";
import { BACKUPS, backupName, backUp } from "../start.ts";
import { type Command, Misuse, readArguments } from "./command.ts";
import { contentsInWords, showCopying } from "./contents.ts";
import { createProgress } from "./progress.ts";

const USAGE = "Usage: pet-alert backup [FOLDER]";

export const backup: Command = {
  name: "backup",
  summary: "copies the data folder, while the service goes on",
  help: [
    USAGE,
    "",
    "Copies database, key and photos of DATA_DIR into FOLDER, which must not exist yet, and checks the copy. The service",
    "may run meanwhile. Without FOLDER the copy goes into DATA_DIR/backups, named for the time. Keep copies apart from",
    "the machine, and where only you can read them: they hold addresses and the key.",
    "",
    "The service itself makes one a day in DATA_DIR/backups, and keeps the last BACKUP_KEEP of them.",
    "Settings are those of the service: DATA_DIR is the one that counts here.",
  ].join("\n"),
  async run(args, { env, say, now, stopped, isTerminal }) {
    const { positionals } = readArguments(args, {}, USAGE);
    if (positionals.length > 1) throw new Misuse("backup takes one folder at most.", USAGE);
    const { dataDir } = readConfig(env);
    const folder = positionals[0] ?? join(dataDir, BACKUPS, backupName(now()));
    const progress = createProgress(isTerminal);
    progress.show("Copying and checking the database");
    const contents = await backUp(dataDir, folder, {
      progress: showCopying(progress),
      stopped,
    }).finally(progress.clear);
    say(`Backed up and checked: ${folder}\n${contentsInWords(contents)}`);
    return 0;
  },
};
