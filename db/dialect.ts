import { type Column, type Placeholder, sql, type SQL, type SQLWrapper } from "drizzle-orm";

type Value = Column | SQL | SQL.Aliased | number | string;
type Strength = "update" | "no key update" | "share";
type Locking = { readonly of?: object; readonly skipLocked?: true };

export const POSTGRES_DIALECT = {
  /** Membership in a list of any length, passed as one value: a statement can have only so many. */
  inList: (value: Value, list: readonly string[]): SQL =>
    sql`${value} = any(array(select json_array_elements_text(${JSON.stringify(list)}::text::json)))`,
  /** Membership in a JSON list of numbers. */
  inNumbers: (value: Value, list: Placeholder): SQL =>
    sql`${value} = any(array(select json_array_elements_text(${list}::text::json)::bigint))`,
  /** Membership in the values of a query, which are read once. */
  inRows: (value: Value, rows: SQLWrapper): SQL => sql`${value} = any(array(${rows}))`,
  /** Table `listed` with a column `value` for each of the texts. */
  texts: (list: readonly string[]): SQL =>
    sql`(select value collate "C" as value from json_array_elements_text(${JSON.stringify(list)}::text::json) as value) as listed`,
  /** Table `listed` with a column `value` for each of the objects, whose fields are read with `value ->> 'name'`. */
  objects: (list: readonly object[]): SQL =>
    sql`json_array_elements(${JSON.stringify(list)}::text::json) as listed(value)`,
  /** Table `item` with a column `value` for each element of a column with a JSON list. */
  items: (list: Value): SQL => sql`jsonb_array_elements(${list}) as item(value)`,
  lengthOf: (list: Value): SQL => sql`jsonb_array_length(${list})`,
  /** Type of a JSON value: "array", "object" ...; null if there is none. */
  typeOf: (value: Value): SQL => sql`jsonb_typeof(${value})`,
  /** JSON list of numbers. */
  jsonNumbers: (values: readonly SQL[]): SQL<number[]> =>
    sql<number[]>`json_build_array(${sql.join([...values], sql`, `)})`,
  /** JSON value for a column. */
  json: (value: unknown): SQL => sql`${JSON.stringify(value)}::text::jsonb`,
  greater: (one: Value, other: Value): SQL => sql`greatest(${one}, ${other})`,
  lesser: (one: Value, other: Value): SQL => sql`least(${one}, ${other})`,
  /**
   * Number in a condition for which no index is to be used. PostgreSQL estimates wrongly how many rows of a table match that
   * has just grown by thousands.
   */
  unindexed: (value: Value): SQL => sql`(${value} + 0)`,
  contains: (text: Value, part: string): SQL => sql`strpos(${text}, ${part}) > 0`,
  /** Part of a text after the first of these marks. */
  textAfter: (text: Value, mark: string): SQL =>
    sql`split_part(${text}, ${sql.raw(`'${mark}'`)}, 2)`,
  /** Value in the first row of a group. On SQLite the query must also select the least or greatest of the order. */
  firstOf: (value: Value, order: SQL): SQL => sql`(array_agg(${value} order by ${order}))[1]`,
  /** Place of a row in its table, and the condition for the rows that a query selected by it. */
  rowId: sql`ctid`,
  // An array is read once; a subquery might be read again for each row, past its limit. Locked rows keep their place.
  hasRowId: (rows: SQLWrapper): SQL => sql`ctid = any(array(${rows}))`,
  /** Start of the server: one that was started again, or another one, may lack the last commits of the one before. */
  serverStart: sql<string>`pg_postmaster_start_time()::text`,
  /** Locks the rows of a query until the end of the transaction. */
  locking: <Query extends { for(strength: Strength, config?: never): unknown }>(
    query: Query,
    strength: Strength,
    config: Locking = {},
  ): Query => {
    query.for(strength, config as never);
    return query;
  },
};

/** Parts of SQL in which the engines differ. */
export type Dialect = typeof POSTGRES_DIALECT;

export const SQLITE_DIALECT: Dialect = {
  inList: (value, list) => sql`${value} in (select value from json_each(${JSON.stringify(list)}))`,
  inNumbers: (value, list) => sql`${value} in (select value from json_each(${list}))`,
  inRows: (value, rows) => sql`${value} in (${rows})`,
  texts: (list) => sql`json_each(${JSON.stringify(list)}) as listed`,
  objects: (list) => sql`json_each(${JSON.stringify(list)}) as listed`,
  items: (list) => sql`json_each(${list}) as item`,
  lengthOf: (list) => sql`json_array_length(${list})`,
  typeOf: (value) => sql`json_type(${value})`,
  jsonNumbers: (values) =>
    sql`json_array(${sql.join([...values], sql`, `)})`.mapWith((list: string) => JSON.parse(list)),
  json: (value) => sql`${JSON.stringify(value)}`,
  greater: (one, other) => sql`max(${one}, ${other})`,
  lesser: (one, other) => sql`min(${one}, ${other})`,
  unindexed: (value) => sql`${value}`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  textAfter: (text, mark) => sql`substr(${text}, instr(${text}, ${mark}) + 1)`,
  // SQLite takes other columns from the row that has the least or greatest value.
  firstOf: (value) => sql`${value}`,
  rowId: sql`rowid`,
  hasRowId: (rows) => sql`rowid in (select rowid from (${rows}))`,
  // A file that one process has open loses nothing that was committed.
  serverStart: sql<string>`''`,
  // Only one transaction writes at a time.
  locking: (query) => query,
};
