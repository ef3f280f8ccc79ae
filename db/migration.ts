import { Fault } from "../src/core/fault.ts";

/** Step of the schema. Imported as text, so that the compiled binary contains it. */
export type Migration = { readonly name: string; readonly sql: string };

/** Step that a database has had. */
export type AppliedMigration = { readonly name: string; readonly hash: string };

export function hashOfMigration(migration: Migration): string {
  return new Bun.CryptoHasher("sha256").update(migration.sql).digest("hex");
}

export function statementsOf(migration: Migration): string[] {
  return migration.sql.split("--> statement-breakpoint");
}

/** Throws `unavailable` with a message for the operator if a database has had another step than the known one. */
export function refuseOtherHistory(
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
): void {
  for (const [number, row] of applied.entries()) {
    const migration = known[number];
    if (migration === undefined) return;
    if (migration.name !== row.name || hashOfMigration(migration) !== row.hash)
      throw new Fault(
        "unavailable",
        `The database was written by another version of Pet Alert, with a different history: its migration ${row.name} differs. It was not changed. Use the version that wrote it.`,
      );
  }
}

/** The program is older than the database allows. */
export function newerDatabase(): Fault {
  return new Fault(
    "unavailable",
    "The database was written by a newer version of Pet Alert. Use that version, or a newer one.",
  );
}
