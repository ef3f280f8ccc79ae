import { SQL } from "bun";
import { expect } from "bun:test";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { POSTGRES_TABLES } from "../../db/postgres/connection.ts";
import { migrate } from "../../db/postgres/migrate.ts";
import { MIGRATIONS } from "../../db/postgres/migrations/all.ts";
import * as nodeTables from "../../db/postgres/nodes.ts";
import { keyFits, openPostgres } from "../../db/postgres/open.ts";
import { createPostgresStore } from "../../db/postgres/store.ts";
import type { Store } from "../../src/core/service/store.ts";
import { publishFor } from "../support/confirmed.ts";
import { newestSnapshot } from "../support/migration-files.ts";
import { createDatabase, postgresTests, type TestDatabase } from "../support/postgres.ts";
import { DAWN } from "../support/time.ts";

const { describe, test } = postgresTests;

const DECLARED = { ...POSTGRES_TABLES, ...nodeTables };

/** Columns, indexes and constraints of a database. */
async function schemaIn(client: SQL): Promise<Record<string, unknown[]>> {
  const of = async (text: string) => [...(await client.unsafe(text))];
  return {
    columns: await of(
      `select table_name, column_name, data_type, collation_name, is_nullable, column_default, is_identity
       from information_schema.columns
       where table_schema = 'public' and table_name <> 'migration' order by 1, 2`,
    ),
    indexes: await of(
      "select indexdef from pg_indexes where schemaname = 'public' and tablename <> 'migration' order by indexname",
    ),
    constraints: await of(
      `select conname, pg_get_constraintdef(oid) as definition from pg_constraint
       where connamespace = 'public'::regnamespace and conrelid <> coalesce(to_regclass('migration'), 0)
       order by conname`,
    ),
  };
}

async function withClient<Result>(
  work: (client: SQL, url: string, database: TestDatabase) => Promise<Result>,
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
    return await work(client, database.url, database);
  } finally {
    await client.close();
    await database.release();
  }
}

describe("the schema of PostgreSQL", () => {
  test("is what the tables declare", () =>
    withClient((migrated) =>
      withClient(async (declared, _url, database) => {
        await database.clear();
        const statements = await generateMigration(
          generateDrizzleJson({}),
          generateDrizzleJson(DECLARED),
        );
        for (const statement of statements) await declared.unsafe(statement);

        expect(await schemaIn(migrated)).toEqual(await schemaIn(declared));
      }),
    ));

  test("is where the next migration begins", async () => {
    const snapshot = await newestSnapshot("postgres");

    expect(await generateMigration(snapshot, generateDrizzleJson(DECLARED))).toEqual([]);
  });

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

  test("with another history is refused, and not changed", () =>
    withClient(async (client, url) => {
      await client.unsafe("update migration set hash = 'other' || hash");
      const more = MIGRATIONS.length;
      await client.unsafe(`insert into migration values (${more}, 'more', 'hash', 1)`);
      const before = await schemaIn(client);

      await expect(openPostgres(url, 1)).rejects.toThrow(
        "written by another version of Pet Alert, with a different history: its migration 0000_first differs",
      );

      expect(await schemaIn(client)).toEqual(before);
      await client.unsafe(
        `delete from migration where number = ${more}; update migration set hash = substr(hash, 6)`,
      );
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
      const made = await client.unsafe("select count(*)::int as count from migration");
      expect(made[0].count).toBe(MIGRATIONS.length);
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

/** A store, and a client of its database. */
async function onStore(
  work: (store: Store, client: SQL, database: TestDatabase) => Promise<void>,
): Promise<void> {
  const database = await createDatabase();
  const store = createPostgresStore(await database.open(2));
  const client = new SQL({
    adapter: "postgres",
    path: database.socket,
    username: "tests",
    database: database.name,
    max: 1,
  });
  try {
    await work(store, client, database);
  } finally {
    await client.close();
    await store.close();
    await database.release();
  }
}

describe("the ledger of transactions", () => {
  test("keeps the rows of an hour, and loses older ones with the heartbeat", () =>
    onStore(async (store, client) => {
      await client.unsafe("delete from ledger");
      await client.unsafe(
        "insert into ledger (at) select now() - nth * interval '20 minutes' from generate_series(1, 6) nth",
      );

      await store.recordHeartbeat({ at: DAWN, steadySince: DAWN });

      // Those of 20 and 40 minutes ago, and that of the heartbeat itself.
      expect(await client.unsafe("select from ledger")).toHaveLength(3);
    }));
});

describe("after an erasure", () => {
  /** Versions of rows on the first page of the table, and those that are not there any more. */
  async function versions(client: SQL): Promise<{ kept: number; gone: number }> {
    const [row] = await client.unsafe(
      `select count(*) filter (where lp_len > 0)::int as kept, count(*) filter (where lp_len = 0)::int as gone
       from heap_page_items(get_raw_page('alert', 0))`,
    );
    return row;
  }

  test("the next wipe removes what the files of the tables still hold of it", () =>
    onStore(async (store, client) => {
      await client.unsafe("create extension if not exists pageinspect");
      await client.unsafe("vacuum full alert");
      const { id } = await publishFor(store, "owner@example.org");
      await store.wipeErasedPages();
      expect(await versions(client)).toEqual({ kept: 1, gone: 0 });

      await store.removeAlert(id, DAWN);
      expect((await versions(client)).kept).toBeGreaterThan(1);
      await store.wipeErasedPages();

      expect((await versions(client)).kept).toBe(1);
      expect(await client.unsafe("select from vacuum_owed")).toEqual([]);
      await client.unsafe("drop extension pageinspect");
    }));
});

describe("the key of a node", () => {
  test("is that of the database if it was the first, and no other is", () =>
    onStore(async (store, _client, database) => {
      const pools = await Promise.all([1, 2].map(() => database.open(2)));
      const [one, other] = [pools[0]!, pools[1]!];

      const fits = await Promise.all([keyFits(one, "one"), keyFits(other, "other")]);

      expect(fits.toSorted()).toEqual([false, true]);
      const first = fits[0] === true ? "one" : "other";
      expect(await keyFits(other, first)).toBe(true);
      expect(await keyFits(one, "third")).toBe(false);
      for (const pool of pools) await pool.close();
      await store.alive();
    }));
});
