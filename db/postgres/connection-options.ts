import type { SQL } from "bun";
import { Fault } from "../../src/core/fault.ts";

/** Options of the driver for a URL as `openPostgres` takes it. */
export function optionsOf(url: string): SQL.PostgresOrMySQLOptions {
  const parsed = URL.parse(url);
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol))
    throw new Fault(
      "unavailable",
      "DATABASE_URL must be an address such as postgres://user:password@host/name.",
    );
  const verifies = parsed.searchParams.get("sslmode")?.startsWith("verify-") === true;
  return {
    adapter: "postgres",
    url,
    // Otherwise NODE_TLS_REJECT_UNAUTHORIZED=0, set for some other connection, would switch verification off.
    ...(verifies ? { tls: { rejectUnauthorized: true } } : {}),
  };
}
