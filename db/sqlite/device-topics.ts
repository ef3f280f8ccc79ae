import { and, eq, inArray, like, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Email } from "../../src/core/email.ts";
import {
  ownerSubject,
  pushWithEmail,
  type QueuedPush,
  zoneSubject,
} from "../../src/core/push/push.ts";
import { NO_PUSH, ownerTopicName, waitingPush } from "../rows.ts";
import type { StoreTools } from "./context.ts";
import { device, deviceTopic } from "./device-schema.ts";
import { inList } from "./expressions.ts";

// What other subjects change about the topics of devices. All of it only inside `write`.

/** Queues a push with an email to the owner of an alert, for each device with a topic of the alert. */
export function pushToOwner(tools: StoreTools, alertId: string, email: Email): void {
  const push = pushWithEmail(email);
  if (push !== null) queuePush(tools, eq(deviceTopic.subject, ownerSubject(alertId)), push);
}

/** Replaces the push that waits for these topics. */
export function queuePush({ db }: StoreTools, which: SQL | undefined, push: QueuedPush): void {
  db.update(deviceTopic).set(waitingPush(push)).where(which).run();
}

/** Notes that zones of devices have news from a time on. Zones of mailboxes have no topics. */
export function noteZoneNews({ db }: StoreTools, zoneIds: readonly string[], dueAt: number): void {
  const subjects = zoneIds.map(zoneSubject);
  db.update(deviceTopic)
    .set({ newsDueAt: sql`min(coalesce(${deviceTopic.newsDueAt}, ${dueAt}), ${dueAt})` })
    .where(inList(deviceTopic.subject, subjects))
    .run();
}

/** Ends topics, of one device or of all, and erases devices that have none left. */
export function dropTopics({ db }: StoreTools, subjects: readonly string[], of?: SQL): void {
  const ended = db
    .delete(deviceTopic)
    .where(and(inList(deviceTopic.subject, subjects), of))
    .returning({ deviceId: deviceTopic.deviceId })
    .all();
  if (ended.length === 0) return;
  const ids = ended.map(({ deviceId }) => deviceId);
  const isIdle = sql`not exists (select 1 from device_topic where device_id = ${device.id})`;
  db.delete(device)
    .where(and(inList(device.id, ids), isIdle))
    .run();
}

/** Topics about alerts, of one device or of all, by the names of their tombstones. */
export function ownerTopics({ db }: StoreTools, endpointHash?: string) {
  const ofDevice = endpointHash === undefined ? undefined : eq(device.endpointHash, endpointHash);
  const rows = db
    .select({
      endpointHash: device.endpointHash,
      subject: deviceTopic.subject,
      createdAt: deviceTopic.createdAt,
    })
    .from(deviceTopic)
    .innerJoin(device, eq(device.id, deviceTopic.deviceId))
    .where(and(like(deviceTopic.subject, ownerSubject("%")), ofDevice))
    .all();
  return new Map(rows.map((row) => [ownerTopicName(row.endpointHash, row.subject), row]));
}

/** Ends a topic of a device that was added up to a time. */
export function endTopic(
  tools: StoreTools,
  { endpointHash, subject }: { readonly endpointHash: string; readonly subject: string },
  upTo: number,
): void {
  const its = tools.db
    .select({ id: device.id })
    .from(device)
    .where(eq(device.endpointHash, endpointHash));
  const isOld = lte(deviceTopic.createdAt, upTo);
  dropTopics(tools, [subject], and(inArray(deviceTopic.deviceId, its), isOld));
}

/** Withdraws pushes that wait, of these ids; returns the ids of those that did. What else they said is news again. */
export function withdrawPushes({ db }: StoreTools, ids: SQLWrapper, now: number): string[] {
  const waiting = and(sql`push_id is not null`, inArray(deviceTopic.pushId, ids));
  const found = db.select({ id: deviceTopic.pushId }).from(deviceTopic).where(waiting).all();
  db.update(deviceTopic)
    .set({ ...NO_PUSH, newsDueAt: now })
    .where(waiting)
    .run();
  return found.flatMap(({ id }) => id ?? []);
}
