import { and, asc, count, eq, lte, min, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Email } from "../src/core/email.ts";
import type { Queries, StoreTools, Tx } from "./context.ts";
import { changeIds, first, hasRow, idsOf } from "./queries.ts";
import type { PlanDigestEmail, PlanEmail } from "../src/core/plan/plan-emails.ts";
import type { Row } from "./schema/tables.ts";

export function outboxQueries(tools: StoreTools) {
  const { db, dialect, write } = tools;
  const { outbox } = tools.tables;
  return {
    async leaseEmails(now, leaseMs, limit, domainsToLeave = []) {
      // The domain of a mailbox, which has one @.
      const domain = dialect.textAfter(sql`${outbox.to}`, "@");
      const isElsewhere =
        domainsToLeave.length === 0 ? undefined : notInArray(domain, [...domainsToLeave]);
      const due = and(IS_WAITING, lte(outbox.dueAt, now), isElsewhere);
      // Usually nothing is due.
      if (!(await hasRow(tools, outbox, due))) return [];
      return write([], async (tx) => {
        const emails = tx.db.select().from(outbox).where(due);
        const inOrder = emails.orderBy(asc(outbox.dueAt), asc(outbox.id)).limit(limit);
        const rows = await dialect.locking(inOrder, "no key update", { skipLocked: true });
        const leasedUntil = now + leaseMs;
        if (rows.length > 0)
          await tx.db
            .update(outbox)
            .set({ dueAt: leasedUntil })
            .where(tx.dialect.inList(outbox.id, idsOf(rows)));
        return rows.flatMap(toEmail).map((email) => ({ ...email, leasedUntil }));
      });
    },

    async closeEmails(closed, now) {
      const kind = sql`coalesce(${outbox.kind}, ${outbox.content}->>'kind')`;
      const wiped = { ...WIPED_EMAIL, closedAt: now, kind };
      await write([], async (tx) => {
        // Usually all of them were sent.
        for (const [outcome, same] of Map.groupBy(closed, (email) => email.outcome)) {
          const hashes = dialect.json(
            Object.fromEntries(same.map(({ id, mailboxHash }) => [id, mailboxHash])),
          );
          await tx.db
            .update(outbox)
            .set({ ...wiped, state: outcome, mailboxHash: sql`${hashes} ->> ${outbox.id}` })
            .where(tx.dialect.inList(outbox.id, idsOf(same)));
        }
      });
    },

    async postponeEmail({ id, leasedUntil }, dueAt) {
      const leased = and(
        eq(outbox.id, id),
        eq(outbox.state, "waiting"),
        eq(outbox.dueAt, leasedUntil),
      );
      await write([], (tx) => tx.db.update(outbox).set({ dueAt }).where(leased));
    },

    async outboxState() {
      const row = await first(
        db
          .select({
            waiting: count(),
            oldestAt: min(outbox.createdAt),
            dueSince: min(outbox.dueAt),
          })
          .from(outbox)
          .where(eq(outbox.state, "waiting")),
      );
      return row ?? { waiting: 0, oldestAt: null, dueSince: null };
    },
  } satisfies Queries;
}

/** Condition of the indexes of waiting emails, written as it is there. */
const IS_WAITING = sql`state = 'waiting'`;

/** Adds emails to the outbox. Later they can be withdrawn by what they are `about`. */
export async function insertEmails(
  { insertAll, tables: { outbox } }: Tx,
  emails: readonly Email[],
  about: string | null,
): Promise<void> {
  const rows = emails.map((email) => ({ ...email, ...OPEN_EMAIL, about, dueAt: email.createdAt }));
  await insertAll(outbox, rows);
}

/** Withdraws emails that have not been sent. */
export async function withdrawEmails(tx: Tx, about: string, now: number): Promise<void> {
  const { outbox } = tx.tables;
  await withdrawWhere(tx, eq(outbox.about, about), now);
}

/** Withdraws emails about the plans of alerts. What was in them is due again, unless its alert has ended. */
export async function withdrawPlanEmails(
  tx: Tx,
  alertIds: readonly string[],
  now: number,
): Promise<void> {
  const { dialect } = tx;
  const { outbox, planEmail } = tx.tables;
  const isPlan = sql`${outbox.content} ->> 'kind' = 'plan'`;
  const alerts = alertIds.map((id) => `alert:${id}`);
  const about = dialect.inList(outbox.about, alerts);
  const listed = dialect.inList(sql`(item.value ->> 'alertId')`, alertIds);
  const lists = sql`exists (
    select 1 from ${dialect.items(sql`${outbox.content} -> 'plans'`)} where ${listed})`;
  const isDigest = sql`${outbox.content} ->> 'kind' = 'plan-digest'`;
  const which = or(and(about, isPlan), and(isDigest, lists));
  const rows = await tx.db.select().from(outbox).where(and(IS_WAITING, which));
  for (const row of rows) {
    await withdrawWhere(tx, eq(outbox.id, row.id), now);
    for (const { alertId, day } of plansIn(row))
      await tx.db
        .delete(planEmail)
        .where(and(eq(planEmail.alertId, alertId), eq(planEmail.day, day)));
  }
}

/** Withdraws reminders of the end of these alerts; they are due again, unless that has changed. */
export async function withdrawReminders(
  tx: Tx,
  alertIds: readonly string[],
  now: number,
): Promise<void> {
  const { outbox, reminder } = tx.tables;
  const isReminder = sql`${outbox.content} ->> 'kind' = 'reminder'`;
  for (const id of alertIds) {
    const which = sql`${outbox.about} = ${`alert:${id}`} and ${isReminder}`;
    if ((await withdrawWhere(tx, which, now)).length > 0)
      await tx.db.delete(reminder).where(eq(reminder.alertId, id));
  }
}

/** Withdraws match emails that show the alerts with these short codes to other owners. */
export async function withdrawMatches(
  tx: Tx,
  codes: readonly string[],
  now: number,
): Promise<void> {
  const { outbox } = tx.tables;
  const shown = sql`(${outbox.content} -> 'other' ->> 'shortCode')`;
  await withdrawWhere(tx, sql`${shown} is not null and ${tx.dialect.inList(shown, codes)}`, now);
}

/** Withdraws emails to owners that list the manage links of these alerts. */
export async function withdrawManageLinks(
  tx: Tx,
  alertIds: readonly string[],
  now: number,
): Promise<void> {
  const { dialect } = tx;
  const { alert, outbox } = tx.tables;
  const isNamed = dialect.inList(alert.id, alertIds);
  const codes = await tx.db.select({ shortCode: alert.shortCode }).from(alert).where(isNamed);
  const listed = dialect.inList(
    sql`(item.value -> 'alert' ->> 'shortCode')`,
    codes.map(({ shortCode }) => shortCode),
  );
  const entries = sql`${outbox.content} -> 'entries'`;
  const lists = sql`${entries} is not null and exists (
    select 1 from ${dialect.items(
      sql`case ${dialect.typeOf(entries)} when 'array' then ${entries} end`,
    )} where ${listed})`;
  await withdrawWhere(tx, lists, now);
}

/** Withdraws the waiting emails for which the condition holds; returns their ids. */
export async function withdrawWhere(tx: Tx, which: SQL, now: number): Promise<string[]> {
  const withdrawn = { ...WIPED_EMAIL, state: "given_up", closedAt: now } as const;
  return changeIds(tx, tx.tables.outbox, withdrawn, and(IS_WAITING, which));
}

/** Email in a row; empty for one that was closed. */
export function toEmail(row: Row<"outbox">): Email[] {
  const { id, to, language, content, createdAt, giveUpAt } = row;
  if (to === null || content === null) return [];
  return [{ id, to, language, content, createdAt, giveUpAt }];
}

/** Alerts and days of an email about plans. */
export function plansIn({
  about,
  content,
}: Row<"outbox">): { readonly alertId: string; readonly day: number }[] {
  const plan = content as PlanEmail | PlanDigestEmail | null;
  if (plan?.kind === "plan")
    return [{ alertId: about?.replace("alert:", "") ?? "", day: plan.day }];
  return plan?.kind === "plan-digest" ? [...plan.plans] : [];
}

/** Columns of an email that was closed. */
export const WIPED_EMAIL = { to: null, content: null, about: null } as const;

/** Columns of an email that waits. */
export const OPEN_EMAIL = {
  state: "waiting",
  closedAt: null,
  kind: null,
  mailboxHash: null,
} as const;
