/** Value as SQLite stores it. */
export type StoredValue = string | number | Uint8Array | null;

/** A table and all its rows, in the order in which they were added. */
export type TableRows = {
  readonly name: string;
  readonly columns: readonly string[];
  /** Values in the order of the columns. To be read while the database is open. */
  rows(): Iterable<readonly StoredValue[]>;
};
