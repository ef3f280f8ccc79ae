import { eq, sql } from "drizzle-orm";
import type { Queries, Reader } from "../context.ts";
import { firstRows } from "../jobs.ts";
import { lead, ledger } from "./node-schema.ts";

/** Lease of the node that leads, by the clock of the database. */
export function leadQueries({ db, rows }: Reader) {
  return {
    async takeLead(node, leaseMs) {
      const taken = await db
        .insert(lead)
        .values({ id: 1, node, endsAt: sql`clock_timestamp() + ${leaseMs} * interval '1 ms'` })
        .onConflictDoUpdate({
          target: lead.id,
          set: { node: sql`excluded.node`, endsAt: sql`excluded.ends_at` },
          setWhere: sql`${lead.node} = ${node} or ${lead.endsAt} <= clock_timestamp()`,
        })
        .returning({ id: lead.id });
      return taken.length > 0;
    },

    async endLead(node) {
      await db.delete(lead).where(eq(lead.node, node));
    },

    async databaseTime() {
      const [row] = await rows<{ readonly now: number }>(
        sql`select extract(epoch from clock_timestamp())::float8 * 1000 as now`,
      );
      if (row === undefined) throw new Error("the clock returned no row");
      return row.now;
    },
  } satisfies Queries;
}

/** Maximum of rows of the ledger that one statement deletes, and of statements. Together more than the writes of a minute. */
const LEDGER_BATCH = 20_000;
const LEDGER_BATCHES_MAX = 10;

/** Deletes old rows of the ledger, by the clock of the database. */
export async function sweepLedger(reader: Reader): Promise<void> {
  const over = sql`${ledger.at} < now() - interval '1 hour'`;
  for (let nth = 0; nth < LEDGER_BATCHES_MAX; nth++) {
    const rows = await reader.db
      .delete(ledger)
      .where(firstRows(reader, ledger, over, LEDGER_BATCH))
      .returning({ one: sql`1` });
    if (rows.length < LEDGER_BATCH) return;
  }
}
