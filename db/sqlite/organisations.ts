import { and, asc, eq, gt, isNotNull, isNull, ne, notExists, or, type SQL, sql } from "drizzle-orm";
import {
  MEMBERS_MAX,
  type Organisation,
  ORGANISATIONS_MAX,
} from "../../src/core/organisations/organisation.ts";
import type { MemberChanges, SavedOrganisation } from "../../src/core/store/organisations.ts";
import { isAddress } from "../expressions.ts";
import type { Queries, StoreTools } from "./context.ts";
import { countRows, hasRow } from "./expressions.ts";
import type { Db } from "./open.ts";
import { member, memberKey, organisation } from "./organisation-schema.ts";
import { freePhotos, usePhotos } from "./photos.ts";
import { alert } from "./schema.ts";

/** Organisations, their members and their alerts. */
export function organisationQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    organisation: (slug) =>
      db.select(COLUMNS).from(organisation).where(eq(organisation.slug, slug)).get() ?? null,

    organisations: (after, limit) =>
      db
        .select(COLUMNS)
        .from(organisation)
        .where(gt(organisation.slug, after ?? ""))
        .orderBy(asc(organisation.slug))
        .limit(limit)
        .all(),

    members: (slug, limit) =>
      db
        .select({ email: member.email, role: member.role })
        .from(member)
        .where(eq(member.organisation, slug))
        .orderBy(asc(sql`lower(${member.email})`))
        .limit(limit)
        .all(),

    saveOrganisation: (saved, members, isNew, now) =>
      write(() => {
        const refusal = refusalOf(tools, saved, members, isNew);
        if (refusal !== null) return refusal;
        if (isNew)
          db.insert(organisation)
            .values({ ...saved, createdAt: now })
            .run();
        else db.update(organisation).set(saved).where(eq(organisation.slug, saved.slug)).run();
        usePhotos(tools, `organisation:${saved.slug}`, saved.logo === null ? [] : [saved.logo]);
        applyMembers(tools, saved.slug, members, now);
        return { kind: "saved" };
      }),

    alignAlerts: (slug, limit, now) =>
      write(() => {
        const its = db.select().from(organisation).where(eq(organisation.slug, slug)).get();
        if (its === undefined) return 0;
        const { name, email } = its;
        const strangers = changeAlerts(tools, isOfOthers(slug, email), null, limit, now);
        const left = limit - strangers;
        if (email === null || left === 0) return strangers;
        return strangers + changeAlerts(tools, isUnaligned(its, email), { slug, name }, left, now);
      }),

    releaseAlerts: (slug, limit, now) =>
      write(() => changeAlerts(tools, isOf(slug), null, limit, now)),

    removeOrganisation: (slug, now) =>
      write(() => {
        changeAlerts(tools, isOf(slug), null, Number.MAX_SAFE_INTEGER, now);
        freePhotos(tools, [`organisation:${slug}`]);
        endMemberships(tools, eq(member.organisation, slug));
        const removed = db
          .delete(organisation)
          .where(eq(organisation.slug, slug))
          .returning({ slug: organisation.slug })
          .get();
        return removed !== undefined;
      }),

    countActiveOf: (slug) => countRows(db, alert, and(isOf(slug), eq(alert.status, "active"))),
  } satisfies Queries;
}

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

/** Organisation with the address of an owner. */
export const organisationOfOwner = (db: Db) =>
  db
    .select({ organisation: organisation.slug, organisationName: organisation.name })
    .from(organisation)
    .where(sql`lower(${organisation.email}) = ${sql.placeholder("email")}`);

/** Reason why an organisation cannot be saved; null if it can. */
function refusalOf(
  tools: StoreTools,
  { slug, email }: Organisation,
  members: MemberChanges,
  isNew: boolean,
): SavedOrganisation | null {
  const { db } = tools;
  if (hasRow(db, organisation, eq(organisation.slug, slug)) === isNew)
    return { kind: isNew ? "exists" : "unknown" };
  if (isNew && countRows(db, organisation, undefined) >= ORGANISATIONS_MAX) return { kind: "full" };
  const another = ne(organisation.slug, slug);
  if (
    email !== null &&
    hasRow(db, organisation, and(another, isAddress(organisation.email, email)))
  )
    return { kind: "email_taken" };
  return isTooFull(tools, slug, members) ? { kind: "full" } : null;
}

/** True if an organisation would have too many members after a change. */
export function isTooFull({ db }: StoreTools, slug: string, members: MemberChanges): boolean {
  return countRows(db, member, isStaying(slug, members)) + members.added.length > MEMBERS_MAX;
}

/** True if a change would take an organisation's last manager from it. */
export function losesLastManager(
  { db }: StoreTools,
  slug: string,
  members: MemberChanges,
): boolean {
  if (members.added.some(({ role }) => role === "manager")) return false;
  const isManager = eq(member.role, "manager");
  return (
    hasRow(db, member, and(eq(member.organisation, slug), isManager)) &&
    !hasRow(db, member, and(isStaying(slug, members), isManager))
  );
}

/** True if exactly this address is a manager's. */
export function isManager({ db }: StoreTools, slug: string, email: string): boolean {
  const same = and(isMember(slug, email), eq(member.email, email));
  return hasRow(db, member, and(same, eq(member.role, "manager")));
}

/** Condition for members of an organisation whom a change does not name. */
function isStaying(slug: string, { added, removed }: MemberChanges): SQL | undefined {
  const named = [...removed, ...added.map(({ email }) => email)];
  return and(
    eq(member.organisation, slug),
    ...named.map((address) => sql`not ${isAddress(member.email, address)}`),
  );
}

/** Only inside `write`. */
export function applyMembers(
  tools: StoreTools,
  slug: string,
  members: MemberChanges,
  now: number,
): void {
  const { db } = tools;
  for (const email of members.removed) endMemberships(tools, isMember(slug, email));
  for (const { email, role } of members.added) {
    const changed = db
      .update(member)
      .set({ role })
      .where(and(isMember(slug, email), eq(member.email, email)))
      .returning({ role: member.role })
      .get();
    if (changed !== undefined) continue;
    endMemberships(tools, isMember(slug, email));
    db.insert(member).values({ email, role, organisation: slug, addedAt: now }).run();
  }
}

/**
 * Deletes members, and their sign-in links and sessions unless these may act for another organisation. Those without a time
 * always go: they would act for an organisation that adds the member later. Only inside `write`.
 */
function endMemberships({ db }: StoreTools, which: SQL | undefined): void {
  const ended = db.delete(member).where(which).returning({ email: member.email }).all();
  const remaining = db
    .select({ email: member.email })
    .from(member)
    .where(eq(member.email, memberKey.email));
  for (const { email } of ended)
    db.delete(memberKey)
      .where(
        and(
          isAddress(memberKey.email, email),
          or(isNull(memberKey.createdAt), notExists(remaining)),
        ),
      )
      .run();
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

/** Sets the organisation of alerts. Returns their number. Only inside `write`. */
function changeAlerts(
  { db, nextRevision }: StoreTools,
  which: SQL | undefined,
  its: { readonly slug: string; readonly name: string } | null,
  limit: number,
  now: number,
): number {
  const rows = db
    .select({ id: alert.id, updatedAt: alert.updatedAt })
    .from(alert)
    .where(which)
    .limit(limit)
    .all();
  for (const { id, updatedAt } of rows)
    db.update(alert)
      .set({
        organisation: its?.slug ?? null,
        organisationName: its?.name ?? null,
        updatedAt: Math.max(now, updatedAt + 1),
        revision: nextRevision(),
      })
      .where(eq(alert.id, id))
      .run();
  return rows.length;
}
