import { and, eq, inArray, like, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Email } from "../src/core/email.ts";
import {
  ownerSubject,
  pushWithEmail,
  type QueuedPush,
  zoneSubject,
} from "../src/core/push/push.ts";
import type { Reader, Tx } from "./context.ts";
import { lockRows } from "./queries.ts";

// What other subjects change about the topics of devices.

/** Queues a push with an email to the owner of an alert, for each device with a topic of the alert. */
export async function pushToOwner(tx: Tx, alertId: string, email: Email): Promise<void> {
  const { deviceTopic } = tx.tables;
  const push = pushWithEmail(email);
  if (push !== null) await queuePush(tx, eq(deviceTopic.subject, ownerSubject(alertId)), push);
}

/** Replaces the push that waits for these topics. */
export async function queuePush(tx: Tx, which: SQL | undefined, push: QueuedPush): Promise<void> {
  const { deviceTopic } = tx.tables;
  await tx.db.update(deviceTopic).set(waitingPush(push)).where(which);
}

/** Notes that zones of devices have news from a time on. Zones of mailboxes have no topics. */
export async function noteZoneNews(
  { db, dialect, tables: { deviceTopic } }: Tx,
  zoneIds: readonly string[],
  dueAt: number,
): Promise<void> {
  const earlier = dialect.lesser(sql`coalesce(${deviceTopic.newsDueAt}, ${dueAt})`, dueAt);
  const ofZones = dialect.inList(deviceTopic.subject, zoneIds.map(zoneSubject));
  await db.update(deviceTopic).set({ newsDueAt: earlier }).where(ofZones);
}

/** Ends topics, of one device or of all, and erases devices that have none left. */
export async function dropTopics(tx: Tx, subjects: readonly string[], of?: SQL): Promise<void> {
  const { device, deviceTopic } = tx.tables;
  const { db, dialect } = tx;
  const which = and(dialect.inList(deviceTopic.subject, subjects), of);
  const ended = await db.delete(deviceTopic).where(which).returning();
  if (ended.length === 0) return;
  const ids = ended.map(({ deviceId }) => deviceId);
  // Whoever adds a topic to one of them waits, and then finds it gone.
  const locked = await lockRows(tx, device, dialect.inList(device.id, ids), "update");
  const isIdle = sql`not exists (select 1 from device_topic where device_id = ${device.id})`;
  await db.delete(device).where(and(dialect.inList(device.id, locked), isIdle));
}

/** Topics about alerts, of one device or of all, by the names of their tombstones. */
export async function ownerTopics(
  { db, tables: { device, deviceTopic } }: Reader,
  endpointHash?: string,
) {
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
  const { device, deviceTopic } = tx.tables;
  const isNamed = eq(device.endpointHash, endpointHash);
  const devices = tx.db.select({ id: device.id }).from(device).where(isNamed);
  const isOld = lte(deviceTopic.createdAt, upTo);
  await dropTopics(tx, [subject], and(inArray(deviceTopic.deviceId, devices), isOld));
}

/** Withdraws pushes that wait, of these ids; returns the ids of those that did. What else they said is news again. */
export async function withdrawPushes(tx: Tx, ids: SQLWrapper, now: number): Promise<string[]> {
  const { deviceTopic } = tx.tables;
  const { db, dialect } = tx;
  const waiting = and(sql`push_id is not null`, inArray(deviceTopic.pushId, ids));
  const found = db.select({ id: deviceTopic.pushId }).from(deviceTopic).where(waiting);
  const pushIds = (await dialect.locking(found, "update")).flatMap(({ id }) => id ?? []);
  const isWithdrawn = dialect.inList(deviceTopic.pushId, pushIds);
  const changes = { ...NO_PUSH, newsDueAt: now };
  await db.update(deviceTopic).set(changes).where(isWithdrawn);
  return pushIds;
}

/** Name of what a device is told about an alert, in the list of tombstones. */
export function ownerTopicName(endpointHash: string, subject: string): string {
  return `${endpointHash} ${subject}`;
}

/** Columns of a topic of a device with a push that waits, and without one. */
export function waitingPush({ id, content, createdAt, giveUpAt }: QueuedPush) {
  return { pushId: id, content, pushedAt: createdAt, giveUpAt, dueAt: createdAt };
}
export const NO_PUSH = {
  pushId: null,
  content: null,
  pushedAt: null,
  giveUpAt: null,
  dueAt: null,
} as const;
