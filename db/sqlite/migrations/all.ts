import type { Migration } from "../../migration.ts";
import first from "./0000_first.sql" with { type: "text" };

/** `schemaHash`: hash of the schema after this step, with which a start compares: see `refuseForeignSchema`. */
export type SqliteMigration = Migration & { readonly schemaHash?: string };

/** Every migration, oldest first. Append only: a released one never changes. */
export const MIGRATIONS: readonly SqliteMigration[] = [
  {
    name: "0000_first",
    sql: first,
    schemaHash: "0fa32336e22473eaee945ee86a66b3dc829d19beb755c9d11218ac26955fa967",
  },
];
