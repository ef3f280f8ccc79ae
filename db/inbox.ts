import { and, asc, desc, eq, isNull, lte, min, type SQL, sql } from "drizzle-orm";
import type {
  InboxEntry,
  InboxPage,
  MemberAction,
  ResolvedAlert,
} from "../src/core/organisations/inbox-store.ts";
import { changeAlert } from "./alerts.ts";
import type { Queries, StoreTools, Tx } from "./context.ts";
import {
  applyMembers,
  isManager,
  isTooFull,
  losesLastManager,
  ORGANISATIONS_SUBJECT,
} from "./organisations.ts";
import { isAddress, isSameAddress } from "./queries.ts";
import { sessionKeys } from "./session-keys.ts";

/** Members of organisations: their sign-in and what they do. */
export function inboxQueries(tools: StoreTools) {
  const { member, memberAction, memberKey, organisation } = tools.tables;
  const { db, write } = tools;
  const keys = sessionKeys(tools, memberKey);
  /** Condition for a membership of exactly the address of a session. The first half is for the index. */
  const isSpelledAlike = and(
    isSameAddress(member.email, memberKey.email),
    eq(member.email, memberKey.email),
  );
  /** Condition for a membership that is older than the link of a session. */
  const isOlder = lte(member.addedAt, memberKey.createdAt);
  return {
    async memberAddresses(email, limit) {
      const rows = await db
        .select({ email: member.email })
        .from(member)
        .where(isAddress(member.email, email))
        .groupBy(member.email)
        .orderBy(desc(eq(member.email, email)), asc(min(member.addedAt)), asc(member.email))
        .limit(limit);
      return rows.map((row) => row.email);
    },

    memberships: async (tokenHash, now, limit) =>
      db
        .select({
          email: member.email,
          role: member.role,
          organisation: organisation.slug,
          name: organisation.name,
        })
        .from(memberKey)
        .innerJoin(member, isSpelledAlike)
        .innerJoin(organisation, eq(organisation.slug, member.organisation))
        .where(and(keys.isOpen(tokenHash, now), isOlder))
        .orderBy(asc(member.addedAt), asc(member.organisation))
        .limit(limit),

    addMemberLinks: keys.add,
    openMemberSession: keys.open,
    renewMemberSession: keys.renew,
    endMemberSession: keys.end,

    inbox: async (slug, limit, offset) =>
      toInboxPage(await tools.rows<InboxRow>(inboxQuery(slug, limit, offset))),

    markRead: (conversationId, action) =>
      write([], (tx) => markRead(tx, conversationId, action, HAS_NEWS)),

    resolveAlerts: (alerts, now) =>
      write([], async (tx) => {
        const resolved: string[] = [];
        // In one order: two members who choose the same alerts do not wait for each other.
        for (const one of alerts.toSorted((a, b) => a.seen.publishedAt - b.seen.publishedAt))
          if (await resolve(tx, one, now)) resolved.push(one.seen.id);
        return resolved;
      }),

    changeMembers: (members, action, needsManager) =>
      write([ORGANISATIONS_SUBJECT], async (tx) => {
        const slug = action.organisation;
        if (needsManager && !(await isManager(tx, slug, action.who)))
          return { kind: "not_allowed" };
        if (await isTooFull(tx, slug, members)) return { kind: "full" };
        if (await losesLastManager(tx, slug, members)) return { kind: "no_manager" };
        await applyMembers(tx, slug, members, action.at);
        await logAction(tx, action);
        return { kind: "saved" };
      }),

    memberActions: async (slug, limit) =>
      db
        .select()
        .from(memberAction)
        .where(eq(memberAction.organisation, slug))
        .orderBy(desc(memberAction.at), desc(memberAction.id))
        .limit(limit),
  } satisfies Queries;
}

/** Notes and logs that a conversation was read, if `which` holds for it. */
export async function markRead(
  tx: Tx,
  conversationId: string,
  action: MemberAction,
  which?: SQL,
): Promise<void> {
  const { conversation } = tx.tables;
  const changed = await tx.db
    .update(conversation)
    .set({ readAt: action.at })
    .where(and(eq(conversation.id, conversationId), which))
    .returning({ id: conversation.id });
  if (changed.length > 0) await logAction(tx, action);
}

async function logAction(tx: Tx, action: MemberAction): Promise<void> {
  const { memberAction } = tx.tables;
  await tx.db.insert(memberAction).values(action);
}

async function resolve(
  tx: Tx,
  { seen, change, action }: ResolvedAlert,
  now: number,
): Promise<boolean> {
  const { alert } = tx.tables;
  const asSeen = and(
    eq(alert.id, seen.id),
    eq(alert.status, seen.status),
    eq(alert.expiresAt, seen.expiresAt),
    eq(alert.organisation, action.organisation),
    isNull(alert.erasedAt),
  );
  if (!(await changeAlert(tx, asSeen, { ...change, updatedAt: now }))) return false;
  await logAction(tx, action);
  return true;
}

type InboxRow = Omit<InboxEntry, "isUnread" | "isClosed"> & {
  readonly unread: number;
  readonly closed: number;
  readonly total: number;
  readonly unreadTotal: number;
};

/** Page of an inbox; its rows are those that `toInboxPage` takes. */
function inboxQuery(slug: string, limit: number, offset: number): SQL {
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
        partition by listed.unread, conversation.network_hash order by listed.at desc
      ),
      listed.at desc
    limit ${limit} offset ${offset}`;
}

/** Condition for a conversation whose stranger has written since a member last read it. */
const HAS_NEWS = sql`(conversation.read_at is null or exists (
  select 1 from message
  where message.conversation_id = conversation.id and message."from" = 'stranger'
    and message.created_at > conversation.read_at))`;

function toInboxPage(rows: readonly InboxRow[]): InboxPage {
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
