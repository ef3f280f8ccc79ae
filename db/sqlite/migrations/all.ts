import type { Migration } from "../../migration.ts";
import first from "./0000_first.sql" with { type: "text" };

/** `schemaHash`: hash of the schema after this step, with which a start compares: see `refuseForeignSchema`. */
export type SqliteMigration = Migration & { readonly schemaHash?: string };

/** Every migration, oldest first. Append only: a released one never changes. */
export const MIGRATIONS: readonly SqliteMigration[] = [
  {
    name: "0000_first",
    sql: first,
    schemaHash: "a104087586c6f60798f8719534bff242b1b903a3bce570c00d0da2ff9fb32a2d",
  },
];
