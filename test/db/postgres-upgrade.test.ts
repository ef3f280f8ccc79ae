import { afterEach, beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { statementsOf } from "../../db/migration.ts";
import type { Pool } from "../../db/postgres/connection.ts";
import { migrate } from "../../db/postgres/migrate.ts";
import { MIGRATIONS, type PostgresMigration } from "../../db/postgres/migrations/all.ts";
import { openPostgres } from "../../db/postgres/open.ts";
import { createPostgresStore } from "../../db/postgres/store.ts";
import { makeBulk } from "../support/make.ts";
import { NEXT_POSTGRES } from "../support/next-release.ts";
import { createDatabase, postgresTests, type TestDatabase } from "../support/postgres.ts";
import { startProxy } from "../support/postgres-proxy.ts";
import { DAWN } from "../support/time.ts";

// Nodes of two releases run side by side on one PostgreSQL database. `bun run test:nodes --fault "one before"` runs them.

/** Statements after which a program that does not know them reads and writes as before. */
const ADDING: readonly RegExp[] = [
  /^create table /,
  // A unique one could refuse what an older program writes.
  /^create index /,
  /^create statistics /,
  /^alter table \S+ add column (?!.*not null)/,
  /^alter table \S+ add column .*default .*not null/,
  /^alter table \S+ add constraint .* not valid$/,
  // Makes queries slower, not wrong.
  /^drop index /,
];

/** Statements of a migration that take something away from older programs, unless it says that these must stop. */
function takingAway(migrations: readonly PostgresMigration[]): string[] {
  return migrations.flatMap((migration, nth) => {
    const before = migrations[nth - 1];
    // The first one makes the tables. A greater `programs` than before stops programs that know fewer steps.
    if (before === undefined || migration.programs > before.programs) return [];
    return statementsOf(migration)
      .map((text) =>
        text
          .replace(/^--.*$/gm, "")
          .replace(/\s+/g, " ")
          .replace(/;? *$/, "")
          .trim(),
      )
      .filter((text, _, all) => text !== "" && !isOfNewTable(text, all))
      .filter((text) => !ADDING.some((adding) => adding.test(text.toLowerCase())))
      .map((text) => `${migration.name}: ${text}`);
  });
}

/** True for a constraint or unique index of a table that the same migration makes: no older program writes to it. */
function isOfNewTable(text: string, all: readonly string[]): boolean {
  const [, table] =
    /^(?:alter table(?= \S+ add constraint )|create unique index \S+ on) (\S+) /i.exec(text) ?? [];
  return (
    table !== undefined &&
    all.some((other) => other.toLowerCase().startsWith(`create table ${table.toLowerCase()} `))
  );
}

test("a migration takes nothing away that the release before it uses", () => {
  expect(takingAway([...MIGRATIONS, NEXT_POSTGRES])).toEqual([]);
});

test("a step that takes a column away is noticed, unless older programs stop", () => {
  const first = { name: "0000_first", sql: 'CREATE TABLE "zone" ("label" text)', programs: 1 };
  const sql = 'ALTER TABLE "zone" DROP COLUMN "label"';

  expect(takingAway([first, { name: "0001_second", sql, programs: 1 }])).toHaveLength(1);
  expect(takingAway([first, { name: "0001_second", sql, programs: 2 }])).toEqual([]);
});

postgresTests.describe("a database of this release that the next one brings up to date", () => {
  const next = [...MIGRATIONS, NEXT_POSTGRES];
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(() => database.clear());

  test("is read and written by this one as before", async () => {
    const store = createPostgresStore(await database.open(2));
    const pool = await database.open(1);

    await migrate(pool, next);

    await store.addAlerts([makeBulk()], DAWN);
    expect(await store.alertsAfter(null, 10)).toHaveLength(1);
    await (await database.open(1)).close();
    await pool.close();
    await store.close();
  });

  test.each(
    ['ALTER TABLE "zone"', 'CREATE INDEX "zone_by', "insert into migration", "commit\0"].flatMap(
      (statement) => (["before", "after"] as const).map((fault) => [fault, statement] as const),
    ),
  )(
    "has the whole step or nothing of it when the connection is lost %s %s",
    async (fault, statement) => {
      const proxy = startProxy(database.socket);
      const url = new URL(database.url);
      url.searchParams.set("host", proxy.folder);
      const cut = await openPostgres(url.href, 1);
      const pool = await database.open(1);
      proxy.failAt(statement, fault);

      await expect(migrate(cut, next)).rejects.toThrow();

      expect(proxy.happened()).toBe(1);
      const isWhole = statement.startsWith("commit") && fault === "after";
      expect(await applied(pool)).toEqual(isWhole ? WHOLE : NOTHING);
      await migrate(pool, next);
      expect(await applied(pool)).toEqual(WHOLE);
      await cut.close();
      await pool.close();
      proxy.stop();
    },
  );
});

const NOTHING = { steps: MIGRATIONS.length, column: false, index: false, table: false };
const WHOLE = { steps: MIGRATIONS.length + 1, column: true, index: true, table: true };

/** Parts of the step that a database has, once nobody is at work on it. */
async function applied(pool: Pool): Promise<unknown> {
  const [row] = await pool.rows(
    sql`select (select count(*)::int from migration) as steps,
      exists (select 1 from information_schema.columns where table_name = 'zone' and column_name = 'colour') as column,
      to_regclass('zone_by_colour') is not null as index, to_regclass('colour') is not null as table`,
  );
  return row;
}
