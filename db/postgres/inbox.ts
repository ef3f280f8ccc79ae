import { and, asc, desc, eq, isNull, lte, min, or, type SQL } from "drizzle-orm";
import type { MemberAction, ResolvedAlert } from "../../src/core/store/inbox.ts";
import { isAddress, isSameAddress } from "../expressions.ts";
import { HAS_NEWS, inboxQuery, type InboxRow, toInboxPage } from "../inbox.ts";
import { changeAlert } from "./alerts.ts";
import type { Queries, StoreTools } from "./context.ts";
import { rowsOf } from "./expressions.ts";
import { member, memberAction, memberKey, organisation } from "./organisation-schema.ts";
import {
  applyMembers,
  isManager,
  isTooFull,
  losesLastManager,
  ORGANISATIONS_SUBJECT,
} from "./organisations.ts";
import { alert, conversation } from "./schema.ts";
import { sessionKeys } from "./session-keys.ts";
import type { Tx } from "./transaction.ts";

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
      toInboxPage(await rowsOf<InboxRow>(tools, inboxQuery(slug, limit, offset))),

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
  const changed = await tx.db
    .update(conversation)
    .set({ readAt: action.at })
    .where(and(eq(conversation.id, conversationId), which))
    .returning({ id: conversation.id });
  if (changed.length > 0) await logAction(tx, action);
}

async function logAction({ db }: Tx, action: MemberAction): Promise<void> {
  await db.insert(memberAction).values(action);
}

async function resolve(
  tx: Tx,
  { seen, change, action }: ResolvedAlert,
  now: number,
): Promise<boolean> {
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
