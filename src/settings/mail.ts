import { mailbox } from "../core/input.ts";
import { addressBytes, isLoopback } from "../core/ip-address.ts";
import { invalid, parseSecretUrl, PERCENT_ENCODED, type SettingName } from "./setting-list.ts";

/** Mail server, with an account on it. */
export type MailServer = {
  readonly host: string;
  readonly port: number;
  /** From the first byte; otherwise STARTTLS encrypts. */
  readonly isEncrypted: boolean;
  /** On this machine: it rarely has a valid certificate, and the connection cannot be intercepted. */
  readonly isLocal: boolean;
  /** Empty if there is none. */
  readonly user: string;
  readonly password: string;
  readonly path: string;
};

/** Sender of all emails; `host` is the domain of its address. */
export type Sender = { readonly name: string; readonly address: string; readonly host: string };

/** Reads the settings of emails. Throws as `readConfig` does. */
export function readMailConfig(
  given: (name: SettingName) => string | null,
  siteName: string,
  baseUrl: string,
) {
  return {
    /** Null: emails are written to files. */
    smtp: readServer("smtp", given("SMTP_URL")),
    sender: readSender(given("MAIL_FROM"), siteName, baseUrl),
    ...readIncomingMail(given),
    dkim: readDkim(given("DKIM_DOMAIN"), given("DKIM_SELECTOR"), given("DKIM_KEY_FILE")),
  };
}

const SERVERS = {
  smtp: {
    setting: "SMTP_URL",
    port: 587,
    encryptedPort: 465,
    example: "smtp://user:password@mail.example.org:587 or smtps://…",
  },
  imap: {
    setting: "IMAP_URL",
    port: 143,
    encryptedPort: 993,
    example: "imaps://user:password@mail.example.org/INBOX or imap://…",
  },
} as const;

function readServer(scheme: keyof typeof SERVERS, text: string | null): MailServer | null {
  if (text === null) return null;
  const { setting, port, encryptedPort, example } = SERVERS[scheme];
  const url = parseSecretUrl(text);
  const isServer =
    url !== null && [`${scheme}:`, `${scheme}s:`].includes(url.protocol) && url.hostname !== "";
  const isMailbox = url?.username !== "" && url?.search === "" && url.hash === "";
  if (!isServer || (scheme === "imap" && !isMailbox))
    // The value is not repeated because it may hold a password.
    throw invalid(setting, `must look like ${example}, ${PERCENT_ENCODED}`);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isEncrypted = url.protocol === `${scheme}s:`;
  return {
    host,
    port: url.port === "" ? (isEncrypted ? encryptedPort : port) : Number(url.port),
    isEncrypted,
    isLocal: isLoopback(host),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    path: decodeURIComponent(url.pathname.slice(1)),
  };
}

function readSender(text: string | null, siteName: string, baseUrl: string): Sender {
  const plain = (name: string) => name.replace(/["\\]/g, "");
  if (text === null) {
    const { hostname } = new URL(baseUrl);
    // An IP address cannot be the domain of a mailbox.
    const isAddress = addressBytes(hostname.replace(/^\[|\]$/g, "")) !== null;
    const host = isAddress ? "localhost" : hostname;
    return { name: plain(siteName), address: `pet-alert@${host}`, host };
  }
  const parts = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>\s]+))$/.exec(text);
  const address = mailbox(parts?.[2] ?? parts?.[3] ?? "");
  if (address === null || /\p{Cc}/u.test(text))
    throw invalid(
      "MAIL_FROM",
      "must be an address such as Pet Alert <pets@example.org>",
      text.replace(/\p{Cc}+/gu, " "),
    );
  const host = address.slice(address.indexOf("@") + 1);
  return { name: plain(parts?.[1]?.trim() || siteName), address, host };
}

/** Leaves room for `+` and a 42-character tag in a local part of 64 (RFC 5321). */
const PLUS_LOCAL_PART_MAX = 21;

/** Base of the envelope senders (VERP), base of the addresses to reply to, and the mailbox to read both from. */
function readIncomingMail(given: (name: SettingName) => string | null) {
  const bounceAddress = readPlusAddress("BOUNCE_ADDRESS", "bounces", given("BOUNCE_ADDRESS"));
  const address = readPlusAddress("REPLY_ADDRESS", "reply", given("REPLY_ADDRESS"));
  const imap = readServer("imap", given("IMAP_URL"));
  const authservId = given("AUTHSERV_ID");
  if (imap !== null && bounceAddress === null && address === null)
    throw invalid(
      "IMAP_URL",
      "requires BOUNCE_ADDRESS or REPLY_ADDRESS: only bounces and replies are read from that mailbox",
    );
  if (address === null) {
    if (authservId !== null) throw invalid("AUTHSERV_ID", "goes with REPLY_ADDRESS");
    return { bounceAddress, replies: null, imap };
  }
  if (address === bounceAddress)
    throw invalid("REPLY_ADDRESS", "must not be the same address as BOUNCE_ADDRESS");
  if (imap === null)
    throw invalid("REPLY_ADDRESS", "requires IMAP_URL, the mailbox that replies come to");
  if (authservId === null)
    throw invalid(
      "REPLY_ADDRESS",
      "requires AUTHSERV_ID: without it, anyone could reply in somebody else's name",
    );
  if (!/^[\w.:-]{1,253}$/.test(authservId))
    throw invalid("AUTHSERV_ID", "must be a name such as mx.example.org", authservId);
  return { bounceAddress, replies: { address, authservId }, imap };
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
