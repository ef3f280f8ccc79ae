import type { Pool } from "./connection.ts";
import { keyCheck, link } from "./schema.ts";

/** Maximum of sealed links that are tried. The key may have been replaced once, so one that opens is enough. */
const SEALED_MAX = 50;

/**
 * Compares the key of a node with the one that the database was written with; returns whether it is the same. The first node
 * decides: its key is that of the database. `check` is `keyCheckOf` of the key; `opens` returns whether the key unseals a
 * text, for a database that has links but no check value.
 */
export async function keyFits(
  { db }: Pool,
  check: string,
  opens: (sealed: string) => boolean,
): Promise<boolean> {
  const known = await storedCheck(db);
  if (known !== null) return known === check;
  const links = await db.select({ sealed: link.sealed }).from(link).limit(SEALED_MAX);
  if (links.length > 0 && !links.some(({ sealed }) => opens(sealed))) return false;
  await db
    .insert(keyCheck)
    .values({ id: 1, mark: check })
    // Another node may have been first.
    .onConflictDoNothing();
  return (await storedCheck(db)) === check;
}

async function storedCheck(db: Pool["db"]): Promise<string | null> {
  const [row] = await db.select({ mark: keyCheck.mark }).from(keyCheck);
  return row?.mark ?? null;
}
