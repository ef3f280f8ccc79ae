import type { Migration } from "../../migration.ts";
import first from "./0000_first.sql" with { type: "text" };

/** `schemaHash`: hash of the schema after this step, with which a start compares: see `refuseForeignSchema`. */
export type SqliteMigration = Migration & { readonly schemaHash?: string };

/** Every migration, oldest first. Append only: a released one never changes. */
export const MIGRATIONS: readonly SqliteMigration[] = [
  {
    name: "0000_first",
    sql: first,
    schemaHash: "95b52b15d3f314fdb6e96722008452f418be0596e8a0648bfc68b419652aad61",
  },
];
