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
    schemaHash: "95b52b15d3f314fdb6e96722008452f418be0596e8a0648bfc68b419652aad61",
  },
  {
    name: "0001_collar",
    sql: collar,
    schemaHash: "de8f30446ff02ef5cb2d485b6e9900e13bf2313804ef032ad7db649a24b1a123",
  },
];
