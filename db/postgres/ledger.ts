import { sql } from "drizzle-orm";
import type { Db } from "../context.ts";
import type { Pool } from "./connection.ts";
import { ledger } from "./node-schema.ts";

/** Enters a transaction into the ledger; returns its id there. */
export async function enter(db: Db): Promise<string> {
  const [entry] = await db.insert(ledger).values({}).returning({ id: ledger.id });
  if (entry === undefined) throw new Error("the ledger returned no row");
  return entry.id;
}

/**
 * Outcome of a transaction whose answer was lost. If it has no row in the ledger yet it is given one that voids it, so that
 * it cannot be committed afterwards. While it is under way, the insertion waits for it.
 */
export async function wasCommitted({ db }: Pool, id: string): Promise<boolean> {
  const [entry] = await db
    .insert(ledger)
    .values({ id, isVoid: true })
    // The row as it is: it may have been voided by a question whose answer was lost, too.
    .onConflictDoUpdate({ target: ledger.id, set: { isVoid: sql`${ledger.isVoid}` } })
    .returning({ isVoid: ledger.isVoid });
  return entry?.isVoid === false;
}
