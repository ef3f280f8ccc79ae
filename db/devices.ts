import {
  and,
  asc,
  desc,
  eq,
  exists,
  isNull,
  lt,
  lte,
  ne,
  not,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { QUOTAS } from "../src/core/caps.ts";
import type { DeviceZone } from "../src/core/push/device.ts";
import { type LeasedPush, ownerSubject, zoneSubject } from "../src/core/push/push.ts";
import { lockAlert, toAlert } from "./alerts.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { NO_PUSH, queuePush, waitingPush } from "./device-topics.ts";
import { eraseZone } from "./personal-data.ts";
import { countRows, first, hasRow, totalRows } from "./queries.ts";
import { countHits, subjectsOf } from "./rate-limits.ts";
import { insertZone, isSameCircle } from "./zones.ts";
import type { Alert } from "../src/core/alerts/alert.ts";
import type { DeviceTopic } from "../src/core/push/device-store.ts";
import type { Row } from "./schema/tables.ts";

/** Devices that get notifications by Web Push, and their pushes. */
export function deviceQueries(tools: StoreTools) {
  const { alert, device, deviceTopic, zone, zoneNews } = tools.tables;
  const { db, dialect, write } = tools;
  const zoneId = idIn(tools, "zone:");
  return {
    addDeviceTopic({ device: fresh, about, push }, hits, now) {
      const { sealed, language, endpointHash } = fresh;
      const subject =
        about.kind === "owner" ? ownerSubject(about.alertId) : zoneSubject(about.zone.id);
      const locked = [...subjectsOf(hits), `device:${endpointHash}`, `topic:${subject}`];
      return write(locked, async (tx) => {
        const retryAt = await countHits(tx, hits, now);
        if (retryAt !== null) return { kind: "limited", retryAt } as const;
        const ofSubject = eq(deviceTopic.subject, subject);
        if (about.kind === "owner") {
          // Whoever removes the alert finds the topic afterwards.
          const isThere = and(eq(alert.id, about.alertId), ne(alert.status, "removed"));
          if (!(await lockAlert(tx, isThere))) return { kind: "full" } as const;
        }
        const known = await first(
          tx.db
            .update(device)
            .set({ sealed, language })
            .where(eq(device.endpointHash, endpointHash))
            .returning({ id: device.id }),
        );
        const deviceId = known?.id ?? fresh.id;
        const ofDevice = eq(deviceTopic.deviceId, deviceId);
        const isKnown =
          about.kind === "owner"
            ? await hasRow(tx, deviceTopic, and(ofDevice, ofSubject))
            : await hasSameZone(tx, deviceId, about.zone);
        if (isKnown) return { kind: "kept" } as const;
        const tellsMost =
          about.kind === "owner" &&
          (await countRows(tx, deviceTopic, ofSubject)) >= QUOTAS.devicesPerAlert;
        if (tellsMost || (await countRows(tx, deviceTopic, ofDevice)) >= QUOTAS.topicsPerDevice)
          return { kind: "full" } as const;
        if (known === undefined) await tx.db.insert(device).values({ ...fresh, createdAt: now });
        if (about.kind === "zone")
          await insertZone(tx, { ...about.zone, email: null, language, createdAt: now });
        await tx.db
          .insert(deviceTopic)
          .values({ deviceId, subject, createdAt: now, ...waitingPush(push) });
        return { kind: "kept" } as const;
      });
    },

    async deviceTopics(endpointHash) {
      const rows = await db
        .select({ subject: deviceTopic.subject, alert, zone })
        .from(device)
        .innerJoin(deviceTopic, eq(deviceTopic.deviceId, device.id))
        .leftJoin(alert, eq(idIn(tools, "owner:"), alert.id))
        .leftJoin(zone, eq(zoneId, zone.id))
        .where(eq(device.endpointHash, endpointHash))
        .orderBy(asc(deviceTopic.createdAt), asc(deviceTopic.subject))
        .limit(QUOTAS.topicsPerDevice);
      return rows.flatMap(({ subject, alert, zone }) =>
        toDeviceTopic(subject, alert === null ? null : toAlert(alert), zone),
      );
    },

    async eraseDevice(id, now) {
      await write([], (tx) => eraseDevice(tx, id, now));
    },

    async eraseLostDevices({ before, unprovenBefore }, now, limit) {
      const isLost = or(
        and(isNull(device.okAt), lt(device.createdAt, unprovenBefore)),
        lt(device.okAt, before),
      );
      const lost = await db.select({ id: device.id }).from(device).where(isLost).limit(limit);
      for (const { id } of lost)
        await write([], async (tx) => {
          // A push may have reached it meanwhile.
          const still = tx.db
            .select()
            .from(device)
            .where(and(eq(device.id, id), isLost));
          if ((await dialect.locking(still, "update")).length > 0) await eraseDevice(tx, id, now);
        });
    },

    async deviceZoneNews(now, limit) {
      const due = await db
        .select({ zoneId: zone.id, label: zone.label })
        .from(deviceTopic)
        .innerJoin(zone, eq(zoneId, zone.id))
        .where(and(sql`news_due_at is not null`, lte(deviceTopic.newsDueAt, now)))
        .orderBy(asc(deviceTopic.newsDueAt))
        .limit(limit);
      return Promise.all(
        due.map(async ({ zoneId, label }) => {
          const news = await first(
            db
              .select({ alert, total: totalRows() })
              .from(zoneNews)
              .innerJoin(alert, eq(alert.id, zoneNews.alertId))
              .where(and(unsent(tools, zoneId), eq(alert.status, "active")))
              .orderBy(desc(alert.publishedAt))
              .limit(1),
          );
          const newest = news === undefined ? null : toAlert(news.alert);
          return { zoneId, label, newest, count: news?.total ?? 0 };
        }),
      );
    },

    async addZonePush({ zoneId, newest }, push, hits, now) {
      const topic = eq(deviceTopic.subject, zoneSubject(zoneId));
      await write(subjectsOf(hits), async (tx) => {
        // Whoever announces another alert waits, and then notes that there is news.
        const its = tx.db.select({ id: deviceTopic.deviceId }).from(deviceTopic).where(topic);
        await tx.dialect.locking(its, "update");
        const wait = (newsDueAt: number | null) =>
          tx.db.update(deviceTopic).set({ newsDueAt }).where(topic);
        const mark = (which: SQL | undefined, emailId: string | null) =>
          tx.db.update(zoneNews).set({ notifiedAt: now, emailId }).where(which);
        if (push === null || newest === null) {
          await mark(and(unsent(tools, zoneId), not(hasActiveAlert(tx))), null);
        } else {
          // Whoever removes the alert finds the push afterwards.
          const isActive = and(eq(alert.id, newest.id), eq(alert.status, "active"));
          const isShown = await lockAlert(tx, isActive);
          const isNewest = and(unsent(tools, zoneId), eq(zoneNews.alertId, newest.id));
          if (!isShown || !(await hasRow(tx, zoneNews, isNewest))) return;
          const retryAt = await countHits(tx, hits, now);
          if (retryAt !== null) {
            await wait(retryAt);
            return;
          }
          await mark(and(unsent(tools, zoneId), hasActiveAlert(tx, newest.publishedAt)), push.id);
          await queuePush(tx, topic, push);
        }
        // What is left arrived after it was read.
        const isLeft = and(unsent(tools, zoneId), hasActiveAlert(tx));
        await wait((await hasRow(tx, zoneNews, isLeft)) ? now : null);
      });
    },

    async leasePushes(now, leaseMs, limit) {
      const due = and(sql`push_id is not null`, lte(deviceTopic.dueAt, now));
      if (!(await hasRow(tools, deviceTopic, due))) return [];
      return write([], async (tx) => {
        const waiting = tx.db
          .select({ topic: deviceTopic, device })
          .from(deviceTopic)
          .innerJoin(device, eq(device.id, deviceTopic.deviceId))
          .where(due)
          .orderBy(asc(deviceTopic.dueAt), asc(deviceTopic.pushId))
          .limit(limit);
        const rows = await tx.dialect.locking(waiting, "no key update", {
          of: deviceTopic,
          skipLocked: true,
        });
        const leased = rows.flatMap(({ topic, device: { sealed, language, okAt } }) => {
          const { deviceId, subject, pushId: id, content, pushedAt, giveUpAt } = topic;
          if (id === null || content === null || pushedAt === null || giveUpAt === null) return [];
          const push = { id, content, createdAt: pushedAt, giveUpAt };
          return [{ ...push, deviceId, subject, sealed, language, isReached: okAt !== null }];
        });
        for (const push of leased)
          await tx.db
            .update(deviceTopic)
            .set({ dueAt: now + leaseMs })
            .where(isPush(tools, push));
        return leased;
      });
    },

    async closePush(push, reachedAt) {
      await write([], async (tx) => {
        await tx.db.update(deviceTopic).set(NO_PUSH).where(isPush(tools, push));
        if (reachedAt !== null)
          await tx.db.update(device).set({ okAt: reachedAt }).where(eq(device.id, push.deviceId));
      });
    },

    async postponePush(push, dueAt) {
      await write([], (tx) => tx.db.update(deviceTopic).set({ dueAt }).where(isPush(tools, push)));
    },
  } satisfies Queries;
}

async function eraseDevice(tx: Tx, id: string, now: number): Promise<void> {
  const { device, deviceTopic, zone } = tx.tables;
  const zones = await tx.db
    .select({ id: zone.id })
    .from(deviceTopic)
    .innerJoin(zone, eq(idIn(tx, "zone:"), zone.id))
    .where(eq(deviceTopic.deviceId, id));
  for (const one of zones) await eraseZone(tx, one.id, now);
  await tx.db.delete(device).where(eq(device.id, id));
}

/** True if a zone of the device has the same circle and filters. */
async function hasSameZone(tx: Tx, deviceId: string, fresh: DeviceZone): Promise<boolean> {
  const { deviceTopic, zone } = tx.tables;
  const rows = await tx.db
    .select({ id: zone.id })
    .from(deviceTopic)
    .innerJoin(zone, eq(idIn(tx, "zone:"), zone.id))
    .where(and(eq(deviceTopic.deviceId, deviceId), isSameCircle(tx, fresh)))
    .limit(1);
  return rows.length > 0;
}

/** Id in the subject of a topic; null in one of the other kind. */
function idIn({ tables: { deviceTopic } }: Reader, kind: "owner:" | "zone:"): SQL {
  const { subject } = deviceTopic;
  return sql`case when ${subject} like ${`${kind}%`} then substr(${subject}, ${kind.length + 1}) end`;
}

function isPush(
  { tables: { deviceTopic } }: Reader,
  { deviceId, subject, id }: LeasedPush,
): SQL | undefined {
  return and(
    eq(deviceTopic.deviceId, deviceId),
    eq(deviceTopic.subject, subject),
    eq(deviceTopic.pushId, id),
  );
}

function unsent({ tables: { zoneNews } }: Reader, zoneId: string): SQL | undefined {
  return and(eq(zoneNews.zoneId, zoneId), isNull(zoneNews.notifiedAt));
}

/** Condition for news of an alert that is active, and was published up to a time. */
function hasActiveAlert({ db, tables: { alert, zoneNews } }: Tx, upTo?: number): SQL {
  const its = and(
    eq(alert.id, zoneNews.alertId),
    eq(alert.status, "active"),
    upTo === undefined ? undefined : lte(alert.publishedAt, upTo),
  );
  return exists(db.select({ id: alert.id }).from(alert).where(its));
}

/** Topic of a device, which is about an alert or a zone; empty for one that has ended. */
function toDeviceTopic(
  subject: string,
  alert: Alert | null,
  zone: Row<"zone"> | null,
): DeviceTopic[] {
  if (alert !== null) return [{ subject, kind: "owner", alert }];
  if (zone === null || zone.email !== null || zone.endedAt !== null) return [];
  const { id, lat, lng, radiusKm, species, type, label } = zone;
  const live = { id, point: { lat, lng }, radiusKm, species, type, label };
  return [{ subject, kind: "zone", zone: live }];
}
