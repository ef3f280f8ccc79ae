import { fillPlaceholders, type Query, type SQL } from "drizzle-orm";
import type { BunSQLDatabase } from "drizzle-orm/bun-sql";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Sighting } from "../src/core/sightings/sighting.ts";
import type { Store } from "../src/core/service/store.ts";
import type { Dialect } from "./dialect.ts";
import type { Tables } from "./schema/tables.ts";
import type { Tombstones } from "./tombstone.ts";

/** Operations of one subject: `return { ... } satisfies Queries`. Together the subjects make a `Store`. */
export type Queries = Partial<Store>;

/** Query builder of drizzle, as far as it is the same for both engines. */
export type Db = Pick<
  BunSQLDatabase,
  "select" | "selectDistinct" | "insert" | "update" | "delete" | "with"
>;

/** Database as queries see it: outside of a transaction, or inside of one. */
export type Reader = {
  readonly db: Db;
  readonly tables: Tables;
  readonly dialect: Dialect;
  /** Rows of a statement written by hand. Numbers of type `bigint` come as text from PostgreSQL, unless they are cast. */
  rows<Row>(statement: SQL): Promise<Row[]>;
  /** Runs a statement written by hand. */
  run(statement: SQL): Promise<void>;
  /**
   * Query that `build` returns, whose text is built once: building it takes longer than running it. `build` is a top-level
   * function, not a closure, and takes its values from `sql.placeholder`.
   */
  prepared<Prepared>(build: (reader: Reader) => { prepare(name: string): Prepared }): Prepared;
  /**
   * Rows of a query as arrays of values, as the driver returns them: drizzle takes longer to map a row than to read it.
   * `build` is as for `prepared`.
   */
  arrays<Row extends readonly unknown[]>(
    build: (reader: Reader) => { toSQL(): Query },
    values: Record<string, unknown>,
  ): Promise<Row[]>;
  /** Inserts rows that all have the same columns, in the way that is fastest for the engine. */
  insertAll<Table extends PgTable>(
    table: Table,
    rows: readonly Table["$inferInsert"][],
  ): Promise<void>;
};

/** Alert to add. Its key and revision are those of the end of the transaction. */
export type InsertedAlert = {
  readonly row: Omit<
    Tables["alert"]["$inferInsert"],
    "publishedAt" | "revision" | "organisation" | "organisationName"
  >;
  /** Time of publication, unless another alert has it already. */
  readonly now: number;
  /** Sightings to add with it. */
  readonly sightings: readonly Sighting[];
};

/** Changes of a transaction that the in-memory indexes follow. */
export type IndexChanges = {
  readonly newAlerts: InsertedAlert[];
  /** Ids of changed alerts. */
  readonly alerts: Set<string>;
  /** Ids of zones that began or ended. */
  readonly zones: Set<string>;
};

/** Transaction that writes. */
export type Tx = Reader & {
  /**
   * Locks more subjects until the end, after which the transaction sees what their earlier holders did. To be called
   * before what depends on it is read.
   */
  lock(subjects: readonly string[]): Promise<void>;
  /** Changes that the in-memory indexes follow. They get their revisions at the end of the transaction. */
  readonly changes: IndexChanges;
  /** Notes that what the transaction erases is also to be removed from the files of the database. */
  oweErasure(): Promise<void>;
};

/**
 * Runs a transaction. `subjects` name what must not change while it decides, in addition to rows that it locks itself, such
 * as `hit:` and the key of a rate limit. `work` may run several times. Once the promise has resolved the transaction is
 * committed; once it has rejected it never will be, or the database could not be asked.
 */
export type Write = <Result>(
  subjects: readonly string[],
  work: (tx: Tx) => Promise<Result>,
  /** Longest wait for the answer to one statement of a server. */
  statementMs?: number,
) => Promise<Result>;

/** Runs several queries that see the database as of the first of them. `work` may run several times. */
export type Read = <Result>(work: (reader: Reader) => Promise<Result>) => Promise<Result>;

/** Context of all queries. Its own reader is outside of transactions: each query sees what is committed when it starts. */
export type StoreTools = Reader & {
  readonly read: Read;
  readonly write: Write;
  readonly tombstones: Tombstones;
  readonly claims: Claims;
};

/** Work that nodes divide: alerts to announce or to compare, mailboxes with news of zones, alerts with news for their owner. */
export type Duty = "announce" | "compare" | "zone email" | "owner digest";

/** Claims of one process to work, for a minute. They only save work: what is done twice at once is done once. */
export type Claims = {
  /** Largest number of processes among which work is divided. */
  readonly processesMax: number;
  /** Claims the first of the subjects that nobody else has claimed, at most `limit`; returns them in their order. */
  take(duty: Duty, subjects: readonly string[], limit: number): Promise<string[]>;
  /** Ends the claims to subjects whose work is done, whoever has them. */
  end(tx: Tx, duty: Duty, subjects: readonly string[]): Promise<void>;
};

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
