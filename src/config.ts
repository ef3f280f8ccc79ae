import { HOUR_MS, MINUTE_MS } from "./core/duration.ts";
import { Fault } from "./core/fault.ts";
import { mailbox } from "./core/input.ts";
import { fewestSlips } from "./core/slips.ts";
import { type Network, type Rate, readNetwork } from "./core/limit.ts";

/** Every setting, read. */
export type Config = {
  readonly port: number;
  readonly host: string;
  readonly baseUrl: string;
  readonly dataDir: string;
  /** How many daily backups are kept; 0: none is made. */
  readonly backupKeep: number;
  readonly smtpUrl: string | null;
  /** `Name <address>`. */
  readonly mailFrom: string;
  readonly dkim: {
    readonly domain: string;
    readonly selector: string;
    readonly keyFile: string;
  } | null;
  readonly trustProxy: number;
  readonly siteName: string;
  readonly limitPublish: Rate;
  readonly limitMessage: Rate;
  readonly limitSubscribe: Rate;
  readonly limitRead: Rate;
  readonly sharedEgress: readonly Network[];
  readonly allowedOrigins: readonly string[];
  /** Mailboxes that may open the moderation pages. */
  readonly adminEmails: readonly string[];
  /** Address of map tiles with {z}, {x} and {y}; null: no map is drawn. */
  readonly tileUrl: string | null;
  readonly tileAttribution: string;
  /** Which requests get a line in the log; `errors` means slow ones, too. */
  readonly logRequests: "off" | "errors" | "on";
  /** Whether everybody may read /metrics, not this machine alone. */
  readonly metricsPublic: boolean;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Every setting once: its name, default and meaning, as `--help` and the README's table show them. */
export const SETTINGS = [
  { name: "PORT", default: "3000", meaning: "port it listens on" },
  { name: "HOST", default: "0.0.0.0", meaning: "address it listens on" },
  {
    name: "BASE_URL",
    default: "http://localhost:PORT",
    meaning: "public address, used in every link",
  },
  { name: "DATA_DIR", default: "./data", meaning: "the one folder that holds all state" },
  {
    name: "BACKUP_KEEP",
    default: "3",
    meaning: "how many daily backups are kept in DATA_DIR/backups; off for none",
  },
  {
    name: "SMTP_URL",
    default: "none",
    meaning:
      "mail server, smtp:// or smtps:// with user and password inside; without it letters are written to DATA_DIR/mail and their links printed",
  },
  {
    name: "MAIL_FROM",
    default: "SITE_NAME <pet-alert@HOST-OF-BASE_URL>",
    meaning: "sender of all letters",
  },
  {
    name: "DKIM_DOMAIN",
    default: "none",
    meaning: "domain that signs letters; goes with the next two",
  },
  { name: "DKIM_SELECTOR", default: "none", meaning: "selector of the DKIM key" },
  { name: "DKIM_KEY_FILE", default: "none", meaning: "file with the private DKIM key (PEM)" },
  {
    name: "TRUST_PROXY",
    default: "0",
    meaning:
      "how many reverse proxies stand in front; the caller is that many steps from the right of X-Forwarded-For",
  },
  { name: "SITE_NAME", default: "Pet Alert", meaning: "name in pages and letters" },
  {
    name: "LIMIT_PUBLISH",
    default: "5/h",
    meaning: "publications for each caller: number/h, number/m or off",
  },
  { name: "LIMIT_MESSAGE", default: "20/h", meaning: "messages, and sightings, for each caller" },
  { name: "LIMIT_SUBSCRIBE", default: "10/h", meaning: "subscriptions for each caller" },
  {
    name: "LIMIT_READ",
    default: "300/m",
    meaning: "requests for each caller, counted in memory; ten times that for a shared network",
  },
  {
    name: "SHARED_EGRESS",
    default: "160.79.104.0/21",
    meaning:
      "networks whose addresses many strangers share (hosted assistants), separated by commas; set it to nothing for none",
  },
  {
    name: "ALLOWED_ORIGINS",
    default: "none",
    meaning: "other web origins that may call the tool server, separated by commas",
  },
  {
    name: "ADMIN_EMAILS",
    default: "none",
    meaning: "who may open the moderation pages by an e-mailed link, separated by commas",
  },
  {
    name: "TILE_URL",
    default: "OpenStreetMap's",
    meaning: "address of map tiles with {z}, {x} and {y}; off for no map",
  },
  {
    name: "TILE_ATTRIBUTION",
    default: "© OpenStreetMap contributors",
    meaning: "who made the tiles, shown on every map",
  },
  {
    name: "LOG_REQUESTS",
    default: "errors",
    meaning: "which requests get a line in the log: off, errors (and slow ones) or on (all)",
  },
  {
    name: "METRICS_PUBLIC",
    default: "off",
    meaning: "on: anybody may read /metrics, not only programs on this machine",
  },
] as const;

const TILE_URL = "https://tile.openstreetmap.org/{z}/{x}/{y}.png";
const TILE_ATTRIBUTION_MAX = 200;

type SettingName = (typeof SETTINGS)[number]["name"];

/** Reads the environment. Throws `bad_input` with one sentence that names the setting and what it takes. */
export function readConfig(env: Environment): Config {
  const given = (name: SettingName) => (env[name]?.trim() ? env[name].trim() : null);
  if (env["DATABASE_URL"]?.trim())
    throw wrong("DATABASE_URL", "must be unset: this version keeps everything in DATA_DIR");

  const port = wholeNumber("PORT", given("PORT") ?? "3000", 1, 65_535);
  const baseUrl = readBaseUrl(given("BASE_URL") ?? `http://localhost:${port}`);
  const siteName = given("SITE_NAME") ?? "Pet Alert";
  if (siteName.length > 60 || /\p{C}/u.test(siteName))
    throw wrong("SITE_NAME", "must be at most 60 plain characters");
  return {
    port,
    host: given("HOST") ?? "0.0.0.0",
    baseUrl,
    dataDir: given("DATA_DIR") ?? "./data",
    backupKeep: readBackupKeep(given("BACKUP_KEEP") ?? "3"),
    smtpUrl: readSmtpUrl(given("SMTP_URL")),
    mailFrom: readMailFrom(given("MAIL_FROM"), siteName, baseUrl),
    dkim: readDkim(given("DKIM_DOMAIN"), given("DKIM_SELECTOR"), given("DKIM_KEY_FILE")),
    trustProxy: wholeNumber("TRUST_PROXY", given("TRUST_PROXY") ?? "0", 0, 10),
    siteName,
    limitPublish: readRate("LIMIT_PUBLISH", given("LIMIT_PUBLISH") ?? "5/h"),
    limitMessage: readRate("LIMIT_MESSAGE", given("LIMIT_MESSAGE") ?? "20/h"),
    limitSubscribe: readRate("LIMIT_SUBSCRIBE", given("LIMIT_SUBSCRIBE") ?? "10/h"),
    limitRead: readRate("LIMIT_READ", given("LIMIT_READ") ?? "300/m"),
    sharedEgress: list(env["SHARED_EGRESS"] ?? "160.79.104.0/21").map(readSharedNetwork),
    allowedOrigins: list(given("ALLOWED_ORIGINS") ?? "").map(readOrigin),
    adminEmails: list(given("ADMIN_EMAILS") ?? "").map(readAdmin),
    tileUrl: readTileUrl(given("TILE_URL") ?? TILE_URL),
    tileAttribution: (given("TILE_ATTRIBUTION") ?? "© OpenStreetMap contributors").slice(
      0,
      TILE_ATTRIBUTION_MAX,
    ),
    logRequests: readChoice("LOG_REQUESTS", given("LOG_REQUESTS") ?? "errors", [
      "off",
      "errors",
      "on",
    ]),
    metricsPublic:
      readChoice("METRICS_PUBLIC", given("METRICS_PUBLIC") ?? "off", ["off", "on"]) === "on",
  };
}

/** `SMTPURL` and `ADMIN_EMIAL`, but not the `SITE_URL` of another program for `TILE_URL`. */
const LETTERS_PER_SLIP = 5;

/** What the environment names that is no setting, and which setting may be meant by it. */
export function misspeltSettings(
  env: Environment,
): { readonly name: string; readonly meant: SettingName }[] {
  const names = SETTINGS.map((setting) => setting.name);
  return Object.keys(env)
    .filter((name) => env[name]?.trim() && !names.some((known) => known === name))
    .flatMap((name) => {
      const like = fewestSlips(name.toUpperCase(), names, (known) => known, {
        lettersPerSlip: LETTERS_PER_SLIP,
      });
      return like.length === 1 ? [{ name, meant: like[0]! }] : [];
    });
}

function wrong(name: string, what: string): Fault {
  return new Fault("bad_input", `The setting ${name} ${what}.`);
}

/** `others` is what it may be instead, to go on in the sentence. */
function wholeNumber(
  name: SettingName,
  text: string,
  min: number,
  max: number,
  others = "",
): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max))
    throw wrong(name, `must be a whole number from ${min} to ${max}${others}, not "${text}"`);
  return number;
}

function readChoice<const Choice extends string>(
  name: SettingName,
  text: string,
  choices: readonly Choice[],
): Choice {
  const chosen = choices.find((choice) => choice === text);
  if (chosen === undefined) throw wrong(name, `must be ${choices.join(" or ")}, not "${text}"`);
  return chosen;
}

const BACKUP_KEEP_MAX = 366;

function readBackupKeep(text: string): number {
  if (text === "off") return 0;
  return wholeNumber("BACKUP_KEEP", text, 0, BACKUP_KEEP_MAX, ", or off");
}

/** Longer addresses make QR images too dense to read at 64 pixels. */
const BASE_URL_MAX = 100;

function readBaseUrl(text: string): string {
  const url = URL.parse(text);
  const plain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.search === "" &&
    url.hash === "";
  if (!plain || url.pathname !== "/" || text.length > BASE_URL_MAX) {
    throw wrong(
      "BASE_URL",
      `must be an http:// or https:// address without a path and of at most ${BASE_URL_MAX} characters, such as https://pets.example.org, not "${text}"`,
    );
  }
  return url.origin;
}

function readSmtpUrl(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") {
    // The value holds a password: it is not repeated.
    throw wrong(
      "SMTP_URL",
      "must look like smtp://user:password@mail.example.org:587 or smtps://…",
    );
  }
  return text;
}

function readMailFrom(text: string | null, siteName: string, baseUrl: string): string {
  const plain = (name: string) => name.replace(/["\\]/g, "");
  const host = new URL(baseUrl).hostname;
  // A mailbox has no place for a machine without a name.
  const domain = /^[[\d.:a-f\]]+$/.test(host) ? "localhost" : host;
  if (text === null) return `"${plain(siteName)}" <pet-alert@${domain}>`;
  const parts = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>\s]+))$/.exec(text);
  const address = mailbox(parts?.[2] ?? parts?.[3] ?? "");
  if (address === null)
    throw wrong(
      "MAIL_FROM",
      `must be an address such as Pet Alert <pets@example.org>, not "${text}"`,
    );
  return `"${plain(parts?.[1]?.trim() || siteName)}" <${address}>`;
}

function readDkim(
  domain: string | null,
  selector: string | null,
  keyFile: string | null,
): Config["dkim"] {
  if (domain === null && selector === null && keyFile === null) return null;
  if (domain === null)
    throw wrong("DKIM_DOMAIN", "is missing: the three DKIM settings go together");
  if (selector === null)
    throw wrong("DKIM_SELECTOR", "is missing: the three DKIM settings go together");
  if (keyFile === null)
    throw wrong("DKIM_KEY_FILE", "is missing: the three DKIM settings go together");
  const isName = (text: string) => /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text);
  if (!isName(domain)) throw wrong("DKIM_DOMAIN", `must be a domain name, not "${domain}"`);
  if (!isName(selector))
    throw wrong("DKIM_SELECTOR", `must be a name such as mail2026, not "${selector}"`);
  return { domain, selector, keyFile };
}

function readRate(name: SettingName, text: string): Rate {
  if (text === "off") return null;
  const parts = /^(\d{1,6})\/([hm])$/.exec(text);
  if (parts === null || Number(parts[1]) < 1)
    throw wrong(
      name,
      `must be a number by the hour or minute, such as 5/h or 300/m, or off, not "${text}"`,
    );
  return { max: Number(parts[1]), windowMs: parts[2] === "h" ? HOUR_MS : MINUTE_MS };
}

function list(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function readSharedNetwork(text: string): Network {
  const network = readNetwork(text);
  if (network === null)
    throw wrong("SHARED_EGRESS", `must list networks such as 160.79.104.0/21, not "${text}"`);
  return network;
}

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.origin === "null" || url.origin !== text)
    throw wrong(
      "ALLOWED_ORIGINS",
      `must list origins such as https://app.example.org, not "${text}"`,
    );
  return url.origin;
}

function readAdmin(text: string): string {
  const address = mailbox(text);
  if (address === null)
    throw wrong("ADMIN_EMAILS", `must list addresses such as name@example.org, not "${text}"`);
  return address;
}

function readTileUrl(text: string): string | null {
  if (text === "off") return null;
  const url = URL.parse(text);
  const isTemplate = ["{z}", "{x}", "{y}"].every((part) => text.includes(part));
  if (url === null || !/^https?:$/.test(url.protocol) || url.host.includes("{") || !isTemplate)
    throw wrong("TILE_URL", `must be an address with {z}, {x} and {y}, or off, not "${text}"`);
  return text;
}
