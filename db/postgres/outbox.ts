import { and, asc, count, eq, gt, lte, min, notInArray, or, type SQL, sql } from "drizzle-orm";
import { HOUR_MS } from "../../src/core/duration.ts";
import type { Email } from "../../src/core/email.ts";
import { idsOf } from "../expressions.ts";
import { OPEN_EMAIL, plansIn, toEmail, WIPED_EMAIL } from "../rows.ts";
import type { Reader } from "./connection.ts";
import type { Queries, StoreTools } from "./context.ts";
import { first, inList, jsonOf } from "./expressions.ts";
import { planEmail } from "./plan-schema.ts";
import { alert, outbox, reminder } from "./schema.ts";
import type { Tx } from "./transaction.ts";

export function outboxQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    async leaseEmails(now, leaseMs, limit, domainsToLeave = []) {
      const ranges = DUE_RANGES.map((due) =>
        and(IS_WAITING, due(now), isElsewhere(domainsToLeave)),
      );
      const inOrder = (reader: Reader, range: SQL | undefined, most: number) =>
        reader.db
          .select()
          .from(outbox)
          .where(range)
          .orderBy(asc(outbox.dueAt), asc(outbox.id))
          .limit(most);
      const isAnyDue = async () => {
        for (const range of ranges) if ((await inOrder(tools, range, 1)).length > 0) return true;
        return false;
      };
      // Usually nothing is due.
      if (!(await isAnyDue())) return [];
      return write([], async (tx) => {
        const rows: (typeof outbox.$inferSelect)[] = [];
        for (const range of ranges)
          if (rows.length < limit)
            rows.push(
              ...(await inOrder(tx, range, limit - rows.length).for("no key update", {
                skipLocked: true,
              })),
            );
        const leasedUntil = now + leaseMs;
        if (rows.length > 0)
          await tx.db
            .update(outbox)
            .set({ dueAt: leasedUntil })
            .where(inList(outbox.id, idsOf(rows)));
        return rows.flatMap(toEmail).map((email) => ({ ...email, leasedUntil }));
      });
    },

    async closeEmails(closed, now) {
      const kind = sql`coalesce(${outbox.kind}, ${outbox.content}->>'kind')`;
      const wiped = { ...WIPED_EMAIL, closedAt: now, kind };
      await write([], async (tx) => {
        // Usually all of them were sent.
        for (const [outcome, same] of Map.groupBy(closed, (email) => email.outcome)) {
          const hashes = jsonOf(
            Object.fromEntries(same.map(({ id, mailboxHash }) => [id, mailboxHash])),
          );
          await tx.db
            .update(outbox)
            .set({ ...wiped, state: outcome, mailboxHash: sql`${hashes} ->> ${outbox.id}` })
            .where(inList(outbox.id, idsOf(same)));
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

/**
 * Ranges of due times: those that have come, and those too far ahead to be correct. Each is read from the index in its
 * order; a condition that joins both reads all that waits.
 */
const DUE_RANGES = [
  (now: number) => lte(outbox.dueAt, now),
  (now: number) => gt(outbox.dueAt, now + DUE_AHEAD_MAX_MS),
];

function isElsewhere(domains: readonly string[]): SQL | undefined {
  return domains.length === 0 ? undefined : notInArray(DOMAIN, [...domains]);
}

/** Longer than any lease, which takes minutes, and any pause, an hour at most. */
const DUE_AHEAD_MAX_MS = 2 * HOUR_MS;
/** Domain of the reader's mailbox, which has one @. */
const DOMAIN = sql`split_part(${outbox.to}, '@', 2)`;

/** Condition of the indexes of waiting emails, written as it is there. */
const IS_WAITING = sql`state = 'waiting'`;

/** Adds emails to the outbox. Later they can be withdrawn by what they are `about`. */
export async function insertEmails(
  { db }: Tx,
  emails: readonly Email[],
  about: string | null,
): Promise<void> {
  const rows = emails.map((email) => ({ ...email, ...OPEN_EMAIL, about, dueAt: email.createdAt }));
  if (rows.length > 0) await db.insert(outbox).values(rows);
}

/** Withdraws emails that have not been sent. */
export async function withdrawEmails(tx: Tx, about: string, now: number): Promise<void> {
  await withdrawWhere(tx, eq(outbox.about, about), now);
}

/** Withdraws emails about the plans of alerts. What was in them is due again, unless its alert has ended. */
export async function withdrawPlanEmails(
  tx: Tx,
  alertIds: readonly string[],
  now: number,
): Promise<void> {
  const isPlan = sql`${outbox.content} ->> 'kind' = 'plan'`;
  const about = inList(
    outbox.about,
    alertIds.map((id) => `alert:${id}`),
  );
  const listed = inList(sql`(plan ->> 'alertId')`, alertIds);
  const lists = sql`exists (
    select 1 from jsonb_array_elements(${outbox.content} -> 'plans') as plan where ${listed})`;
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
  const shown = sql`(${outbox.content} -> 'other' ->> 'shortCode')`;
  await withdrawWhere(tx, sql`${shown} is not null and ${inList(shown, codes)}`, now);
}

/** Withdraws emails to owners that list the manage links of these alerts. */
export async function withdrawManageLinks(
  tx: Tx,
  alertIds: readonly string[],
  now: number,
): Promise<void> {
  const codes = await tx.db
    .select({ shortCode: alert.shortCode })
    .from(alert)
    .where(inList(alert.id, alertIds));
  const listed = inList(
    sql`(entry->'alert'->>'shortCode')`,
    codes.map(({ shortCode }) => shortCode),
  );
  const entries = sql`${outbox.content} -> 'entries'`;
  const lists = sql`${entries} is not null and exists (
    select 1 from jsonb_array_elements(
      case jsonb_typeof(${entries}) when 'array' then ${entries} end
    ) as entry where ${listed})`;
  await withdrawWhere(tx, lists, now);
}

/** Withdraws the waiting emails for which the condition holds; returns their ids. */
export async function withdrawWhere({ db }: Tx, which: SQL, now: number): Promise<string[]> {
  const withdrawn = await db
    .update(outbox)
    .set({ ...WIPED_EMAIL, state: "given_up", closedAt: now })
    .where(and(IS_WAITING, which))
    .returning({ id: outbox.id });
  return idsOf(withdrawn);
}
