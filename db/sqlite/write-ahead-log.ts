import { BUSY_MS, type OpenDatabase } from "./open.ts";

/** The log of a database file, which holds pages as they were: what was erased lies there until it is wiped. */
export type WriteAheadLog = {
  /** Wipes it now, or, where others read the database, as soon as `wipeOwed` finds that they have ended. Waits for nobody. */
  wipe(): void;
  /** Wipes it if that could not be done when it was asked for, and before anything else was. */
  wipeOwed(): void;
};

export function writeAheadLogOf({ sqlite }: Pick<OpenDatabase, "sqlite">): WriteAheadLog {
  // What the process before this one left there is not known.
  let isOwed = true;

  function wipe(): void {
    isOwed = true;
    // All requests would wait with it: a backup reads for minutes.
    sqlite.run("PRAGMA busy_timeout = 0");
    try {
      const answer = sqlite.query("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
      isOwed = answer.busy !== 0;
    } finally {
      sqlite.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
    }
  }

  return {
    wipe,
    wipeOwed() {
      if (isOwed) wipe();
    },
  };
}
