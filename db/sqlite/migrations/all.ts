import type { Migration } from "../../migration.ts";
import first from "./0000_first.sql" with { type: "text" };
import collar from "./0001_collar.sql" with { type: "text" };

/** `schemaHash`: hash of the schema after this step, with which a start compares: see `refuseForeignSchema`. */
export type SqliteMigration = Migration & { readonly schemaHash?: string };

/** Every migration, oldest first. Append only: a released one never changes. */
export const MIGRATIONS: readonly SqliteMigration[] = [
  {
    name: "0000_first",
    sql: first,
    schemaHash: "31e31f9172f4ddb21f4a1a1acbba97091bedb5cef843a65126e3bf1fbfcd4500",
  },
  {
    name: "0001_collar",
    sql: collar,
    schemaHash: "ac373adf17adf269d572ce7107561cfed50d5b5ec0ddc1b265320586558fd2a5",
  },
];
