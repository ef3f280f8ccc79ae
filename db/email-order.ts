import { eq, sql } from "drizzle-orm";
import { HOUR_MS } from "../src/core/duration.ts";
import type { Reader } from "./context.ts";
import { DUE_AHEAD_MAX_MS, first, isRecent } from "./queries.ts";
import type { Row } from "./schema/tables.ts";

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
): Promise<Row<"pending"> | undefined> {
  const { pending } = reader.tables;
  const columns = sql`id, network_hash, address_hash, created_at`;
  const [turn] = await reader.rows<{ id: string }>(sql`
      with waiting as (
        select * from (
          select ${columns} from pending
          where email_due_at <= ${now} and expires_at > ${now} order by email_due_at desc limit ${DUE_MAX}
        ) as due_requests
        union all
        select ${columns} from pending
        where email_due_at > ${now + DUE_AHEAD_MAX_MS} and expires_at > ${now}
      ), due as (
        select network_hash, known, count(*) as queued, min(created_at) as oldest,
          ${reader.dialect.firstOf(sql`id`, sql`created_at, id`)} as id
        from (
          select *, exists (
            select 1 from confirmed_mailbox
            where confirmed_mailbox.address_hash = waiting.address_hash
          ) as known
          from waiting
        ) as ranked group by network_hash, known
      )
      select id from (
        select *, (
          select count(*) from confirmation_email
          where confirmation_email.network_hash = due.network_hash
          and ${isRecent(sql`sent_at`, now, RECENT_MS)}
        ) as recent
        from due
      ) as turns order by recent, known desc, queued, oldest limit 1`);
  if (turn === undefined) return undefined;
  return first(reader.db.select().from(pending).where(eq(pending.id, turn.id)));
}
