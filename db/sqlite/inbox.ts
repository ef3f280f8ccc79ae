import { and, asc, desc, eq, isNull, lte, min, or, type SQL } from "drizzle-orm";
import type { MemberAction, ResolvedAlert } from "../../src/core/store/inbox.ts";
import { isAddress, isSameAddress } from "../expressions.ts";
import { HAS_NEWS, inboxQuery, type InboxRow, toInboxPage } from "../inbox.ts";
import type { Queries, StoreTools } from "./context.ts";
import { member, memberAction, memberKey, organisation } from "./organisation-schema.ts";
import { applyMembers, isManager, isTooFull, losesLastManager } from "./organisations.ts";
import { alert, conversation } from "./schema.ts";
import { sessionKeys } from "./session-keys.ts";

/** Members of organisations: their sign-in and what they do. */
export function inboxQueries(tools: StoreTools) {
  const { db, write } = tools;
  const keys = sessionKeys(tools, memberKey);
  /** Condition for a membership of exactly the address of a session. The first half is for the index. */
  const isSpelledAlike = and(
    isSameAddress(member.email, memberKey.email),
    eq(member.email, memberKey.email),
  );
  /** Condition for a membership that is older than the link of a session. */
  const isOlder = or(isNull(memberKey.createdAt), lte(member.addedAt, memberKey.createdAt));
  return {
    memberAddresses: (email, limit) =>
      db
        .select({ email: member.email })
        .from(member)
        .where(isAddress(member.email, email))
        .groupBy(member.email)
        .orderBy(desc(eq(member.email, email)), asc(min(member.addedAt)), asc(member.email))
        .limit(limit)
        .all()
        .map((row) => row.email),

    memberships: (tokenHash, now, limit) =>
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
        .limit(limit)
        .all(),

    addMemberLinks: keys.add,
    openMemberSession: keys.open,
    renewMemberSession: keys.renew,
    endMemberSession: keys.end,

    inbox: (slug, limit, offset) => toInboxPage(db.all<InboxRow>(inboxQuery(slug, limit, offset))),

    markRead: (conversationId, action) =>
      write(() => markRead(tools, conversationId, action, HAS_NEWS)),

    resolveAlerts: (alerts, now) =>
      write(() => alerts.flatMap((one) => (resolve(tools, one, now) ? [one.seen.id] : []))),

    changeMembers: (members, action, needsManager) =>
      write(() => {
        const slug = action.organisation;
        if (needsManager && !isManager(tools, slug, action.who)) return { kind: "not_allowed" };
        if (isTooFull(tools, slug, members)) return { kind: "full" };
        if (losesLastManager(tools, slug, members)) return { kind: "no_manager" };
        applyMembers(tools, slug, members, action.at);
        logAction(tools, action);
        return { kind: "saved" };
      }),

    memberActions: (slug, limit) =>
      db
        .select()
        .from(memberAction)
        .where(eq(memberAction.organisation, slug))
        .orderBy(desc(memberAction.at), desc(memberAction.id))
        .limit(limit)
        .all(),
  } satisfies Queries;
}

/** Notes and logs that a conversation was read, if `which` holds for it. Only inside `write`. */
export function markRead(
  tools: StoreTools,
  conversationId: string,
  action: MemberAction,
  which?: SQL,
): void {
  const changed = tools.db
    .update(conversation)
    .set({ readAt: action.at })
    .where(and(eq(conversation.id, conversationId), which))
    .returning({ id: conversation.id })
    .get();
  if (changed !== undefined) logAction(tools, action);
}

function logAction({ db }: StoreTools, action: MemberAction): void {
  db.insert(memberAction).values(action).run();
}

function resolve(tools: StoreTools, { seen, change, action }: ResolvedAlert, now: number): boolean {
  const asSeen = and(
    eq(alert.id, seen.id),
    eq(alert.status, seen.status),
    eq(alert.expiresAt, seen.expiresAt),
    eq(alert.organisation, action.organisation),
    isNull(alert.erasedAt),
  );
  const changed = tools.db
    .update(alert)
    .set({ ...change, updatedAt: now, revision: tools.nextRevision() })
    .where(asSeen)
    .returning({ id: alert.id })
    .get();
  if (changed === undefined) return false;
  logAction(tools, action);
  return true;
}
