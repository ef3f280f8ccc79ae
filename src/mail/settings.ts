import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../settings/config.ts";
import { invalid } from "../settings/setting-list.ts";
import { imapReader, type MailboxReader } from "./mailbox-reader.ts";
import { type Dkim, fileTransport, smtpTransport, type Transport } from "./smtp.ts";

/**
 * Transport by the settings: a mail server, or files whose links are announced. Throws `Fault` with a sentence for the
 * operator when emails cannot be signed.
 */
export function openTransport(config: Config, announce: (line: string) => void): Transport {
  const { smtp: server, sender } = config;
  // Nothing is signed without a mail server, but a bad key is reported early.
  const dkim = readDkimKey(config);
  return server === null
    ? fileTransport({ folder: mailFolder(config), sender, announce })
    : smtpTransport({ server, sender, dkim });
}

/** Folder of emails that are written to files. */
export function mailFolder({ dataDir }: Config): string {
  return join(dataDir, "mail");
}

/** Reader of the mailbox that receives bounces and replies; null without IMAP_URL. */
export function openMailbox({ imap }: Config): MailboxReader | null {
  return imap === null ? null : imapReader(imap);
}

/** Key that signs emails, or null. Throws `Fault` with a sentence for the operator. */
export function readDkimKey({ dkim }: Config): Dkim | null {
  if (dkim === null) return null;
  const { domain, selector, keyFile } = dkim;
  const privateKey = textOf(keyFile);
  if (!isRsaKey(privateKey))
    throw invalid(
      "DKIM_KEY_FILE",
      "must be the path of a file with an RSA private key in PEM form",
    );
  return { domain, selector, privateKey };
}

function textOf(keyFile: string): string {
  try {
    return readFileSync(keyFile, "utf8");
  } catch {
    throw invalid("DKIM_KEY_FILE", "must be the path of a file that can be read", keyFile);
  }
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}
