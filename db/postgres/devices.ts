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
import { STOCKS } from "../../src/core/caps.ts";
import type { DeviceZone } from "../../src/core/push/device.ts";
import { ownerSubject, zoneSubject } from "../../src/core/push/push.ts";
import { isDue } from "../expressions.ts";
import { NO_PUSH, toDeviceTopic, waitingPush } from "../rows.ts";
import { toAlert } from "./alert-row.ts";
import type { Reader } from "./connection.ts";
import type { Queries, StoreTools } from "./context.ts";
import { device, deviceTopic } from "./device-schema.ts";
import { queuePush } from "./device-topics.ts";
import { eraseZone } from "./erased-rows.ts";
import { countRows, first, hasRow } from "./expressions.ts";
import { countHits, subjectsOf } from "./rate-limits.ts";
import { alert, zone } from "./schema.ts";
import type { Tx } from "./transaction.ts";
import { zoneNews } from "./zone-schema.ts";

/** Devices that get notifications by Web Push, and their pushes. */
export function deviceQueries(tools: StoreTools) {
  const { db, write } = tools;
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
          const row = await first(
            tx.db.select({ id: alert.id }).from(alert).where(isThere).for("share"),
          );
          if (row === undefined) return { kind: "full" } as const;
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
          (await countRows(tx, deviceTopic, ofSubject)) >= STOCKS.devicesPerAlert;
        if (tellsMost || (await countRows(tx, deviceTopic, ofDevice)) >= STOCKS.topicsPerDevice)
          return { kind: "full" } as const;
        if (known === undefined) await tx.db.insert(device).values({ ...fresh, createdAt: now });
        if (about.kind === "zone") await insertDeviceZone(tx, about.zone, language, now);
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
        .leftJoin(alert, eq(ALERT_ID, alert.id))
        .leftJoin(zone, eq(ZONE_ID, zone.id))
        .where(eq(device.endpointHash, endpointHash))
        .orderBy(asc(deviceTopic.createdAt), asc(deviceTopic.subject))
        .limit(STOCKS.topicsPerDevice);
      return rows.flatMap(({ subject, alert, zone }) =>
        toDeviceTopic(subject, alert === null ? null : toAlert(alert), zone),
      );
    },

    async eraseDevice(id, now) {
      await write([], (tx) => eraseDevice(tx, id, now));
    },

    async eraseLostDevices({ before, unprovenBefore }, now, limit) {
      const lost = await db
        .select({ id: device.id })
        .from(device)
        .where(
          or(
            and(isNull(device.okAt), lt(device.createdAt, unprovenBefore)),
            lt(device.okAt, before),
          ),
        )
        .limit(limit);
      for (const { id } of lost) await write([], (tx) => eraseDevice(tx, id, now));
    },

    async deviceZoneNews(now, limit) {
      const due = await db
        .select({ zoneId: zone.id, label: zone.label })
        .from(deviceTopic)
        .innerJoin(zone, eq(ZONE_ID, zone.id))
        .where(and(sql`news_due_at is not null`, isDue(deviceTopic.newsDueAt, now)))
        .orderBy(asc(deviceTopic.newsDueAt))
        .limit(limit);
      return Promise.all(
        due.map(async ({ zoneId, label }) => {
          const news = await first(
            db
              .select({ alert, total: sql<number>`(count(*) over ())::int` })
              .from(zoneNews)
              .innerJoin(alert, eq(alert.id, zoneNews.alertId))
              .where(and(unsent(zoneId), eq(alert.status, "active")))
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
        await tx.db
          .select({ id: deviceTopic.deviceId })
          .from(deviceTopic)
          .where(topic)
          .for("update");
        const wait = (newsDueAt: number | null) =>
          tx.db.update(deviceTopic).set({ newsDueAt }).where(topic);
        const mark = (which: SQL | undefined, emailId: string | null) =>
          tx.db.update(zoneNews).set({ notifiedAt: now, emailId }).where(which);
        if (push === null || newest === null) {
          await mark(and(unsent(zoneId), not(hasActiveAlert(tx))), null);
        } else {
          // Whoever removes the alert finds the push afterwards.
          const isActive = and(eq(alert.id, newest.id), eq(alert.status, "active"));
          const shown = await first(
            tx.db.select({ id: alert.id }).from(alert).where(isActive).for("share"),
          );
          const isNewest = and(unsent(zoneId), eq(zoneNews.alertId, newest.id));
          if (shown === undefined || !(await hasRow(tx, zoneNews, isNewest))) return;
          const retryAt = await countHits(tx, hits, now);
          if (retryAt !== null) {
            await wait(retryAt);
            return;
          }
          await mark(and(unsent(zoneId), hasActiveAlert(tx, newest.publishedAt)), push.id);
          await queuePush(tx, topic, push);
        }
        // What is left arrived after it was read.
        const isLeft = and(unsent(zoneId), hasActiveAlert(tx));
        await wait((await hasRow(tx, zoneNews, isLeft)) ? now : null);
      });
    },

    async leasePushes(now, leaseMs, limit) {
      const due = and(sql`push_id is not null`, isDue(deviceTopic.dueAt, now));
      if (!(await hasRow(tools, deviceTopic, due))) return [];
      return write([], async (tx) => {
        const rows = await tx.db
          .select({ topic: deviceTopic, device })
          .from(deviceTopic)
          .innerJoin(device, eq(device.id, deviceTopic.deviceId))
          .where(due)
          .orderBy(asc(deviceTopic.dueAt), asc(deviceTopic.pushId))
          .limit(limit)
          .for("no key update", { of: deviceTopic, skipLocked: true });
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
            .where(ofPush(push));
        return leased;
      });
    },

    async closePush(push, reachedAt) {
      await write([], async (tx) => {
        await tx.db.update(deviceTopic).set(NO_PUSH).where(ofPush(push));
        if (reachedAt !== null)
          await tx.db.update(device).set({ okAt: reachedAt }).where(eq(device.id, push.deviceId));
      });
    },

    async postponePush(push, dueAt) {
      await write([], (tx) => tx.db.update(deviceTopic).set({ dueAt }).where(ofPush(push)));
    },
  } satisfies Queries;
}

async function eraseDevice(tx: Tx, id: string, now: number): Promise<void> {
  const zones = await tx.db
    .select({ id: zone.id })
    .from(deviceTopic)
    .innerJoin(zone, eq(ZONE_ID, zone.id))
    .where(eq(deviceTopic.deviceId, id));
  for (const one of zones) await eraseZone(tx, one.id, now);
  await tx.db.delete(device).where(eq(device.id, id));
}

async function insertDeviceZone(
  { db, changes }: Tx,
  { id, point, radiusKm, species, type, label }: DeviceZone,
  language: typeof zone.$inferInsert.language,
  now: number,
): Promise<void> {
  const circle = { lat: point.lat, lng: point.lng, radiusKm, species, type, label };
  await db
    .insert(zone)
    .values({ id, ...circle, email: null, language, createdAt: now, revision: 0 });
  changes.zones.add(id);
}

/** True if a zone of the device has the same circle and filters. */
async function hasSameZone({ db }: Reader, deviceId: string, fresh: DeviceZone): Promise<boolean> {
  const same = and(
    eq(zone.lat, fresh.point.lat),
    eq(zone.lng, fresh.point.lng),
    eq(zone.radiusKm, fresh.radiusKm),
    sql`${zone.species} is not distinct from ${fresh.species}`,
    sql`${zone.type} is not distinct from ${fresh.type}`,
  );
  const row = await first(
    db
      .select({ id: zone.id })
      .from(deviceTopic)
      .innerJoin(zone, eq(ZONE_ID, zone.id))
      .where(and(eq(deviceTopic.deviceId, deviceId), same))
      .limit(1),
  );
  return row !== undefined;
}

/** Ids in the subjects of topics. */
const ZONE_ID = sql`case when ${deviceTopic.subject} like 'zone:%' then substr(${deviceTopic.subject}, 6) end`;
const ALERT_ID = sql`case when ${deviceTopic.subject} like 'owner:%' then substr(${deviceTopic.subject}, 7) end`;

function ofPush(push: {
  readonly deviceId: string;
  readonly subject: string;
  readonly id: string;
}): SQL | undefined {
  return and(
    eq(deviceTopic.deviceId, push.deviceId),
    eq(deviceTopic.subject, push.subject),
    eq(deviceTopic.pushId, push.id),
  );
}

function unsent(zoneId: string): SQL | undefined {
  return and(eq(zoneNews.zoneId, zoneId), isNull(zoneNews.notifiedAt));
}

function hasActiveAlert({ db }: Tx, upTo?: number): SQL {
  const its = db
    .select({ id: alert.id })
    .from(alert)
    .where(
      and(
        eq(alert.id, zoneNews.alertId),
        eq(alert.status, "active"),
        upTo === undefined ? undefined : lte(alert.publishedAt, upTo),
      ),
    );
  return exists(its);
}
