import type { Migration } from "../../migration.ts";
import first from "./0000_first.sql" with { type: "text" };
import collar from "./0001_collar.sql" with { type: "text" };

/** Every migration, oldest first. Append only: a released one never changes. */
export const MIGRATIONS: readonly Migration[] = [
  { name: "0000_first", sql: first },
  { name: "0001_collar", sql: collar },
];
