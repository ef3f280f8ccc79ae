import {
  and,
  asc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  notExists,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { BUDGET_MS } from "../../src/core/confirmation/mailbox-budget.ts";
import { CONFIRMED_KEEP_MS } from "../../src/core/confirmation/pending.ts";
import { DEAD_KEEP_MS, FAILURE_KEEP_MS } from "../../src/core/suppression.ts";
import { selectAlerts } from "./alerts.ts";
import type { Queries, StoreTools } from "./context.ts";
import { ENDED, WIPED_OWNER } from "../rows.ts";
import { erasePrivateParts, redirectGroupLinks } from "./erased-rows.ts";
import { idsOf } from "../expressions.ts";
import { hasRow, inList } from "./expressions.ts";
import { insertLinks } from "./links.ts";
import { confirmationEmail, confirmedMailbox, suppression } from "./mailbox-schema.ts";
import { claimEdit } from "./match-schema.ts";
import { adminKey, moderation, report } from "./moderation-schema.ts";
import { memberAction, memberKey } from "./organisation-schema.ts";
import { insertEmails, withdrawPlanEmails } from "./outbox.ts";
import { freePhotos } from "./photos.ts";
import {
  alert,
  counter,
  erasure,
  hit,
  outbox,
  pending,
  reminder,
  zone,
  zoneNews,
} from "./schema.ts";

export function jobQueries(tools: StoreTools) {
  const { db, write, nextRevision } = tools;
  return {
    // One process has the database to itself.
    takeLead: () => true,
    endLead() {},
    databaseTime: () => null,

    heartbeat() {
      const row = db.select().from(counter).get();
      return row === undefined || row.beatAt === null || row.steadySince === null
        ? null
        : { at: row.beatAt, steadySince: row.steadySince };
    },

    recordHeartbeat({ at, steadySince }) {
      write(() => db.update(counter).set({ beatAt: at, steadySince }).run());
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

    addReminder(reminded, withinMs, email, links) {
      write(() => {
        const asSeen = and(
          eq(alert.id, reminded.id),
          eq(alert.status, "active"),
          eq(alert.expiresAt, reminded.expiresAt),
        );
        if (!hasRow(db, alert, asSeen)) return;
        const entry = { alertId: reminded.id, expiresAt: reminded.expiresAt, withinMs };
        const first = db.insert(reminder).values(entry).onConflictDoNothing().returning().get();
        if (first === undefined) return;
        insertLinks(tools, links);
        insertEmails(tools, [email], `alert:${reminded.id}`);
      });
    },

    expireAlerts(now, limit) {
      return write(() => {
        const over = db
          .select({ id: alert.id, publishedAt: alert.publishedAt, expiresAt: alert.expiresAt })
          .from(alert)
          .where(and(sql`status = 'active'`, lte(alert.expiresAt, now)))
          .limit(limit)
          .all();
        for (const { publishedAt, expiresAt } of over) {
          db.update(alert)
            .set({
              status: "expired",
              endedAt: expiresAt,
              updatedAt: now,
              revision: nextRevision(),
            })
            .where(eq(alert.publishedAt, publishedAt))
            .run();
        }
        withdrawPlanEmails(tools, idsOf(over), now);
        return over.length;
      });
    },

    eraseEnded(endedBefore, now, limit) {
      const due = and(
        isNotNull(alert.endedAt),
        isNull(alert.erasedAt),
        lt(alert.endedAt, endedBefore),
      );
      const ended = () => db.select({ id: alert.id }).from(alert).where(due).limit(limit).all();
      // A read takes no lock, and usually nothing is due.
      if (ended().length === 0) return 0;
      const erased = write(() => {
        const ids = ended().map(({ id }) => id);
        redirectGroupLinks(tools, ids);
        db.update(alert)
          .set({ ...WIPED_OWNER, erasedAt: now })
          .where(inList(alert.id, ids))
          .run();
        erasePrivateParts(tools, ids, now);
        return ids.length;
      });
      tools.clearLog();
      return erased;
    },

    sweep({ now, before, hitsBefore, auditLogBefore }, limit) {
      const unconfirmed = and(
        eq(pending.state, "waiting"),
        lte(pending.expiresAt, now),
        ne(pending.email, ""),
      );
      const harmless = and(
        isNull(suppression.complainedAt),
        or(
          and(isNull(suppression.deadSince), lt(suppression.firstFailureAt, now - FAILURE_KEEP_MS)),
          lt(suppression.deadSince, now - DEAD_KEEP_MS),
        ),
      );
      const outdated: readonly (readonly [SQLiteTable, SQL | undefined])[] = [
        [outbox, and(ne(outbox.state, "waiting"), lt(outbox.closedAt, before))],
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
      /** Condition for the first rows, up to the limit, for which another one holds. */
      const first = (table: SQLiteTable, which: SQL | undefined) =>
        inArray(
          sql`rowid`,
          db
            .select({ rowid: sql`rowid` })
            .from(table)
            .where(which)
            .limit(limit),
        );
      const changed = write(() => {
        const requests = [
          ...db.update(pending).set(ENDED).where(first(pending, unconfirmed)).returning().all(),
          ...db
            .delete(pending)
            .where(first(pending, lt(pending.createdAt, before)))
            .returning()
            .all(),
        ];
        freePhotos(
          tools,
          requests.map(({ id }) => `pending:${id}` as const),
        );
        const deleted = outdated.flatMap(([table, which]) =>
          db
            .delete(table)
            .where(first(table, which))
            .returning({ row: sql`1` })
            .all(),
        );
        return requests.length + deleted.length;
      });
      if (changed > 0) tools.clearLog();
    },
  } satisfies Queries;
}
