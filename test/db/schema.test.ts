import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { migrate, refuseForeignSchema } from "../../db/sqlite/migrate.ts";
import { MIGRATIONS } from "../../db/sqlite/migrations/all.ts";
import { SQLITE_TABLES } from "../../db/sqlite/reader.ts";
import { newestSnapshot } from "../support/migration-files.ts";

// The counterpart for PostgreSQL is postgres-schema.test.ts.

/** Columns, indexes and references of a database. */
function schemaIn(database: Database): Record<string, unknown[]> {
  const of = (sql: string) => database.query<object, []>(sql).all();
  const tables =
    "from sqlite_schema t, TABLE x where t.type = 'table' and t.name not like 'sqlite_%' and t.name <> 'migration' order by t.name, 2";
  return {
    columns: of(
      `select t.name as "table", x.name, x.type, x."notnull", x.dflt_value, x.pk ${tables.replace("TABLE", "pragma_table_info(t.name)")}`,
    ),
    references: of(
      `select t.name as "table", x."from", x."table" as parent, x."to", x.on_update, x.on_delete ${tables.replace("TABLE", "pragma_foreign_key_list(t.name)")}`,
    ),
    indexes: of(
      "select name, sql from sqlite_schema where type = 'index' and tbl_name <> 'migration' order by name",
    ),
  };
}

test("the migrations make what the tables declare", async () => {
  const declared = new Database(":memory:");
  const statements = await generateSQLiteMigration(
    await generateSQLiteDrizzleJson({}),
    await generateSQLiteDrizzleJson(SQLITE_TABLES),
  );
  for (const statement of statements) declared.run(statement);
  const migrated = new Database(":memory:", { strict: true });
  migrate(migrated, "");

  expect(schemaIn(migrated)).toEqual(schemaIn(declared));
  expect(migrated.query("select revision from counter").all()).toEqual([{ revision: 0 }]);
});

test("the next migration begins with the tables as they are", async () => {
  const tables = await generateSQLiteDrizzleJson(SQLITE_TABLES);

  expect(await generateSQLiteMigration(await newestSnapshot("sqlite"), tables)).toEqual([]);
});

test("a schema is compared with the one that its migrations make", () => {
  const database = new Database(":memory:", { strict: true });
  migrate(database, "");
  expect(refuseForeignSchema(database)).toBe(MIGRATIONS.length);

  database.run("create index more on alert (name)");

  expect(() => refuseForeignSchema(database)).toThrow('has the index "more"');
});
