import type { Database } from "bun:sqlite";
import { Fault } from "../../src/core/fault.ts";

/** Result of comparing a key with the one a database was written with; `unused` if it contains nothing yet that needs a key. */
export type KeyState = "unused" | "fits" | "differs";

/** Compares a key with the one that the database was written with. `check` is `keyCheckOf` of the key, or null without a key. */
export function keyStateOf(sqlite: Database, check: string | null): KeyState {
  const stored = storedKeyCheck(sqlite);
  if (stored !== null) return stored === check ? "fits" : "differs";
  return isUnused(sqlite) ? "unused" : "differs";
}

/** Check value stored in a database; null if there is none. */
export function storedKeyCheck(sqlite: Database): string | null {
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

/** True if no table has rows, but for those that every database has. */
function isUnused(sqlite: Database): boolean {
  return sqlite
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('migration', 'counter', 'key_check')",
    )
    .all()
    .every(({ name }) => sqlite.query(`SELECT 1 FROM "${name}" LIMIT 1`).get() === null);
}
