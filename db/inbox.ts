import { type SQL, sql } from "drizzle-orm";
import type { InboxEntry, InboxPage } from "../src/core/store/inbox.ts";

export type InboxRow = Omit<InboxEntry, "isUnread" | "isClosed"> & {
  readonly unread: number;
  readonly closed: number;
  readonly total: number;
  readonly unreadTotal: number;
};

/** Page of an inbox; its rows are those that `toInboxPage` takes. */
export function inboxQuery(slug: string, limit: number, offset: number): SQL {
  return sql`
    with told(id, at, answered_at) as (
      select message.conversation_id,
        max(case when message."from" = 'stranger' then message.created_at end),
        max(case when message."from" = 'owner' then message.created_at end)
      from alert
      join conversation on conversation.alert_id = alert.id
      join message on message.conversation_id = conversation.id
      where alert.organisation = ${slug}
      group by message.conversation_id
    ),
    listed(id, at, unread) as (
      select told.id, told.at,
        case when conversation.closed_at is null
          and told.at > coalesce(conversation.read_at, 0)
          and told.at > coalesce(told.answered_at, 0) then 1 else 0 end
      from told join conversation on conversation.id = told.id
      where told.at is not null
    )
    select conversation.id, alert.short_code as "shortCode", alert.type, alert.species, alert.name,
      conversation.stranger_name as "strangerName",
      (select message.text from message
        where message.conversation_id = conversation.id and message."from" = 'stranger'
        order by message.created_at desc, message.id desc limit 1) as text,
      cast(listed.at as double precision) as at, listed.unread,
      case when conversation.closed_at is null then 0 else 1 end as closed,
      cast(count(*) over () as integer) as total,
      cast(sum(listed.unread) over () as integer) as "unreadTotal"
    from listed
    join conversation on conversation.id = listed.id
    join alert on alert.id = conversation.alert_id
    order by listed.unread desc,
      row_number() over (
        partition by listed.unread, conversation.network_mark order by listed.at desc
      ),
      listed.at desc
    limit ${limit} offset ${offset}`;
}

/** Condition for a conversation whose stranger has written since a member last read it. */
export const HAS_NEWS = sql`(conversation.read_at is null or exists (
  select 1 from message
  where message.conversation_id = conversation.id and message."from" = 'stranger'
    and message.created_at > conversation.read_at))`;

export function toInboxPage(rows: readonly InboxRow[]): InboxPage {
  return {
    conversations: rows.map(
      ({ total: _total, unreadTotal: _unread, unread, closed, ...entry }) => ({
        ...entry,
        isUnread: unread === 1,
        isClosed: closed === 1,
      }),
    ),
    total: rows[0]?.total ?? 0,
    unread: rows[0]?.unreadTotal ?? 0,
  };
}
