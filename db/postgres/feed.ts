import { SQL } from "bun";
import { answerWithin, optionsOf, type Pool, STATEMENT_MS_MAX } from "./connection.ts";

/** Channel of the hints that something has changed. */
const CHANNEL = "pet_alert_changes";
/** Shortest time between two hints of one node: a hint stands for all changes before it. */
const HINT_MS = 50;
/** Longest wait for the first connection. */
const FOLLOW_MS_MAX = 5_000;

/** Hints to the other nodes that there are changes to read. They may be lost: nodes also read without. */
export type Notifier = {
  /** Gives a hint, soon. */
  notify(): void;
  /** Resolves once no hint waits to be given. */
  settled(): Promise<void>;
};

/**
 * Hints by connections of the pool, outside of transactions: commits that notify wait for each other, which in a
 * measurement made them six times slower.
 */
export function createNotifier({ use }: Pick<Pool, "use">): Notifier {
  let giving: Promise<void> | null = null;
  let isWanted = false;

  async function giveAll(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      const pause = Bun.sleep(HINT_MS);
      await use(sendNotification).catch(() => {});
      await pause;
    }
    giving = null;
  }

  return {
    notify() {
      isWanted = true;
      giving ??= giveAll();
    },
    settled: async () => giving ?? undefined,
  };
}

function sendNotification(client: Pick<SQL, "unsafe">): Promise<unknown> {
  return answerWithin(STATEMENT_MS_MAX, client.unsafe(`select pg_notify('${CHANNEL}', '')`));
}

/**
 * Listens for hints on a connection of its own, which is opened again when it is lost; that counts as a hint. Returns a
 * function that ends it. Without an answer, as from a pooler in transaction mode, there are no hints.
 */
export async function listen(url: string, onHint: () => void): Promise<() => Promise<void>> {
  const sql = new SQL({ ...optionsOf(url), max: 1 });
  await answerWithin(FOLLOW_MS_MAX, sql.listen(CHANNEL, onHint, onHint)).catch(() => {});
  return () => sql.close({ timeout: 0 });
}

/** True if hints arrive; false through a pooler in transaction mode. Throws if the server cannot be asked. */
export async function notificationsArrive(url: string): Promise<boolean> {
  const heard = Promise.withResolvers<boolean>();
  const sql = new SQL({ ...optionsOf(url), max: 1 });
  try {
    await answerWithin(
      FOLLOW_MS_MAX,
      sql.listen(CHANNEL, () => heard.resolve(true)),
    );
    await sendNotification(sql);
    return await answerWithin(HEARD_MS_MAX, heard.promise).catch(() => false);
  } finally {
    await sql.close({ timeout: 0 });
  }
}

/** Far longer than a notification takes. */
const HEARD_MS_MAX = 3_000;
