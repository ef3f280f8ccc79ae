import { first } from "../queries.ts";
import type { Pool } from "./connection.ts";

/**
 * Compares the key of a node with the one that the database was written with; returns whether it is the same. The first node
 * decides: its key is that of the database. `check` is `keyCheckOf` of the key.
 */
export async function keyFits({ db, tables: { keyCheck } }: Pool, check: string): Promise<boolean> {
  // Another node may have been first.
  await db.insert(keyCheck).values({ id: 1, mark: check }).onConflictDoNothing();
  const stored = await first(db.select({ mark: keyCheck.mark }).from(keyCheck));
  return stored?.mark === check;
}
