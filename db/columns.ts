import type { POSTGRES_COLUMNS } from "./postgres/columns.ts";

/**
 * Types of columns, and what else a table is declared with. Each engine has its own; those of SQLite have the types of
 * PostgreSQL's, so that one declaration and one set of queries serve both.
 */
export type Columns = typeof POSTGRES_COLUMNS;
