import { type Finding, mend, ok } from "../core/finding.ts";
import { maskedMailbox } from "../core/input.ts";
import type { Dns } from "./dns.ts";
import { readSender } from "./message.ts";
import { checkRecords } from "./records.ts";
import type { Dkim, SmtpTransport } from "./transport.ts";

/** A letter somebody asked for, to see whether letters arrive. */
export type TrialLetter = { readonly to: string; readonly id: string; readonly at: number };

/** Whether letters can go out, and will be trusted where they arrive. Sends one letter where an address is given. */
export async function checkMail(
  mail: {
    /** `Name <address>`. */
    readonly from: string;
    readonly dkim: Dkim | null;
    readonly transport: SmtpTransport;
    readonly siteName: string;
    readonly siteUrl: string;
  },
  dns: Dns,
  trial: TrialLetter | null,
): Promise<Finding[]> {
  const { transport, dkim } = mail;
  const { host: domain } = readSender(mail.from);
  const refusal = await transport.refusal();
  const unsent = trial === null ? "" : ", and no letter was sent";
  const login =
    refusal === null
      ? ok(`The mail server ${transport.describe()} lets us in`)
      : mend(
          `The mail server ${transport.describe()} does not let us in${unsent}: ${refusal}`,
          "Check SMTP_URL: host, port, user and password (special characters as %40 and the like).",
        );
  const records = domain.includes(".")
    ? await checkRecords({ domain, server: transport.host, dkim }, dns)
    : [
        mend(
          `Nobody can trust letters from ${domain}`,
          "Set MAIL_FROM to an address of a domain that is yours.",
        ),
      ];
  // A server that does not let us in would only say so once more.
  const isTried = trial !== null && refusal === null;
  return [login, ...records, ...(isTried ? [await send(mail, trial)] : [])];
}

async function send(
  { transport, siteName, siteUrl }: Parameters<typeof checkMail>[0],
  { to, id, at }: TrialLetter,
): Promise<Finding> {
  const text = `This letter was asked for by whoever runs ${siteName}, to see whether its letters arrive.\n\n${siteUrl}\n`;
  const delivery = await transport.send({
    id,
    to,
    language: "en",
    createdAt: at,
    sentAt: at,
    subject: `${siteName}: a letter to try the mail`,
    text,
    html: `<!doctype html>\n<p>${Bun.escapeHTML(text)}</p>\n`,
    link: siteUrl,
    unsubscribeUrl: null,
  });
  if (delivery.kind === "sent")
    return ok(
      `The mail server took a letter to ${maskedMailbox(to)}`,
      "See whether it arrives, and not among the spam; what the mailbox thinks of it stands in its header Authentication-Results.",
    );
  return mend(
    `The mail server did not take a letter to ${maskedMailbox(to)}: ${delivery.why}`,
    "Its answer says what it wants: often another MAIL_FROM, or a login.",
  );
}
