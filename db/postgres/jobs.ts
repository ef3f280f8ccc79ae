import {
  and,
  asc,
  eq,
  gt,
  isNotNull,
  isNull,
  lt,
  lte,
  notExists,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { BUDGET_MS } from "../../src/core/confirmation/mailbox-budget.ts";
import { CONFIRMED_KEEP_MS } from "../../src/core/confirmation/pending.ts";
import { DEAD_KEEP_MS, FAILURE_KEEP_MS } from "../../src/core/suppression.ts";
import { idsOf } from "../expressions.ts";
import { ENDED, WIPED_OWNER } from "../rows.ts";
import { lockAlert, selectAlerts } from "./alerts.ts";
import { sweepClaims } from "./claims.ts";
import type { Reader } from "./connection.ts";
import type { Queries, StoreTools } from "./context.ts";
import { erasePrivateParts, redirectGroupLinks } from "./erased-rows.ts";
import { first, hasRow, inList } from "./expressions.ts";
import { insertLinks, unlessLinkTaken } from "./links.ts";
import { confirmationEmail, confirmedMailbox, suppression } from "./mailbox-schema.ts";
import { claimEdit } from "./match-schema.ts";
import { adminKey, moderation, report } from "./moderation-schema.ts";
import { memberAction, memberKey } from "./organisation-schema.ts";
import { done, lead } from "./node-schema.ts";
import { insertEmails, withdrawPlanEmails } from "./outbox.ts";
import { freePhotos } from "./photos.ts";
import { alert, counter, erasure, hit, outbox, pending, reminder, zone } from "./schema.ts";
import { zoneNews } from "./zone-schema.ts";
import { oweVacuum } from "./upkeep.ts";

export function jobQueries(tools: StoreTools) {
  const { db, write } = tools;
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
      const [row] = await db.execute<{ readonly now: number }>(
        sql`select extract(epoch from clock_timestamp())::float8 * 1000 as now`,
      );
      if (row === undefined) throw new Error("the clock returned no row");
      return row.now;
    },

    async heartbeat() {
      const row = await first(db.select().from(counter));
      return row === undefined || row.beatAt === null || row.steadySince === null
        ? null
        : { at: row.beatAt, steadySince: row.steadySince };
    },

    async recordHeartbeat({ at, steadySince }) {
      await write([], (tx) => tx.db.update(counter).set({ beatAt: at, steadySince }));
      // Each write adds a row to it. Unlike what `sweep` deletes, it needs no trust in the clock of this process.
      await sweepLedger(tools);
      await sweepClaims(tools);
    },

    dueReminders(now, withinMs, limit) {
      // A reminder closer to the end replaces those further from it.
      const reminded = db
        .select({ alertId: reminder.alertId })
        .from(reminder)
        .where(
          and(
            eq(reminder.alertId, alert.id),
            eq(reminder.expiresAt, alert.expiresAt),
            lte(reminder.withinMs, withinMs),
          ),
        );
      const endsSoon = and(gt(alert.expiresAt, now), lte(alert.expiresAt, now + withinMs));
      const wanted = and(
        isNotNull(alert.ownerEmail),
        eq(alert.remindersMuted, false),
        isNull(alert.source),
      );
      const due = and(sql`status = 'active'`, endsSoon, wanted, notExists(reminded));
      return selectAlerts(tools, due, limit, asc(alert.expiresAt));
    },

    async addReminder(reminded, withinMs, email, links) {
      const asSeen = and(
        eq(alert.id, reminded.id),
        eq(alert.status, "active"),
        eq(alert.expiresAt, reminded.expiresAt),
      );
      const adding = write([], async (tx) => {
        if (!(await lockAlert(tx, asSeen))) return;
        const entry = { alertId: reminded.id, expiresAt: reminded.expiresAt, withinMs };
        const added = await tx.db
          .insert(reminder)
          .values(entry)
          .onConflictDoNothing()
          .returning({ alertId: reminder.alertId });
        if (added.length === 0) return;
        await insertLinks(tx, links);
        await insertEmails(tx, [email], `alert:${reminded.id}`);
      });
      await unlessLinkTaken(adding);
    },

    expireAlerts(now, limit) {
      const isOver = and(sql`status = 'active'`, lte(alert.expiresAt, now));
      return write([], async (tx) => {
        const over = await tx.db
          .select({ id: alert.id })
          .from(alert)
          .where(isOver)
          .limit(limit)
          .for("no key update", { skipLocked: true });
        await tx.db
          .update(alert)
          .set({ status: "expired", endedAt: sql`${alert.expiresAt}`, updatedAt: now })
          .where(inList(alert.id, idsOf(over)));
        for (const { id } of over) tx.changes.alerts.add(id);
        await withdrawPlanEmails(tx, idsOf(over), now);
        return over.length;
      });
    },

    async eraseEnded(endedBefore, now, limit) {
      const due = and(
        isNotNull(alert.endedAt),
        isNull(alert.erasedAt),
        lt(alert.endedAt, endedBefore),
      );
      // Usually nothing is due.
      if (!(await hasRow(tools, alert, due))) return 0;
      return write([], async (tx) => {
        const ended = await tx.db
          .select({ id: alert.id })
          .from(alert)
          .where(due)
          .limit(limit)
          .for("no key update", { skipLocked: true });
        const ids = idsOf(ended);
        await redirectGroupLinks(tx, ids);
        await tx.db
          .update(alert)
          .set({ ...WIPED_OWNER, erasedAt: now })
          .where(inList(alert.id, ids));
        await erasePrivateParts(tx, ids, now);
        await oweVacuum(tx);
        return ids.length;
      });
    },

    async sweep({ now, before, hitsBefore, auditLogBefore }, limit) {
      const unconfirmed = and(sql`state = 'waiting' and email <> ''`, lte(pending.expiresAt, now));
      const harmless = and(
        isNull(suppression.complainedAt),
        or(
          and(isNull(suppression.deadSince), lt(suppression.firstFailureAt, now - FAILURE_KEEP_MS)),
          lt(suppression.deadSince, now - DEAD_KEEP_MS),
        ),
      );
      const outdated: readonly (readonly [PgTable, SQL | undefined])[] = [
        [outbox, and(sql`state <> 'waiting'`, lt(outbox.closedAt, before))],
        [zone, lt(zone.endedAt, before)],
        [zoneNews, lt(zoneNews.notifiedAt, before)],
        [claimEdit, lt(claimEdit.at, before)],
        [hit, lt(hit.at, hitsBefore)],
        [report, or(lt(report.handledAt, before), lt(report.createdAt, auditLogBefore))],
        [moderation, lt(moderation.at, auditLogBefore)],
        [memberAction, lt(memberAction.at, auditLogBefore)],
        [suppression, harmless],
        [confirmationEmail, lt(confirmationEmail.sentAt, now - BUDGET_MS)],
        [confirmedMailbox, lt(confirmedMailbox.confirmedAt, now - CONFIRMED_KEEP_MS)],
        [adminKey, lte(adminKey.expiresAt, now)],
        [memberKey, lte(memberKey.expiresAt, now)],
        [erasure, lte(erasure.expiresAt, now)],
      ];
      await write([], async (tx) => {
        const ended = await tx.db
          .update(pending)
          .set(ENDED)
          .where(firstRows(tx, pending, unconfirmed, limit))
          .returning({ id: pending.id });
        const deleted = await tx.db
          .delete(pending)
          .where(firstRows(tx, pending, lt(pending.createdAt, before), limit))
          .returning({ id: pending.id });
        await freePhotos(
          tx,
          [...ended, ...deleted].map(({ id }) => `pending:${id}` as const),
        );
        let changed = ended.length + deleted.length;
        for (const [table, which] of outdated) {
          const rows = await tx.db
            .delete(table)
            .where(firstRows(tx, table, which, limit))
            .returning({ one: sql`1` });
          changed += rows.length;
        }
        if (changed > 0) await oweVacuum(tx);
      });
    },
  } satisfies Queries;
}

/** Maximum of rows of the ledger that one statement deletes, and of statements. Together more than the writes of a minute. */
const LEDGER_BATCH = 20_000;
const LEDGER_BATCHES_MAX = 10;

/** Deletes old rows of the ledger, by the clock of the database. */
async function sweepLedger({ db }: Reader): Promise<void> {
  const over = sql`${done.at} < now() - interval '1 hour'`;
  for (let nth = 0; nth < LEDGER_BATCHES_MAX; nth++) {
    const rows = await db
      .delete(done)
      .where(firstRows({ db }, done, over, LEDGER_BATCH))
      .returning({ one: sql`1` });
    if (rows.length < LEDGER_BATCH) return;
  }
}

/** Condition for the first rows, up to the limit, for which another one holds; without those that others change just now. */
function firstRows({ db }: Reader, table: PgTable, which: SQL | undefined, limit: number): SQL {
  const rows = db
    .select({ place: sql`ctid` })
    .from(table)
    .where(which)
    .limit(limit)
    .for("update", { skipLocked: true });
  // An array is read once; a subquery might be read again for each row, past the limit. Locked rows keep their place.
  return sql`ctid = any(array(${rows}))`;
}
