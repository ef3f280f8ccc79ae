import type { POSTGRES_DIALECT } from "./postgres/dialect.ts";

/** Parts of SQL in which the engines differ. */
export type Dialect = typeof POSTGRES_DIALECT;
