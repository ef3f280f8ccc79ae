import { expect } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { MIGRATIONS } from "../../db/postgres/migrations/all.ts";
import { migrate } from "../../db/postgres/migrate.ts";
import { openPostgres } from "../../db/postgres/open.ts";
import { openDatabase } from "../../db/sqlite/open.ts";
import { createDatabase, postgresTests } from "../support/postgres.ts";

const { describe, test } = postgresTests;

/** "alert.name text null", and names of indexes. */
type Schema = { readonly columns: readonly string[]; readonly indexes: readonly string[] };

/** Parts of the schema that only PostgreSQL has. */
const ONLY_POSTGRES = {
  columns: [
    "claim.duty text not null",
    "claim.ends_at timestamp with time zone not null",
    "claim.node text not null",
    "claim.subject text not null",
    "done.at timestamp with time zone not null",
    "done.id uuid not null",
    "done.is_void boolean not null",
    // Rows of these tables have no key, or no short one, in SQLite: it has the number of the row.
    "hit.id integer not null",
    "lead.ends_at timestamp with time zone not null",
    "lead.id integer not null",
    "lead.node text not null",
    "vacuum_owed.id integer not null",
    "zone_news.number integer not null",
  ],
  indexes: [
    "alert_hidden",
    "done_by_age",
    "outbox_by_sealed_token",
    "outbox_of_match",
    "outbox_with_entries",
    "pending_about_alert",
    "pending_became_alert",
    "pending_became_zone",
    "pending_expiring",
    "zone_ended",
    "zone_news_by_age",
  ],
};

/** Types of PostgreSQL, and those that SQLite has in their place. */
const TYPES: Readonly<Record<string, string>> = {
  bigint: "integer",
  boolean: "integer",
  jsonb: "text",
  "double precision": "real",
};
/** Types of two columns agree if they are the same in SQLite. */
const inSqlite = (type: string) => TYPES[type] ?? type;

function schemaOfSqlite(): Schema {
  const folder = mkdtempSync(join(tmpdir(), "pet-alert-schema-"));
  const { sqlite, close } = openDatabase(folder);
  const columns = sqlite
    .query<{ name: string; type: string; notnull: number }, []>(
      `select t.name || '.' || c.name as name, lower(c.type) as type, c."notnull" as "notnull"
       from sqlite_schema t, pragma_table_info(t.name) c
       where t.type = 'table' and t.name not like 'sqlite_%' and t.name <> 'migration'`,
    )
    .all()
    .map(({ name, type, notnull }) => `${name} ${type} ${notnull ? "not null" : "null"}`);
  const indexes = sqlite
    .query<{ name: string }, []>(
      "select name from sqlite_schema where type = 'index' and name not like 'sqlite_%'",
    )
    .all()
    .map(({ name }) => name);
  close();
  rmSync(folder, { recursive: true, force: true });
  return { columns: columns.toSorted(), indexes: indexes.toSorted() };
}

async function schemaOfPostgres(client: SQL): Promise<Schema> {
  const columns: { name: string; type: string; nullable: boolean }[] = await client.unsafe(
    `select table_name || '.' || column_name as name, data_type as type,
       is_nullable = 'YES' as nullable
     from information_schema.columns
     where table_schema = 'public' and table_name <> 'migration'`,
  );
  const indexes: { name: string }[] = await client.unsafe(
    "select indexname as name from pg_indexes where schemaname = 'public' and indexname not like '%_pkey' and indexname not like '%_pk'",
  );
  return {
    columns: columns
      .map(({ name, type, nullable }) => {
        const shown = name.startsWith("done.") ? type : inSqlite(type);
        return `${name} ${shown} ${nullable ? "null" : "not null"}`;
      })
      .toSorted(),
    indexes: indexes.map(({ name }) => name).toSorted(),
  };
}

async function withClient<Result>(
  work: (client: SQL, url: string) => Promise<Result>,
): Promise<Result> {
  const database = await createDatabase();
  const client = new SQL({
    adapter: "postgres",
    path: database.socket,
    username: "tests",
    database: database.name,
    max: 1,
  });
  try {
    return await work(client, database.url);
  } finally {
    await client.close();
    await database.release();
  }
}

describe("the schema of PostgreSQL", () => {
  test("has the tables, columns and indexes of SQLite, and nothing else but what is listed", () =>
    withClient(async (client) => {
      const [postgres, sqlite] = [await schemaOfPostgres(client), schemaOfSqlite()];

      expect(postgres.columns).toEqual([...sqlite.columns, ...ONLY_POSTGRES.columns].toSorted());
      expect(postgres.indexes).toEqual([...sqlite.indexes, ...ONLY_POSTGRES.indexes].toSorted());
    }));

  test("compares every text by its bytes", () =>
    withClient(async (client) => {
      const others: { name: string }[] = await client.unsafe(
        `select table_name || '.' || column_name as name from information_schema.columns
         where table_schema = 'public' and data_type = 'text' and table_name <> 'migration'
           and collation_name is distinct from 'C'`,
      );

      expect(others).toEqual([]);
    }));
});

describe("a database", () => {
  test("of a newer program is refused once that took something away, and not before", () =>
    withClient(async (_client, url) => {
      const pool = await openPostgres(url, 1);
      const adding = { name: "9998_more", sql: "create table more (id bigint)", programs: 1 };
      const programs = MIGRATIONS.length + 2;
      const removing = { name: "9999_less", sql: "drop table more", programs };

      await migrate(pool, [...MIGRATIONS, adding]);
      await migrate(pool);
      await migrate(pool, [...MIGRATIONS, adding, removing]);

      await expect(migrate(pool, [...MIGRATIONS, adding])).rejects.toThrow("newer version");
      await expect(openPostgres(url, 1)).rejects.toThrow("newer version");
      await pool.use((connection) =>
        connection.unsafe(`delete from migration where number >= ${MIGRATIONS.length}`),
      );
      await pool.close();
    }));

  test("with another history is refused", () =>
    withClient(async (client, url) => {
      await client.unsafe("update migration set hash = 'other' || hash");
      await expect(openPostgres(url, 1)).rejects.toThrow("migration 0000_first differs");
      await client.unsafe("update migration set hash = substr(hash, 6)");
    }));

  test("with tables of another program is refused, and keeps them", () =>
    withClient(async (client, url) => {
      await client.unsafe("create schema aside; alter table migration set schema aside");

      await expect(openPostgres(url, 1)).rejects.toThrow("which Pet Alert did not make");

      await client.unsafe("alter table aside.migration set schema public; drop schema aside");
    }));

  test("that two nodes open at once for the first time is made once", () =>
    withClient(async (client, url) => {
      await client.unsafe("drop schema public cascade; create schema public");

      const pools = await Promise.all([1, 2, 3].map(() => openPostgres(url, 1)));

      for (const pool of pools) await pool.close();
      expect(await schemaOfPostgres(client)).toMatchObject({
        indexes: expect.arrayContaining([...schemaOfSqlite().indexes]),
      });
    }));
});

describe("an address", () => {
  const refusal = async (url: string) =>
    openPostgres(url, 1).then(
      () => "opened",
      (error: unknown) => String(error),
    );

  test("that names no database, no server or nothing is refused with a sentence", () =>
    withClient(async (_client, url) => {
      expect(await refusal("mysql://localhost/pets")).toContain("DATABASE_URL must be");
      expect(await refusal(url.replace(/\/test_\d+/, "/nothing"))).toContain("no database of that");
      expect(await refusal("postgres://pets@127.0.0.1:1/pets")).toContain("does not answer");
    }));
});
