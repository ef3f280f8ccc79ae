import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { zonesOfSubject } from "../../src/core/zones/zone.ts";
import type { StoreTools } from "./context.ts";
import { eraseConversations } from "./conversations.ts";
import { hasRow, inList } from "./expressions.ts";
import { withdrawMatchDigests } from "./match-notices.ts";
import { withdrawManageLinks, withdrawMatches, withdrawWhere } from "./outbox.ts";
import { erasePairs } from "./pairs.ts";
import { ENDED, wipeRepeats } from "./pendings.ts";
import { freePhotos } from "./photos.ts";
import { closeReports } from "./reports.ts";
import { alert, conversation, link, outbox, pending, zone, zoneNews } from "./schema.ts";
import { eraseSightings } from "./sightings.ts";
import { withdrawNews, withdrawZoneEmails } from "./zone-news.ts";

const WIPED_TEXT = {
  name: null,
  breed: "unknown",
  color: "unknown",
  description: null,
  photos: [] as readonly string[],
  city: "",
} as const;
export const WIPED_OWNER = { ownerEmail: null, chipHash: null } as const;

/**
 * Removes alerts and all that belongs to them; what remains of a row keeps its names taken. Many at once cost little
 * more than one: the statements are the same. Only inside `write`.
 */
export function eraseAlerts(tools: StoreTools, ids: readonly string[], now: number): void {
  const wipe = tools.db
    .update(alert)
    .set({
      ...WIPED_TEXT,
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
  // One by one: each change has a revision of its own.
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
  const conversations = db
    .select({ id: conversation.id })
    .from(conversation)
    .where(inList(conversation.alertId, ids))
    .all();
  eraseConversations(
    tools,
    conversations.map(({ id }) => id),
  );
  const muting = ids.flatMap((id) => [`reminders:${id}`, `matches:${id}`, `all-matches:${id}`]);
  for (const ended of [
    and(eq(link.purpose, "manage"), inList(link.subject, ids)),
    and(eq(link.purpose, "unsubscribe"), inList(link.subject, muting)),
  ])
    db.delete(link).where(ended).run();
  withdrawMatchDigests(tools, ids, now);
  erasePairs(tools, ids);
  eraseSightings(tools, ids);
  const about = ids.map((id) => `alert:${id}`);
  withdrawWhere(tools, inList(outbox.about, about), now);
  withdrawManageLinks(tools, ids, now);
  wipeRepeats(tools, "alertId", ids);
  // Messages and sightings that were not confirmed.
  const aboutAlert = sql`json_extract(${pending.payload}, '$.alertId')`;
  db.update(pending)
    .set(ENDED)
    .where(and(eq(pending.state, "waiting"), inList(aboutAlert, ids)))
    .run();
}

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
  db.delete(link)
    .where(and(eq(link.purpose, "unsubscribe"), eq(link.subject, `zone:${id}`)))
    .run();
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
