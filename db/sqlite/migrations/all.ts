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
    schemaHash: "a6c93c775dd37c031841e77365debd912cd2023f1d9b8c3322c521255bda753f",
  },
  {
    name: "0001_collar",
    sql: collar,
    schemaHash: "056ed6014ffb7cf81ac27c74e7638e2cb4564c0e4ecfec073bb0318a608b29df",
  },
];
