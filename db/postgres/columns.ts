import { bigint, customType } from "drizzle-orm/pg-core";

// Column types on which PostgreSQL and SQLite agree.

/**
 * Text that is compared and sorted by bytes, and whose `lower` folds ASCII letters alone, as in SQLite. By the locale of the
 * server, one mailbox could become two.
 */
export const text = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

/** Integer up to 2^53: the number of a row, or milliseconds since 1970 UTC. */
export function number(name = "") {
  return bigint(name, { mode: "number" });
}

/** JSON. The type of drizzle gives the driver a text, which is then stored as a JSON string; the driver takes the value. */
export const jsonb = customType<{ data: unknown }>({ dataType: () => "jsonb" });
