import { eq, sql } from "drizzle-orm";
import { HOUR_MS } from "../../src/core/duration.ts";
import type { StoreTools } from "./context.ts";
import { DUE_AHEAD_MAX_MS } from "../expressions.ts";
import { pending } from "./schema.ts";

/** Maximum of due requests read, the newest first. Reading them blocks the event loop for about 20 ms. */
const DUE_MAX = 5_000;

/** Period in which the emails of a network count against its turn. */
const RECENT_MS = HOUR_MS;

/**
 * Oldest due request of the network whose turn it is: the network with the fewest recent emails; then known mailboxes
 * before others, then the network with the fewest requests in the queue.
 */
export function firstInTurn(
  { db }: StoreTools,
  now: number,
  order = "recent, known desc, queued, oldest",
): typeof pending.$inferSelect | undefined {
  // SQLite returns bare columns beside min() from the row with the minimum.
  const [turn] = db.all<{ id: string }>(sql`
    with due as (
      select id, network_mark, count(*) as queued, min(created_at) as oldest, exists (
        select 1 from confirmed_mailbox where confirmed_mailbox.address_mark = pending.address_mark
      ) as known
      from (
        select * from (
          select id, network_mark, address_mark, created_at from pending
          where email_due_at <= ${now} and expires_at > ${now} order by email_due_at desc limit ${DUE_MAX}
        )
        union all
        select id, network_mark, address_mark, created_at from pending
        where email_due_at > ${now + DUE_AHEAD_MAX_MS} and expires_at > ${now}
      ) as pending group by network_mark, known
    )
    select id, known, queued, oldest, (
      select count(*) from confirmation_email
      where confirmation_email.network_mark = due.network_mark
      and sent_at > ${now - RECENT_MS} and sent_at <= ${now}
    ) as recent
    from due order by ${sql.raw(order)} limit 1`);
  return turn === undefined
    ? undefined
    : db.select().from(pending).where(eq(pending.id, turn.id)).get();
}
