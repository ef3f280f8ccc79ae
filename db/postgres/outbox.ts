import { and, asc, count, eq, inArray, min, notInArray, type SQL, sql } from "drizzle-orm";
import { HOUR_MS } from "../../src/core/duration.ts";
import type { Email } from "../../src/core/email.ts";
import { idsOf, isDue } from "../expressions.ts";
import { OPEN_EMAIL, toEmail, WIPED_EMAIL } from "../rows.ts";
import type { Queries, StoreTools } from "./context.ts";
import { first, hasRow, inList } from "./expressions.ts";
import { alert, outbox } from "./schema.ts";
import type { Tx } from "./transaction.ts";

export function outboxQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    async leaseEmails(now, leaseMs, limit, domainsToLeave = []) {
      const due = and(
        eq(outbox.state, "waiting"),
        isDue(outbox.dueAt, now, DUE_AHEAD_MAX_MS),
        domainsToLeave.length === 0 ? undefined : notInArray(DOMAIN, [...domainsToLeave]),
      );
      // Usually nothing is due.
      if (!(await hasRow(tools, outbox, due))) return [];
      return write([], async (tx) => {
        const rows = await tx.db
          .select()
          .from(outbox)
          .where(due)
          .orderBy(asc(outbox.dueAt), asc(outbox.id))
          .limit(limit)
          .for("no key update", { skipLocked: true });
        if (rows.length > 0)
          await tx.db
            .update(outbox)
            .set({ dueAt: now + leaseMs })
            .where(inArray(outbox.id, idsOf(rows)));
        return rows.flatMap(toEmail);
      });
    },

    async closeEmail(id, outcome, now, mailboxHash = null) {
      const kind = sql`coalesce(${outbox.kind}, ${outbox.content}->>'kind')`;
      const closed = { ...WIPED_EMAIL, state: outcome, closedAt: now, kind, mailboxHash };
      await write([], (tx) => tx.db.update(outbox).set(closed).where(eq(outbox.id, id)));
    },

    async postponeEmail(id, dueAt) {
      const waiting = and(eq(outbox.id, id), eq(outbox.state, "waiting"));
      await write([], (tx) => tx.db.update(outbox).set({ dueAt }).where(waiting));
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

/** Longer than any lease, which takes minutes, and any pause, an hour at most. */
const DUE_AHEAD_MAX_MS = 2 * HOUR_MS;
/** Domain of the reader's mailbox, which has one @. */
const DOMAIN = sql`split_part(${outbox.to}, '@', 2)`;

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

/** Withdraws match emails that show the alerts with these short codes to other owners. */
export async function withdrawMatches(
  tx: Tx,
  codes: readonly string[],
  now: number,
): Promise<void> {
  const shown = sql`${outbox.content}->'other'->>'shortCode'`;
  await withdrawWhere(tx, inList(sql`(${shown})`, codes), now);
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
  const entries = sql`${outbox.content}->'entries'`;
  const lists = sql`exists (
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
    .where(and(eq(outbox.state, "waiting"), which))
    .returning({ id: outbox.id });
  return idsOf(withdrawn);
}
