import type { Migration } from "../../migration.ts";
import first from "./0000_first.sql" with { type: "text" };

/** `schemaHash`: hash of the schema after this step, with which a start compares: see `refuseForeignSchema`. */
export type SqliteMigration = Migration & { readonly schemaHash?: string };

/** Every migration, oldest first. Append only: a released one never changes. */
export const MIGRATIONS: readonly SqliteMigration[] = [
  {
    name: "0000_first",
    sql: first,
    schemaHash: "0f1ff4b087f977f618b12cccc75f7b06d6c2d8adba47a8ab9a73b27945a903af",
  },
];
