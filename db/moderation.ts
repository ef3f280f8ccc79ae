import { and, desc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { PUBLIC_STATUSES } from "../src/core/alerts/alert.ts";
import { normalizedMailbox, whereSpelled } from "../src/core/people/mailbox-spelling.ts";
import {
  type BlockedMailbox,
  canModerate,
  type ModerationAction,
  restoredStatus,
} from "../src/core/moderation/report.ts";
import { selectAlerts } from "./alerts.ts";
import { mailboxSubject } from "./pending.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { eraseAlerts } from "./erased-rows.ts";
import { noteApplied } from "./erasure.ts";
import { withdrawMatchDigests } from "./matches.ts";
import { withdrawMatches, withdrawPlanEmails, withdrawReminders } from "./outbox.ts";
import { first } from "./queries.ts";
import { closeReports } from "./reports.ts";
import type { Row } from "./schema/tables.ts";
import { sessionKeys } from "./links.ts";
import { eraseSightings } from "./sightings.ts";
import { endRequestsOf } from "./suppression.ts";
import { withdrawNews } from "./zones.ts";

export function moderationQueries(tools: StoreTools) {
  const { adminKey, alert, moderation } = tools.tables;
  const { db, dialect, write, tombstones } = tools;
  const keys = sessionKeys(tools, adminKey);
  return {
    hiddenAlerts: (limit) =>
      selectAlerts(tools, sql`status = 'hidden'`, limit, desc(alert.publishedAt)),

    countShown: async (counted) => (await alertIdsOf(tools, counted)).length,

    async auditLog(limit) {
      const { id, at, who, act, shortCode } = moderation;
      return db
        .select({ at, who, act, shortCode })
        .from(moderation)
        .orderBy(desc(at), desc(id))
        .limit(limit);
    },

    async moderate(action) {
      const { id, at, who, act, alertId, mailbox } = action;
      const named = () => eq(alert.id, alertId);
      const seen = await first(db.select().from(alert).where(named()));
      if (seen === undefined || !canModerate(seen, act)) return false;
      const line = act === "remove" ? await tombstones.add("alert", alertId, at) : null;
      const subjects = mailbox === null ? [] : [mailboxSubject(mailbox.addressHash)];
      return write(subjects, async (tx) => {
        const alerts = tx.db.select().from(alert).where(named());
        const row = await first(dialect.locking(alerts, "no key update"));
        if (row === undefined || !canModerate(row, act)) return false;
        if (!(await apply(tx, row, action))) return false;
        // One sighting may be all that a report is about, or not: that is for the moderator to say.
        if (act !== "remove_sighting") await closeReports(tx, [alertId], at);
        await tx.db
          .insert(moderation)
          .values({ id, at, who, act, alertId, shortCode: row.shortCode });
        await noteApplied(tx, line === null ? [] : [line]);
        return true;
      });
    },

    addAdminLink: (link, answer, now) => keys.add([link], answer, now),
    openAdminSession: keys.open,
    adminSession: keys.mailbox,
    renewAdminSession: keys.renew,
    endAdminSession: keys.end,
  } satisfies Queries;
}

/** Applies an action; false if there was nothing to do. */
async function apply(
  tx: Tx,
  row: Row<"alert">,
  { act, mailbox, sightingId, at }: ModerationAction,
): Promise<boolean> {
  const { blocked, sighting } = tx.tables;
  switch (act) {
    case "hide":
      await hide(tx, row, at);
      return true;
    case "restore":
      await restore(tx, row, at);
      if (mailbox !== null)
        await tx.db.delete(blocked).where(eq(blocked.addressHash, mailbox.addressHash));
      return true;
    case "remove":
      await eraseAlerts(tx, [row.id], at);
      return true;
    case "block":
    case "block_writer":
      return mailbox !== null && block(tx, mailbox, at);
    case "remove_sighting": {
      const which = and(eq(sighting.id, sightingId ?? ""), eq(sighting.alertId, row.id));
      return (await eraseSightings(tx, which)) > 0;
    }
    case "dismiss":
      return (await closeReports(tx, [row.id], at)) > 0;
  }
}

async function hide(tx: Tx, row: Row<"alert">, now: number): Promise<void> {
  const { alert } = tx.tables;
  await tx.db
    .update(alert)
    .set({
      status: "hidden",
      hiddenFrom: row.status,
      endedAt: row.endedAt ?? now,
      updatedAt: Math.max(now, row.updatedAt + 1),
    })
    .where(eq(alert.id, row.id));
  tx.changes.alerts.add(row.id);
  await withdrawNews(tx, [row.id], now);
  await withdrawMatches(tx, [row.shortCode], now);
  await withdrawMatchDigests(tx, [row.id], now);
  await withdrawPlanEmails(tx, [row.id], now);
  await withdrawReminders(tx, [row.id], now);
}

/** Shows an alert again. */
async function restore(tx: Tx, row: Row<"alert">, now: number): Promise<void> {
  const { alert } = tx.tables;
  const status = restoredStatus(row, now);
  await tx.db
    .update(alert)
    .set({
      status,
      hiddenFrom: null,
      endedAt: status === "active" ? null : row.endedAt,
      updatedAt: Math.max(now, row.updatedAt + 1),
      ...(status === "active" ? { comparedAt: null } : {}),
    })
    .where(eq(alert.id, row.id));
  tx.changes.alerts.add(row.id);
}

/** Blocks a mailbox; false if it was blocked before. */
async function block(
  tx: Tx,
  { counted, addressHash }: BlockedMailbox,
  now: number,
): Promise<boolean> {
  const { alert, blocked, conversation } = tx.tables;
  const { db, dialect } = tx;
  const added = await db
    .insert(blocked)
    .values({ addressHash, blockedAt: now })
    .onConflictDoNothing()
    .returning({ addressHash: blocked.addressHash });
  if (added.length === 0) return false;
  const owned = dialect.inList(alert.id, await alertIdsOf(tx, counted));
  const alerts = db.select().from(alert).where(owned).orderBy(alert.publishedAt);
  const shown = await dialect.locking(alerts, "no key update");
  for (const row of shown) {
    await hide(tx, row, now);
    await closeReports(tx, [row.id], now);
  }
  const open = await conversationsOf(tx, counted);
  await db.update(conversation).set({ closedAt: now }).where(dialect.inList(conversation.id, open));
  await endRequestsOf(tx, addressHash, now);
  return true;
}

/** Visible alerts of a mailbox: the core decides which addresses are one mailbox. */
async function alertIdsOf({ db, tables: { alert } }: Reader, counted: string): Promise<string[]> {
  const which = and(
    isNotNull(alert.ownerEmail),
    maySpell(alert.ownerEmail, counted),
    inArray(alert.status, [...PUBLIC_STATUSES]),
  );
  const owned = await db.select({ id: alert.id, email: alert.ownerEmail }).from(alert).where(which);
  return owned
    .filter(({ email }) => email !== null && normalizedMailbox(email) === counted)
    .map(({ id }) => id);
}

/** Open conversations that a mailbox started. */
async function conversationsOf(reader: Reader, counted: string): Promise<string[]> {
  const { conversation } = reader.tables;
  const open = await reader.db
    .select({ id: conversation.id, email: conversation.strangerEmail })
    .from(conversation)
    .where(and(maySpell(conversation.strangerEmail, counted), isNull(conversation.closedAt)));
  return open.filter(({ email }) => normalizedMailbox(email) === counted).map(({ id }) => id);
}

/** Condition for a column with addresses that contains a spelling of the mailbox, and few others. */
function maySpell(column: PgColumn, counted: string): SQL | undefined {
  const lower = sql`lower(${column})`;
  const { ranges, ending } = whereSpelled(counted);
  return or(
    ...ranges.map(({ from, below }) => sql`(${lower} >= ${from} and ${lower} < ${below})`),
    ending === null ? undefined : sql`${lower} like ${`%${ending}`}`,
  );
}
