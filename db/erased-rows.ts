import { and, eq, gt, inArray, isNotNull, isNull, lt, not, or, type SQL, sql } from "drizzle-orm";
import { NOBODY } from "../src/core/moderation/report.ts";
import { ownerSubject, zoneSubject } from "../src/core/push/push.ts";
import {
  ALERT_GROUPS,
  alertsOfSubject,
  redirectedSubject,
} from "../src/core/people/unsubscribe-link.ts";
import { zonesOfSubject } from "../src/core/zones/zone.ts";
import type { Tx } from "./context.ts";
import { eraseConversations, withdrawDigests } from "./conversations.ts";
import { membershipsOf, rowsOfMailbox, sealedLinks } from "./data-inventory.ts";
import { dropTopics } from "./device-topics.ts";
import { deleteLinks } from "./links.ts";
import { erasePairs, withdrawMatchDigests } from "./matches.ts";
import {
  withdrawManageLinks,
  withdrawMatches,
  withdrawPlanEmails,
  withdrawWhere,
} from "./outbox.ts";
import { endRequests, wipeRepeats } from "./pending.ts";
import { freePhotos } from "./photos.ts";
import { idsOf, first, hasRow, lockRows } from "./queries.ts";
import { closeReports } from "./reports.ts";
import { ENDED, WIPED_ALERT, WIPED_OWNER } from "./rows.ts";
import { eraseSightings } from "./sightings.ts";
import { withdrawNews, withdrawZoneEmails } from "./zones.ts";

/**
 * Erases a batch of the rows of a mailbox that were made up to a time, at most `limit` alerts; returns whether those were
 * the last. The first call erases all that can become an alert or write to one: a confirmation under way holds the row of
 * its request, so that what it adds is found afterwards.
 */
export async function eraseBatch(
  tx: Tx,
  email: string,
  { upTo, limit, now }: { upTo: number; limit: number; now: number },
): Promise<boolean> {
  const { adminKey, member, memberAction, memberKey, moderation, organisation, outbox, pending } =
    tx.tables;
  const { db, dialect } = tx;
  const rows = rowsOfMailbox(tx, email, upTo);
  await endRequests(tx, dialect.inList(pending.id, idsOf(await rows.requests)), now);
  for (const { id } of await rows.zones) await eraseZone(tx, id, now);
  // The conversations are locked first: a reply under way then counts as written before.
  const started = idsOf(await dialect.locking(rows.started, "update"));
  // Emails with messages of these conversations are found by the private links in them.
  const sealedToken = sql`(${outbox.content} ->> 'sealedToken')`;
  const holdsOne = dialect.inList(sealedToken, await sealedLinks(tx, started));
  await withdrawWhere(tx, sql`${sealedToken} is not null and ${holdsOne}`, now);
  await withdrawDigests(tx, started, now);
  await eraseConversations(tx, started);
  await withdrawWhere(tx, dialect.inList(outbox.id, idsOf(await rows.emails)), now);
  await db.delete(adminKey).where(dialect.inList(adminKey.tokenHash, idsOf(await rows.adminKeys)));
  const acts = idsOf(await rows.moderationActions);
  await db.update(moderation).set({ who: NOBODY }).where(dialect.inList(moderation.id, acts));
  const keys = idsOf(await rows.memberKeys);
  await db.delete(memberKey).where(dialect.inList(memberKey.tokenHash, keys));
  await db.delete(member).where(membershipsOf(tx, email, upTo));
  const actions = dialect.inList(memberAction.id, idsOf(await rows.memberActions));
  await db.update(memberAction).set({ who: NOBODY }).where(actions);
  const organisations = dialect.inList(organisation.slug, idsOf(await rows.organisations));
  await db.update(organisation).set({ email: null }).where(organisations);
  const alerts = idsOf(await rows.alerts.limit(limit));
  await eraseAlerts(tx, alerts, now);
  return alerts.length < limit;
}

/**
 * Removes alerts and everything that belongs to them; the remaining rows keep their names reserved. Their rows are changed
 * first: whoever adds something to them holds those rows, and what was added is found afterwards.
 */
export async function eraseAlerts(tx: Tx, ids: readonly string[], now: number): Promise<void> {
  const { alert } = tx.tables;
  if (ids.length === 0) return;
  const { dialect } = tx;
  await redirectGroupLinks(tx, ids);
  const removed = { status: "removed", endedAt: now, updatedAt: now, erasedAt: now } as const;
  const wiped = await tx.db
    .update(alert)
    .set({ ...WIPED_ALERT, ...WIPED_OWNER, ...removed })
    .where(dialect.inList(alert.id, ids))
    .returning({ id: alert.id, shortCode: alert.shortCode });
  for (const { id } of wiped) tx.changes.alerts.add(id);
  await erasePrivateParts(tx, ids, now);
  await withdrawNews(tx, ids, now);
  const codes = wiped.map(({ shortCode }) => shortCode);
  await withdrawMatches(tx, codes, now);
  await closeReports(tx, ids, now);
  await freePhotos(tx, "alert", ids);
}

/**
 * Erases what people wrote about alerts, their pairs, private links and waiting emails. The rows of the alerts were changed
 * before.
 */
export async function erasePrivateParts(
  tx: Tx,
  ids: readonly string[],
  now: number,
): Promise<void> {
  const { conversation, outbox, pending, planEmail, planStep, sighting } = tx.tables;
  const { db, dialect } = tx;
  const about = dialect.inList(conversation.alertId, ids);
  await eraseConversations(tx, await lockRows(tx, conversation, about, "update"));
  const muting = ids.flatMap((id) => [`reminders:${id}`, `matches:${id}`, `plan:${id}`]);
  await deleteLinks(tx, "manage", ids);
  await deleteLinks(tx, "unsubscribe", muting);
  await dropTopics(tx, ids.map(ownerSubject));
  await withdrawMatchDigests(tx, ids, now);
  await erasePairs(tx, ids);
  await eraseSightings(tx, dialect.inList(sighting.alertId, ids));
  await withdrawPlanEmails(tx, ids, now);
  await db.delete(planStep).where(dialect.inList(planStep.alertId, ids));
  await db.delete(planEmail).where(dialect.inList(planEmail.alertId, ids));
  const alerts = ids.map((id) => `alert:${id}`);
  await withdrawWhere(tx, dialect.inList(outbox.about, alerts), now);
  await withdrawManageLinks(tx, ids, now);
  await wipeRepeats(tx, "alertId", ids);
  // Messages and sightings that were not confirmed.
  const alertId = sql`(${pending.payload} ->> 'alertId')`;
  const waiting = await db
    .update(pending)
    .set(ENDED)
    .where(sql`state = 'waiting' and ${alertId} is not null and ${dialect.inList(alertId, ids)}`)
    .returning({ id: pending.id });
  await freePhotos(tx, "pending", idsOf(waiting));
}

/**
 * Redirects links of emails about several alerts, all of which are erased now or were before, to another alert of the same
 * owner, or deletes them if there is none. To be called while the owners are known.
 */
export async function redirectGroupLinks(tx: Tx, ids: readonly string[]): Promise<void> {
  const { alert, link } = tx.tables;
  const { db, dialect } = tx;
  const stays = and(isNotNull(alert.ownerEmail), not(dialect.inList(alert.id, ids)));
  const lower = sql`lower(${alert.ownerEmail})`;
  // Waits for whoever changes or erases one of them. Two erasures that wait for each other are a conflict, and one is retried.
  const oneOf = (which: SQL | undefined) => {
    const alerts = db.select({ id: alert.id }).from(alert).where(and(which, stays));
    return first(dialect.locking(alerts.limit(1), "share"));
  };
  // Locked, so that no other transaction redirects a link to one of them.
  await lockRows(tx, alert, dialect.inList(alert.id, ids), "no key update");
  const isAlertGroup = and(
    eq(link.purpose, "unsubscribe"),
    or(
      ...ALERT_GROUPS.map((kind) =>
        and(gt(link.subject, `${kind}:`), lt(link.subject, `${kind};`)),
      ),
    ),
  );
  const groups = await db.select().from(link).where(isAlertGroup);
  for (const { tokenHash, subject } of groups) {
    const named = alertsOfSubject(subject);
    if (!named.some((id) => ids.includes(id))) continue;
    if ((await oneOf(dialect.inList(alert.id, named))) !== undefined) continue;
    const ofNamed = (owner: SQL) =>
      db.select({ owner }).from(alert).where(dialect.inList(alert.id, named));
    // The first half is for the index.
    const isOwners = and(
      inArray(lower, ofNamed(lower)),
      inArray(alert.ownerEmail, ofNamed(sql`${alert.ownerEmail}`)),
    );
    const other = await oneOf(isOwners);
    const itself = eq(link.tokenHash, tokenHash);
    if (other === undefined) await db.delete(link).where(itself);
    else
      await db
        .update(link)
        .set({ subject: redirectedSubject(subject, other.id, tokenHash) })
        .where(itself);
  }
}

/** Ends a zone for good; all that remains is a row without personal data. */
export async function eraseZone(tx: Tx, id: string, now: number): Promise<void> {
  const { zone, zoneNews } = tx.tables;
  const { db } = tx;
  // An email about the zone may be under way.
  await lockRows(tx, zone, eq(zone.id, id), "no key update");
  await withdrawZoneEmails(tx, id, now);
  await db
    .update(zone)
    .set({ email: null, label: null, lat: 0, lng: 0, endedAt: now })
    .where(eq(zone.id, id));
  tx.changes.zones.add(id);
  await db.delete(zoneNews).where(eq(zoneNews.zoneId, id));
  await dropTopics(tx, [zoneSubject(id)]);
  await deleteLinks(tx, "unsubscribe", [`zone:${id}`]);
  await dropGroupLinks(tx, id);
  await wipeRepeats(tx, "zoneId", [id]);
}

/** Deletes links that end several zones once all of these have ended. */
async function dropGroupLinks(tx: Tx, id: string): Promise<void> {
  const { link, zone } = tx.tables;
  const isGroup = and(
    eq(link.purpose, "unsubscribe"),
    gt(link.subject, "zones:"),
    lt(link.subject, "zones;"),
    tx.dialect.contains(link.subject, id),
  );
  for (const { tokenHash, subject } of await tx.db.select().from(link).where(isGroup)) {
    const live = and(tx.dialect.inList(zone.id, zonesOfSubject(subject)), isNull(zone.endedAt));
    if (!(await hasRow(tx, zone, live)))
      await tx.db.delete(link).where(eq(link.tokenHash, tokenHash));
  }
}
