import type { OpenDatabase } from "./open.ts";

/** Write-ahead log of a database, which contains earlier versions of pages: erased data stays in it until it is wiped. */
export function createWriteAheadLog({ sqlite }: Pick<OpenDatabase, "sqlite">) {
  // It is unknown what the previous process left in it.
  let isOwed = true;

  function truncate(): void {
    isOwed = true;
    const answer = sqlite.query("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
    isOwed = answer.busy !== 0;
  }

  return {
    /**
     * Wipes it after a commit, or leaves that to `wipeOwed` if other processes are reading the database or the disk fails:
     * what was committed must not be told as failed.
     */
    wipe(): void {
      try {
        truncate();
      } catch {
        // It stays owed.
      }
    },
    /** Wipes it if `wipe` could not, or if it was not called yet. Does not wait for other processes. */
    wipeOwed(): void {
      if (isOwed) truncate();
    },
  };
}
