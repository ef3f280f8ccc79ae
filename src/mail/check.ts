import type { Config } from "../settings/config.ts";
import { type CheckResult, fix, ok, warn } from "../ops/check-result.ts";
import { maskedMailbox } from "../core/input.ts";
import { createLinks } from "../core/urls.ts";
import { checkAlignment, checkDnsRecords } from "./dns-records.ts";
import type { Dns } from "./dns.ts";
import { openMailbox, readDkimKey } from "./settings.ts";
import { smtpTransport, type SmtpTransport } from "./smtp.ts";

/**
 * Checks the login at the mail server, the DNS records of the sender's domain, and the mailbox that receives bounces and
 * replies. Sends a test email to `to`. Throws `Fault` with a sentence for the operator when emails cannot be signed.
 */
export async function checkMail(
  config: Config,
  dns: Dns,
  to: string | null,
  now: number,
): Promise<readonly CheckResult[]> {
  const { smtp: server, sender } = config;
  const dkim = readDkimKey(config);
  const incoming = await checkIncomingMail(config);
  if (server === null) return [to === null ? NO_MAIL_SERVER : NO_TEST_EMAIL, ...incoming];
  const transport = smtpTransport({ server, sender, dkim });
  try {
    const refusal = await transport.refusal();
    const unsent = to === null ? "" : ", and no email was sent";
    const login =
      refusal === null
        ? ok(`The mail server ${transport.describe()} accepts the login`)
        : fix(
            `The mail server ${transport.describe()} cannot be used${unsent}: ${refusal}`,
            "Check SMTP_URL: host, port (usually 465 with smtps://, 587 with smtp://), user and password (percent-encode special characters).",
          );
    const domain = sender.host;
    const records = domain.includes(".")
      ? await checkDnsRecords({ domain, server: server.host, dkim }, dns)
      : [
          fix(
            `Mail servers do not trust emails from ${domain}`,
            "Set MAIL_FROM to an address of a domain that you own.",
          ),
        ];
    const sends = to !== null && refusal === null;
    const sent = sends ? [await sendTestEmail(config, transport, to, now)] : [];
    return [login, ...records, ...sent, ...incoming];
  } finally {
    transport.close();
  }
}

const NO_MAIL_SERVER = warn(
  "No email leaves this machine: emails are written to DATA_DIR/mail, and their links printed",
  "Set SMTP_URL and MAIL_FROM before others use this.",
);
const NO_TEST_EMAIL = fix(
  "The test email cannot be sent: no mail server is set",
  "Set SMTP_URL and MAIL_FROM.",
);

async function sendTestEmail(
  { siteName, baseUrl }: Config,
  transport: SmtpTransport,
  to: string,
  now: number,
): Promise<CheckResult> {
  const siteUrl = createLinks(baseUrl).home;
  const text = `This is a test email, requested by the operator of ${siteName} to check that its emails arrive.\n\n${siteUrl}\n`;
  const delivery = await transport.send({
    id: Bun.randomUUIDv7("hex", now),
    to,
    language: "en",
    createdAt: now,
    sentAt: now,
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

async function checkIncomingMail(config: Config): Promise<CheckResult[]> {
  const { bounceAddress } = config;
  const reader = openMailbox(config);
  const refusal = (await reader?.refusal()) ?? null;
  const reading =
    reader === null
      ? []
      : [
          refusal === null
            ? ok(`The mailbox ${reader.describe()} can be read`)
            : fix(
                `The mailbox ${reader.describe()} cannot be read: ${refusal}`,
                "Check IMAP_URL: host, port, user, password (percent-encode special characters) and folder.",
              ),
        ];
  if (bounceAddress === null) return config.smtp === null ? reading : [BOUNCES_UNREAD, ...reading];
  return [
    checkAlignment(config.sender.host, bounceAddress),
    ...(reader === null ? [NO_MAILBOX] : reading),
  ];
}

const BOUNCES_UNREAD = warn(
  "Bounces are not read, so emails keep going to mailboxes that no longer exist",
  "Set BOUNCE_ADDRESS and IMAP_URL: writing to dead mailboxes harms the sender's reputation.",
);
const NO_MAILBOX = warn(
  "Bounces go to BOUNCE_ADDRESS but are not read",
  "Set IMAP_URL to the mailbox that receives them.",
);
