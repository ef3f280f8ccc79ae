import { type CheckResult, fix, ok } from "../ops/check-result.ts";
import { maskedMailbox } from "../core/input.ts";
import type { Dns } from "./dns.ts";
import { readSender } from "./mime-message.ts";
import { checkRecords } from "./records.ts";
import type { Dkim, SmtpTransport } from "./smtp.ts";

/** Test email requested by the operator. */
export type TestEmail = { readonly to: string; readonly id: string; readonly at: number };

/** Checks the login at the mail server and the DNS records of the sender's domain. Sends a test email if one is requested. */
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
  testEmail: TestEmail | null,
): Promise<CheckResult[]> {
  const { transport, dkim } = mail;
  const { host: domain } = readSender(mail.from);
  const refusal = await transport.refusal();
  const unsent = testEmail === null ? "" : ", and no email was sent";
  const login =
    refusal === null
      ? ok(`The mail server ${transport.describe()} accepts the login`)
      : fix(
          `The mail server ${transport.describe()} does not accept the login${unsent}: ${refusal}`,
          "Check SMTP_URL: host, port, user and password (percent-encode special characters).",
        );
  const records = domain.includes(".")
    ? await checkRecords({ domain, server: transport.host, dkim }, dns)
    : [
        fix(
          `Mail servers do not trust emails from ${domain}`,
          "Set MAIL_FROM to an address of a domain that you own.",
        ),
      ];
  const sends = testEmail !== null && refusal === null;
  return [login, ...records, ...(sends ? [await send(mail, testEmail)] : [])];
}

async function send(
  { transport, siteName, siteUrl }: Parameters<typeof checkMail>[0],
  { to, id, at }: TestEmail,
): Promise<CheckResult> {
  const text = `This is a test email, requested by the operator of ${siteName} to check that its emails arrive.\n\n${siteUrl}\n`;
  const delivery = await transport.send({
    id,
    to,
    language: "en",
    createdAt: at,
    sentAt: at,
    subject: `${siteName}: test email`,
    text,
    html: `<!doctype html>\n<p>${Bun.escapeHTML(text)}</p>\n`,
    link: siteUrl,
    unsubscribeUrl: null,
  });
  if (delivery.kind === "sent")
    return ok(
      `The mail server accepted an email to ${maskedMailbox(to)}`,
      "Check that it arrives and is not marked as spam. Its header Authentication-Results shows the results of SPF, DKIM and DMARC.",
    );
  return fix(
    `The mail server did not accept an email to ${maskedMailbox(to)}: ${delivery.why}`,
    "See its reply. Many servers require a login, or a MAIL_FROM in a domain of your account.",
  );
}
