import type { Migration } from "../../migration.ts";
import first from "./0000_first.sql" with { type: "text" };
import collar from "./0001_collar.sql" with { type: "text" };

/**
 * Step of the schema. Programs of the release before run beside those of this one, so a step only adds: tables, nullable
 * columns, indexes; or it loosens a constraint on which they do not rely. What nothing uses any more goes in a later
 * release. `programs`: number of steps that a program must know to use the database after this one; it is raised by a step
 * that takes something away.
 */
export type PostgresMigration = Migration & { readonly programs: number };

/** Every migration, oldest first. Append only: a released one never changes. */
export const MIGRATIONS: readonly PostgresMigration[] = [
  { name: "0000_first", sql: first, programs: 1 },
  { name: "0001_collar", sql: collar, programs: 1 },
];
