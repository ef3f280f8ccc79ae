import { and, asc, eq, gt, isNotNull, isNull, ne, notExists, or, type SQL, sql } from "drizzle-orm";
import {
  MEMBERS_MAX,
  type Organisation,
  ORGANISATIONS_MAX,
} from "../../src/core/organisations/organisation.ts";
import type { MemberChanges, SavedOrganisation } from "../../src/core/store/organisations.ts";
import { idsOf, isAddress } from "../expressions.ts";
import type { Queries, StoreTools } from "./context.ts";
import { countRows, first, hasRow, inList } from "./expressions.ts";
import { member, memberKey, organisation } from "./organisation-schema.ts";
import { freePhotos, usePhotos } from "./photos.ts";
import { lockCounter } from "./revisions.ts";
import { alert } from "./schema.ts";
import type { Tx } from "./transaction.ts";

/** Organisations, their members and their alerts. */
export function organisationQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    async organisation(slug) {
      const named = eq(organisation.slug, slug);
      return (await first(db.select(COLUMNS).from(organisation).where(named))) ?? null;
    },

    organisations: async (after, limit) =>
      db
        .select(COLUMNS)
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
        await lockCounter(tx.db);
        return { kind: "saved" };
      }),

    alignAlerts: (slug, limit, now) =>
      write([ORGANISATIONS_SUBJECT], async (tx) => {
        const named = eq(organisation.slug, slug);
        const its = await first(tx.db.select(COLUMNS).from(organisation).where(named));
        if (its === undefined) return 0;
        const { name, email } = its;
        const strangers = await changeAlerts(tx, isOfOthers(slug, email), null, limit, now);
        const left = limit - strangers;
        if (email === null || left === 0) return strangers;
        const unaligned = isUnaligned(its, email);
        return strangers + (await changeAlerts(tx, unaligned, { slug, name }, left, now));
      }),

    releaseAlerts: (slug, limit, now) =>
      write([ORGANISATIONS_SUBJECT], (tx) => changeAlerts(tx, isOf(slug), null, limit, now)),

    removeOrganisation: (slug, now) =>
      write([ORGANISATIONS_SUBJECT], async (tx) => {
        // No alert of it is added meanwhile.
        await lockCounter(tx.db);
        await changeAlerts(tx, isOf(slug), null, null, now);
        await freePhotos(tx, [`organisation:${slug}`]);
        await endMemberships(tx, eq(member.organisation, slug));
        const removed = await tx.db
          .delete(organisation)
          .where(eq(organisation.slug, slug))
          .returning({ slug: organisation.slug });
        return removed.length > 0;
      }),

    countActiveOf: (slug) => countRows(tools, alert, and(isOf(slug), eq(alert.status, "active"))),
  } satisfies Queries;
}

/** Subject of all changes to organisations and their members, which are rare. */
export const ORGANISATIONS_SUBJECT = "organisations";

const COLUMNS = {
  slug: organisation.slug,
  name: organisation.name,
  email: organisation.email,
  address: organisation.address,
  hours: organisation.hours,
  phone: organisation.phone,
  page: organisation.page,
  logo: organisation.logo,
};

/** Reason why an organisation cannot be saved; null if it can. */
async function refusalOf(
  tx: Tx,
  { slug, email }: Organisation,
  members: MemberChanges,
  isNew: boolean,
): Promise<SavedOrganisation | null> {
  if ((await hasRow(tx, organisation, eq(organisation.slug, slug))) === isNew)
    return { kind: isNew ? "exists" : "unknown" };
  if (isNew && (await countRows(tx, organisation, undefined)) >= ORGANISATIONS_MAX)
    return { kind: "full" };
  const others = ne(organisation.slug, slug);
  if (
    email !== null &&
    (await hasRow(tx, organisation, and(others, isAddress(organisation.email, email))))
  )
    return { kind: "email_taken" };
  return (await isTooFull(tx, slug, members)) ? { kind: "full" } : null;
}

/** True if an organisation would have too many members after a change. */
export async function isTooFull(tx: Tx, slug: string, members: MemberChanges): Promise<boolean> {
  return (
    (await countRows(tx, member, isStaying(slug, members))) + members.added.length > MEMBERS_MAX
  );
}

/** True if a change would take an organisation's last manager from it. */
export async function losesLastManager(
  tx: Tx,
  slug: string,
  members: MemberChanges,
): Promise<boolean> {
  if (members.added.some(({ role }) => role === "manager")) return false;
  const isManager = eq(member.role, "manager");
  return (
    (await hasRow(tx, member, and(eq(member.organisation, slug), isManager))) &&
    !(await hasRow(tx, member, and(isStaying(slug, members), isManager)))
  );
}

/** True if exactly this address is a manager's. */
export async function isManager(tx: Tx, slug: string, email: string): Promise<boolean> {
  const same = and(isMember(slug, email), eq(member.email, email));
  return hasRow(tx, member, and(same, eq(member.role, "manager")));
}

/** Condition for members of an organisation whom a change does not name. */
function isStaying(slug: string, { added, removed }: MemberChanges): SQL | undefined {
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
  const { db } = tx;
  for (const email of members.removed) await endMemberships(tx, isMember(slug, email));
  for (const { email, role } of members.added) {
    const changed = await db
      .update(member)
      .set({ role })
      .where(and(isMember(slug, email), eq(member.email, email)))
      .returning({ role: member.role });
    if (changed.length > 0) continue;
    await endMemberships(tx, isMember(slug, email));
    await db.insert(member).values({ email, role, organisation: slug, addedAt: now });
  }
}

/**
 * Deletes members, and their sign-in links and sessions unless these may act for another organisation. Those without a time
 * always go: they would act for an organisation that adds the member later.
 */
async function endMemberships({ db }: Tx, which: SQL | undefined): Promise<void> {
  const ended = await db.delete(member).where(which).returning({ email: member.email });
  const remaining = db
    .select({ email: member.email })
    .from(member)
    .where(eq(member.email, memberKey.email));
  for (const { email } of ended)
    await db
      .delete(memberKey)
      .where(
        and(
          isAddress(memberKey.email, email),
          or(isNull(memberKey.createdAt), notExists(remaining)),
        ),
      );
}

function isMember(slug: string, email: string): SQL | undefined {
  return and(eq(member.organisation, slug), isAddress(member.email, email));
}

/** Condition for the alerts of an organisation. */
function isOf(slug: string): SQL | undefined {
  return and(isNotNull(alert.organisation), eq(alert.organisation, slug));
}

/** Condition for the alerts of an organisation whose owner has another address than it. */
function isOfOthers(slug: string, email: string | null): SQL | undefined {
  const others = email === null ? undefined : sql`not ${isAddress(alert.ownerEmail, email)}`;
  return and(isOf(slug), isNotNull(alert.ownerEmail), others);
}

/** Condition for alerts of this owner, and those of the organisation, that lack its slug or its name. */
function isUnaligned({ slug, name }: Organisation, email: string): SQL | undefined {
  const owned = and(
    isNotNull(alert.ownerEmail),
    isAddress(alert.ownerEmail, email),
    isNull(alert.organisation),
  );
  return or(owned, and(isOf(slug), ne(alert.organisationName, name)));
}

/** Sets the organisation of at most `limit` alerts; null: of all. Returns their number. */
async function changeAlerts(
  { db, changes }: Tx,
  which: SQL | undefined,
  its: { readonly slug: string; readonly name: string } | null,
  limit: number | null,
  now: number,
): Promise<number> {
  const found = db.select({ id: alert.id }).from(alert).where(which).orderBy(alert.publishedAt);
  const rows = await (limit === null ? found : found.limit(limit));
  const changed = await db
    .update(alert)
    .set({
      organisation: its?.slug ?? null,
      organisationName: its?.name ?? null,
      updatedAt: sql`greatest(${now}::bigint, ${alert.updatedAt} + 1)`,
    })
    .where(and(inList(alert.id, idsOf(rows)), which))
    .returning({ id: alert.id });
  for (const { id } of changed) changes.alerts.add(id);
  return changed.length;
}
