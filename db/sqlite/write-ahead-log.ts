import type { OpenDatabase } from "./open.ts";

/** Write-ahead log of a database, which contains earlier versions of pages: erased data stays in it until it is wiped. */
export function createWriteAheadLog({ sqlite }: Pick<OpenDatabase, "sqlite">) {
  // It is unknown what the previous process left in it.
  let isOwed = true;

  /** Wipes it now, or in a later `wipeOwed` if other processes are reading the database. Does not wait for them. */
  function wipe(): void {
    isOwed = true;
    const answer = sqlite.query("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
    isOwed = answer.busy !== 0;
  }

  return {
    wipe,
    /** Wipes it if that is possible now: what was committed must not be told as failed. `wipeOwed` tells what lasts. */
    wipeAfterCommit(): void {
      try {
        wipe();
      } catch {
        // It stays owed.
      }
    },
    /** Wipes it if an earlier `wipe` could not, or if there was none yet. */
    wipeOwed(): void {
      if (isOwed) wipe();
    },
  };
}
