import { and, asc, desc, eq, exists, isNull, lt, lte, not, or, type SQL, sql } from "drizzle-orm";
import { STOCKS } from "../../src/core/caps.ts";
import { ownerSubject, zoneSubject } from "../../src/core/push/push.ts";
import type { DeviceZone } from "../../src/core/push/device.ts";
import { isDue } from "../expressions.ts";
import { NO_PUSH, toDeviceTopic, waitingPush } from "../rows.ts";
import { toAlert } from "./alert-row.ts";
import { alertExists } from "./alerts.ts";
import type { Queries, StoreTools } from "./context.ts";
import { device, deviceTopic } from "./device-schema.ts";
import { queuePush } from "./device-topics.ts";
import { eraseZone } from "./erased-rows.ts";
import { countRows, hasRow } from "./expressions.ts";
import { countHits } from "./rate-limits.ts";
import { alert, zone, zoneNews } from "./schema.ts";

/** Devices that get notifications by Web Push, and their pushes. */
export function deviceQueries(tools: StoreTools) {
  const { db, write, nextRevision } = tools;

  function insertZone(
    { id, point, radiusKm, species, type, label }: DeviceZone,
    language: typeof zone.$inferInsert.language,
    now: number,
  ): void {
    const circle = { lat: point.lat, lng: point.lng, radiusKm, species, type, label };
    db.insert(zone)
      .values({ id, ...circle, email: null, language, createdAt: now, revision: nextRevision() })
      .run();
  }

  /** True if a zone of the device has the same circle and filters. */
  function hasSameZone(deviceId: string, fresh: DeviceZone): boolean {
    const same = and(
      eq(zone.lat, fresh.point.lat),
      eq(zone.lng, fresh.point.lng),
      eq(zone.radiusKm, fresh.radiusKm),
      sql`${zone.species} is ${fresh.species}`,
      sql`${zone.type} is ${fresh.type}`,
    );
    return (
      db
        .select({ id: zone.id })
        .from(deviceTopic)
        .innerJoin(zone, eq(ZONE_ID, zone.id))
        .where(and(eq(deviceTopic.deviceId, deviceId), same))
        .get() !== undefined
    );
  }

  const ofPush = (push: { deviceId: string; subject: string; id: string }) =>
    and(
      eq(deviceTopic.deviceId, push.deviceId),
      eq(deviceTopic.subject, push.subject),
      eq(deviceTopic.pushId, push.id),
    );

  /** Only inside `write`. */
  function eraseDevice(id: string, now: number): void {
    const zones = db
      .select({ id: zone.id })
      .from(deviceTopic)
      .innerJoin(zone, eq(ZONE_ID, zone.id))
      .where(eq(deviceTopic.deviceId, id))
      .all();
    for (const one of zones) eraseZone(tools, one.id, now);
    db.delete(device).where(eq(device.id, id)).run();
  }

  return {
    addDeviceTopic({ device: fresh, about, push }, hits, now) {
      return write(() => {
        const retryAt = countHits(tools, hits, now);
        if (retryAt !== null) return { kind: "limited", retryAt };
        if (about.kind === "owner" && !alertExists(tools, about.alertId)) return { kind: "full" };
        const { sealed, language, endpointHash } = fresh;
        const known = db
          .update(device)
          .set({ sealed, language })
          .where(eq(device.endpointHash, endpointHash))
          .returning({ id: device.id })
          .get();
        const deviceId = known?.id ?? fresh.id;
        const ofDevice = eq(deviceTopic.deviceId, deviceId);
        const subject =
          about.kind === "owner" ? ownerSubject(about.alertId) : zoneSubject(about.zone.id);
        const isKnown =
          about.kind === "owner"
            ? hasRow(db, deviceTopic, and(ofDevice, eq(deviceTopic.subject, subject)))
            : hasSameZone(deviceId, about.zone);
        if (isKnown) return { kind: "kept" };
        const tellsMost =
          about.kind === "owner" &&
          countRows(db, deviceTopic, eq(deviceTopic.subject, subject)) >= STOCKS.devicesPerAlert;
        if (tellsMost || countRows(db, deviceTopic, ofDevice) >= STOCKS.topicsPerDevice)
          return { kind: "full" };
        if (known === undefined)
          db.insert(device)
            .values({ ...fresh, createdAt: now })
            .run();
        if (about.kind === "zone") insertZone(about.zone, language, now);
        db.insert(deviceTopic)
          .values({ deviceId, subject, createdAt: now, ...waitingPush(push) })
          .run();
        return { kind: "kept" };
      });
    },

    deviceTopics(endpointHash) {
      const rows = db
        .select({ subject: deviceTopic.subject, alert, zone })
        .from(device)
        .innerJoin(deviceTopic, eq(deviceTopic.deviceId, device.id))
        .leftJoin(alert, eq(ALERT_ID, alert.id))
        .leftJoin(zone, eq(ZONE_ID, zone.id))
        .where(eq(device.endpointHash, endpointHash))
        .orderBy(asc(deviceTopic.createdAt), asc(deviceTopic.subject))
        .limit(STOCKS.topicsPerDevice)
        .all();
      return rows.flatMap(({ subject, alert, zone }) =>
        toDeviceTopic(subject, alert === null ? null : toAlert(alert), zone),
      );
    },

    eraseDevice(id, now) {
      write(() => eraseDevice(id, now));
    },

    eraseLostDevices({ before, unprovenBefore }, now, limit) {
      const lost = () =>
        db
          .select({ id: device.id })
          .from(device)
          .where(
            or(
              and(isNull(device.okAt), lt(device.createdAt, unprovenBefore)),
              lt(device.okAt, before),
            ),
          )
          .limit(limit)
          .all();
      // A read takes no lock, and usually there is none.
      if (lost().length > 0) write(() => lost().forEach(({ id }) => eraseDevice(id, now)));
    },

    deviceZoneNews(now, limit) {
      const due = db
        .select({ zoneId: zone.id, label: zone.label })
        .from(deviceTopic)
        .innerJoin(zone, eq(ZONE_ID, zone.id))
        .where(and(sql`news_due_at is not null`, isDue(deviceTopic.newsDueAt, now)))
        .orderBy(asc(deviceTopic.newsDueAt))
        .limit(limit)
        .all();
      return due.map(({ zoneId, label }) => {
        const news = db
          .select({ alert, total: sql<number>`count(*) over ()` })
          .from(zoneNews)
          .innerJoin(alert, eq(alert.id, zoneNews.alertId))
          .where(and(unsent(zoneId), eq(alert.status, "active")))
          .orderBy(desc(alert.publishedAt))
          .limit(1)
          .get();
        const newest = news === undefined ? null : toAlert(news.alert);
        return { zoneId, label, newest, count: news?.total ?? 0 };
      });
    },

    addZonePush({ zoneId, newest }, push, hits, now) {
      write(() => {
        const topic = eq(deviceTopic.subject, zoneSubject(zoneId));
        const wait = (newsDueAt: number | null) =>
          db.update(deviceTopic).set({ newsDueAt }).where(topic).run();
        const mark = (which: SQL | undefined, emailId: string | null) =>
          db.update(zoneNews).set({ notifiedAt: now, emailId }).where(which).run();
        if (push === null || newest === null) {
          mark(and(unsent(zoneId), not(hasActiveAlert())), null);
        } else {
          const isNewest = and(unsent(zoneId), eq(zoneNews.alertId, newest.id), hasActiveAlert());
          if (!hasRow(db, zoneNews, isNewest)) return;
          const retryAt = countHits(tools, hits, now);
          if (retryAt !== null) {
            wait(retryAt);
            return;
          }
          mark(and(unsent(zoneId), hasActiveAlert(newest.publishedAt)), push.id);
          queuePush(tools, topic, push);
        }
        // What is left arrived after it was read.
        wait(hasRow(db, zoneNews, and(unsent(zoneId), hasActiveAlert())) ? now : null);
      });

      function hasActiveAlert(upTo?: number): SQL {
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
    },

    leasePushes(now, leaseMs, limit) {
      const due = and(sql`push_id is not null`, isDue(deviceTopic.dueAt, now));
      if (!hasRow(db, deviceTopic, due)) return [];
      return write(() => {
        const rows = db
          .select({ topic: deviceTopic, device })
          .from(deviceTopic)
          .innerJoin(device, eq(device.id, deviceTopic.deviceId))
          .where(due)
          .orderBy(asc(deviceTopic.dueAt), asc(deviceTopic.pushId))
          .limit(limit)
          .all();
        return rows.flatMap(({ topic, device: { sealed, language, okAt } }) => {
          const { deviceId, subject, pushId: id, content, pushedAt, giveUpAt } = topic;
          if (id === null || content === null || pushedAt === null || giveUpAt === null) return [];
          const push = { id, content, createdAt: pushedAt, giveUpAt };
          const leased = { ...push, deviceId, subject, sealed, language, isReached: okAt !== null };
          db.update(deviceTopic)
            .set({ dueAt: now + leaseMs })
            .where(ofPush(leased))
            .run();
          return [leased];
        });
      });
    },

    closePush(push, reachedAt) {
      write(() => {
        db.update(deviceTopic).set(NO_PUSH).where(ofPush(push)).run();
        if (reachedAt !== null)
          db.update(device).set({ okAt: reachedAt }).where(eq(device.id, push.deviceId)).run();
      });
    },

    postponePush(push, dueAt) {
      write(() => db.update(deviceTopic).set({ dueAt }).where(ofPush(push)).run());
    },
  } satisfies Queries;
}

/** Ids in the subjects of topics. */
const ZONE_ID = sql`case when ${deviceTopic.subject} like 'zone:%' then substr(${deviceTopic.subject}, 6) end`;
const ALERT_ID = sql`case when ${deviceTopic.subject} like 'owner:%' then substr(${deviceTopic.subject}, 7) end`;

function unsent(zoneId: string) {
  return and(eq(zoneNews.zoneId, zoneId), isNull(zoneNews.notifiedAt));
}
