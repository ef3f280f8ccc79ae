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
import { CAPS } from "../src/core/caps.ts";
import { DAY_MS, HOUR_MS } from "../src/core/duration.ts";
import { CONFIRMED_KEEP_MS } from "../src/core/pending/pending.ts";
import { DEAD_KEEP_MS, FAILURE_KEEP_MS } from "../src/core/people/suppression.ts";
import { lockAlert, selectAlerts } from "./alerts.ts";
import type { Reader, Queries, StoreTools } from "./context.ts";
import { wipeAlerts } from "./personal-data.ts";
import { insertLinks, unlessLinkTaken } from "./links.ts";
import { insertEmails, withdrawPlanEmails } from "./outbox.ts";
import { freePhotos } from "./photos.ts";
import { idsOf, first, hasRow } from "./queries.ts";
import { wipeRequests } from "./pending.ts";

export function jobQueries(tools: StoreTools) {
  const { db, dialect, tables, write } = tools;
  const { alert, counter, pending, reminder } = tables;
  return {
    async heartbeat() {
      const row = await first(db.select().from(counter));
      return row === undefined || row.beatAt === null || row.steadySince === null
        ? null
        : { at: row.beatAt, steadySince: row.steadySince };
    },

    async recordHeartbeat({ at, steadySince }) {
      await write([], async (tx) => {
        await tx.db.update(counter).set({ beatAt: at, steadySince });
        for (const [table, dueAt, waiting, most] of DUE_TIMES)
          await tx.run(sql`
            update ${sql.identifier(table)} set ${sql.identifier(dueAt)} = ${at}
            where ${sql.raw(waiting)} and ${sql.identifier(dueAt)} > ${at + most}`);
      });
    },

    dueReminders(now, withinMs, limit) {
      // A reminder closer to the end replaces those further from it.
      const isSent = and(
        eq(reminder.alertId, alert.id),
        eq(reminder.expiresAt, alert.expiresAt),
        lte(reminder.withinMs, withinMs),
      );
      const reminded = db.select({ alertId: reminder.alertId }).from(reminder).where(isSent);
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
        const ending = tx.db.select({ id: alert.id }).from(alert).where(isOver).limit(limit);
        const over = await dialect.locking(ending, "no key update", { skipLocked: true });
        await tx.db
          .update(alert)
          .set({ status: "expired", endedAt: sql`${alert.expiresAt}`, updatedAt: now })
          .where(dialect.inList(alert.id, idsOf(over)));
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
        const ended = tx.db.select({ id: alert.id }).from(alert).where(due).limit(limit);
        const ids = idsOf(await dialect.locking(ended, "no key update", { skipLocked: true }));
        await wipeAlerts(tx, ids, now);
        await tx.oweErasure();
        return ids.length;
      });
    },

    async sweep({ now, before, hitsBefore, auditLogBefore }, limit) {
      const { claimEdit, confirmationEmail, confirmedMailbox, erasure, hit } = tables;
      const { memberAction, moderation, outbox, report, sessionKey, suppression, zone, zoneNews } =
        tables;
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
        [
          confirmationEmail,
          lt(confirmationEmail.sentAt, now - CAPS.confirmationEmailsPerMailbox.windowMs),
        ],
        [confirmedMailbox, lt(confirmedMailbox.confirmedAt, now - CONFIRMED_KEEP_MS)],
        [sessionKey, lte(sessionKey.expiresAt, now)],
        [erasure, lte(erasure.expiresAt, now)],
      ];
      await write([], async (tx) => {
        const ended = await wipeRequests(tx, firstRows(tx, pending, unconfirmed, limit));
        const old = firstRows(tx, pending, lt(pending.createdAt, before), limit);
        const deleted = await tx.db.delete(pending).where(old).returning({ id: pending.id });
        await freePhotos(tx, "pending", idsOf(deleted));
        let changed = ended.length + deleted.length;
        for (const [table, which] of outdated) {
          const gone = firstRows(tx, table, which, limit);
          const rows = await tx.db.delete(table).where(gone).returning(ONE);
          changed += rows.length;
        }
        if (changed > 0) await tx.oweErasure();
      });
    },
  } satisfies Queries;
}

/** Times at which something is due, and longer than it ever waits: a later time was written while the clock was ahead. */
const DUE_TIMES: readonly (readonly [
  table: string,
  dueAt: string,
  waiting: string,
  most: number,
])[] = [
  ["outbox", "due_at", "state = 'waiting'", 2 * HOUR_MS],
  ["zone_news", "due_at", "notified_at is null", 2 * DAY_MS],
  ["match_notice", "due_at", "notified_at is null", 2 * DAY_MS],
  ["alert", "compare_at", "compared_at is null and status = 'active'", 2 * DAY_MS],
  ["device_topic", "due_at", "push_id is not null", 2 * DAY_MS],
  ["device_topic", "news_due_at", "news_due_at is not null", 2 * DAY_MS],
];

const ONE = { one: sql`1` };

/** Condition for the first rows, up to the limit, for which another one holds; without those that others change just now. */
export function firstRows(
  { db, dialect }: Reader,
  table: PgTable,
  which: SQL | undefined,
  limit: number,
): SQL {
  const rows = db.select({ place: dialect.rowId }).from(table).where(which).limit(limit);
  return dialect.hasRowId(dialect.locking(rows, "update", { skipLocked: true }));
}
