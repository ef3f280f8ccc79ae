import { Database } from "bun:sqlite";
import { Fault } from "../../src/core/fault.ts";
import { countApplied, migrate, MIGRATION_TABLE } from "./migrate.ts";
import { MIGRATIONS, type SqliteMigration } from "./migrations/all.ts";

/** Row of `sqlite_schema`: a table, index, view or trigger. */
type SchemaObject = {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string | null;
};

/** Far more objects than the program's own schema has. */
const OBJECTS_MAX = 1_000;
const NAME_LENGTH_SHOWN = 60;

/** Tables that Litestream adds to a database it replicates; see deploy/litestream.yml. */
const LITESTREAM: readonly SchemaObject[] = [
  ["_litestream_seq", "id INTEGER PRIMARY KEY, seq INTEGER"],
  ["_litestream_lock", "id INTEGER"],
].map(([name = "", columns]) => ({
  type: "table",
  name,
  table: name,
  sql: `CREATE TABLE ${name} (${columns})`,
}));

/** Table of the migrations, which is looked at before it is read: a view of that name could run forever. */
const MIGRATIONS_TABLE: SchemaObject = {
  type: "table",
  name: "migration",
  table: "migration",
  sql: `CREATE TABLE ${MIGRATION_TABLE}`,
};

/**
 * Compares the schema of a database with the one that its migrations make: no other trigger, view, table or index, none
 * missing, none with other SQL. A foreign trigger would run in every transaction of the service. Returns the number of
 * migrations the database has had, 0 for an empty one. Throws `unavailable` with a message for the operator.
 */
export function refuseForeignSchema(
  sqlite: Database,
  known: readonly SqliteMigration[] = MIGRATIONS,
): number {
  sqlite.run("PRAGMA trusted_schema = OFF");
  const found = objectsOf(sqlite);
  if (found.length === 0) return 0;
  if (!found.some((object) => Bun.deepEquals(object, MIGRATIONS_TABLE)))
    throw foreign("has no table of migrations");
  const applied = countApplied(sqlite, known);
  const steps = known.slice(0, applied);
  const ours = found.filter((object) => !LITESTREAM.some((other) => Bun.deepEquals(object, other)));
  // Making the schema, to say what differs, takes twenty times as long.
  if (hashOfSchema(ours) !== steps.at(-1)?.schemaHash) refuseDifference(found, steps);
  return applied;
}

function refuseDifference(
  found: readonly SchemaObject[],
  migrations: readonly SqliteMigration[],
): void {
  const own = new Map(
    [...schemaOf(migrations), ...LITESTREAM].map((object) => [keyOf(object), object]),
  );
  for (const object of found) {
    const same = own.get(keyOf(object));
    if (same === undefined)
      throw foreign(`has the ${described(object)}, which Pet Alert did not make`);
    if (!Bun.deepEquals(object, same))
      throw foreign(`has another ${described(object)} than Pet Alert makes`);
    own.delete(keyOf(object));
  }
  const missing = [...own.values()].find((object) => !LITESTREAM.includes(object));
  if (missing !== undefined) throw foreign(`lacks the ${described(missing)}`);
}

/** Hash of a schema, whatever the order in which its objects were made. */
export function hashOfSchema(objects: readonly SchemaObject[]): string {
  const lines = objects.map(({ type, name, table, sql }) =>
    JSON.stringify([type, name, table, sql]),
  );
  return new Bun.CryptoHasher("sha256").update(lines.toSorted().join("\n")).digest("hex");
}

function objectsOf(sqlite: Database): SchemaObject[] {
  return sqlite
    .query<SchemaObject, [number]>(
      "SELECT type, name, tbl_name AS 'table', sql FROM sqlite_schema LIMIT ?",
    )
    .all(OBJECTS_MAX);
}

/** Schema that these migrations make in a new database. */
export function schemaOf(migrations: readonly SqliteMigration[]): SchemaObject[] {
  const fresh = new Database(":memory:", { strict: true });
  try {
    // A new database is never copied: no folder is needed.
    migrate(fresh, "", migrations);
    return objectsOf(fresh);
  } finally {
    fresh.close();
  }
}

function keyOf({ type, name }: SchemaObject): string {
  return `${type} ${name}`;
}

/** For example `trigger "spy"`. */
function described({ type, name }: SchemaObject): string {
  return `${type} "${name.slice(0, NAME_LENGTH_SHOWN)}"`;
}

function foreign(problem: string): Fault {
  return new Fault(
    "unavailable",
    `The database ${problem}. It was changed by another program and is not opened: restore a backup that you trust.`,
  );
}
