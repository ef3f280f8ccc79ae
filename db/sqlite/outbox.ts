import { and, asc, count, eq, min, notInArray, or, type SQL, sql } from "drizzle-orm";
import { HOUR_MS } from "../../src/core/duration.ts";
import type { Email } from "../../src/core/email.ts";
import type { Queries, StoreTools } from "./context.ts";
import { OPEN_EMAIL, plansIn, toEmail, WIPED_EMAIL } from "../rows.ts";
import { isDue } from "../expressions.ts";
import { hasRow, inList, placeholdersOf } from "./expressions.ts";
import type { Db } from "./open.ts";
import { planEmail } from "./plan-schema.ts";
import { alert, outbox, reminder } from "./schema.ts";

export function outboxQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    leaseEmails(now, leaseMs, limit, domainsToLeave = []) {
      const due = and(
        eq(outbox.state, "waiting"),
        isDue(outbox.dueAt, now, DUE_AHEAD_MAX_MS),
        domainsToLeave.length === 0 ? undefined : notInArray(DOMAIN, [...domainsToLeave]),
      );
      // A read takes no lock, and usually nothing is due.
      if (!hasRow(db, outbox, due)) return [];
      return write(() => {
        const rows = db
          .select()
          .from(outbox)
          .where(due)
          .orderBy(asc(outbox.dueAt), asc(outbox.id))
          .limit(limit)
          .all();
        const leasedUntil = now + leaseMs;
        for (const row of rows)
          db.update(outbox).set({ dueAt: leasedUntil }).where(eq(outbox.id, row.id)).run();
        return rows.flatMap(toEmail).map((email) => ({ ...email, leasedUntil }));
      });
    },

    closeEmails(closed, now) {
      const kind = sql`coalesce(${outbox.kind}, json_extract(${outbox.content}, '$.kind'))`;
      write(() => {
        for (const { id, outcome, mailboxHash } of closed)
          db.update(outbox)
            .set({ ...WIPED_EMAIL, state: outcome, closedAt: now, kind, mailboxHash })
            .where(eq(outbox.id, id))
            .run();
      });
    },

    postponeEmail({ id, leasedUntil }, dueAt) {
      const leased = and(
        eq(outbox.id, id),
        eq(outbox.state, "waiting"),
        eq(outbox.dueAt, leasedUntil),
      );
      write(() => db.update(outbox).set({ dueAt }).where(leased).run());
    },

    outboxState() {
      const waiting = eq(outbox.state, "waiting");
      const row = db
        .select({
          waiting: count(),
          oldestAt: min(outbox.createdAt),
          dueSince: min(outbox.dueAt),
        })
        .from(outbox)
        .where(waiting)
        .get();
      return row ?? { waiting: 0, oldestAt: null, dueSince: null };
    },
  } satisfies Queries;
}

/** Longer than any lease, which takes minutes, and any pause, an hour at most. */
const DUE_AHEAD_MAX_MS = 2 * HOUR_MS;
/** Domain of the reader's mailbox, which has one @. */
const DOMAIN = sql`substr(${outbox.to}, instr(${outbox.to}, '@') + 1)`;

/** Adds emails to the outbox. Later they can be withdrawn by what they are `about`. Only inside `write`. */
export function insertEmails(
  { prepared }: StoreTools,
  emails: readonly Email[],
  about: string | null,
): void {
  for (const email of emails)
    prepared(insertEmail).run({ ...email, ...OPEN_EMAIL, about, dueAt: email.createdAt });
}

const insertEmail = (db: Db) => db.insert(outbox).values(placeholdersOf(outbox));

/** Withdraws emails that have not been sent. Only inside `write`. */
export function withdrawEmails(tools: StoreTools, about: string, now: number): void {
  withdrawWhere(tools, eq(outbox.about, about), now);
}

/** Withdraws emails about the plans of alerts. What was in them is due again, unless its alert has ended. Only inside `write`. */
export function withdrawPlanEmails(
  tools: StoreTools,
  alertIds: readonly string[],
  now: number,
): void {
  const { db } = tools;
  const isPlan = sql`json_extract(${outbox.content}, '$.kind') = 'plan'`;
  const about = inList(
    outbox.about,
    alertIds.map((id) => `alert:${id}`),
  );
  const listed = inList(sql`json_extract(plan.value, '$.alertId')`, alertIds);
  const lists = sql`exists (select 1 from json_each(${outbox.content}, '$.plans') as plan where ${listed})`;
  // Cheaper than to parse every email that waits.
  const isDigest = sql`instr(${outbox.content}, '"plan-digest"') > 0`;
  const which = or(and(about, isPlan), and(isDigest, lists));
  const waiting = and(eq(outbox.state, "waiting"), which);
  for (const row of db.select().from(outbox).where(waiting).all()) {
    withdrawWhere(tools, eq(outbox.id, row.id), now);
    for (const { alertId, day } of plansIn(row))
      db.delete(planEmail)
        .where(and(eq(planEmail.alertId, alertId), eq(planEmail.day, day)))
        .run();
  }
}

/** Withdraws reminders of the end of these alerts; they are due again, unless that has changed. Only inside `write`. */
export function withdrawReminders(
  tools: StoreTools,
  alertIds: readonly string[],
  now: number,
): void {
  const isReminder = sql`json_extract(${outbox.content}, '$.kind') = 'reminder'`;
  for (const id of alertIds) {
    const which = sql`${outbox.about} = ${`alert:${id}`} and ${isReminder}`;
    if (withdrawWhere(tools, which, now).length > 0)
      tools.db.delete(reminder).where(eq(reminder.alertId, id)).run();
  }
}

/** Withdraws match emails that show the alerts with these short codes to other owners. Only inside `write`. */
export function withdrawMatches(tools: StoreTools, codes: readonly string[], now: number): void {
  const shown = sql`json_extract(${outbox.content}, '$.other.shortCode')`;
  withdrawWhere(tools, inList(shown, codes), now);
}

/** Withdraws emails to owners that list the manage links of these alerts. Only inside `write`. */
export function withdrawManageLinks(
  tools: StoreTools,
  alertIds: readonly string[],
  now: number,
): void {
  const codes = tools.db
    .select({ shortCode: alert.shortCode })
    .from(alert)
    .where(inList(alert.id, alertIds))
    .all();
  const listed = inList(
    sql`json_extract(entry.value, '$.alert.shortCode')`,
    codes.map(({ shortCode }) => shortCode),
  );
  const lists = sql`exists (select 1 from json_each(${outbox.content}, '$.entries') as entry where ${listed})`;
  withdrawWhere(tools, lists, now);
}

/** Withdraws the waiting emails for which the condition holds; returns their ids. Only inside `write`. */
export function withdrawWhere({ db }: StoreTools, which: SQL, now: number): string[] {
  return db
    .update(outbox)
    .set({ ...WIPED_EMAIL, state: "given_up", closedAt: now })
    .where(and(eq(outbox.state, "waiting"), which))
    .returning({ id: outbox.id })
    .all()
    .map(({ id }) => id);
}
