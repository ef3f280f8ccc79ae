import { readConfig } from "../settings/config.ts";
import { mailbox } from "../core/input.ts";
import { type Command, onlyArgument, readArguments, UsageError } from "./shell/command.ts";
import { withOperator } from "./shell/operator-client.ts";

const USAGE = "Usage: pet-alert allow ADDRESS";

export const allow: Command = {
  name: "allow",
  summary: "allows emails again to an address that stopped them or bounced",
  help: [
    USAGE,
    "",
    'Undoes the link "This was not me: stop these emails" for an address, so that it gets confirmation emails again. The',
    "same link in the email that was used to stop them does this too. It applies to all spellings of the mailbox (+tag,",
    "dots at Gmail, ya.ru for yandex.ru ...). If emails stopped because this exact address bounced or reported one as spam,",
    "they start again as well. An address blocked by a moderator stays blocked: see pet-alert moderate.",
    "",
    "Uses the data folder DATA_DIR; the service may be running. Exit codes: 0 success, even if nothing was stopped;",
    "1 failure.",
  ].join("\n"),
  async run(args, context) {
    const { positionals } = readArguments(args, {}, USAGE);
    const text = onlyArgument(positionals, "allow takes one address.", USAGE);
    const address = mailbox(text);
    if (address === null) throw new UsageError(`"${text}" is not one email address.`, USAGE);

    return withOperator(readConfig(context.env), async (operator) => {
      const { wasStopped, wasDead, isBlocked } = await operator.allow(address);
      context.print(
        wasStopped || wasDead
          ? `Emails to ${address} are allowed again.`
          : `Emails to ${address} were not stopped.`,
      );
      if (isBlocked)
        context.print(
          "A moderator blocked this address, so it still gets no emails. To unblock it: pet-alert moderate restore ALERT, with one of its alerts.",
        );
      return isBlocked ? 1 : 0;
    });
  },
};
