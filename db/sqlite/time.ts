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
import { toAlert } from "./alerts.ts";
import { among } from "./among.ts";
import { erasePrivateParts, WIPED_OWNER } from "./erased-alerts.ts";
import { insertLinks } from "./links.ts";
import { insertLetters } from "./outbox.ts";
import { usePhotos } from "./photos.ts";
import {
  adminKey,
  alert,
  counter,
  erasure,
  hit,
  moderation,
  outbox,
  pending,
  reminder,
  report,
  zone,
  zoneNews,
} from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";

type Verbs = Pick<
  SyncStore,
  "heartbeat" | "beat" | "dueReminders" | "remind" | "expireAlerts" | "eraseEnded" | "sweep"
>;

export function timeVerbs(tools: StoreTools): Verbs {
  const { db, read, write, nextRevision } = tools;
  return {
    heartbeat() {
      const row = read(() => db.select().from(counter).get());
      return row === undefined || row.beatAt === null || row.steadySince === null
        ? null
        : { at: row.beatAt, steadySince: row.steadySince };
    },

    beat({ at, steadySince }) {
      write(() => db.update(counter).set({ beatAt: at, steadySince }).run());
    },

    dueReminders(now, withinMs, limit) {
      // A nearer reminder makes the farther ones pointless.
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
      return read(() =>
        db
          .select()
          .from(alert)
          .where(and(sql`status = 'active'`, endsSoon, wanted, notExists(reminded)))
          .orderBy(asc(alert.expiresAt))
          .limit(limit)
          .all()
          .map(toAlert),
      );
    },

    remind(reminded, withinMs, letter, links) {
      write(() => {
        const asSeen = and(
          eq(alert.id, reminded.id),
          eq(alert.status, "active"),
          eq(alert.expiresAt, reminded.expiresAt),
        );
        if (db.select({ id: alert.id }).from(alert).where(asSeen).get() === undefined) return;
        const entry = { alertId: reminded.id, expiresAt: reminded.expiresAt, withinMs };
        const first = db.insert(reminder).values(entry).onConflictDoNothing().returning().get();
        if (first === undefined) return;
        insertLinks(tools, links);
        insertLetters(tools, [letter], `alert:${reminded.id}`);
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
      // Looking needs no lock, and most of the time nothing is due.
      if (read(ended).length === 0) return 0;
      const erased = write(() => {
        const ids = ended().map(({ id }) => id);
        db.update(alert)
          .set({ ...WIPED_OWNER, erasedAt: now })
          .where(among(alert.id, ids))
          .run();
        erasePrivateParts(tools, ids, now);
        return ids.length;
      });
      tools.clearLog();
      return erased;
    },

    sweep({ now, before, hitsBefore, deedsBefore }, limit) {
      const dead = and(
        eq(pending.state, "waiting"),
        lte(pending.expiresAt, now),
        ne(pending.email, ""),
      );
      const dropSome = (table: SQLiteTable, key: SQL | SQLiteColumn, old: SQL | undefined) => {
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
      const wipeAsks = () => {
        const some = db.select({ id: pending.id }).from(pending).where(dead).limit(limit);
        const wiped = db
          .update(pending)
          .set({ payload: null, email: "" })
          .where(inArray(pending.id, some))
          .returning({ id: pending.id })
          .all();
        for (const { id } of wiped) usePhotos(tools, `pending:${id}`, []);
        return wiped.length;
      };
      // Who disowned a letter keeps the way to allow letters again.
      const dropAsks = () => {
        const old = and(lt(pending.createdAt, before), ne(pending.state, "disowned"));
        const some = db.select({ id: pending.id }).from(pending).where(old).limit(limit);
        const dropped = db
          .delete(pending)
          .where(inArray(pending.id, some))
          .returning({ id: pending.id })
          .all();
        for (const { id } of dropped) usePhotos(tools, `pending:${id}`, []);
        return dropped.length;
      };
      const closed = and(ne(outbox.state, "waiting"), lt(outbox.closedAt, before));
      const changed = write(
        () =>
          wipeAsks() +
          dropAsks() +
          dropSome(outbox, outbox.id, closed) +
          dropSome(zone, zone.id, lt(zone.endedAt, before)) +
          dropSome(zoneNews, sql`rowid`, lt(zoneNews.toldAt, before)) +
          dropSome(hit, sql`rowid`, lt(hit.at, hitsBefore)) +
          dropSome(
            report,
            report.id,
            or(lt(report.handledAt, before), lt(report.createdAt, deedsBefore)),
          ) +
          dropSome(moderation, moderation.id, lt(moderation.at, deedsBefore)) +
          dropSome(adminKey, adminKey.tokenHash, lte(adminKey.expiresAt, now)) +
          dropSome(erasure, erasure.tokenHash, lte(erasure.expiresAt, now)),
      );
      if (changed > 0) tools.clearLog();
    },
  };
}
