import { LANGUAGES, UNREVIEWED_LANGUAGES } from "../messages/languages.ts";
import { HOUR_MS, MINUTE_MS } from "../core/duration.ts";
import { mailbox } from "../core/input.ts";
import { defaultHost } from "./reachability.ts";
import { type Network, readNetwork } from "../core/ip-address.ts";
import type { Rate } from "../core/limits.ts";
import type { Operator, OperatorContact } from "./operator.ts";
import { isPushServiceName } from "../core/push/push-services.ts";
import { readBucketAddress } from "./bucket-address.ts";
import { readBackupCopy } from "./backup-copies.ts";
import { readDatabaseUrl } from "./database.ts";
import { readMailConfig } from "./mail.ts";
import { DEFAULTS, type Environment, invalid, SETTINGS, type SettingName } from "./setting-list.ts";
import { REPORT_EMAILS } from "../core/moderation/ports.ts";

/** Parsed settings. */
export type Config = ReturnType<typeof readConfig>;
/** Database that several nodes share. */
export type Cluster = NonNullable<ReturnType<typeof readCluster>>;

const TILE_URL = "https://tile.openstreetmap.org/{z}/{x}/{y}.png";
const TILE_ATTRIBUTION_MAX = 200;

/** Reads the settings. Throws `bad_input` with one sentence that names the setting and its valid values. */
export function readConfig(env: Environment) {
  refuseQuotes(env);
  const given = (name: SettingName) => env[name]?.trim() || null;
  const givenOrDefault = (name: SettingName) => given(name) ?? DEFAULTS[name];
  const rate = (name: SettingName) => readRate(name, givenOrDefault(name));
  const choice = <const Choice extends string>(name: SettingName, choices: readonly Choice[]) =>
    readChoice(name, givenOrDefault(name), choices);
  const entries = <Entry>(name: SettingName, read: (text: string) => Entry) =>
    list(given(name) ?? "").map(read);
  const cluster = readCluster(given, env);
  const backupKeep = cluster === null ? readBackupKeep(givenOrDefault("BACKUP_KEEP")) : 0;
  const trustProxy = wholeNumber("TRUST_PROXY", givenOrDefault("TRUST_PROXY"), 0, 10);
  const port = wholeNumber("PORT", givenOrDefault("PORT"), 1, 65_535);
  const baseUrl = readBaseUrl(given("BASE_URL") ?? `http://localhost:${port}`);
  const siteName = givenOrDefault("SITE_NAME");
  if (siteName.length > 60 || /\p{C}/u.test(siteName))
    throw invalid("SITE_NAME", "must be at most 60 characters, without control characters");
  return {
    port,
    host: given("HOST") ?? defaultHost(trustProxy),
    baseUrl,
    dataDir: readFolder("DATA_DIR", givenOrDefault("DATA_DIR")),
    /** Folder of the operator's own files: sources.json and help.csv. */
    configDir: readFolder("CONFIG_DIR", given("CONFIG_DIR") ?? givenOrDefault("DATA_DIR")),
    /** Null: everything is in `dataDir`. */
    cluster,
    /** Daily backups to keep; 0 means none are made. */
    backupKeep,
    /** Copies of the daily backups in another place; null: none. */
    backupCopy: readBackupCopy(
      given("BACKUP_COPY_URL"),
      given("BACKUP_COPY_KEY"),
      wholeNumber("BACKUP_COPY_DAYS", givenOrDefault("BACKUP_COPY_DAYS"), 1, BACKUP_COPY_DAYS_MAX),
      { isShared: cluster !== null, backupKeep },
    ),
    ...readMailConfig(given, siteName, baseUrl),
    trustProxy,
    siteName,
    /** Null if nobody is named. */
    operator: readOperator(given),
    /** File with the operator's additions to the legal pages. */
    legalFile: given("LEGAL_FILE"),
    /** `#rrggbb`; null for the usual one. */
    accentColor: readAccent(given("ACCENT_COLOR")),
    logoFile: given("LOGO_FILE"),
    languages: [
      ...LANGUAGES,
      ...entries("UNREVIEWED_LANGUAGES", (code) =>
        readChoice("UNREVIEWED_LANGUAGES", code, UNREVIEWED_LANGUAGES),
      ),
    ],
    rates: {
      publish: rate("LIMIT_PUBLISH"),
      message: rate("LIMIT_MESSAGE"),
      zone: rate("LIMIT_SUBSCRIBE"),
      sighting: rate("LIMIT_MESSAGE"),
    },
    limitRead: rate("LIMIT_READ"),
    pushServices: entries("PUSH_SERVICES", readPushService),
    sharedNetworks: list(env["SHARED_EGRESS"] ?? DEFAULTS.SHARED_EGRESS).map(readSharedNetwork),
    allowedOrigins: entries("ALLOWED_ORIGINS", readOrigin),
    adminEmails: entries("ADMIN_EMAILS", readAdmin),
    reportEmails: choice("REPORT_EMAILS", REPORT_EMAILS),
    /** Null: no map. */
    tiles: readTiles(given("TILE_URL") ?? TILE_URL, givenOrDefault("TILE_ATTRIBUTION")),
    logRequests: choice("LOG_REQUESTS", ["off", "errors", "on"]),
    metricsPublic: choice("METRICS_PUBLIC", ["off", "on"]) === "on",
    metricsToken: readMetricsToken(given("METRICS_TOKEN")),
  };
}

/**
 * Refuses values in quotation marks: a shell removes them, but `docker --env-file` hands them on as a part of the value.
 * The value is not repeated because it may be a secret.
 */
function refuseQuotes(env: Environment): void {
  for (const { name } of SETTINGS)
    if (/^(?:".*"|'.*')$/s.test(env[name]?.trim() ?? ""))
      throw invalid(name, "must be written without the quotation marks around its value");
}

/** Path of a folder, which is created where there is none: a slip must not give it another name. */
function readFolder(name: SettingName, text: string): string {
  if (/^["'`“”„‘’«»]|["'`“”„‘’«»]$|\s#/.test(text))
    throw invalid(
      name,
      "must be the path of a folder, without quotation marks or a comment after it",
      text,
    );
  return text;
}

const OPERATOR_NAME_MAX = 120;
const OPERATOR_ADDRESS_MAX = 300;
const OPERATOR_PAGE_MAX = 200;

function readOperator(given: (name: SettingName) => string | null): Operator | null {
  const line = (name: SettingName, max: number) => {
    const text = given(name);
    if (text !== null && (text.length > max || /\p{C}/u.test(text)))
      throw invalid(name, `must be at most ${max} characters, without line breaks`);
    return text;
  };
  const name = line("OPERATOR_NAME", OPERATOR_NAME_MAX);
  const contact = readContact(given("OPERATOR_CONTACT"));
  const address = line("OPERATOR_ADDRESS", OPERATOR_ADDRESS_MAX);
  if (name !== null) return { name, contact, address };
  if (contact !== null) throw invalid("OPERATOR_CONTACT", "requires OPERATOR_NAME");
  if (address !== null) throw invalid("OPERATOR_ADDRESS", "requires OPERATOR_NAME");
  return null;
}

function readContact(text: string | null): OperatorContact | null {
  if (text === null) return null;
  const address = mailbox(text);
  if (address !== null) return { kind: "email", address };
  const url = URL.parse(text);
  if (url?.protocol !== "https:" || url.username !== "" || text.length > OPERATOR_PAGE_MAX)
    throw invalid("OPERATOR_CONTACT", "must be an email address or an https:// page", text);
  return { kind: "page", address: url.href };
}

/** Least contrast of white letters on a button, WCAG 2.2 AA. */
const CONTRAST_MIN = 4.5;

function readAccent(text: string | null): string | null {
  if (text === null) return null;
  if (!/^#[0-9a-f]{6}$/i.test(text))
    throw invalid("ACCENT_COLOR", "must be a colour such as #0f5e63", text);
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(text.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const contrast = 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
  if (contrast < CONTRAST_MIN)
    throw invalid(
      "ACCENT_COLOR",
      `is too light for white letters: their contrast is ${contrast.toFixed(1)}, and must be at least ${CONTRAST_MIN}`,
    );
  return text.toLowerCase();
}

/** `alternative` continues the error sentence, such as `, or off`. */
function wholeNumber(
  name: SettingName,
  text: string,
  min: number,
  max: number,
  alternative = "",
): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max))
    throw invalid(name, `must be a whole number from ${min} to ${max}${alternative}`, text);
  return number;
}

function readChoice<const Choice extends string>(
  name: SettingName,
  text: string,
  choices: readonly Choice[],
): Choice {
  const chosen = choices.find((choice) => choice === text);
  if (chosen === undefined) throw invalid(name, `must be ${choices.join(" or ")}`, text);
  return chosen;
}

const DATABASE_POOL_MAX = 100;

/** Reads the settings of a node that shares a database. */
function readCluster(given: (name: SettingName) => string | null, env: Environment) {
  const address = given("DATABASE_URL");
  if (address === null) {
    const stray = CLUSTER_ONLY.find((name) => given(name) !== null);
    if (stray !== undefined)
      throw invalid(stray, "goes with DATABASE_URL, which is not set: everything is in DATA_DIR");
    return null;
  }
  const database = readDatabaseUrl(address, env);
  const require = (name: SettingName, why: string): string => {
    const text = given(name);
    if (text === null) throw invalid(name, `is missing: ${why}`);
    return text;
  };
  const keyFile = require("SECRET_KEY_FILE", "with DATABASE_URL every node needs a copy of the same key file. It is the file of the other nodes, or secret.key of the folder that you move. Only for a new service: head -c 32 /dev/urandom > secret.key");
  require("SMTP_URL", "with DATABASE_URL emails need a mail server, as files would lie on one node only");
  const bucketUrl = require("S3_URL", "with DATABASE_URL photos are stored in a bucket");
  if ((given("BACKUP_KEEP") ?? "off") !== "off")
    throw invalid(
      "BACKUP_KEEP",
      "must be off or unset with DATABASE_URL: the database is backed up by its own tools",
    );
  return {
    ...database,
    /** Most connections that a node opens to the database. */
    connections: wholeNumber(
      "DATABASE_POOL",
      given("DATABASE_POOL") ?? DEFAULTS.DATABASE_POOL,
      2,
      DATABASE_POOL_MAX,
    ),
    /** The same on every node. */
    keyFile,
    /** For photos and the list of what was erased. */
    bucket: readBucketAddress(bucketUrl),
  };
}

const CLUSTER_ONLY = ["DATABASE_POOL", "SECRET_KEY_FILE", "S3_URL"] as const;

const BACKUP_KEEP_MAX = 366;
/** The list of what was erased is kept for longer, so that no copy brings it back. */
const BACKUP_COPY_DAYS_MAX = 365;

function readBackupKeep(text: string): number {
  if (text === "off") return 0;
  return wholeNumber("BACKUP_KEEP", text, 0, BACKUP_KEEP_MAX, ", or off");
}

/** Longer addresses make QR codes too dense to read at 64 pixels. */
const BASE_URL_MAX = 100;
const BASE_PATH = /^(?:\/|(?:\/[a-z0-9][a-z0-9._~-]*)+\/?)$/i;

function readBaseUrl(text: string): string {
  const url = URL.parse(text);
  const plain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.search === "" &&
    url.hash === "";
  if (!plain || !BASE_PATH.test(url.pathname) || text.length > BASE_URL_MAX) {
    throw invalid(
      "BASE_URL",
      `must be an http:// or https:// URL of at most ${BASE_URL_MAX} characters, such as https://pets.example.org or https://example.org/pets`,
      text,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/$/, "")}`;
}

function readPushService(text: string): string {
  const name = text.toLowerCase();
  if (!isPushServiceName(name))
    throw invalid("PUSH_SERVICES", "must be hosts such as push.example.org", text);
  return name;
}

/** By the characters of a bearer token (RFC 6750, 2.1). */
function readMetricsToken(text: string | null): string | null {
  if (text !== null && !/^[\w.~+/-]{20,200}=*$/.test(text))
    // The value is not repeated because it is a secret.
    throw invalid(
      "METRICS_TOKEN",
      "must have 20 to 200 letters, digits and the signs - . _ ~ + / (to make one: openssl rand -hex 32)",
    );
  return text;
}

function readRate(name: SettingName, text: string): Rate {
  if (text === "off") return null;
  const parts = /^(\d{1,6})\/([hm])$/.exec(text);
  if (parts === null || Number(parts[1]) < 1)
    throw invalid(name, "must be a number per hour or minute, such as 5/h or 300/m, or off", text);
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
    throw invalid("SHARED_EGRESS", "must list networks such as 160.79.104.0/21", text);
  return network;
}

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.origin === "null" || url.origin !== text)
    throw invalid("ALLOWED_ORIGINS", "must list origins such as https://app.example.org", text);
  return url.origin;
}

function readAdmin(text: string): string {
  const address = mailbox(text);
  if (address === null)
    throw invalid("ADMIN_EMAILS", "must list addresses such as name@example.org", text);
  return address;
}

function readTiles(text: string, credit: string) {
  if (text === "off") return null;
  const url = URL.parse(text);
  const isTemplate = ["{z}", "{x}", "{y}"].every((part) => text.includes(part));
  if (url === null || !/^https?:$/.test(url.protocol) || url.host.includes("{") || !isTemplate)
    throw invalid("TILE_URL", "must be a URL with {z}, {x} and {y}, or off", text);
  return { url: text, attribution: credit.slice(0, TILE_ATTRIBUTION_MAX) };
}
