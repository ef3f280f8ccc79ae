import { mailbox } from "../core/input.ts";
import { invalid, parseSecretUrl, PERCENT_ENCODED, type SettingName } from "./settings.ts";

/** Reads the settings of emails. Throws as `readConfig` does. */
export function readMailConfig(
  given: (name: SettingName) => string | null,
  siteName: string,
  baseUrl: string,
) {
  return {
    smtpUrl: readSmtpUrl(given("SMTP_URL")),
    mailFrom: readMailFrom(given("MAIL_FROM"), siteName, baseUrl),
    ...readIncomingMail(given),
    dkim: readDkim(given("DKIM_DOMAIN"), given("DKIM_SELECTOR"), given("DKIM_KEY_FILE")),
  };
}

function readSmtpUrl(text: string | null): string | null {
  if (text === null) return null;
  const url = parseSecretUrl(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") {
    // The value is not repeated because it may hold a password.
    throw invalid(
      "SMTP_URL",
      `must look like smtp://user:password@mail.example.org:587 or smtps://…, ${PERCENT_ENCODED}`,
    );
  }
  return text;
}

function readMailFrom(text: string | null, siteName: string, baseUrl: string): string {
  const plain = (name: string) => name.replace(/["\\]/g, "");
  const host = new URL(baseUrl).hostname;
  // An IP address cannot be the domain of a mailbox.
  const domain = /^[[\d.:a-f\]]+$/.test(host) ? "localhost" : host;
  if (text === null) return `"${plain(siteName)}" <pet-alert@${domain}>`;
  const parts = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>\s]+))$/.exec(text);
  const address = mailbox(parts?.[2] ?? parts?.[3] ?? "");
  if (address === null)
    throw invalid("MAIL_FROM", "must be an address such as Pet Alert <pets@example.org>", text);
  return `"${plain(parts?.[1]?.trim() || siteName)}" <${address}>`;
}

/** Leaves room for `+` and a 42-character tag in a local part of 64 (RFC 5321). */
const PLUS_LOCAL_PART_MAX = 21;

/** Base of the envelope senders (VERP), base of the addresses to reply to, and the mailbox to read both from. */
function readIncomingMail(given: (name: SettingName) => string | null) {
  const bounceAddress = readPlusAddress("BOUNCE_ADDRESS", "bounces", given("BOUNCE_ADDRESS"));
  const address = readPlusAddress("REPLY_ADDRESS", "reply", given("REPLY_ADDRESS"));
  const imapUrl = readImapUrl(given("IMAP_URL"));
  const authservId = given("AUTHSERV_ID");
  if (imapUrl !== null && bounceAddress === null && address === null)
    throw invalid(
      "IMAP_URL",
      "requires BOUNCE_ADDRESS or REPLY_ADDRESS: only bounces and replies are read from that mailbox",
    );
  if (address === null) {
    if (authservId !== null) throw invalid("AUTHSERV_ID", "goes with REPLY_ADDRESS");
    return { bounceAddress, replies: null, imapUrl };
  }
  if (address === bounceAddress)
    throw invalid("REPLY_ADDRESS", "must not be the same address as BOUNCE_ADDRESS");
  if (imapUrl === null)
    throw invalid("REPLY_ADDRESS", "requires IMAP_URL, the mailbox that replies come to");
  if (authservId === null)
    throw invalid(
      "REPLY_ADDRESS",
      "requires AUTHSERV_ID: without it, anyone could reply in somebody else's name",
    );
  if (!/^[\w.:-]{1,253}$/.test(authservId))
    throw invalid("AUTHSERV_ID", "must be a name such as mx.example.org", authservId);
  return { bounceAddress, replies: { address, authservId }, imapUrl };
}

function readPlusAddress(name: SettingName, example: string, text: string | null): string | null {
  if (text === null) return null;
  const address = mailbox(text)?.toLowerCase() ?? "";
  if (!/^[a-z0-9._-]+@/.test(address) || address.indexOf("@") > PLUS_LOCAL_PART_MAX)
    throw invalid(
      name,
      `must be an address such as ${example}@example.org with at most ${PLUS_LOCAL_PART_MAX} letters, digits, dots, - and _ before the @`,
      text,
    );
  return address;
}

function readImapUrl(text: string | null): string | null {
  if (text === null) return null;
  const url = parseSecretUrl(text);
  const isMailbox =
    url !== null &&
    /^imaps?:$/.test(url.protocol) &&
    url.hostname !== "" &&
    url.username !== "" &&
    url.search === "" &&
    url.hash === "";
  if (!isMailbox) {
    // The value is not repeated because it may hold a password.
    throw invalid(
      "IMAP_URL",
      `must look like imaps://user:password@mail.example.org/INBOX or imap://…, ${PERCENT_ENCODED}`,
    );
  }
  return text;
}

function readDkim(domain: string | null, selector: string | null, keyFile: string | null) {
  if (domain === null && selector === null && keyFile === null) return null;
  const missing = (name: SettingName) =>
    invalid(name, "is missing: the three DKIM settings go together");
  if (domain === null) throw missing("DKIM_DOMAIN");
  if (selector === null) throw missing("DKIM_SELECTOR");
  if (keyFile === null) throw missing("DKIM_KEY_FILE");
  if (keyFile.includes("-----BEGIN"))
    throw invalid("DKIM_KEY_FILE", "must be the path of a file with the key, not the key itself");
  const isName = (text: string) => /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text);
  if (!isName(domain)) throw invalid("DKIM_DOMAIN", "must be a domain name", domain);
  if (!isName(selector))
    throw invalid("DKIM_SELECTOR", "must be a name such as mail2026", selector);
  return { domain, selector, keyFile };
}
