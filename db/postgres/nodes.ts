import { CryptoHasher } from "bun";
import { and, eq, ne, sql } from "drizzle-orm";
import { boolean, check, index, pgTable, primaryKey, timestamp, uuid } from "drizzle-orm/pg-core";
import type { Claims, Db, Duty, Queries, Reader, Write } from "../context.ts";
import { firstRows } from "../jobs.ts";
import type { Pool } from "./connection.ts";
import { POSTGRES_COLUMNS } from "../schema/columns.ts";

const { number, row, text } = POSTGRES_COLUMNS;

// Tables that SQLite lacks: nodes and transactions on one database, by its clock.

/** Lease of the node that leads, in one row; by the clock of the database. */
export const lead = pgTable(
  "lead",
  {
    id: number().primaryKey(),
    node: text().notNull(),
    endsAt: timestamp("ends_at", { withTimezone: true }).notNull(),
  },
  (table) => [check("lead_is_one_row", sql`${table.id} = 1`)],
);

/** Work that a node does for the others: see `createClaims`. */
export const claim = pgTable(
  "claim",
  {
    duty: text().$type<Duty>().notNull(),
    /** Id of an alert, or hash of a mailbox. */
    subject: text().notNull(),
    node: text().notNull(),
    endsAt: timestamp("ends_at", { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.duty, table.subject] })],
);

/** A row for each transaction that erased something, until the old versions of rows were removed. */
export const vacuumOwed = pgTable("vacuum_owed", {
  id: row(),
});

/**
 * A row for each write transaction that was committed. It tells the outcome of a commit whose answer was lost. Rows
 * are deleted after an hour.
 */
export const ledger = pgTable(
  "ledger",
  {
    id: uuid().primaryKey().defaultRandom(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** True for a transaction that was given up, and cannot be committed any more. */
    isVoid: boolean("is_void").notNull().default(false),
  },
  (table) => [index("ledger_by_age").on(table.at)],
);

/**
 * Locks subjects until the transaction ends, in ascending order, so that no two transactions wait for each other. What is
 * read afterwards shows what the earlier holders did.
 */
export async function lockSubjects({ run }: Reader, subjects: readonly string[]): Promise<void> {
  const keys = new Set(subjects.map(lockKeyOf));
  const sorted = [...keys].sort((a, b) => (a < b ? -1 : 1)).join(",");
  await run(
    sql`select pg_advisory_xact_lock(key) from unnest(string_to_array(${sorted}, ',')::bigint[]) as key`,
  );
}

/** 64-bit key of an advisory lock. Every release has the same: nodes of two releases run side by side. */
function lockKeyOf(subject: string): bigint {
  const hash = new CryptoHasher("sha256").update(subject).digest();
  return new DataView(hash.buffer, hash.byteOffset).getBigInt64(0);
}

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

/** Time after which another node does what a node claimed and did not do. */
const CLAIM_SECONDS = 60;
const NODES_MAX = 10;

/** Claims of one node, by the clock of the database. */
export function createClaims(write: Write, node: string): Claims {
  const endsAt = sql`clock_timestamp() + ${CLAIM_SECONDS} * interval '1 s'`;
  return {
    processesMax: NODES_MAX,

    async take(duty, subjects, limit) {
      if (subjects.length === 0) return [];
      return write([`claims:${duty}`], async ({ db, dialect }) => {
        const isListed = and(eq(claim.duty, duty), dialect.inList(claim.subject, subjects));
        const isTaken = and(
          isListed,
          ne(claim.node, node),
          sql`${claim.endsAt} > clock_timestamp()`,
        );
        const taken = await db.select({ subject: claim.subject }).from(claim).where(isTaken);
        const others = new Set(taken.map(({ subject }) => subject));
        const mine = subjects.filter((subject) => !others.has(subject)).slice(0, limit);
        if (mine.length > 0)
          await db
            .insert(claim)
            .values(mine.map((subject) => ({ duty, subject, node, endsAt })))
            .onConflictDoUpdate({ target: [claim.duty, claim.subject], set: { node, endsAt } });
        return mine;
      });
    },

    async end({ db, dialect }, duty, subjects) {
      const isDone = and(eq(claim.duty, duty), dialect.inList(claim.subject, subjects));
      if (subjects.length > 0) await db.delete(claim).where(isDone);
    },
  };
}

/** Deletes claims that ended long ago: their work was no longer there. */
export async function sweepClaims({ db }: Reader): Promise<void> {
  await db.delete(claim).where(sql`${claim.endsAt} < clock_timestamp() - interval '1 hour'`);
}

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
