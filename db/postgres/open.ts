import { sql } from "drizzle-orm";
import { Fault } from "../../src/core/fault.ts";
import type { ArchiveState } from "../../src/ops/health-checks.ts";
import { codeOf } from "../../src/ops/fs.ts";
import type { Reader } from "../context.ts";
import {
  answerWithin,
  createPool,
  isLost,
  optionsOf,
  type Pool,
  STATEMENT_MS_MAX,
  stateOf,
  tlsCodeOf,
} from "./connection.ts";
import { migrate, requireSchema } from "./migrate.ts";
import { first } from "../queries.ts";

/** Oldest version that the schema and the queries are tested with. */
const VERSION_MIN = 15;

/**
 * Opens a database on a PostgreSQL server, and brings its schema up to date. `url` is `postgres://user:password@host/name`,
 * or `postgres://user@localhost/name?host=/folder` for the socket in a folder; `connections` is the most that are open at
 * once. Throws `unavailable` with a message for the operator if the database cannot be used.
 */
export function openPostgres(url: string, connections: number): Promise<Pool> {
  return openPool(url, connections, migrate);
}

/**
 * Opens a database as `openPostgres` does, but leaves its schema as it is. Throws `not_found` if it is empty, `unavailable`
 * if its schema is of another version.
 */
export function openPostgresToRead(url: string, connections: number): Promise<Pool> {
  return openPool(url, connections, async (pool) => {
    if (!(await requireSchema(pool)))
      throw new Fault(
        "not_found",
        "The database of DATABASE_URL is empty. A node that starts creates its tables.",
      );
  });
}

async function openPool(
  url: string,
  connections: number,
  prepare: (pool: Pool) => Promise<void>,
): Promise<Pool> {
  const options = optionsOf(url);
  await refuseUnreadableFiles(url);
  const pool = createPool({ ...options, max: connections });
  try {
    await refuseUnusable(pool);
    await prepare(pool);
    return pool;
  } catch (error) {
    await pool.close();
    throw operatorFault(error);
  }
}

/** Parameters of the URL that name files. */
const FILES = ["sslrootcert", "sslcert", "sslkey"];

async function refuseUnreadableFiles(url: string): Promise<void> {
  const { searchParams } = new URL(url);
  for (const name of FILES) {
    const file = searchParams.get(name);
    // `system` stands for the authorities that the program trusts anyway.
    if (file === null || (name === "sslrootcert" && file === "system")) continue;
    try {
      await Bun.file(file).bytes();
    } catch (error) {
      throw new Fault(
        "unavailable",
        `The file ${file}, which ${name} in DATABASE_URL names, cannot be read (${codeOf(error)}).`,
      );
    }
  }
}

type Server = {
  readonly version: number;
  readonly encoding: string;
  readonly standby: boolean;
  readonly isReadOnly: boolean;
};

const SERVER =
  "select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as \"isReadOnly\"";

async function refuseUnusable({ use }: Pool): Promise<void> {
  const [server] = await use((connection) =>
    answerWithin(STATEMENT_MS_MAX, connection.unsafe<Server[]>(SERVER)),
  );
  if (server === undefined) throw new Error("the server answered nothing");
  const problem = problemOf(server);
  if (problem !== null) throw new Fault("unavailable", problem);
}

function problemOf({ version, encoding, standby, isReadOnly }: Server): string | null {
  if (version < VERSION_MIN)
    return `The server of DATABASE_URL is PostgreSQL ${version}; Pet Alert needs ${VERSION_MIN} or newer.`;
  if (encoding !== "UTF8")
    return `The database of DATABASE_URL stores text as ${encoding}; Pet Alert needs UTF8.`;
  if (standby)
    return "The server of DATABASE_URL is a standby and takes no writes. DATABASE_URL must name the primary.";
  if (isReadOnly)
    return "The database of DATABASE_URL takes no writes: default_transaction_read_only is on. Some providers set it when the disk is nearly full.";
  return null;
}

/** Turns an error that the operator can fix into a `Fault` with a sentence. */
export function operatorFault(error: unknown): unknown {
  const code = stateOf(error) || tlsCodeOf(error);
  const sentence = SENTENCES.find(([pattern]) => pattern.test(code))?.[1];
  if (sentence !== undefined) return new Fault("unavailable", sentence);
  if (tlsCodeOf(error) !== "") return new Fault("unavailable", `${NO_TLS} (${code}).`);
  return isLost(error) ? new Fault("unavailable", UNANSWERED) : error;
}

const NO_TLS = "No TLS connection to the server of DATABASE_URL can be made";
const UNANSWERED =
  "The server of DATABASE_URL does not answer. Is it running, and is the address right?";

/** DATABASE_URL leads through a pooler that gives each transaction another connection. */
export const POOLED =
  "DATABASE_URL leads through a pooler in transaction mode, which Pet Alert cannot use: prepared statements and notifications get lost. Lead it to the server itself, or set the pooler to session mode.";

const SENTENCES: readonly (readonly [code: RegExp, sentence: string])[] = [
  [/^28P01$/, "The server of DATABASE_URL refuses the user or the password."],
  [
    /^28...$/,
    "The server of DATABASE_URL does not let this user in from this machine. Is the user right, does pg_hba.conf have a line for it, and does that line ask for TLS (sslmode) or a certificate (sslcert)?",
  ],
  [/^3D000$/, "The server of DATABASE_URL has no database of that name. Create it first."],
  [/^(42P05|26000)$/, POOLED],
  [
    /^53300$/,
    "The server of DATABASE_URL has no connection left. Raise max_connections, or lower DATABASE_POOL.",
  ],
  [/^53100$/, "The disk of the server of DATABASE_URL is full."],
  [
    // 3F000: the user may not even look into the schema.
    /^(42501|3F000)$/,
    "The user of DATABASE_URL may not create tables in the database. Make it the owner of the database.",
  ],
  [
    /^55P03$/,
    "The schema could not be brought up to date, because other programs hold its tables. Try again.",
  ],
  [
    /^ERR_POSTGRES_TLS_NOT_AVAILABLE$/,
    "The server of DATABASE_URL offers no TLS, which sslmode asks for. Turn TLS on there (ssl = on), or, in a private network only, set sslmode=disable.",
  ],
  [
    /^ERR_POSTGRES_CHANNEL_BINDING/,
    "The server of DATABASE_URL offers no channel binding, which channel_binding=require asks for. It needs TLS up to the server itself and a password stored as scram-sha-256.",
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    "The certificate of the server of DATABASE_URL is for another name than its host. Use that name in DATABASE_URL or, behind a relay, sslmode=verify-ca with an sslrootcert whose authority signs for your databases only.",
  ],
  [
    /^CERT_HAS_EXPIRED$/,
    "The certificate of the server of DATABASE_URL has expired. Renew it there, unless the clock of this machine is wrong.",
  ],
  [
    /^CERT_NOT_YET_VALID$/,
    "The certificate of the server of DATABASE_URL is not valid yet. Is the clock of this machine right?",
  ],
  [
    /^(UNABLE_TO_|SELF_SIGNED_CERT_IN_CHAIN$|DEPTH_ZERO_SELF_SIGNED_CERT$)/,
    "The certificate of the server of DATABASE_URL comes from an authority that is not trusted here. Download the certificate of your provider's authority, and add sslrootcert=FILE to DATABASE_URL.",
  ],
  [
    /^ERR_BORINGSSL$/,
    "A file that sslrootcert, sslcert or sslkey in DATABASE_URL names holds no certificate or key in PEM format.",
  ],
];

/**
 * Compares the key of a node with the one that the database was written with; returns whether it is the same. The first node
 * decides: its key is that of the database. `check` is `keyCheckOf` of the key.
 */
export async function keyFits({ db, tables: { keyCheck } }: Pool, check: string): Promise<boolean> {
  // Another node may have been first.
  await db.insert(keyCheck).values({ id: 1, mark: check }).onConflictDoNothing();
  const stored = await first(db.select({ mark: keyCheck.mark }).from(keyCheck));
  return stored?.mark === check;
}

/** Facts about a database server that its operator may want to change. */
export type ServerFacts = {
  /** `15.18`. */
  readonly version: string;
  /** Milliseconds since 1970 UTC by the server's clock. */
  readonly now: number;
  /** Most connections that the server allows. */
  readonly connectionsMax: number;
  /** False if a power cut can lose what was confirmed, or damage the database. */
  readonly isDurable: boolean;
  /** True if each commit waits for a standby, so that none is lost with the server. */
  readonly isSynchronous: boolean;
  /** Connection to the server: on this machine alone, or over a network with or without TLS. */
  readonly transport: "local" | "encrypted" | "clear";
  readonly archive: ArchiveState;
};

/** Reads the facts. A provider may do the same by other means: what is off here need not be missing. */
export async function readServerFacts({ rows }: Reader): Promise<ServerFacts> {
  const facts = await first(rows<ServerFacts>(FACTS));
  if (facts === undefined) throw new Error("the server returned no row");
  return facts;
}

const FACTS = sql`
  select
    current_setting('server_version') as version,
    extract(epoch from clock_timestamp())::float8 * 1000 as now,
    current_setting('max_connections')::int as "connectionsMax",
    current_setting('fsync')::boolean and current_setting('synchronous_commit') <> 'off' as "isDurable",
    current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') in ('on', 'remote_apply') as "isSynchronous",
    case
      -- Through a relay on this machine the server still sees an address of the network.
      when inet_client_addr() is null or inet_client_addr() <<= '127.0.0.0/8' or inet_client_addr() = '::1'
        then 'local'
      when (select ssl from pg_stat_ssl where pid = pg_backend_pid()) then 'encrypted'
      else 'clear'
    end as transport,
    case
      when current_setting('archive_mode') = 'off' then 'off'
      when last_failed_time > coalesce(last_archived_time, '-infinity') then 'fails'
      else 'works'
    end as archive
  from pg_stat_archiver`;
