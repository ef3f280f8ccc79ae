import { UNREVIEWED_LANGUAGES } from "../messages/languages.ts";
import { closestByEditDistance } from "../text/edit-distance.ts";
import { Fault } from "../core/fault.ts";
import { HOSTED_ASSISTANTS } from "./hosted-assistants.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const DECLARED = [
  { name: "PORT", default: "3000", meaning: "port to listen on" },
  {
    name: "HOST",
    default: "0.0.0.0",
    meaning: "address to listen on; defaults to 127.0.0.1 when TRUST_PROXY is set",
  },
  {
    name: "BASE_URL",
    default: "http://localhost:PORT",
    meaning: "public address of the site, used in every link; may have a path",
  },
  { name: "DATA_DIR", default: "./data", meaning: "folder that holds all data" },
  {
    name: "CONFIG_DIR",
    default: "DATA_DIR",
    meaning:
      "folder of your own files: help.csv, and sources.json, which lists the tables that the service reads by itself, with its mappings and secrets",
  },
  {
    name: "DATABASE_URL",
    meaning:
      "PostgreSQL database that several nodes share, postgres://user:password@host/name; without it, everything is in DATA_DIR",
  },
  {
    name: "DATABASE_POOL",
    default: "8",
    meaning: "most connections to that database, for each node",
  },
  {
    name: "SECRET_KEY_FILE",
    meaning:
      "file with the 32 bytes of the secret key, the same for all nodes; goes with DATABASE_URL",
  },
  {
    name: "S3_URL",
    meaning: "bucket for photos, with DATABASE_URL: s3://KEY:SECRET@host/bucket?region=…",
  },
  {
    name: "BACKUP_KEEP",
    default: "3",
    meaning: "number of daily backups to keep in DATA_DIR/backups, or off",
  },
  {
    name: "BACKUP_COPY_URL",
    meaning:
      "place for encrypted copies of the daily backups: s3://KEY:SECRET@host/bucket?region=…, or the path of a folder that exists",
  },
  {
    name: "BACKUP_COPY_KEY",
    meaning:
      "public key for these copies, age1…, made by pet-alert backup key; goes with BACKUP_COPY_URL",
  },
  {
    name: "BACKUP_COPY_DAYS",
    default: "30",
    meaning: "days after which a copy is deleted; the newest one always stays",
  },
  {
    name: "SMTP_URL",
    meaning:
      "mail server: smtp:// or smtps:// URL with user and password; without it, emails are written to DATA_DIR/mail and their links printed",
  },
  {
    name: "MAIL_FROM",
    default: "SITE_NAME <pet-alert@HOST-OF-BASE_URL>",
    meaning: "sender of all emails",
  },
  {
    name: "BOUNCE_ADDRESS",
    meaning:
      "address for bounces; each email gets its own return address based on it (bounces+…@example.org), and all of them must be delivered to the mailbox of IMAP_URL",
  },
  {
    name: "REPLY_ADDRESS",
    meaning:
      "address for replies by email (reply+…@example.org for each side of a conversation), delivered to the mailbox of IMAP_URL; requires AUTHSERV_ID",
  },
  {
    name: "AUTHSERV_ID",
    meaning:
      "name that the mail server of that mailbox gives itself in Authentication-Results, such as mx.example.org; it must vouch for who replies",
  },
  {
    name: "IMAP_URL",
    meaning:
      "mailbox to read bounces and replies from: imaps:// or imap:// URL with user, password and folder; requires BOUNCE_ADDRESS or REPLY_ADDRESS",
  },
  {
    name: "DKIM_DOMAIN",
    meaning: "domain that signs emails; requires the next two settings",
  },
  { name: "DKIM_SELECTOR", meaning: "selector of the DKIM key" },
  { name: "DKIM_KEY_FILE", meaning: "file with the private DKIM key (PEM)" },
  {
    name: "TRUST_PROXY",
    default: "0",
    meaning:
      "number of reverse proxies in front; the client's address is that many entries from the right of X-Forwarded-For",
  },
  { name: "SITE_NAME", default: "Pet Alert", meaning: "name shown on pages and in emails" },
  {
    name: "OPERATOR_NAME",
    meaning: "who runs this site, named in the imprint, the privacy page and every email",
  },
  {
    name: "OPERATOR_CONTACT",
    meaning:
      "how the public reaches the operator: an email address or an https:// page, published with the name",
  },
  {
    name: "OPERATOR_ADDRESS",
    meaning:
      "postal address of the operator, in one line, for the imprint; required by law in some countries",
  },
  {
    name: "LEGAL_FILE",
    meaning:
      "file with the operator's own additions to the imprint, the privacy page and the terms; plain text, at most 64 KB",
  },
  {
    name: "ACCENT_COLOR",
    default: "#0f5e63",
    meaning: "colour of buttons and links, as #rrggbb; dark enough for white letters",
  },
  {
    name: "LOGO_FILE",
    meaning: "picture shown beside the name on every page: SVG, PNG or WebP, at most 100 KB",
  },
  {
    name: "UNREVIEWED_LANGUAGES",
    meaning: `languages to offer on pages although their translation has not been reviewed: ${UNREVIEWED_LANGUAGES.join(", ")}`,
  },
  {
    name: "LIMIT_PUBLISH",
    default: "5/h",
    meaning: "alerts published per client: number/h, number/m or off",
  },
  {
    name: "LIMIT_MESSAGE",
    default: "20/h",
    meaning: "messages and sightings per client",
  },
  { name: "LIMIT_SUBSCRIBE", default: "10/h", meaning: "zone subscriptions per client" },
  {
    name: "LIMIT_READ",
    default: "300/m",
    meaning:
      "requests per client, counted in memory, and 20 times as many for styles, scripts, icons and photos; shared networks get ten times as many",
  },
  {
    name: "PUSH_SERVICES",
    meaning:
      "push services besides those of Chrome, Firefox, Safari and Edge: hosts such as push.example.org, separated by commas; *.example.org stands for all hosts below it",
  },
  {
    name: "SHARED_EGRESS",
    default: HOSTED_ASSISTANTS.join(","),
    meaning:
      "networks whose addresses are shared by many users (hosted assistants), separated by commas; set it to an empty value for none",
  },
  {
    name: "ALLOWED_ORIGINS",
    meaning:
      "other web origins whose pages may write by the MCP server, separated by commas; all may read",
  },
  {
    name: "ADMIN_EMAILS",
    meaning: "moderators' addresses, separated by commas; they sign in with a link sent by email",
  },
  {
    name: "REPORT_EMAILS",
    default: "now",
    meaning:
      "when moderators are emailed about reports: now (within minutes, several together), daily (at eight in the morning) or off",
  },
  {
    name: "TILE_URL",
    default: "OpenStreetMap's",
    meaning: "URL of map tiles with {z}, {x} and {y}, or off for no map",
  },
  {
    name: "TILE_ATTRIBUTION",
    default: "© OpenStreetMap contributors",
    meaning: "credit for the tiles, shown on every map",
  },
  {
    name: "LOG_REQUESTS",
    default: "errors",
    meaning: "requests to log: off, errors (failed and slow ones) or on (all)",
  },
  {
    name: "METRICS_PUBLIC",
    default: "off",
    meaning: "on lets anyone read /metrics, not only programs on this machine",
  },
  {
    name: "METRICS_TOKEN",
    meaning:
      "secret of at least 20 characters; whoever sends it as a bearer token may read /metrics from anywhere",
  },
] as const;

export type SettingName = (typeof DECLARED)[number]["name"];
type Setting = { readonly name: SettingName; readonly default: string; readonly meaning: string };

/** Names, defaults and meanings of all settings, as shown by `--help` and docs/operations.md. */
export const SETTINGS: readonly Setting[] = DECLARED.map((setting) => ({
  default: "none",
  ...setting,
}));
/** Defaults by name; some, such as "none", are descriptions. */
export const DEFAULTS = Object.fromEntries(
  SETTINGS.map((setting) => [setting.name, setting.default]),
) as Readonly<Record<SettingName, string>>;

/** Error that names a setting; `what` continues the sentence, and `value` ends it without what may be a password. */
export function invalid(name: string, what: string, value?: string): Fault {
  const shown = value === undefined ? "" : `, not "${value.replace(/:.*@/s, ":…@")}"`;
  return new Fault("bad_input", `The setting ${name} ${what}${shown}.`);
}

/** Advice on the URLs that `parseSecretUrl` reads; it continues a sentence. */
export const PERCENT_ENCODED =
  "with special characters in user and password percent-encoded: %2F for /, %23 for #, %3F for ?, %25 for %, %40 for @";

/**
 * Parses a URL that may hold a user and a password. Null if it is none, or if a character that is not percent-encoded ends
 * one of them early: an @ then follows what looks like the host.
 */
export function parseSecretUrl(text: string): URL | null {
  // The parser drops line breaks and tabs.
  const url = /[\t\r\n]/.test(text) ? null : URL.parse(text);
  if (url === null) return null;
  const { username, password, pathname, search, hash } = url;
  const isWhole = !`${pathname}${search}${hash}`.includes("@");
  return isWhole && [username, password, pathname].every(isPercentEncoded) ? url : null;
}

/** True if every percent sign of a part of a URL begins an encoded character. */
function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Catches `SMTPURL` and `ADMIN_EMIAL`, but does not take another program's `SITE_URL` for `TILE_URL`. */
const LETTERS_PER_TYPO = 5;

/** Variables that are not settings but have nearly the name of one. */
export function misspeltSettings(
  env: Environment,
): { readonly name: string; readonly meant: SettingName }[] {
  const names = SETTINGS.map((setting) => setting.name);
  return Object.keys(env)
    .filter((name) => env[name]?.trim() && !names.some((known) => known === name))
    .flatMap((name) => {
      const like = closestByEditDistance(
        name.toUpperCase(),
        names,
        (known) => known,
        LETTERS_PER_TYPO,
      );
      return like.length === 1 ? [{ name, meant: like[0]! }] : [];
    });
}
