import type { Migration } from "../../migration.ts";
import first from "./0000_first.sql" with { type: "text" };

/** `schemaHash`: hash of the schema after this step, with which a start compares: see `refuseForeignSchema`. */
export type SqliteMigration = Migration & { readonly schemaHash?: string };

/** Every migration, oldest first. Append only: a released one never changes. */
export const MIGRATIONS: readonly SqliteMigration[] = [
  {
    name: "0000_first",
    sql: first,
    schemaHash: "69ffc05171201e5e905b7a6dac3835ad27a02c07b91d079f5068b6a2c0859c54",
  },
];
