import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { createBackups, lastBackupAt } from "../../db/sqlite/backups/daily-backups.ts";
import {
  type KeyState,
  keyStateOf,
  missingKey,
  storeKeyCheck,
  wrongKey,
} from "../../db/sqlite/key-check.ts";
import { createOldCopies } from "../../db/sqlite/backups/old-copies.ts";
import { type OpenDatabase, openDatabase, openToRead } from "../../db/sqlite/open.ts";
import { createSqliteStore } from "../../db/sqlite/store.ts";
import { openTombstones } from "../../db/sqlite/tombstones.ts";
import type { Config } from "../settings/config.ts";
import { createDailyCopies } from "../backups/daily-copies.ts";
import { requireCopyKey } from "../settings/backup-copies.ts";
import { Fault } from "../core/fault.ts";
import { createEmailFiles } from "../mail/email-files.ts";
import { mailFolder } from "../mail/settings.ts";
import type { Log } from "../ops/log.ts";
import { generateKey, keyCheckOf, readKey } from "../ops/secret-key.ts";
import { createSecrets } from "../ops/secrets.ts";
import { openPhotoFolder } from "../photos/photo-folder.ts";
import type { ReadOnlyStorage, Storage } from "./storage.ts";
import type { Clock, Secrets } from "../core/instance.ts";

const FOLDER_WAS_OPEN =
  "Other users of this machine could enter the data folder; now only its owner can.";

/**
 * Opens a data folder, which no other process may use. Throws `Fault` with a sentence for the operator when it is in use,
 * damaged or from a newer version.
 */
export async function openFolder(
  config: Config,
  clock: Clock,
  log: Log,
  freeBytes = freeBytesOf(config.dataDir),
): Promise<Storage> {
  const { dataDir } = config;
  const copies =
    config.backupCopy === null
      ? null
      : createDailyCopies({ dataDir, log, ...requireCopyKey(config.backupCopy) });
  const { database, secrets } = openWithKey(dataDir);
  const store = createSqliteStore(database, openTombstones(dataDir, secrets.keyedHash), (error) =>
    log("database_damaged", { error }),
  );
  if (database.wasOpenToOthers) log("data_folder", { text: FOLDER_WAS_OPEN });
  return {
    store,
    secrets,
    photos: await openPhotoFolder({ folder: join(dataDir, "photos"), clock, freeBytes }),
    emailFiles: createEmailFiles(mailFolder(config)),
    disk: { folder: dataDir, freeBytes },
    follow: null,
    archive: null,
    lastBackupAt: (now) => lastBackupAt(dataDir, now),
    copies: copies && copies.state,
    createJobs(isSteady) {
      const backups = createBackups({ dataDir, keep: config.backupKeep, log });
      const oldCopies = createOldCopies({ dataDir, isSteady, log });
      return {
        async tick(now) {
          await oldCopies.tick(now);
          // Not awaited: a backup takes long and runs in its own thread.
          void backups.tick(now);
          void copies?.tick(now, isSteady);
        },
        async stop() {
          await Promise.all([backups.stop(), copies?.stop()]);
        },
      };
    },
    releaseMemory: database.shrink,
  };
}

function freeBytesOf(folder: string): () => Promise<number> {
  return async () => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };
}

/**
 * Opens a data folder, which may be in use, for reading. Without the key, nothing can be unsealed. Throws `Fault` with a
 * sentence when it cannot be read.
 */
export function openFolderToRead({ dataDir }: Config): ReadOnlyStorage {
  return {
    store: createSqliteStore(openToRead(dataDir)),
    readSecrets() {
      const key = readKey(dataDir);
      if (key === null) throw missingKey(dataDir);
      return createSecrets(key);
    },
  };
}

/**
 * Compares the key of a data folder, which may be in use, with its database. Returns the fault that `openFolder` would
 * throw; "unknown" if there is no readable database or no need for a key yet.
 */
export function examineKey(dataDir: string): "fits" | "unknown" | Fault {
  let database: OpenDatabase | undefined;
  try {
    database = openToRead(dataDir);
    const key = readKey(dataDir);
    const state = keyState(database, key);
    if (state === "unused") return "unknown";
    if (key === null) return missingKey(dataDir);
    return state === "differs" ? wrongKey(dataDir) : "fits";
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return database === undefined ? "unknown" : error;
  } finally {
    database?.close();
  }
}

/**
 * Opens the database and the key of a data folder. A key is generated only for an empty folder. Throws `Fault` with a
 * sentence for the operator when the key is missing, unreadable or a different one.
 */
function openWithKey(dataDir: string): {
  readonly database: OpenDatabase;
  readonly secrets: Secrets;
} {
  // The database first: if it cannot be opened, the folder must not get a key.
  const database = openDatabase(dataDir);
  try {
    const known = readKey(dataDir);
    const state = keyState(database, known);
    if (state === "differs") throw known === null ? missingKey(dataDir) : wrongKey(dataDir);
    // The key is written before the database refers to it, so that the folder still opens after a crash in between.
    const key = known ?? generateKey(dataDir);
    if (state !== "fits") storeKeyCheck(database.sqlite, keyCheckOf(key));
    return { database, secrets: createSecrets(key) };
  } catch (error) {
    database.close();
    throw error;
  }
}

function keyState(database: OpenDatabase, key: Uint8Array | null): KeyState {
  return keyStateOf(database.sqlite, key === null ? null : keyCheckOf(key));
}
