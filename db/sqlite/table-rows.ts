import type { Database } from "bun:sqlite";
import type { StoredValue, TableRows } from "../table-rows.ts";

/** All tables of a database but the list of its migrations. */
export function readTables(sqlite: Database): TableRows[] {
  const names = sqlite
    .query<{ name: string }, []>(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name <> 'migration'",
    )
    .all()
    .map(({ name }) => name);
  return names.map((name) => {
    const columns = sqlite
      .query<{ name: string }, [string]>("select name from pragma_table_info(?)")
      .all(name)
      .map((column) => column.name);
    return {
      name,
      columns,
      *rows() {
        const list = columns.map((column) => `"${column}"`).join(", ");
        const all = sqlite.query<Record<string, StoredValue>, []>(
          `select ${list} from "${name}" order by rowid`,
        );
        for (const row of all.iterate()) yield columns.map((column) => row[column] ?? null);
      },
    };
  });
}
