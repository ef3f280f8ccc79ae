import { fillPlaceholders, type Query, type SQL } from "drizzle-orm";
import type { Reader } from "./context.ts";

/** Connection to a database, as far as readers need it. */
type Driver = Pick<Reader, "db" | "tables" | "dialect" | "insertAll"> & {
  rows(statement: SQL): Promise<unknown[]>;
  run(statement: SQL): Promise<unknown>;
  /** Rows as arrays of values. */
  arrays(text: string, values: readonly unknown[]): Promise<unknown[]>;
};

/** Reader on a connection, which keeps the texts of its prepared queries. */
export function createReader(driver: Driver): Reader {
  const statements = new Map<unknown, unknown>();
  const texts = new Map<unknown, Query>();
  const reader: Reader = {
    ...driver,
    rows: <Row>(statement: SQL) => driver.rows(statement) as Promise<Row[]>,
    async run(statement) {
      await driver.run(statement);
    },
    prepared<Prepared>(build: (reader: Reader) => { prepare(name: string): Prepared }): Prepared {
      const known = statements.get(build) as Prepared | undefined;
      if (known !== undefined) return known;
      const statement = build(reader).prepare("");
      statements.set(build, statement);
      return statement;
    },
    arrays<Row extends readonly unknown[]>(
      build: (reader: Reader) => { toSQL(): Query },
      values: Record<string, unknown>,
    ) {
      let query = texts.get(build);
      if (query === undefined) texts.set(build, (query = build(reader).toSQL()));
      const params = fillPlaceholders(query.params, values);
      return driver.arrays(query.sql, params) as Promise<Row[]>;
    },
  };
  return reader;
}
