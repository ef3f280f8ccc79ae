import { expect, test } from "bun:test";
import { statementsOf } from "../../db/migration.ts";
import { MIGRATIONS, type PostgresMigration } from "../../db/postgres/migrations/all.ts";

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

/**
 * Statements that let more in than before, where no older program relies on what it kept out (by ON CONFLICT, or by reading
 * one row), and the constraint that follows refuses nothing that one writes.
 */
const LOOSENING: ReadonlySet<string> = new Set([
  'alter table "member" drop constraint "member_pkey"',
  'alter table "member" add constraint "member_organisation_email_pk" primary key("organisation","email")',
  'create unique index "member_by_mailbox" on "member" using btree (lower(email),"organisation")',
]);

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
      .filter((text) => !LOOSENING.has(text.toLowerCase()))
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
  expect(takingAway(MIGRATIONS)).toEqual([]);
});

test.each([
  'DROP TABLE "zone"',
  'ALTER TABLE "zone" DROP COLUMN "label"',
  'ALTER TABLE "zone" RENAME COLUMN "label" TO "name"',
  'ALTER TABLE "zone" ALTER COLUMN "label" SET NOT NULL',
  'ALTER TABLE "zone" ADD COLUMN "colour" text NOT NULL',
  'CREATE UNIQUE INDEX "one" ON "zone" ("label")',
  'CREATE TABLE "one" ("id" bigint);--> statement-breakpoint\nDROP TABLE "zone"',
  "update zone set label = ''",
])("%s is noticed, unless older programs stop", (sql) => {
  const first = { name: "0000_first", sql: 'CREATE TABLE "zone" ("label" text)', programs: 1 };
  const second = { name: "0001_second", sql, programs: 1 };

  expect(takingAway([first, second])).toHaveLength(1);
  expect(takingAway([first, { ...second, programs: 2 }])).toEqual([]);
});
