import { readFile, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { z } from "zod";
import { LANGUAGES } from "../messages/languages.ts";
import {
  includedMapping,
  type Mapping,
  mappingPlace,
  noMapping,
  parseMapping,
  requireDecided,
} from "./mapping.ts";
import { jsonProblem } from "./json-problem.ts";
import { describeIssue } from "./mapping-problem.ts";
import type { SyncOptions } from "./sync-input.ts";
import { MINUTE_MS } from "../core/duration.ts";
import { Fault } from "../core/fault.ts";
import { isDate, mailbox } from "../core/input.ts";
import { TABLES_MAX } from "../core/tables/pulls.ts";
import type { ListedTable } from "../core/tables/table.ts";
import { codeOf, writeWhole } from "../ops/fs.ts";

/** File in the configuration folder that lists the tables. */
export const SOURCES_FILE = "sources.json";
const FILE_BYTES_MAX = 256 * 1024;
const SECRET_LENGTH_MAX = 1_000;
const ADDRESS_LENGTH_MAX = 2_000;
/** Stands for the content of the secret file in an address, or in the header `Authorization`. */
const SECRET = "{secret}";

/** Entry of the file, with its mapping and secret. */
export type ListEntry = ListedTable & {
  /** With the secret. */
  readonly url: URL;
  readonly isPrivate: boolean;
  /** Value of the header `Authorization`, with the secret. */
  readonly authorization: string | null;
  readonly mapping: Mapping;
  readonly options: SyncOptions;
  /** Hash of how the table is read. */
  readonly readBy: string;
};

const entrySchema = z.strictObject({
  /** By default that of the mapping. */
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, { error: "must be 1 to 40 lower-case letters, digits and hyphens" })
    .optional(),
  table: z.string().min(1).max(ADDRESS_LENGTH_MAX),
  mapping: z.string().min(1).max(300),
  owner: z.string().refine((text) => mailbox(text) !== null, { error: "must be an email address" }),
  secret: z
    .string()
    .regex(/^[\w-][\w.-]{0,99}$/, { error: `must be the name of a file beside ${SOURCES_FILE}` })
    .optional(),
  authorization: z
    .string()
    .max(200)
    .refine((text) => text.includes(SECRET), { error: `must contain ${SECRET}` })
    .optional(),
  every_minutes: z
    .int({ error: "must be a whole number" })
    .min(5)
    .max(24 * 60)
    .default(60),
  private: z.boolean({ error: "must be true or false" }).default(false),
  place: mappingPlace.optional(),
  accept_towns: z.boolean({ error: "must be true or false" }).default(false),
  since: z.string().refine(isDate, { error: "must be a date such as 2026-11-21" }).optional(),
  language: z.enum(LANGUAGES).default("en"),
});
/** Entry as it is written in the file. */
export type WrittenEntry = z.input<typeof entrySchema>;

/**
 * Tables that the file in this folder lists; none if there is no file. Throws `bad_input` with a sentence for the operator
 * that names the entry and its field.
 */
export async function readSourcesFile(folder: string): Promise<readonly ListEntry[]> {
  return parseEntries(folder, await readList(folder));
}

/** Adds an entry to the file, which need not exist. Returns its name. Throws `bad_input`; then the file is unchanged. */
export async function addToSourcesFile(folder: string, entry: WrittenEntry): Promise<string> {
  const list = [...(await readList(folder)), entry];
  const entries = await parseEntries(folder, list);
  writeList(folder, list);
  return entries.at(-1)!.name;
}

/** Removes the entry with this name from the file, if it is there. */
export async function removeFromSourcesFile(folder: string, name: string): Promise<void> {
  const list = await readList(folder);
  const entries = await parseEntries(folder, list);
  writeList(
    folder,
    list.filter((_, at) => entries[at]?.name !== name),
  );
}

async function readList(folder: string): Promise<readonly unknown[]> {
  const path = join(folder, SOURCES_FILE);
  let text: string;
  try {
    const file = await stat(path);
    // A pipe would be waited for.
    if (!file.isFile()) throw invalid("is not a file");
    if (file.size > FILE_BYTES_MAX) throw invalid("is larger than 256 KB");
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Fault) throw error;
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return [];
    throw invalid(`cannot be read (${codeOf(error) || "unknown error"})`);
  }
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    throw invalid(`is ${jsonProblem(text, error)}`);
  }
  if (!Array.isArray(list)) throw invalid("must be a list of entries, [ { … } ]");
  if (list.length > TABLES_MAX) throw invalid(`must have at most ${TABLES_MAX} entries`);
  return list as readonly unknown[];
}

async function parseEntries(
  folder: string,
  list: readonly unknown[],
): Promise<readonly ListEntry[]> {
  const entries: ListEntry[] = [];
  for (const [at, raw] of list.entries()) {
    const entry = await readEntry(folder, at, raw);
    const same = entries.findIndex(({ name }) => name === entry.name);
    if (same >= 0)
      throw invalidEntry(
        at,
        raw,
        `has the name "${entry.name}", as entry ${same + 1} has: give it a "name" of its own`,
      );
    entries.push(entry);
  }
  return entries;
}

async function readEntry(folder: string, at: number, raw: unknown): Promise<ListEntry> {
  const wrong = (what: string) => invalidEntry(at, raw, what);
  const parsed = entrySchema.safeParse(raw, { reportInput: true });
  if (!parsed.success)
    throw wrong(parsed.error.issues.flatMap((issue) => describeIssue(issue, raw)).join("; "));
  const entry = parsed.data;
  const mapping = await mappingOf(folder, entry.mapping, wrong);
  const name = entry.name ?? mapping.mapping;
  const secret = await secretOf(folder, entry, wrong);
  const options = {
    name,
    email: entry.owner,
    language: entry.language,
    since: entry.since ?? null,
    acceptTowns: entry.accept_towns,
    place: entry.place ?? null,
  };
  return {
    name,
    owner: entry.owner,
    language: entry.language,
    shownAddress: withoutPasswords(entry.table),
    everyMs: entry.every_minutes * MINUTE_MS,
    url: addressOf(entry, secret, wrong),
    isPrivate: entry.private,
    authorization: entry.authorization?.replaceAll(SECRET, secret ?? "") ?? null,
    mapping,
    options,
    readBy: new Bun.CryptoHasher("sha256")
      .update(JSON.stringify([entry.table, options, mapping]))
      .digest("base64url"),
  };
}

type Entry = z.infer<typeof entrySchema>;
type Wrong = (what: string) => Fault;

async function mappingOf(folder: string, name: string, wrong: Wrong): Promise<Mapping> {
  const included = includedMapping(name);
  if (included !== null) return included;
  const unusable = (why: string) =>
    wrong(`has a mapping that cannot be used. ${why.replace(/\.$/, "")}`);
  const path = isAbsolute(name) ? name : join(folder, name);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    const code = codeOf(error);
    const why = code === "ENOENT" ? noMapping(path) : `${path} cannot be read (${code}).`;
    throw unusable(why);
  });
  try {
    const mapping = parseMapping(text, path);
    requireDecided(mapping);
    return mapping;
  } catch (error) {
    throw error instanceof Fault ? unusable(error.message) : error;
  }
}

/** Content of the secret file; null if the entry has none. */
async function secretOf(folder: string, entry: Entry, wrong: Wrong): Promise<string | null> {
  const isUsed = entry.table.includes(SECRET) || entry.authorization !== undefined;
  if (entry.secret === undefined) {
    if (isUsed) throw wrong(`uses ${SECRET}, but "secret" is missing: the name of a file with it`);
    return null;
  }
  if (!isUsed)
    throw wrong(`has a secret, but ${SECRET} is neither in "table" nor in "authorization"`);
  const text = await readFile(join(folder, entry.secret), "utf8").catch((error: unknown) => {
    throw wrong(`has a secret file that cannot be read (${entry.secret}, ${codeOf(error)})`);
  });
  const secret = text.trim();
  if (secret === "" || secret.length > SECRET_LENGTH_MAX || /\p{Cc}/u.test(secret))
    throw wrong(
      `has a secret file (${entry.secret}) that must hold one line of at most ${SECRET_LENGTH_MAX} characters`,
    );
  return secret;
}

function addressOf(entry: Entry, secret: string | null, wrong: Wrong): URL {
  // The address itself is not repeated because it may hold a password.
  const url = URL.parse(entry.table.replaceAll(SECRET, encodeURIComponent(secret ?? "")));
  if (url === null || !/^https?:$/.test(url.protocol))
    throw wrong(
      'has a "table" that is not a complete address, such as https://shelter.example/export.csv',
    );
  if (url.protocol !== "https:" && !entry.private)
    throw wrong('has a "table" that does not begin with https://, and is not "private": true');
  if (url.username !== "" || url.password !== "")
    throw wrong(
      `has a "table" with a user name or password before the host: put them into "secret" and "authorization"`,
    );
  if (URL.parse(entry.table)?.host !== url.host)
    throw wrong(`has ${SECRET} in the host of "table"`);
  url.hash = "";
  return url;
}

/** Address with its secret left out, and what looks like another one. */
function withoutPasswords(address: string): string {
  return address.replace(
    /([?&][^=&#]*(?:pass|pwd|key|token|secret|auth|sig)[^=&#]*=)(?!\{secret\})[^&#]+/gi,
    "$1…",
  );
}

function writeList(folder: string, list: readonly unknown[]): void {
  const path = join(folder, SOURCES_FILE);
  try {
    writeWhole(path, `${JSON.stringify(list, null, 2)}\n`);
  } catch (error) {
    throw new Fault(
      "bad_input",
      `${path} cannot be written (${codeOf(error) || "unknown error"}). Check CONFIG_DIR and the rights of this user.`,
    );
  }
}

function invalidEntry(at: number, raw: unknown, what: string): Fault {
  const name = z.object({ name: z.string().max(40) }).safeParse(raw).data?.name;
  return invalid(`is not valid: entry ${at + 1}${name === undefined ? "" : ` (${name})`} ${what}`);
}

function invalid(what: string): Fault {
  return new Fault("bad_input", `The file ${SOURCES_FILE} ${what}.`);
}
