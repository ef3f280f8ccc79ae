import type { Migration } from "../../migration.ts";
import first from "./0000_first.sql" with { type: "text" };
import district from "./0001_district.sql" with { type: "text" };

/** `schemaHash`: hash of the schema after this step, with which a start compares: see `refuseForeignSchema`. */
export type SqliteMigration = Migration & { readonly schemaHash?: string };

/** Every migration, oldest first. Append only: a released one never changes. */
export const MIGRATIONS: readonly SqliteMigration[] = [
  {
    name: "0000_first",
    sql: first,
    schemaHash: "e7ed55a661d0bd8836e06dd007c6bc70083a41246141878fc5386d8c14b77b50",
  },
  {
    name: "0001_district",
    sql: district,
    schemaHash: "eebe7d9c5bccab9ca8ec630fc0e0ec5b0526fb7208336c29047aa1d7e399f8b8",
  },
];
