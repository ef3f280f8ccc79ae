import { and, eq, sql } from "drizzle-orm";
import { among } from "./among.ts";
import { eraseConversations } from "./conversations.ts";
import { closeReports } from "./moderation.ts";
import { withdrawMatches, withdrawWhere } from "./outbox.ts";
import { erasePairs } from "./pairs.ts";
import { freePhotos } from "./photos.ts";
import { alert, conversation, link, outbox, pending } from "./schema.ts";
import { eraseSightings } from "./sightings.ts";
import type { StoreTools } from "./store.ts";
import { withdrawNews } from "./zones.ts";

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
 * Takes alerts out of everything and keeps of them what holds their names taken. Many at once cost little more than
 * one: the statements are the same. Only inside `write`.
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
  // One by one: whoever reads what changed tells them apart by their revisions.
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

/** Drops what people wrote about alerts, their pairs, private links and waiting letters. Only inside `write`. */
export function erasePrivateParts(tools: StoreTools, ids: readonly string[], now: number): void {
  const { db } = tools;
  const conversations = db
    .select({ id: conversation.id })
    .from(conversation)
    .where(among(conversation.alertId, ids))
    .all();
  eraseConversations(
    tools,
    conversations.map(({ id }) => id),
  );
  const muting = ids.flatMap((id) => [`reminders:${id}`, `matches:${id}`]);
  for (const ended of [
    and(eq(link.purpose, "manage"), among(link.subject, ids)),
    and(eq(link.purpose, "unsubscribe"), among(link.subject, muting)),
  ])
    db.delete(link).where(ended).run();
  erasePairs(tools, ids);
  eraseSightings(tools, ids);
  const about = ids.map((id) => `alert:${id}`);
  withdrawWhere(tools, among(outbox.about, about), now);
  // Messages and sightings that nobody confirmed.
  const told = sql`json_extract(${pending.payload}, '$.alertId')`;
  db.update(pending)
    .set({ payload: null, email: "" })
    .where(and(eq(pending.state, "waiting"), among(told, ids)))
    .run();
}
