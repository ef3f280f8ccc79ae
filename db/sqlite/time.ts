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
  sql,
} from "drizzle-orm";
import type { Store } from "../../src/core/store.ts";
import { eraseConversations, toAlert, WIPED_OWNER } from "./alerts.ts";
import { insertLinks } from "./links.ts";
import { insertLetters, withdrawLetters } from "./outbox.ts";
import { alert, counter, hit, outbox, pending, reminder } from "./schema.ts";
import type { StoreTools } from "./store.ts";

type Verbs = Pick<
  Store,
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

    eraseEnded(endedBefore, limit) {
      const due = and(
        isNotNull(alert.endedAt),
        isNull(alert.erasedAt),
        lt(alert.endedAt, endedBefore),
      );
      const ended = read(() =>
        db.select({ id: alert.id }).from(alert).where(due).limit(limit).all(),
      );
      if (ended.length === 0) return 0;
      write(() => {
        for (const { id } of ended) {
          db.update(alert)
            .set({ ...WIPED_OWNER, erasedAt: endedBefore })
            .where(and(eq(alert.id, id), due))
            .run();
          eraseConversations(tools, id);
          withdrawLetters(tools, `alert:${id}`, endedBefore);
        }
      });
      tools.clearLog();
      return ended.length;
    },

    sweep(before, hitsBefore, limit) {
      const deadAsks = () =>
        db
          .select({ id: pending.id })
          .from(pending)
          .where(lt(pending.createdAt, before))
          .orderBy(asc(pending.createdAt))
          .limit(limit);
      const closed = and(ne(outbox.state, "waiting"), lt(outbox.closedAt, before));
      const oldLetters = () => db.select({ id: outbox.id }).from(outbox).where(closed).limit(limit);
      write(() => {
        db.delete(pending).where(inArray(pending.id, deadAsks())).run();
        db.delete(outbox).where(inArray(outbox.id, oldLetters())).run();
        db.delete(hit).where(lt(hit.at, hitsBefore)).run();
      });
    },
  };
}
