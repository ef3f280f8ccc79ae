import { readConfig } from "../settings/config.ts";
import { type Command, readArguments, UsageError } from "./shell/command.ts";
import { formatNumber, plural } from "../text/terminal-text.ts";
import { createProgress } from "./shell/terminal.ts";

const USAGE = "Usage: pet-alert move";

export const move: Command = {
  name: "move",
  summary: "copies the data folder into an empty database and bucket that several nodes share",
  help: [
    USAGE,
    "",
    "Copies the data folder DATA_DIR into the empty PostgreSQL database of DATABASE_URL and the empty bucket of S3_URL: all",
    "rows, the photos and the list of what was erased. Rows are compared by their numbers and sums before they count. The",
    "service must be stopped. The folder stays as it is. If the command is interrupted the database stays empty, and you",
    "can move again: photos that the bucket has already are not sent twice.",
    "",
    "The key is not copied: take secret.key to every node yourself, as SECRET_KEY_FILE, before or after. Backups, and",
    "emails in files, stay in the folder.",
  ].join("\n"),
  async run(args, { env, print, stopped, isTerminal }) {
    if (readArguments(args, {}, USAGE).positionals.length > 0)
      throw new UsageError("move takes no arguments: settings name both places.", USAGE);
    const { cluster, dataDir } = readConfig(env);
    if (cluster === null)
      throw new UsageError(
        "move copies the folder DATA_DIR into the database of DATABASE_URL, which is not set.",
        USAGE,
      );
    const progress = createProgress(isTerminal);
    const { moveFolder } = await import("../storage/move.ts");
    const moved = await moveFolder(dataDir, cluster, {
      stopped,
      onProgress: (what, done) => progress.show(`${what}: ${formatNumber(done)}`),
    }).finally(progress.clear);

    const count = (table: string) => moved.rows.get(table) ?? 0;
    const rows = [...moved.rows.values()].reduce((sum, one) => sum + one, 0);
    const parts = [
      plural(count("alert"), "alert"),
      plural(count("zone"), "zone"),
      plural(count("conversation"), "conversation"),
      plural(moved.photoFiles, "photo file"),
    ];
    const copyKey = moved.hasKeyFile
      ? `Every node needs the key of this folder, ${dataDir}/secret.key, as its SECRET_KEY_FILE.`
      : `Copy ${dataDir}/secret.key to ${cluster.keyFile} on every node.`;
    print(
      [
        `Moved and compared: ${parts.join(", ")}; ${plural(rows, "row")} in all.`,
        "",
        "What is left to do:",
        `1. ${copyKey}`,
        "2. Start one node with these settings and look at it: pet-alert check, then pet-alert serve. Then start the others.",
        `3. Keep ${dataDir} until you are content. Never run the old service beside a node: both would send the emails that were waiting.`,
      ].join("\n"),
    );
    return 0;
  },
};
