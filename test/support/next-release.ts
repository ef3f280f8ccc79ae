import { Database } from "bun:sqlite";
import { type Migration, statementsOf } from "../../db/migration.ts";
import type { PostgresMigration } from "../../db/postgres/migrations/all.ts";
import { MIGRATIONS } from "../../db/sqlite/migrations/all.ts";
import type { Weakening } from "../chaos/weakened.ts";
import { MINUTE } from "./time.ts";
import { linkIn, type World } from "./world.ts";

// A release after this one: one more migration for each engine.

/**
 * Adds a column to a table that others refer to, as drizzle-kit does when ALTER TABLE cannot: the table is built again,
 * which would delete all that refers to it if foreign keys were on.
 */
export const NEXT_SQLITE: Migration = { name: "next", sql: rebuiltZone() };

/** Adds a column, an index and a table. */
export const NEXT_POSTGRES: PostgresMigration = {
  name: "next",
  sql: [
    'ALTER TABLE "zone" ADD COLUMN "colour" text collate "C"',
    'CREATE INDEX "zone_by_colour" ON "zone" USING btree ("colour") WHERE colour is not null',
    'CREATE TABLE "colour" ("name" text collate "C" PRIMARY KEY NOT NULL)',
  ].join(";--> statement-breakpoint\n"),
  programs: 1,
};

/** What makes a copy of this program the next release: see `weakened`. */
export const NEXT_RELEASE: readonly Weakening[] = [
  oneMore("sqlite", NEXT_SQLITE),
  oneMore("postgres", NEXT_POSTGRES),
];

/** One more migration of an engine. */
export function oneMore(engine: "sqlite", migration: Migration): Weakening;
export function oneMore(engine: "postgres", migration: PostgresMigration): Weakening;
export function oneMore(engine: string, migration: Migration): Weakening {
  return {
    module: `db/${engine}/migrations/all.ts`,
    name: "MIGRATIONS",
    instead: `[...original.MIGRATIONS, ${JSON.stringify(migration)}]`,
  };
}

function rebuiltZone(): string {
  const made = MIGRATIONS.flatMap(statementsOf);
  const table = made.find((statement) => statement.includes("CREATE TABLE `zone` (")) ?? "";
  const indexes = made.filter((statement) => statement.includes(" ON `zone` ("));
  return [
    table.replace("`zone` (", "`__new_zone` (\n\t`colour` text,"),
    "INSERT INTO `__new_zone` SELECT null, * FROM `zone`",
    "DROP TABLE `zone`",
    "ALTER TABLE `__new_zone` RENAME TO `zone`",
    ...indexes,
    "CREATE INDEX `zone_by_colour` ON `zone` (`colour`) WHERE colour is not null",
  ].join("--> statement-breakpoint\n");
}

/** Fills a service of this release; returns paths of its pages. */
export async function fill(world: World) {
  const { slug } = await world.publish();
  await world.tool("subscribe_zone", { lat: 45.77, lng: 4.83, email: "neighbour@example.org" });
  await world.confirm("neighbour@example.org");
  await world.publish({ type: "found", email: "finder@example.org" });
  await world.tool("send_message", {
    alert: slug,
    message: "Seen!",
    email: "stranger@example.org",
  });
  await world.confirm("stranger@example.org");
  await world.pass(MINUTE);
  await world.tool("publish_alert", {
    type: "lost",
    species: "dog",
    color: "black",
    name: "Rex",
    lat: 48.85,
    lng: 2.35,
    email: "waiting@example.org",
  });
  const link = async (to: string, part: string) => {
    const emails = await world.emails(to);
    const email = emails.findLast(({ text }) => text?.includes(part));
    return new URL(linkIn(email, part)).pathname;
  };
  return {
    alert: `/alerts/${slug}`,
    manage: await link("owner@example.org", "/manage/"),
    conversation: await link("owner@example.org", "/conversation/"),
    confirm: await link("waiting@example.org", "/confirm/"),
  };
}

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
