import { sql } from "drizzle-orm";
import type { ArchiveState } from "../../src/core/health-checks.ts";
import type { Reader } from "../context.ts";
import { first } from "../queries.ts";

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
