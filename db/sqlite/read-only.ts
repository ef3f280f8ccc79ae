import { constants, Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";

/**
 * Opens a database read-only, without creating or deleting a file. The write-ahead log belongs to the process that serves
 * the folder; without one, nothing is serving it, and SQLite must not create a log, which the service may then not open
 * because it belongs to another user.
 */
export function openFileToRead(file: string): Database {
  if (!existsSync(`${file}-wal`))
    return new Database(
      `${pathToFileURL(file).href}?immutable=1`,
      constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
    );
  const sqlite = new Database(file, { readonly: true, strict: true });
  sqlite.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
  return sqlite;
}
