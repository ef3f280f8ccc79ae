import { and, eq, inArray, like, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Email } from "../../src/core/email.ts";
import { ownerSubject, pushWithEmail, type QueuedPush } from "../../src/core/push/push.ts";
import type { ZoneNews } from "../../src/core/store/zones.ts";
import { NO_PUSH, ownerTopicName, waitingPush } from "../rows.ts";
import { device, deviceTopic } from "./device-schema.ts";
import { inList, jsonOf } from "./expressions.ts";
import type { Tx } from "./transaction.ts";

// What other subjects change about the topics of devices.

/** Queues a push with an email to the owner of an alert, for each device with a topic of the alert. */
export async function pushToOwner(tx: Tx, alertId: string, email: Email): Promise<void> {
  const push = pushWithEmail(email);
  if (push !== null) await queuePush(tx, eq(deviceTopic.subject, ownerSubject(alertId)), push);
}

/** Replaces the push that waits for these topics. */
export async function queuePush({ db }: Tx, which: SQL | undefined, push: QueuedPush) {
  await db.update(deviceTopic).set(waitingPush(push)).where(which);
}

/** Notes that zones of devices have news from a time on. Zones of mailboxes have no topics. */
export async function noteZoneNews({ db }: Tx, news: readonly ZoneNews[]): Promise<void> {
  await db.execute(sql`
    update device_topic
    set news_due_at = least(coalesce(device_topic.news_due_at, listed."dueAt"), listed."dueAt")
    from json_to_recordset(${jsonOf(news)}) as listed("zoneId" text, "dueAt" bigint)
    where device_topic.subject = ('zone:' || listed."zoneId") collate "C"`);
}

/** Ends topics, of one device or of all, and erases devices that have none left. */
export async function dropTopics({ db }: Tx, subjects: readonly string[], of?: SQL): Promise<void> {
  const ended = await db
    .delete(deviceTopic)
    .where(and(inList(deviceTopic.subject, subjects), of))
    .returning({ deviceId: deviceTopic.deviceId });
  if (ended.length === 0) return;
  const ids = ended.map(({ deviceId }) => deviceId);
  // Whoever adds a topic to one of them waits, and then finds it gone.
  const locked = await db
    .select({ id: device.id })
    .from(device)
    .where(inList(device.id, ids))
    .orderBy(device.id)
    .for("update");
  const isIdle = sql`not exists (select 1 from device_topic where device_id = ${device.id})`;
  const found = locked.map(({ id }) => id);
  await db.delete(device).where(and(inList(device.id, found), isIdle));
}

/** Topics about alerts, of one device or of all, by the names of their tombstones. */
export async function ownerTopics({ db }: Pick<Tx, "db">, endpointHash?: string) {
  const ofDevice = endpointHash === undefined ? undefined : eq(device.endpointHash, endpointHash);
  const rows = await db
    .select({
      endpointHash: device.endpointHash,
      subject: deviceTopic.subject,
      createdAt: deviceTopic.createdAt,
    })
    .from(deviceTopic)
    .innerJoin(device, eq(device.id, deviceTopic.deviceId))
    .where(and(like(deviceTopic.subject, ownerSubject("%")), ofDevice));
  return new Map(rows.map((row) => [ownerTopicName(row.endpointHash, row.subject), row]));
}

/** Ends a topic of a device that was added up to a time. */
export async function endTopic(
  tx: Tx,
  { endpointHash, subject }: { readonly endpointHash: string; readonly subject: string },
  upTo: number,
): Promise<void> {
  const its = tx.db
    .select({ id: device.id })
    .from(device)
    .where(eq(device.endpointHash, endpointHash));
  const isOld = lte(deviceTopic.createdAt, upTo);
  await dropTopics(tx, [subject], and(inArray(deviceTopic.deviceId, its), isOld));
}

/** Withdraws pushes that wait, of these ids; returns the ids of those that did. What else they said is news again. */
export async function withdrawPushes({ db }: Tx, ids: SQLWrapper, now: number): Promise<string[]> {
  const waiting = and(sql`push_id is not null`, inArray(deviceTopic.pushId, ids));
  const found = await db
    .select({ id: deviceTopic.pushId })
    .from(deviceTopic)
    .where(waiting)
    .for("update");
  const pushIds = found.flatMap(({ id }) => id ?? []);
  await db
    .update(deviceTopic)
    .set({ ...NO_PUSH, newsDueAt: now })
    .where(inList(deviceTopic.pushId, pushIds));
  return pushIds;
}
