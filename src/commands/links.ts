import { readConfig } from "../settings/config.ts";
import { Fault } from "../core/fault.ts";
import { mailbox } from "../core/input.ts";
import { createLinks } from "../core/urls.ts";
import { importLinks as importLinksOf } from "../core/tables/manage-links.ts";
import { openStorageToRead } from "../storage/open.ts";
import { type Command, onlyArgument, readArguments, UsageError } from "./shell/command.ts";
import { csvLine } from "../text/csv.ts";
import { messagesToStderr, openOutput, STANDARD_STREAM } from "./shell/output.ts";
import { plural } from "../text/terminal-text.ts";
import { createProgress } from "./shell/terminal.ts";

const USAGE = "Usage: pet-alert links --email ADDRESS [--mapping NAME] FILE.csv|-";

export const importLinks: Command = {
  name: "links",
  summary: "writes the private links of imported alerts again",
  help: [
    USAGE,
    "",
    "Writes the page and the private link of each imported alert, as import --links does, to a new file that only its owner",
    "can read, or with - to standard output. Anyone who has a link can edit and end its alert: share the file only with the",
    "shelter. Links of alerts that people published themselves are not included: /manage emails them to their owners.",
    "",
    "  --email ADDRESS  owner the alerts were imported for; alerts of other owners are left out",
    "  --mapping NAME   only alerts imported with this mapping [any]",
    "",
    "Uses the data folder DATA_DIR; the service may be running. Links begin with BASE_URL, so use the same settings as the",
    "service. Exit codes: 0 success, 1 no such alert or failure.",
  ].join("\n"),
  async run(args, processContext) {
    const options = { email: { type: "string" }, mapping: { type: "string" } } as const;
    const { values, positionals } = readArguments(args, options, USAGE);
    const path = onlyArgument(positionals, "links takes one file.", USAGE);
    const email = mailbox(values.email ?? "");
    if (email === null)
      throw new UsageError("links needs --email, the owner the alerts were imported for.", USAGE);
    const context = messagesToStderr(path, processContext);
    const config = readConfig(context.env);
    const { store, readSecrets } = await openStorageToRead(config);
    const progress = createProgress(context.isTerminal);
    try {
      const ports = { store, links: createLinks(config.baseUrl), secrets: readSecrets() };
      const output = openOutput(path, processContext, { isPrivate: true });
      try {
        let written = 0;
        let ofOthers = 0;
        for await (const page of importLinksOf(ports, email, values.mapping ?? null)) {
          if (context.stopped.aborted)
            throw new Fault("unavailable", "The command was stopped: nothing was written.");
          ofOthers += page.otherOwners;
          const rows = page.links.map((link) =>
            csvLine([link.externalId, link.page, link.manageLink]),
          );
          if (rows.length === 0) continue;
          if (written === 0) await output.write(csvLine(["external_id", "page", "manage_link"]));
          await output.write(rows.join(""));
          written += rows.length;
          progress.show(plural(written, "link"));
          // Lets signals be handled.
          await Bun.sleep(0);
        }
        progress.clear();
        if (written > 0) {
          output.finish();
          context.print(
            `Wrote ${plural(written, "link")} to ${path === STANDARD_STREAM ? "standard output" : path}. Anyone who has a link can edit and end its alert.`,
          );
        } else {
          context.print(`No imported alert belongs to ${email}: nothing was written.`);
        }
        if (ofOthers > 0)
          context.print(
            `${plural(ofOthers, "imported alert has", "imported alerts have")} another owner and were left out: /manage emails their links to that owner only.`,
          );
        return written > 0 ? 0 : 1;
      } finally {
        output.drop();
      }
    } finally {
      await store.close();
    }
  },
};
