import { and, eq, gt, inArray, isNotNull, isNull, lt, not, or, sql } from "drizzle-orm";
import {
  ALERT_GROUPS,
  alertsOfSubject,
  redirectedSubject,
} from "../../src/core/unsubscribe-link.ts";
import { zonesOfSubject } from "../../src/core/zones/zone.ts";
import { ownerSubject, zoneSubject } from "../../src/core/push/push.ts";
import { NOBODY } from "../../src/core/moderation/report.ts";
import type { StoreTools } from "./context.ts";
import { dropTopics } from "./device-topics.ts";
import { eraseConversations } from "./conversations.ts";
import { membershipsOf, rowsOf, sealedLinks } from "./data-inventory.ts";
import { idsOf } from "../expressions.ts";
import { hasRow, inList } from "./expressions.ts";
import { deleteLinks } from "./links.ts";
import { withdrawMatchDigests } from "./match-notices.ts";
import {
  withdrawManageLinks,
  withdrawMatches,
  withdrawPlanEmails,
  withdrawWhere,
} from "./outbox.ts";
import { adminKey, moderation } from "./moderation-schema.ts";
import { member, memberAction, memberKey, organisation } from "./organisation-schema.ts";
import { erasePairs } from "./pairs.ts";
import { withdrawDigests } from "./owner-news.ts";
import { ENDED, WIPED_ALERT, WIPED_OWNER } from "../rows.ts";
import { endRequests, wipeRepeats } from "./pendings.ts";
import { freePhotos } from "./photos.ts";
import { planEmail, planStep } from "./plan-schema.ts";
import { closeReports } from "./reports.ts";
import { eraseSightings } from "./sightings.ts";
import { alert, conversation, link, outbox, pending, sighting, zone, zoneNews } from "./schema.ts";
import { withdrawNews, withdrawZoneEmails } from "./zone-news.ts";

/**
 * Erases a batch of the rows of a mailbox that were made up to a time, at most `limit` alerts; returns whether those were
 * the last. The first call erases all that can become an alert or write to one. Only inside `write`.
 */
export function eraseBatch(
  tools: StoreTools,
  email: string,
  { upTo, limit, now }: { upTo: number; limit: number; now: number },
): boolean {
  const { db } = tools;
  const rows = rowsOf(db, email, upTo);
  endRequests(tools, inList(pending.id, idsOf(rows.requests.all())), now);
  for (const { id } of rows.zones.all()) eraseZone(tools, id, now);
  const started = idsOf(rows.started.all());
  // Emails with messages of these conversations are found by the private links in them.
  const sealedToken = sql`json_extract(${outbox.content}, '$.sealedToken')`;
  withdrawWhere(tools, inList(sealedToken, sealedLinks(tools, started)), now);
  withdrawDigests(tools, started, now);
  eraseConversations(tools, started);
  withdrawWhere(tools, inList(outbox.id, idsOf(rows.emails.all())), now);
  db.delete(adminKey)
    .where(inList(adminKey.tokenHash, idsOf(rows.adminKeys.all())))
    .run();
  db.update(moderation)
    .set({ who: NOBODY })
    .where(inList(moderation.id, idsOf(rows.moderationActions.all())))
    .run();
  db.delete(memberKey)
    .where(inList(memberKey.tokenHash, idsOf(rows.memberKeys.all())))
    .run();
  db.delete(member).where(membershipsOf(email, upTo)).run();
  db.update(memberAction)
    .set({ who: NOBODY })
    .where(inList(memberAction.id, idsOf(rows.memberActions.all())))
    .run();
  db.update(organisation)
    .set({ email: null })
    .where(inList(organisation.slug, idsOf(rows.organisations.all())))
    .run();
  const alerts = idsOf(rows.alerts.limit(limit).all());
  eraseAlerts(tools, alerts, now);
  return alerts.length < limit;
}

/**
 * Removes alerts and everything that belongs to them; the remaining row keeps its names reserved. Many at once cost
 * little more than one, because they share their statements. Only inside `write`.
 */
export function eraseAlerts(tools: StoreTools, ids: readonly string[], now: number): void {
  const wipe = tools.db
    .update(alert)
    .set({
      ...WIPED_ALERT,
      ...WIPED_OWNER,
      status: "removed",
      endedAt: now,
      updatedAt: now,
      erasedAt: now,
      revision: sql`${sql.placeholder("revision")}`,
    })
    .where(eq(alert.id, sql.placeholder("id")))
    .returning({ shortCode: alert.shortCode })
    .prepare();
  redirectGroupLinks(tools, ids);
  // One by one, because each change has its own revision.
  const wiped = ids.flatMap((id) => wipe.all({ id, revision: tools.nextRevision() }));
  erasePrivateParts(tools, ids, now);
  withdrawNews(tools, ids, now);
  withdrawMatches(
    tools,
    wiped.map(({ shortCode }) => shortCode),
    now,
  );
  closeReports(tools, ids, now);
  freePhotos(
    tools,
    ids.map((id) => `alert:${id}` as const),
  );
}

/** Erases what people wrote about alerts, their pairs, private links and waiting emails. Only inside `write`. */
export function erasePrivateParts(tools: StoreTools, ids: readonly string[], now: number): void {
  const { db } = tools;
  const about = inList(conversation.alertId, ids);
  eraseConversations(
    tools,
    idsOf(db.select({ id: conversation.id }).from(conversation).where(about).all()),
  );
  const muting = ids.flatMap((id) => [`reminders:${id}`, `matches:${id}`, `plan:${id}`]);
  deleteLinks(tools, "manage", ids);
  deleteLinks(tools, "unsubscribe", muting);
  dropTopics(tools, ids.map(ownerSubject));
  withdrawMatchDigests(tools, ids, now);
  erasePairs(tools, ids);
  eraseSightings(tools, inList(sighting.alertId, ids));
  withdrawPlanEmails(tools, ids, now);
  db.delete(planStep).where(inList(planStep.alertId, ids)).run();
  db.delete(planEmail).where(inList(planEmail.alertId, ids)).run();
  const alerts = ids.map((id) => `alert:${id}`);
  withdrawWhere(tools, inList(outbox.about, alerts), now);
  withdrawManageLinks(tools, ids, now);
  wipeRepeats(tools, "alertId", ids);
  // Messages and sightings that were not confirmed.
  const aboutAlert = sql`json_extract(${pending.payload}, '$.alertId')`;
  const waiting = db
    .update(pending)
    .set(ENDED)
    .where(and(eq(pending.state, "waiting"), inList(aboutAlert, ids)))
    .returning({ id: pending.id })
    .all();
  freePhotos(
    tools,
    waiting.map(({ id }) => `pending:${id}` as const),
  );
}

/**
 * Redirects links of emails about several alerts, all of which are erased now or were before, to another alert of the same
 * owner, or deletes them if there is none. To be called while the owners are known. Only inside `write`.
 */
export function redirectGroupLinks({ db }: StoreTools, ids: readonly string[]): void {
  const stays = and(isNotNull(alert.ownerEmail), not(inList(alert.id, ids)));
  const owner = sql`lower(${alert.ownerEmail})`;
  for (const { tokenHash, subject } of db.select().from(link).where(IS_ALERT_GROUP).all()) {
    const named = alertsOfSubject(subject);
    if (!named.some((id) => ids.includes(id))) continue;
    if (hasRow(db, alert, and(inList(alert.id, named), stays))) continue;
    const owners = db.select({ owner }).from(alert).where(inList(alert.id, named));
    const other = db
      .select({ id: alert.id })
      .from(alert)
      .where(and(inArray(owner, owners), stays))
      .limit(1)
      .get();
    const itself = eq(link.tokenHash, tokenHash);
    if (other === undefined) db.delete(link).where(itself).run();
    else
      db.update(link)
        .set({ subject: redirectedSubject(subject, other.id, tokenHash) })
        .where(itself)
        .run();
  }
}

const IS_ALERT_GROUP = and(
  eq(link.purpose, "unsubscribe"),
  or(
    ...ALERT_GROUPS.map((kind) => and(gt(link.subject, `${kind}:`), lt(link.subject, `${kind};`))),
  ),
);

/** Ends a zone for good; all that remains is a row without personal data. Only inside `write`. */
export function eraseZone(tools: StoreTools, id: string, now: number): void {
  const { db } = tools;
  withdrawZoneEmails(tools, id, now);
  db.update(zone)
    .set({
      email: null,
      label: null,
      lat: 0,
      lng: 0,
      endedAt: now,
      revision: tools.nextRevision(),
    })
    .where(eq(zone.id, id))
    .run();
  db.delete(zoneNews).where(eq(zoneNews.zoneId, id)).run();
  dropTopics(tools, [zoneSubject(id)]);
  deleteLinks(tools, "unsubscribe", [`zone:${id}`]);
  dropGroupLinks(tools, id);
  wipeRepeats(tools, "zoneId", [id]);
}

/** Deletes links that end several zones once all of these have ended. */
function dropGroupLinks({ db }: StoreTools, id: string): void {
  const isGroup = and(
    eq(link.purpose, "unsubscribe"),
    gt(link.subject, "zones:"),
    lt(link.subject, "zones;"),
    sql`instr(${link.subject}, ${id}) > 0`,
  );
  for (const { tokenHash, subject } of db.select().from(link).where(isGroup).all()) {
    const live = and(inList(zone.id, zonesOfSubject(subject)), isNull(zone.endedAt));
    if (!hasRow(db, zone, live)) db.delete(link).where(eq(link.tokenHash, tokenHash)).run();
  }
}
