import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  isNull,
  lte,
  min,
  ne,
  notExists,
  or,
  sql,
  type SQL,
} from "drizzle-orm";
import type { InboxEntry, InboxPage, ResolvedAlert } from "../src/core/inbox/inbox-store.ts";
import type {
  MemberChanges,
  SavedOrganisation,
} from "../src/core/organisations/organisation-store.ts";
import {
  type MemberAction,
  MEMBERS_MAX,
  type Organisation,
  ORGANISATIONS_MAX,
} from "../src/core/organisations/organisation.ts";
import { changeAlert } from "./alerts.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { lockCounter } from "./index-feed.ts";
import { isOpenKey } from "./links.ts";
import { freePhotos, usePhotos } from "./photos.ts";
import { changeIds, countRows, first, hasRow, idsOf, isAddress, isSameAddress } from "./queries.ts";

/** Organisations, their alerts and their members: how these sign in and what they do. */
export function organisationQueries(tools: StoreTools) {
  const { alert, member, memberAction, organisation, sessionKey } = tools.tables;
  const { db, write } = tools;
  const { createdAt: _createdAt, ...columns } = getTableColumns(organisation);
  /** Condition for a membership of exactly the address of a session. The first half is for the index. */
  const isSpelledAlike = and(
    isSameAddress(member.email, sessionKey.email),
    eq(member.email, sessionKey.email),
  );
  /** Condition for a membership that is older than the link of a session. */
  const isOlder = lte(member.addedAt, sessionKey.createdAt);
  return {
    async organisation(slug) {
      const named = eq(organisation.slug, slug);
      return (await first(db.select(columns).from(organisation).where(named))) ?? null;
    },

    organisations: async (after, limit) =>
      db
        .select(columns)
        .from(organisation)
        .where(gt(organisation.slug, after ?? ""))
        .orderBy(asc(organisation.slug))
        .limit(limit),

    members: async (slug, limit) =>
      db
        .select({ email: member.email, role: member.role })
        .from(member)
        .where(eq(member.organisation, slug))
        .orderBy(asc(sql`lower(${member.email})`))
        .limit(limit),

    saveOrganisation: (saved, members, isNew, now) =>
      write<SavedOrganisation>([ORGANISATIONS_SUBJECT], async (tx) => {
        const refusal = await refusalOf(tx, saved, members, isNew);
        if (refusal !== null) return refusal;
        const named = eq(organisation.slug, saved.slug);
        if (isNew) await tx.db.insert(organisation).values({ ...saved, createdAt: now });
        else await tx.db.update(organisation).set(saved).where(named);
        await usePhotos(tx, `organisation:${saved.slug}`, saved.logo === null ? [] : [saved.logo]);
        await applyMembers(tx, saved.slug, members, now);
        // An alert is added with the counter locked: it sees this organisation, or `alignAlerts` sees the alert.
        await lockCounter(tx);
        return { kind: "saved" };
      }),

    alignAlerts: (slug, limit, now) =>
      write([ORGANISATIONS_SUBJECT], async (tx) => {
        const named = eq(organisation.slug, slug);
        const aligned = await first(tx.db.select(columns).from(organisation).where(named));
        if (aligned === undefined) return 0;
        const { name, email } = aligned;
        const strangers = await changeAlerts(tx, isOfOthers(tx, slug, email), null, limit, now);
        const left = limit - strangers;
        if (email === null || left === 0) return strangers;
        const unaligned = isUnaligned(tx, aligned, email);
        return strangers + (await changeAlerts(tx, unaligned, { slug, name }, left, now));
      }),

    releaseAlerts: (slug, limit, now) =>
      write([ORGANISATIONS_SUBJECT], (tx) => changeAlerts(tx, isOf(tx, slug), null, limit, now)),

    removeOrganisation: (slug, now) =>
      write([ORGANISATIONS_SUBJECT], async (tx) => {
        // No alert of it is added meanwhile.
        await lockCounter(tx);
        await changeAlerts(tx, isOf(tx, slug), null, null, now);
        await freePhotos(tx, "organisation", [slug]);
        await endMemberships(tx, eq(member.organisation, slug));
        const named = eq(organisation.slug, slug);
        const removed = await tx.db.delete(organisation).where(named).returning();
        return removed.length > 0;
      }),

    countActiveOf: (slug) =>
      countRows(tools, alert, and(isOf(tools, slug), eq(alert.status, "active"))),

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
        .from(sessionKey)
        .innerJoin(member, isSpelledAlike)
        .innerJoin(organisation, eq(organisation.slug, member.organisation))
        .where(and(isOpenKey(tools, "inbox", "session", tokenHash, now), isOlder))
        .orderBy(asc(member.addedAt), asc(member.organisation))
        .limit(limit),

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

/** Subject of all changes to organisations and their members, which are rare. */
export const ORGANISATIONS_SUBJECT = "organisations";

/** Reason why an organisation cannot be saved; null if it can. */
async function refusalOf(
  tx: Tx,
  { slug, email }: Organisation,
  members: MemberChanges,
  isNew: boolean,
): Promise<SavedOrganisation | null> {
  const { organisation } = tx.tables;
  if ((await hasRow(tx, organisation, eq(organisation.slug, slug))) === isNew)
    return { kind: isNew ? "exists" : "unknown" };
  if (isNew && (await countRows(tx, organisation, undefined)) >= ORGANISATIONS_MAX)
    return { kind: "full" };
  const taken = and(ne(organisation.slug, slug), isAddress(organisation.email, email ?? ""));
  if (email !== null && (await hasRow(tx, organisation, taken))) return { kind: "email_taken" };
  return (await isTooFull(tx, slug, members)) ? { kind: "full" } : null;
}

/** True if an organisation would have too many members after a change. */
export async function isTooFull(tx: Tx, slug: string, members: MemberChanges): Promise<boolean> {
  const staying = await countRows(tx, tx.tables.member, isStaying(tx, slug, members));
  return staying + members.added.length > MEMBERS_MAX;
}

/** True if a change would take an organisation's last manager from it. */
export async function losesLastManager(
  tx: Tx,
  slug: string,
  members: MemberChanges,
): Promise<boolean> {
  const { member } = tx.tables;
  if (members.added.some(({ role }) => role === "manager")) return false;
  const isManager = eq(member.role, "manager");
  return (
    (await hasRow(tx, member, and(eq(member.organisation, slug), isManager))) &&
    !(await hasRow(tx, member, and(isStaying(tx, slug, members), isManager)))
  );
}

/** True if exactly this address is a manager's. */
export async function isManager(tx: Tx, slug: string, email: string): Promise<boolean> {
  const { member } = tx.tables;
  const same = and(isMember(tx, slug, email), eq(member.email, email));
  return hasRow(tx, member, and(same, eq(member.role, "manager")));
}

/** Condition for members of an organisation whom a change does not name. */
function isStaying(
  { tables: { member } }: Reader,
  slug: string,
  { added, removed }: MemberChanges,
): SQL | undefined {
  const named = [...removed, ...added.map(({ email }) => email)];
  return and(
    eq(member.organisation, slug),
    ...named.map((address) => sql`not ${isAddress(member.email, address)}`),
  );
}

export async function applyMembers(
  tx: Tx,
  slug: string,
  members: MemberChanges,
  now: number,
): Promise<void> {
  const { member } = tx.tables;
  const { db } = tx;
  for (const email of members.removed) await endMemberships(tx, isMember(tx, slug, email));
  for (const { email, role } of members.added) {
    const same = and(isMember(tx, slug, email), eq(member.email, email));
    const changed = await db.update(member).set({ role }).where(same).returning();
    if (changed.length > 0) continue;
    await endMemberships(tx, isMember(tx, slug, email));
    await db.insert(member).values({ email, role, organisation: slug, addedAt: now });
  }
}

/** Deletes members, and their sign-in links and sessions unless these may act for another organisation. */
async function endMemberships(tx: Tx, which: SQL | undefined): Promise<void> {
  const { member, sessionKey } = tx.tables;
  const { db } = tx;
  const ended = await db.delete(member).where(which).returning({ email: member.email });
  const isSame = eq(member.email, sessionKey.email);
  const remaining = db.select({ email: member.email }).from(member).where(isSame);
  for (const { email } of ended)
    await db
      .delete(sessionKey)
      .where(
        and(
          eq(sessionKey.purpose, "inbox"),
          isAddress(sessionKey.email, email),
          notExists(remaining),
        ),
      );
}

function isMember({ tables: { member } }: Reader, slug: string, email: string): SQL | undefined {
  return and(eq(member.organisation, slug), isAddress(member.email, email));
}

/** Condition for the alerts of an organisation. */
function isOf({ tables: { alert } }: Reader, slug: string): SQL | undefined {
  return and(isNotNull(alert.organisation), eq(alert.organisation, slug));
}

/** Condition for the alerts of an organisation whose owner has another address than it. */
function isOfOthers(reader: Reader, slug: string, email: string | null): SQL | undefined {
  const { alert } = reader.tables;
  const others = email === null ? undefined : sql`not ${isAddress(alert.ownerEmail, email)}`;
  return and(isOf(reader, slug), isNotNull(alert.ownerEmail), others);
}

/** Condition for alerts of this owner, and those of the organisation, that lack its slug or its name. */
function isUnaligned(reader: Reader, { slug, name }: Organisation, email: string): SQL | undefined {
  const { alert } = reader.tables;
  const owned = and(
    isNotNull(alert.ownerEmail),
    isAddress(alert.ownerEmail, email),
    isNull(alert.organisation),
  );
  return or(owned, and(isOf(reader, slug), ne(alert.organisationName, name)));
}

/** Sets the organisation of at most `limit` alerts; null: of all. Returns their number. */
async function changeAlerts(
  tx: Tx,
  which: SQL | undefined,
  organisation: { readonly slug: string; readonly name: string } | null,
  limit: number | null,
  now: number,
): Promise<number> {
  const { db, dialect, tables } = tx;
  const { alert } = tables;
  const found = db.select({ id: alert.id }).from(alert).where(which).orderBy(alert.publishedAt);
  const rows = await (limit === null ? found : found.limit(limit));
  const set = {
    organisation: organisation?.slug ?? null,
    organisationName: organisation?.name ?? null,
    updatedAt: dialect.greater(sql`cast(${now} as bigint)`, sql`${alert.updatedAt} + 1`),
  };
  const changed = await changeIds(
    tx,
    alert,
    set,
    and(dialect.inList(alert.id, idsOf(rows)), which),
  );
  for (const id of changed) tx.changes.alerts.add(id);
  return changed.length;
}

/** Notes and logs that a conversation was read, if `which` holds for it. */
export async function markRead(
  tx: Tx,
  conversationId: string,
  action: MemberAction,
  which?: SQL,
): Promise<void> {
  const { conversation } = tx.tables;
  const isNamed = eq(conversation.id, conversationId);
  const changed = await changeIds(tx, conversation, { readAt: action.at }, and(isNamed, which));
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
