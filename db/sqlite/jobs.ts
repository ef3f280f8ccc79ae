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
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { BUDGET_MS } from "../../src/core/confirmation/mailbox-budget.ts";
import { CONFIRMED_KEEP_MS } from "../../src/core/confirmation/pending.ts";
import { DEAD_KEEP_MS, FAILURE_KEEP_MS } from "../../src/core/suppression.ts";
import { selectAlerts } from "./alerts.ts";
import type { Queries, StoreTools } from "./context.ts";
import { erasePrivateParts, WIPED_OWNER } from "./erased-rows.ts";
import { hasRow, inList } from "./expressions.ts";
import { insertLinks } from "./links.ts";
import { confirmationEmail, confirmedMailbox, suppression } from "./mailbox-schema.ts";
import { claimEdit } from "./match-schema.ts";
import { adminKey, moderation, report } from "./moderation-schema.ts";
import { insertEmails } from "./outbox.ts";
import { ENDED } from "./pendings.ts";
import { usePhotos } from "./photos.ts";
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
  const { db, read, write, nextRevision } = tools;
  return {
    heartbeat() {
      const row = read(() => db.select().from(counter).get());
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
          .select({ publishedAt: alert.publishedAt, expiresAt: alert.expiresAt })
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
      if (read(ended).length === 0) return 0;
      const erased = write(() => {
        const ids = ended().map(({ id }) => id);
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
      const expired = and(
        eq(pending.state, "waiting"),
        lte(pending.expiresAt, now),
        ne(pending.email, ""),
      );
      const deleteSome = (table: SQLiteTable, key: SQL | SQLiteColumn, old: SQL | undefined) => {
        const some = db
          .select({ key: sql`${key}` })
          .from(table)
          .where(old)
          .limit(limit);
        return db
          .delete(table)
          .where(inArray(sql`${key}`, some))
          .returning({ key: sql`1` })
          .all().length;
      };
      const someRequests = (which: SQL | undefined) =>
        inArray(pending.id, db.select({ id: pending.id }).from(pending).where(which).limit(limit));
      const freePhotosOf = (requests: readonly { readonly id: string }[]) => {
        for (const { id } of requests) usePhotos(tools, `pending:${id}`, []);
        return requests.length;
      };
      const id = { id: pending.id };
      const wipeRequests = () =>
        freePhotosOf(
          db.update(pending).set(ENDED).where(someRequests(expired)).returning(id).all(),
        );
      const deleteRequests = () => {
        const old = lt(pending.createdAt, before);
        return freePhotosOf(db.delete(pending).where(someRequests(old)).returning(id).all());
      };
      const outdated = and(
        isNull(suppression.complainedAt),
        or(
          and(isNull(suppression.deadSince), lt(suppression.firstFailureAt, now - FAILURE_KEEP_MS)),
          lt(suppression.deadSince, now - DEAD_KEEP_MS),
        ),
      );
      const closed = and(ne(outbox.state, "waiting"), lt(outbox.closedAt, before));
      const changed = write(
        () =>
          wipeRequests() +
          deleteRequests() +
          deleteSome(outbox, outbox.id, closed) +
          deleteSome(zone, zone.id, lt(zone.endedAt, before)) +
          deleteSome(zoneNews, sql`rowid`, lt(zoneNews.notifiedAt, before)) +
          deleteSome(claimEdit, claimEdit.id, lt(claimEdit.at, before)) +
          deleteSome(hit, sql`rowid`, lt(hit.at, hitsBefore)) +
          deleteSome(
            report,
            report.id,
            or(lt(report.handledAt, before), lt(report.createdAt, auditLogBefore)),
          ) +
          deleteSome(moderation, moderation.id, lt(moderation.at, auditLogBefore)) +
          deleteSome(suppression, suppression.mailboxHash, outdated) +
          deleteSome(
            confirmationEmail,
            confirmationEmail.id,
            lt(confirmationEmail.sentAt, now - BUDGET_MS),
          ) +
          deleteSome(
            confirmedMailbox,
            confirmedMailbox.addressHash,
            lt(confirmedMailbox.confirmedAt, now - CONFIRMED_KEEP_MS),
          ) +
          deleteSome(adminKey, adminKey.tokenHash, lte(adminKey.expiresAt, now)) +
          deleteSome(erasure, erasure.tokenHash, lte(erasure.expiresAt, now)),
      );
      if (changed > 0) tools.clearLog();
    },
  } satisfies Queries;
}
