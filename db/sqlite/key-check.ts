import type { Database } from "bun:sqlite";
import { Fault } from "../../src/core/fault.ts";

/** Result of comparing a key with the one a database was written with. */
export type KeyState =
  /** The database contains nothing yet that needs a key. */
  | "unused"
  /** Written by a version that stored no check value. */
  | "unchecked"
  | "fits"
  | "differs";

/**
 * Compares a key with the one that the database was written with. `check` is `keyCheckOf` of the key, or null without a
 * key; `opens` returns whether the key unseals a text, for databases from before the check value.
 */
export function keyStateOf(
  sqlite: Database,
  check: string | null,
  opens: (sealed: string) => boolean,
): KeyState {
  const kept = storedKeyCheck(sqlite);
  if (kept !== null) return kept === check ? "fits" : "differs";
  if (isUnused(sqlite)) return "unused";
  const sealed = newestSealed(sqlite);
  return sealed.length > 0 && !sealed.some(opens) ? "differs" : "unchecked";
}

/** Check value stored in a database; null if there is none. */
export function storedKeyCheck(sqlite: Database): string | null {
  if (!tablesOf(sqlite).includes("key_check")) return null;
  return sqlite.query<{ mark: string }, []>("SELECT mark FROM key_check").get()?.mark ?? null;
}

/** Stores the check value of a key. The key must be on the disk already, or a power cut could lock the folder. */
export function storeKeyCheck(sqlite: Database, check: string): void {
  sqlite.query("INSERT INTO key_check (id, mark) VALUES (1, ?) ON CONFLICT DO NOTHING").run(check);
}

/** Errors for the operator; `folder` is a data folder or a backup. */
export function missingKey(folder: string): Fault {
  return new Fault(
    "unavailable",
    `The key file secret.key is missing in ${folder}, whose database needs it: private links, stop lists and the list of what was erased cannot be used with another one. ${ADVICE}`,
  );
}

export function wrongKey(folder: string): Fault {
  return new Fault(
    "unavailable",
    `The key file secret.key in ${folder} is not the key that its database was written with. ${ADVICE}`,
  );
}

const ADVICE =
  "Put the right secret.key back, or restore a whole backup (pet-alert restore). If the key is lost for good, start on an empty folder: pet-alert export reads the alerts without it.";

/** Maximum of sealed links that are tried. The key may have been replaced once, so one that opens is enough. */
const SEALED_MAX = 50;

function newestSealed(sqlite: Database): string[] {
  return sqlite
    .query<{ sealed: string }, [number]>("SELECT sealed FROM link ORDER BY rowid DESC LIMIT ?")
    .all(SEALED_MAX)
    .map(({ sealed }) => sealed);
}

/** Tables that have rows in every database. */
const ALWAYS_FILLED = new Set(["migration", "counter", "key_check"]);

function isUnused(sqlite: Database): boolean {
  return tablesOf(sqlite)
    .filter((name) => !ALWAYS_FILLED.has(name))
    .every((name) => sqlite.query(`SELECT 1 FROM "${name}" LIMIT 1`).get() === null);
}

function tablesOf(sqlite: Database): string[] {
  return sqlite
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all()
    .map(({ name }) => name);
}
