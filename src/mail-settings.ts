import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { Fault } from "./core/fault.ts";
import { type Finding, mend, warn } from "./core/finding.ts";
import { createLinks } from "./core/links.ts";
import { checkMail } from "./mail/check.ts";
import type { Dns } from "./mail/dns.ts";
import {
  type Dkim,
  fileTransport,
  requireRsaKey,
  smtpTransport,
  type SmtpTransport,
  type Transport,
} from "./mail/transport.ts";

/**
 * What takes the letters, as the settings say: a mail server, or files whose links are announced. Throws `Fault` with a
 * sentence for the operator when they cannot be used.
 */
export function openTransport(config: Config, announce: (line: string) => void): Transport {
  if (config.smtpUrl !== null) return openSmtp(config, config.smtpUrl);
  // Nothing is signed yet; a key that cannot be used is better told today than when there is a mail server.
  readDkimKey(config.dkim);
  return inWords(() =>
    fileTransport({ folder: mailFolder(config), from: config.mailFrom, announce }),
  );
}

/** Where letters lie that no mail server takes. */
export function mailFolder({ dataDir }: Config): string {
  return join(dataDir, "mail");
}

/**
 * Whether letters go out as the settings say, and will be trusted; sends one to `to`. Throws `Fault` with a sentence for
 * the operator when the mail settings cannot be used.
 */
export async function checkMailOf(
  config: Config,
  dns: Dns,
  to: string | null,
  now: number,
): Promise<readonly Finding[]> {
  const dkim = readDkimKey(config.dkim);
  if (config.smtpUrl === null) return [to === null ? NO_MAIL_SERVER : NO_LETTER];
  const transport = openSmtp(config, config.smtpUrl);
  try {
    const mail = {
      from: config.mailFrom,
      dkim,
      transport,
      siteName: config.siteName,
      siteUrl: createLinks(config.baseUrl).home,
    };
    const trial = to === null ? null : { to, at: now, id: Bun.randomUUIDv7("hex", now) };
    return await checkMail(mail, dns, trial);
  } finally {
    transport.close();
  }
}

const NO_MAIL_SERVER = warn(
  "No letter leaves this machine: each is written to DATA_DIR/mail, and its link printed",
  "Set SMTP_URL and MAIL_FROM once others are to use this.",
);
const NO_LETTER = mend(
  "The letter cannot be sent: there is no mail server to take it",
  "Set SMTP_URL and MAIL_FROM.",
);

function openSmtp(config: Config, url: string): SmtpTransport {
  const dkim = readDkimKey(config.dkim);
  return inWords(() => smtpTransport({ url, from: config.mailFrom, dkim }));
}

function inWords<Opened>(open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    throw new Fault(
      "bad_input",
      `The mail settings (SMTP_URL, MAIL_FROM, DKIM_…) cannot be used: ${why}.`,
    );
  }
}

function readDkimKey(dkim: Config["dkim"]): Dkim | null {
  if (dkim === null) return null;
  const read = { domain: dkim.domain, selector: dkim.selector, privateKey: readKeyFile(dkim) };
  inWords(() => requireRsaKey(read));
  return read;
}

function readKeyFile(dkim: { readonly keyFile: string }): string {
  try {
    return readFileSync(dkim.keyFile, "utf8");
  } catch {
    throw new Fault(
      "bad_input",
      `The setting DKIM_KEY_FILE names a file that cannot be read: ${dkim.keyFile}.`,
    );
  }
}
