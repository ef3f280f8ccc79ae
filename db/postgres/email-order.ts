import { eq, sql } from "drizzle-orm";
import { HOUR_MS } from "../../src/core/duration.ts";
import { DUE_AHEAD_MAX_MS } from "../expressions.ts";
import type { Reader } from "./connection.ts";
import { first, rowsOf } from "./expressions.ts";
import { pending } from "./schema.ts";

/** Maximum of due requests read, the newest first. */
const DUE_MAX = 5_000;

/** Period in which the emails of a network count against its turn. */
const RECENT_MS = HOUR_MS;

/**
 * Oldest due request of the network whose turn it is: the network with the fewest recent emails; then known mailboxes
 * before others, then the network with the fewest requests in the queue.
 */
export async function firstInTurn(
  reader: Reader,
  now: number,
): Promise<typeof pending.$inferSelect | undefined> {
  const columns = sql`id, network_mark, address_mark, created_at`;
  const [turn] = await rowsOf<{ id: string }>(
    reader,
    sql`
      with waiting as (
        (
          select ${columns} from pending
          where email_due_at <= ${now} and expires_at > ${now} order by email_due_at desc limit ${DUE_MAX}
        )
        union all
        select ${columns} from pending
        where email_due_at > ${now + DUE_AHEAD_MAX_MS} and expires_at > ${now}
      ), due as (
        select network_mark, known, count(*) as queued, min(created_at) as oldest,
          (array_agg(id order by created_at, id))[1] as id
        from (
          select *, exists (
            select 1 from confirmed_mailbox
            where confirmed_mailbox.address_mark = waiting.address_mark
          ) as known
          from waiting
        ) as ranked group by network_mark, known
      )
      select id from (
        select *, (
          select count(*) from confirmation_email
          where confirmation_email.network_mark = due.network_mark
          and sent_at > ${now - RECENT_MS} and sent_at <= ${now}
        ) as recent
        from due
      ) as turns order by recent, known desc, queued, oldest limit 1`,
  );
  if (turn === undefined) return undefined;
  return first(reader.db.select().from(pending).where(eq(pending.id, turn.id)));
}
