import { and, asc, count, desc, eq, gt, inArray, isNull, ne, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Alert, AlertRef, AlertStatus } from "../../src/core/alerts/alert.ts";
import type { Queries, StoreTools } from "./context.ts";
import { placeholdersOf } from "./expressions.ts";
import { insertLinks } from "./links.ts";
import type { Db } from "./open.ts";
import { alert, counter, link, outcome, shortCode } from "./schema.ts";
import type { BulkAlert } from "../../src/core/store/alerts.ts";

type AlertRow = typeof alert.$inferSelect;
const MANAGEABLE: AlertStatus[] = ["active", "expired", "resolved", "hidden"];

export function alertQueries(tools: StoreTools) {
  const { db, read, write, nextRevision } = tools;
  const byKeys = db
    .select()
    .from(alert)
    .where(sql`${alert.publishedAt} in (select value from json_each(${sql.placeholder("keys")}))`)
    .prepare();

  const named = (column: SQLiteColumn) =>
    db
      .select()
      .from(alert)
      .where(eq(column, sql.placeholder("name")))
      .prepare();
  const [byId, bySlug, byCode] = [named(alert.id), named(alert.slug), named(alert.shortCode)];
  function byRef(ref: AlertRef): AlertRow | undefined {
    switch (ref.by) {
      case "id":
        return byId.get({ name: ref.id });
      case "slug":
        return bySlug.get({ name: ref.slug });
      case "code":
        return byCode.get({ name: ref.code });
    }
  }

  return {
    alertsByKeys(keys) {
      const rows = read(() => byKeys.all({ keys: JSON.stringify(keys) }));
      const found = new Map(rows.map((row) => [row.publishedAt, toAlert(row)]));
      return keys.flatMap((key) => found.get(key) ?? []);
    },

    alert(ref) {
      const row = read(() => byRef(ref));
      return row === undefined ? null : toAlert(row);
    },

    isShortCodeTaken: (code) =>
      read(() => db.select().from(shortCode).where(eq(shortCode.code, code)).get() !== undefined),

    addAlerts: (alerts, now) =>
      write(() => alerts.flatMap((bulk) => (addBulk(tools, bulk, now) ? [bulk.source] : []))),

    changeStatus(seen, change, now) {
      return write(() => {
        const asSeen = and(
          eq(alert.id, seen.id),
          eq(alert.status, seen.status),
          eq(alert.expiresAt, seen.expiresAt),
          // An erased alert has no owner: live again, it would never be erased.
          isNull(alert.erasedAt),
        );
        const changed = db
          .update(alert)
          .set({
            ...change,
            updatedAt: now,
            revision: nextRevision(),
            ...(change.status === "active" ? { comparedAt: null } : {}),
          })
          .where(asSeen)
          .returning({ id: alert.id })
          .get();
        return changed !== undefined;
      });
    },

    alertsOwnedBy(email, limit) {
      const manageable = and(
        eq(sql`lower(${alert.ownerEmail})`, email.toLowerCase()),
        inArray(alert.status, MANAGEABLE),
      );
      return read(() =>
        db
          .select()
          .from(alert)
          .where(manageable)
          .orderBy(desc(alert.publishedAt))
          .limit(limit)
          .all()
          .map(toAlert),
      );
    },

    manageableAlerts(email, limit, offset) {
      const manageable = and(
        eq(sql`lower(${alert.ownerEmail})`, email.toLowerCase()),
        inArray(alert.status, MANAGEABLE),
      );
      const hasLink = and(eq(link.purpose, "manage"), eq(link.subject, alert.id));
      return read(() => {
        const alerts = db
          .select({ alert, link })
          .from(alert)
          .innerJoin(link, hasLink)
          .where(manageable)
          .orderBy(desc(alert.publishedAt))
          .limit(limit)
          .offset(offset)
          .all();
        const all = db
          .select({ total: count() })
          .from(alert)
          .innerJoin(link, hasLink)
          .where(manageable)
          .get();
        return {
          alerts: alerts.map((row) => ({ alert: toAlert(row.alert), link: row.link })),
          total: all?.total ?? 0,
        };
      });
    },

    alertsAfter(publishedAt, limit) {
      const rows = read(() =>
        db
          .select()
          .from(alert)
          .where(publishedAt === null ? undefined : gt(alert.publishedAt, publishedAt))
          .orderBy(asc(alert.publishedAt))
          .limit(limit)
          .all(),
      );
      return rows.map(toAlert);
    },

    addOutcome(alertId, reported) {
      return write(() => {
        const first = db
          .update(alert)
          .set({ outcomeTold: true })
          .where(
            and(eq(alert.id, alertId), eq(alert.status, "resolved"), eq(alert.outcomeTold, false)),
          )
          .returning({ id: alert.id })
          .get();
        if (first !== undefined) db.insert(outcome).values(reported).run();
        return first !== undefined;
      });
    },

    hasOutcome(alertId) {
      const row = read(() => byId.get({ name: alertId }));
      return row !== undefined && row.outcomeTold;
    },

    outcomesAfter(number, limit) {
      const rows = read(() =>
        db
          .select()
          .from(outcome)
          .where(gt(outcome.id, number))
          .orderBy(asc(outcome.id))
          .limit(limit)
          .all(),
      );
      return rows.map(({ id, ...columns }) => ({ number: id, outcome: columns }));
    },
  } satisfies Queries;
}

/** True unless the alert was removed. */
export function alertExists({ db }: StoreTools, alertId: string): boolean {
  const existing = and(eq(alert.id, alertId), ne(alert.status, "removed"));
  return db.select({ id: alert.id }).from(alert).where(existing).get() !== undefined;
}

/** Adds an alert with the next free `publishedAt`. Its short code is reserved already. Only inside `write`. */
export function insertAlert(
  { prepared, nextRevision }: StoreTools,
  { point, ...columns }: Omit<Alert, "publishedAt">,
  now: number,
  announcedAt: number | null = null,
): void {
  const last = prepared(raisePublishedAt).get({ now });
  if (last === undefined) throw new Error("the counter row is missing");
  const row: AlertRow = {
    ...columns,
    lat: point.lat,
    lng: point.lng,
    publishedAt: last.publishedAt,
    // Two alerts of one millisecond: the second is published a little after the clock's time, and not updated before.
    updatedAt: Math.max(columns.updatedAt, last.publishedAt),
    announcedAt,
    // An alert that zones are not told of is not compared either.
    comparedAt: announcedAt,
    compareAt: 0,
    matchesMuted: false,
    remindersMuted: false,
    outcomeTold: false,
    hiddenFrom: null,
    erasedAt: null,
    revision: nextRevision(),
  };
  prepared(insertRow).run(row);
}

const raisePublishedAt = (db: Db) =>
  db
    .update(counter)
    .set({ lastPublishedAt: sql`max(${counter.lastPublishedAt} + 1, ${sql.placeholder("now")})` })
    .returning({ publishedAt: counter.lastPublishedAt });
const insertRow = (db: Db) => db.insert(alert).values(placeholdersOf(alert));

/** Adds one alert of an import unless its source is known; returns whether it did. Only inside `write`. */
function addBulk(tools: StoreTools, bulk: BulkAlert, now: number): boolean {
  const { source, draft, expiresAt, ownerEmail, language, announce, link } = bulk;
  if (tools.prepared(alertOfSource).get({ source }) !== undefined) return false;
  tools.prepared(insertCode).run({ code: draft.shortCode });
  const state = { status: "active", updatedAt: now, expiresAt, endedAt: null } as const;
  const fresh = { ...draft, ...state, ownerEmail, language, source };
  insertAlert(tools, fresh, now, announce ? null : now);
  if (link !== null) insertLinks(tools, [link]);
  return true;
}

const alertOfSource = (db: Db) =>
  db
    .select({ id: alert.id })
    .from(alert)
    .where(eq(alert.source, sql.placeholder("source")));
const insertCode = (db: Db) => db.insert(shortCode).values(placeholdersOf(shortCode));

export function toAlert(row: AlertRow): Alert {
  const {
    lat,
    lng,
    announcedAt: _announcedAt,
    comparedAt: _comparedAt,
    compareAt: _compareAt,
    matchesMuted: _matchesMuted,
    remindersMuted: _remindersMuted,
    outcomeTold: _outcomeTold,
    hiddenFrom: _hiddenFrom,
    erasedAt: _erasedAt,
    revision: _revision,
    ...columns
  } = row;
  return { ...columns, point: { lat, lng } };
}
