import { sql } from "drizzle-orm";
import type { Language } from "../../src/messages/languages.ts";
import type { AlertType, Species } from "../../src/core/alerts/alert.ts";
import type { PushContent } from "../../src/core/push/push.ts";
import type { ZoneFrequency } from "../../src/core/zones/zone.ts";
import type { Columns } from "../columns.ts";
import type { AlertTables } from "./alerts.ts";

/** Zones, and devices that get notifications. */
export function zoneTables(c: Columns, tables: AlertTables) {
  const zone = c.table(
    "zone",
    {
      id: c.text().primaryKey(),
      lat: c.real().notNull(),
      lng: c.real().notNull(),
      radiusKm: c.real("radius_km").notNull(),
      species: c.text().$type<Species>(),
      type: c.text().$type<AlertType>(),
      label: c.text(),
      frequency: c.text().$type<ZoneFrequency>().notNull().default("at_once"),
      email: c.text(),
      language: c.text().$type<Language>().notNull(),
      createdAt: c.number("created_at").notNull(),
      endedAt: c.number("ended_at"),
      revision: c.number().notNull(),
    },
    (table) => [
      c.index("zone_by_revision").on(table.revision),
      c.partial("zone_ended", "ended_at is not null", table.endedAt),
      c.partial("zone_by_email", "email is not null", sql`lower(email)`),
    ],
  );

  /** Alerts that zones are emailed about; a row remains after the email, so that none is sent twice. */
  const zoneNews = c.table(
    "zone_news",
    {
      zoneId: c.parent("zone_id", () => zone.id),
      alertId: c.parent("alert_id", () => tables.alert.id),
      createdAt: c.number("created_at").notNull(),
      /** Time from which its mailbox may be emailed about it. */
      dueAt: c.number("due_at").notNull().default(0),
      notifiedAt: c.number("notified_at"),
      /** Email that contained it; null if none was needed. */
      emailId: c.text("email_id"),
      /** Order of creation. */
      number: c.row(),
    },
    (table) => [
      c.uniqueIndex("zone_news_of_zone").on(table.zoneId, table.alertId),
      c.partial("zone_news_due", "notified_at is null", table.dueAt, table.number),
      c.index("zone_news_notified").on(table.zoneId, table.notifiedAt),
      c.index("zone_news_by_alert").on(table.alertId),
      c.partial("zone_news_by_age", "notified_at is not null", table.notifiedAt),
    ],
  );

  /** Browsers that get notifications by Web Push. */
  const device = c.table(
    "device",
    {
      id: c.text().primaryKey(),
      /** Keyed hash of its address at the push service. */
      endpointHash: c.text("endpoint_hash").notNull().unique(),
      /** Sealed address and keys. */
      sealed: c.text().notNull(),
      language: c.text().$type<Language>().notNull(),
      createdAt: c.number("created_at").notNull(),
      /** Time at which a push reached it last; null before the first. */
      okAt: c.number("ok_at"),
    },
    (table) => [c.index("device_by_age").on(table.okAt, table.createdAt)],
  );

  /** Topics of devices, each with the push that waits. */
  const deviceTopic = c.table(
    "device_topic",
    {
      deviceId: c.parent("device_id", () => device.id),
      /** `owner:` and the id of an alert, or `zone:` and that of a zone. */
      subject: c.text().notNull(),
      createdAt: c.number("created_at").notNull(),
      /** Time from which news of the zone may be pushed; null without news. */
      newsDueAt: c.number("news_due_at"),
      /** Id of the push that waits; null if there is none. */
      pushId: c.text("push_id"),
      content: c.json().$type<PushContent>(),
      pushedAt: c.number("pushed_at"),
      giveUpAt: c.number("give_up_at"),
      dueAt: c.number("due_at"),
    },
    (table) => [
      c.primaryKey({ columns: [table.deviceId, table.subject] }),
      c.index("device_topic_by_subject").on(table.subject),
      c.partial("device_topic_news", "news_due_at is not null", table.newsDueAt),
      c.partial("device_topic_due", "push_id is not null", table.dueAt),
      c.partial("device_topic_by_push", "push_id is not null", table.pushId),
    ],
  );

  return { zone, zoneNews, device, deviceTopic };
}
