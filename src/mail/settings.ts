import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../settings/config.ts";
import { Fault } from "../core/fault.ts";
import { type CheckResult, fix, ok, warn } from "../ops/check-result.ts";
import { createLinks } from "../core/urls.ts";
import { checkMail } from "./check.ts";
import type { Dns } from "./dns.ts";
import { imapReader, type MailboxReader } from "./mailbox-reader.ts";
import { readSender } from "./mime-message.ts";
import { checkAlignment } from "./records.ts";
import {
  type Dkim,
  fileTransport,
  requireRsaKey,
  smtpTransport,
  type SmtpTransport,
  type Transport,
} from "./smtp.ts";

/**
 * Transport by the settings: a mail server, or files whose links are announced. Throws `Fault` with a sentence for the
 * operator when the settings are not valid.
 */
export function openTransport(config: Config, announce: (line: string) => void): Transport {
  if (config.smtpUrl !== null) return openSmtp(config, config.smtpUrl);
  // Nothing is signed without a mail server, but a bad key is reported early.
  readDkimKey(config.dkim);
  return orFault(() =>
    fileTransport({ folder: mailFolder(config), from: config.mailFrom, announce }),
  );
}

/** Folder of emails that are written to files. */
export function mailFolder({ dataDir }: Config): string {
  return join(dataDir, "mail");
}

/**
 * Checks the mail settings, and sends a test email to `to`. Throws `Fault` with a sentence for the operator when the
 * settings are not valid.
 */
export async function checkMailSettings(
  config: Config,
  dns: Dns,
  to: string | null,
  now: number,
): Promise<readonly CheckResult[]> {
  const dkim = readDkimKey(config.dkim);
  const incoming = await checkIncomingMail(config);
  if (config.smtpUrl === null) return [to === null ? NO_MAIL_SERVER : NO_TEST_EMAIL, ...incoming];
  const transport = openSmtp(config, config.smtpUrl);
  try {
    const mail = {
      from: config.mailFrom,
      dkim,
      transport,
      siteName: config.siteName,
      siteUrl: createLinks(config.baseUrl).home,
    };
    const testEmail = to === null ? null : { to, at: now, id: Bun.randomUUIDv7("hex", now) };
    return [...(await checkMail(mail, dns, testEmail)), ...incoming];
  } finally {
    transport.close();
  }
}

/** Reader of the mailbox that receives bounces and replies; null without IMAP_URL. */
export function openMailbox({ imapUrl }: Config): MailboxReader | null {
  return imapUrl === null ? null : imapReader(imapUrl);
}

async function checkIncomingMail(config: Config): Promise<CheckResult[]> {
  const { bounceAddress } = config;
  const reader = openMailbox(config);
  const reading = reader === null ? [] : [await checkMailbox(reader)];
  if (bounceAddress === null)
    return config.smtpUrl === null ? reading : [BOUNCES_UNREAD, ...reading];
  return [
    checkAlignment(readSender(config.mailFrom).host, bounceAddress),
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

async function checkMailbox(reader: MailboxReader): Promise<CheckResult> {
  const refusal = await reader.refusal();
  return refusal === null
    ? ok(`The mailbox ${reader.describe()} can be read`)
    : fix(
        `The mailbox ${reader.describe()} cannot be read: ${refusal}`,
        "Check IMAP_URL: host, port, user, password (percent-encode special characters) and folder.",
      );
}

const NO_MAIL_SERVER = warn(
  "No email leaves this machine: emails are written to DATA_DIR/mail, and their links printed",
  "Set SMTP_URL and MAIL_FROM before others use this.",
);
const NO_TEST_EMAIL = fix(
  "The test email cannot be sent: no mail server is set",
  "Set SMTP_URL and MAIL_FROM.",
);

function openSmtp(config: Config, url: string): SmtpTransport {
  const dkim = readDkimKey(config.dkim);
  return orFault(() => smtpTransport({ url, from: config.mailFrom, dkim }));
}

function orFault<Opened>(open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    throw new Fault(
      "bad_input",
      `The mail settings (SMTP_URL, MAIL_FROM, DKIM_…) are not valid: ${why}.`,
    );
  }
}

function readDkimKey(dkim: Config["dkim"]): Dkim | null {
  if (dkim === null) return null;
  const read = { domain: dkim.domain, selector: dkim.selector, privateKey: readKeyFile(dkim) };
  orFault(() => requireRsaKey(read));
  return read;
}

function readKeyFile(dkim: { readonly keyFile: string }): string {
  try {
    return readFileSync(dkim.keyFile, "utf8");
  } catch {
    throw new Fault(
      "bad_input",
      `The file of the setting DKIM_KEY_FILE cannot be read: ${dkim.keyFile}.`,
    );
  }
}
