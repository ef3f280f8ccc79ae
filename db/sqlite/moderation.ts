import { and, desc, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import { PUBLIC_STATUSES } from "../../src/core/alerts/alert.ts";
import { normalizedMailbox } from "../../src/core/input.ts";
import {
  type BlockedMailbox,
  canModerate,
  type ModerationAction,
  restoredStatus,
} from "../../src/core/moderation/report.ts";
import type { AlertRow } from "./alert-row.ts";
import { selectAlerts } from "./alerts.ts";
import type { Queries, StoreTools } from "./context.ts";
import { eraseAlerts } from "./erased-rows.ts";
import { eraseWithTombstone } from "./erasure.ts";
import { hasRow } from "./expressions.ts";
import { withdrawMatchDigests } from "./match-notices.ts";
import { adminKey, blocked, moderation } from "./moderation-schema.ts";
import { withdrawMatches, withdrawPlanEmails, withdrawReminders } from "./outbox.ts";
import { closeReports } from "./reports.ts";
import { alert, conversation, sighting } from "./schema.ts";
import { sessionKeys } from "./session-keys.ts";
import { eraseSightings } from "./sightings.ts";
import { endRequestsOf } from "./stop-list.ts";
import { withdrawNews } from "./zone-news.ts";

export function moderationQueries(tools: StoreTools) {
  const { db, write } = tools;
  const keys = sessionKeys(tools, adminKey);
  return {
    hiddenAlerts: (limit) =>
      selectAlerts(tools, eq(alert.status, "hidden"), limit, desc(alert.publishedAt)),

    countShown: (counted) => alertIdsOf(tools, counted).length,

    auditLog: (limit) =>
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

    moderate(action) {
      const openAlert = () => {
        const row = db.select().from(alert).where(eq(alert.id, action.alertId)).get();
        return row !== undefined && canModerate(row, action.act) ? row : null;
      };
      const moderated = () => {
        const row = openAlert();
        if (row === null || !apply(tools, row, action)) return false;
        const { id, at, who, act, alertId } = action;
        // The reports may be about more than one sighting, so the moderator closes them.
        if (act !== "remove_sighting") closeReports(tools, [alertId], at);
        db.insert(moderation).values({ id, at, who, act, alertId, shortCode: row.shortCode }).run();
        return true;
      };
      const stone = { kind: "alert", name: action.alertId, at: action.at } as const;
      const removes = action.act === "remove" && openAlert() !== null;
      const done = removes ? eraseWithTombstone(tools, stone, moderated) : write(moderated);
      if (done) tools.clearLog();
      return done;
    },

    addAdminLink: (link, answer, now) => keys.add([link], answer, now),
    openAdminSession: keys.open,
    adminSession: keys.mailbox,
    renewAdminSession: keys.renew,
    endAdminSession: keys.end,
  } satisfies Queries;
}

/** Applies an action; false if there was nothing to do. */
function apply(
  tools: StoreTools,
  row: AlertRow,
  { act, mailbox, sightingId, at }: ModerationAction,
): boolean {
  switch (act) {
    case "hide":
      hide(tools, row, at);
      return true;
    case "restore":
      restore(tools, row, at);
      if (mailbox !== null)
        tools.db.delete(blocked).where(eq(blocked.addressHash, mailbox.addressHash)).run();
      return true;
    case "remove":
      eraseAlerts(tools, [row.id], at);
      return true;
    case "block":
    case "block_writer":
      return mailbox !== null && block(tools, mailbox, at);
    case "remove_sighting": {
      const which = and(eq(sighting.id, sightingId ?? ""), eq(sighting.alertId, row.id));
      if (!hasRow(tools.db, sighting, which)) return false;
      eraseSightings(tools, which);
      return true;
    }
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
  withdrawMatchDigests(tools, [row.id], now);
  withdrawPlanEmails(tools, [row.id], now);
  withdrawReminders(tools, [row.id], now);
}

/** Shows an alert again. */
function restore(tools: StoreTools, row: AlertRow, now: number): void {
  const status = restoredStatus(row, now);
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

/** Blocks a mailbox; false if it was blocked before. */
function block(tools: StoreTools, { counted, addressHash }: BlockedMailbox, now: number): boolean {
  const { db } = tools;
  const first = db
    .insert(blocked)
    .values({ addressHash, blockedAt: now })
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
  endRequestsOf(tools, addressHash, now);
  return true;
}

function alertsOf(tools: StoreTools, counted: string): AlertRow[] {
  return alertIdsOf(tools, counted).flatMap((id) =>
    tools.db.select().from(alert).where(eq(alert.id, id)).all(),
  );
}

/** Visible alerts of a mailbox. Reads all addresses, because the core decides which addresses are one mailbox. */
function alertIdsOf({ db }: StoreTools, counted: string): string[] {
  const owned = db
    .select({ id: alert.id, email: alert.ownerEmail })
    .from(alert)
    .where(and(isNotNull(alert.ownerEmail), inArray(alert.status, [...PUBLIC_STATUSES])))
    .all();
  return owned
    .filter(({ email }) => email !== null && normalizedMailbox(email) === counted)
    .map(({ id }) => id);
}

/** Open conversations that a mailbox started. */
function conversationsOf({ db }: StoreTools, counted: string): string[] {
  const open = db
    .select({ id: conversation.id, email: conversation.strangerEmail })
    .from(conversation)
    .where(isNull(conversation.closedAt))
    .all();
  return open.filter(({ email }) => normalizedMailbox(email) === counted).map(({ id }) => id);
}
