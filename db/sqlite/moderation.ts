import { and, desc, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { AlertStatus } from "../../src/core/alert.ts";
import { mailboxAsCounted } from "../../src/core/input.ts";
import { type BlockedMailbox, canModerate, type Deed, type Report } from "../../src/core/report.ts";
import { toAlert } from "./alerts.ts";
import { among } from "./among.ts";
import { eraseAlerts } from "./erased-alerts.ts";
import { bury, isStanding } from "./erasing.ts";
import { countHits } from "./hits.ts";
import { answerAsk } from "./link-asks.ts";
import { withdrawMatches } from "./outbox.ts";
import { endAsks } from "./pendings.ts";
import { adminKey, alert, blocked, conversation, moderation, report } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";
import { withdrawNews } from "./zones.ts";

type AlertRow = typeof alert.$inferSelect;
type Verbs = Pick<
  SyncStore,
  | "addReport"
  | "openReports"
  | "reportsAbout"
  | "hiddenAlerts"
  | "countShown"
  | "deeds"
  | "moderate"
  | "addAdminLink"
  | "openAdminSession"
  | "adminSession"
  | "endAdminSession"
>;

/** What everybody may look at. */
const SHOWN: readonly AlertStatus[] = ["active", "resolved", "expired"];

export function moderationVerbs(tools: StoreTools): Verbs {
  const { db, read, write } = tools;
  return {
    addReport(fresh, hits) {
      return write(() => {
        if (!isThere(tools, fresh.alertId, fresh.conversationId)) return null;
        const same = and(
          eq(report.alertId, fresh.alertId),
          sql`${report.conversationId} is ${fresh.conversationId}`,
          eq(report.reason, fresh.reason),
          sql`${report.text} is ${fresh.text}`,
          isNull(report.handledAt),
        );
        if (db.select({ id: report.id }).from(report).where(same).get() !== undefined) return null;
        const retryAt = countHits(tools, hits, fresh.createdAt);
        if (retryAt === null) db.insert(report).values(fresh).run();
        return retryAt;
      });
    },

    openReports(limit) {
      const rows = read(() =>
        db
          .select()
          .from(report)
          .where(isNull(report.handledAt))
          .orderBy(desc(report.createdAt), desc(report.id))
          .limit(limit)
          .all(),
      );
      return rows.map(told);
    },

    reportsAbout(alertIds, limit) {
      const rows = read(() =>
        db
          .select()
          .from(report)
          .where(among(report.alertId, alertIds))
          .orderBy(desc(report.createdAt), desc(report.id))
          .limit(limit)
          .all(),
      );
      return rows.map(told);
    },

    hiddenAlerts: (limit) =>
      read(() =>
        db
          .select()
          .from(alert)
          .where(eq(alert.status, "hidden"))
          .orderBy(desc(alert.publishedAt))
          .limit(limit)
          .all()
          .map(toAlert),
      ),

    countShown: (counted) => read(() => alertIdsOf(tools, counted).length),

    deeds: (limit) =>
      read(() =>
        db
          .select({
            at: moderation.at,
            who: moderation.who,
            act: moderation.act,
            shortCode: moderation.shortCode,
          })
          .from(moderation)
          .orderBy(desc(moderation.at), desc(moderation.id))
          .limit(limit)
          .all(),
      ),

    moderate(deed) {
      const asOpen = () => {
        const row = db.select().from(alert).where(eq(alert.id, deed.alertId)).get();
        return row !== undefined && canModerate(row, deed.act) ? row : null;
      };
      const carryOut = () => {
        const row = asOpen();
        if (row === null) return false;
        if (!carriedOut(tools, row, deed)) return false;
        closeReports(tools, [row.id], deed.at);
        const { id, at, who, act, alertId } = deed;
        db.insert(moderation).values({ id, at, who, act, alertId, shortCode: row.shortCode }).run();
        return true;
      };
      const stone = { kind: "alert", name: deed.alertId, at: deed.at } as const;
      const isForGood = deed.act === "remove" && read(asOpen) !== null;
      const done = isForGood ? bury(tools, stone, carryOut) : write(carryOut);
      if (done) tools.clearLog();
      return done;
    },

    addAdminLink(link, answer, now) {
      write(() => {
        if (!answerAsk(tools, answer, now)) return;
        db.insert(adminKey)
          .values({ ...link, kind: "link" })
          .run();
      });
    },

    openAdminSession(linkHash, session, now) {
      const good = and(
        eq(adminKey.tokenHash, linkHash),
        eq(adminKey.kind, "link"),
        gt(adminKey.expiresAt, now),
      );
      return write(
        () =>
          db
            .update(adminKey)
            .set({ ...session, kind: "session" })
            .where(good)
            .returning({ kind: adminKey.kind })
            .get() !== undefined,
      );
    },

    adminSession(tokenHash, now) {
      const good = and(
        eq(adminKey.tokenHash, tokenHash),
        eq(adminKey.kind, "session"),
        gt(adminKey.expiresAt, now),
      );
      const row = read(() => db.select().from(adminKey).where(good).get());
      return row?.email ?? null;
    },

    endAdminSession(tokenHash) {
      write(() =>
        db
          .delete(adminKey)
          .where(and(eq(adminKey.tokenHash, tokenHash), eq(adminKey.kind, "session")))
          .run(),
      );
    },
  };
}

function told({ handledAt: _handledAt, ...kept }: typeof report.$inferSelect): Report {
  return kept;
}

/** Whether what a report is about still says something. */
function isThere(tools: StoreTools, alertId: string, conversationId: string | null): boolean {
  if (!isStanding(tools, alertId)) return false;
  if (conversationId === null) return true;
  const told = eq(conversation.id, conversationId);
  const row = tools.db.select({ id: conversation.id }).from(conversation).where(told).get();
  return row !== undefined;
}

/** False when there was nothing to do. */
function carriedOut(tools: StoreTools, row: AlertRow, { act, mailbox, at }: Deed): boolean {
  switch (act) {
    case "hide":
      hide(tools, row, at);
      return true;
    case "restore":
      restore(tools, row, at);
      if (mailbox !== null)
        tools.db.delete(blocked).where(eq(blocked.addressMark, mailbox.addressMark)).run();
      return true;
    case "remove":
      eraseAlerts(tools, [row.id], at);
      return true;
    case "block":
    case "block_writer":
      return mailbox !== null && block(tools, mailbox, at);
    case "dismiss":
      return closeReports(tools, [row.id], at) > 0;
  }
}

function hide(tools: StoreTools, row: AlertRow, now: number): void {
  tools.db
    .update(alert)
    .set({
      status: "hidden",
      hiddenFrom: row.status,
      endedAt: row.endedAt ?? now,
      updatedAt: Math.max(now, row.updatedAt + 1),
      revision: tools.nextRevision(),
    })
    .where(eq(alert.id, row.id))
    .run();
  withdrawNews(tools, [row.id], now);
  withdrawMatches(tools, [row.shortCode], now);
}

/** What was erased meanwhile has nobody to answer for it: it is not live again. */
function restore(tools: StoreTools, row: AlertRow, now: number): void {
  const before = row.hiddenFrom ?? "active";
  const isOver = row.expiresAt <= now || row.erasedAt !== null;
  const status = before === "active" && isOver ? "expired" : before;
  tools.db
    .update(alert)
    .set({
      status,
      hiddenFrom: null,
      endedAt: status === "active" ? null : row.endedAt,
      updatedAt: Math.max(now, row.updatedAt + 1),
      revision: tools.nextRevision(),
      ...(status === "active" ? { comparedAt: null } : {}),
    })
    .where(eq(alert.id, row.id))
    .run();
}

/** False when it was blocked before. */
function block(tools: StoreTools, { counted, addressMark }: BlockedMailbox, now: number): boolean {
  const { db } = tools;
  const first = db
    .insert(blocked)
    .values({ addressMark, blockedAt: now })
    .onConflictDoNothing()
    .returning()
    .get();
  if (first === undefined) return false;
  for (const row of alertsOf(tools, counted)) {
    hide(tools, row, now);
    closeReports(tools, [row.id], now);
  }
  for (const id of conversationsOf(tools, counted))
    db.update(conversation).set({ closedAt: now }).where(eq(conversation.id, id)).run();
  endAsks(tools, addressMark, now);
  return true;
}

function alertsOf(tools: StoreTools, counted: string): AlertRow[] {
  return alertIdsOf(tools, counted).flatMap((id) =>
    tools.db.select().from(alert).where(eq(alert.id, id)).all(),
  );
}

/** What a mailbox published and can be seen. Reads all addresses: what counts as one mailbox is the core's to say. */
function alertIdsOf({ db }: StoreTools, counted: string): string[] {
  const owned = db
    .select({ id: alert.id, email: alert.ownerEmail })
    .from(alert)
    .where(and(isNotNull(alert.ownerEmail), inArray(alert.status, [...SHOWN])))
    .all();
  return owned
    .filter(({ email }) => email !== null && mailboxAsCounted(email) === counted)
    .map(({ id }) => id);
}

/** The open conversations that a mailbox began. */
function conversationsOf({ db }: StoreTools, counted: string): string[] {
  const open = db
    .select({ id: conversation.id, email: conversation.strangerEmail })
    .from(conversation)
    .where(isNull(conversation.closedAt))
    .all();
  return open.filter(({ email }) => mailboxAsCounted(email) === counted).map(({ id }) => id);
}

/** Notes that a moderator looked at what was told of alerts; gives how many reports that closed. Only inside `write`. */
export function closeReports({ db }: StoreTools, alertIds: readonly string[], now: number): number {
  return db
    .update(report)
    .set({ handledAt: now })
    .where(and(among(report.alertId, alertIds), isNull(report.handledAt)))
    .returning({ id: report.id })
    .all().length;
}
