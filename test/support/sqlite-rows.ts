import { Database } from "bun:sqlite";

/** All rows of a database file, table by table. */
export function rowsOf(file: string): Record<string, Record<string, unknown>[]> {
  const database = new Database(file, { readonly: true });
  try {
    const tables = database
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => [
        name,
        database.query<Record<string, unknown>, []>(`SELECT * FROM "${name}"`).all(),
      ]),
    );
  } finally {
    database.close();
  }
}
