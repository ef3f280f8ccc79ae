import { and, asc, count, desc, eq, gt, isNull, lt, lte, ne, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Alert, AlertRef, NewAlert } from "../../src/core/alerts/alert.ts";
import { DAY_MS } from "../../src/core/duration.ts";
import type { BulkAlert } from "../../src/core/store/alerts.ts";
import { type AlertRow, ALERT_COLUMNS, readAlert, toAlert } from "./alert-row.ts";
import type { Queries, StoreTools } from "./context.ts";
import { newAlertColumns, type NewAlertRow, NO_ROW } from "../rows.ts";
import { isAddress } from "../expressions.ts";
import { countRows, hasRow, placeholdersOf } from "./expressions.ts";
import { insertLinks } from "./links.ts";
import { organisationOfOwner } from "./organisations.ts";
import { claimEdit } from "./match-schema.ts";
import type { Db } from "./open.ts";
import { withdrawPlanEmails, withdrawReminders } from "./outbox.ts";
import { usePhotos } from "./photos.ts";
import { insertSighting } from "./sightings.ts";
import { alert, counter, link, shortCode } from "./schema.ts";

export function alertQueries(tools: StoreTools) {
  const { db, write, nextRevision } = tools;
  const byKeys = db
    .select(ALERT_COLUMNS)
    .from(alert)
    .where(sql`${alert.publishedAt} in (select value from json_each(${sql.placeholder("keys")}))`)
    .prepare();

  const named = (column: SQLiteColumn) =>
    db
      .select(ALERT_COLUMNS)
      .from(alert)
      .where(eq(column, sql.placeholder("name")))
      .prepare();
  const [byId, bySlug, byCode] = [named(alert.id), named(alert.slug), named(alert.shortCode)];
  function byRef(ref: AlertRef): unknown[][] {
    switch (ref.by) {
      case "id":
        return byId.values({ name: ref.id });
      case "slug":
        return bySlug.values({ name: ref.slug });
      case "code":
        return byCode.values({ name: ref.code });
    }
  }

  return {
    alertsByKeys(keys) {
      const alerts = byKeys.values({ keys: JSON.stringify(keys) }).map(readAlert);
      const found = new Map(alerts.map((one) => [one.publishedAt, one]));
      return keys.flatMap((key) => found.get(key) ?? []);
    },

    alert(ref) {
      const [row] = byRef(ref);
      return row === undefined ? null : readAlert(row);
    },

    isShortCodeTaken: (code) => hasRow(db, shortCode, eq(shortCode.code, code)),

    addAlerts: (alerts, now) =>
      write(() => alerts.flatMap((bulk) => (addBulk(tools, bulk, now) ? [bulk.source] : []))),

    changeStatus(seen, change, now) {
      return write(() => {
        const asSeen = and(
          eq(alert.id, seen.id),
          eq(alert.status, seen.status),
          eq(alert.expiresAt, seen.expiresAt),
          // An erased alert has no owner. If it became active again, nothing would ever erase it.
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
        if (changed === undefined) return false;
        if (change.status !== "active") withdrawPlanEmails(tools, [seen.id], now);
        withdrawReminders(tools, [seen.id], now);
        return true;
      });
    },

    editAlert(seen, draft, now, waitsMs) {
      const { point, ...columns } = draft;
      const asSeen = and(
        eq(alert.id, seen.id),
        eq(alert.status, seen.status),
        eq(alert.updatedAt, seen.updatedAt),
        isNull(alert.erasedAt),
      );
      return write(() => {
        const changed = db
          .update(alert)
          .set({
            ...columns,
            lat: point.lat,
            lng: point.lng,
            updatedAt: Math.max(now, seen.updatedAt + 1),
            revision: nextRevision(),
          })
          .where(asSeen)
          .returning({ id: alert.id })
          .get();
        if (changed === undefined) return false;
        usePhotos(tools, `alert:${seen.id}`, draft.photos);
        if (waitsMs !== undefined) noteClaimEdit(tools, seen.id, waitsMs, now);
        return true;
      });
    },

    alertsOwnedBy: (email, limit) =>
      selectAlerts(tools, isManagedBy(email), limit, desc(alert.publishedAt)),

    manageableAlerts(email, limit, offset) {
      const hasLink = and(eq(link.purpose, "manage"), eq(link.subject, alert.id));
      const rows = db
        .select({ alert, link })
        .from(alert)
        .innerJoin(link, hasLink)
        .where(isManagedBy(email))
        .orderBy(desc(alert.publishedAt))
        .limit(limit)
        .offset(offset)
        .all();
      const all = db
        .select({ total: count() })
        .from(alert)
        .innerJoin(link, hasLink)
        .where(isManagedBy(email))
        .get();
      return {
        alerts: rows.map((row) => ({ alert: toAlert(row.alert), link: row.link })),
        total: all?.total ?? 0,
      };
    },

    muteReminders(alertId) {
      write(() =>
        db.update(alert).set({ remindersMuted: true }).where(eq(alert.id, alertId)).run(),
      );
    },

    resolvedAlerts: (endedAfter, limit) =>
      selectAlerts(
        tools,
        and(IS_RESOLVED, gt(alert.endedAt, endedAfter)),
        limit,
        desc(alert.endedAt),
      ),

    resolvedCount: () => countRows(db, alert, IS_RESOLVED),

    alertsAfter(publishedAt, limit) {
      const after = publishedAt === null ? undefined : gt(alert.publishedAt, publishedAt);
      return selectAlerts(tools, after, limit, asc(alert.publishedAt));
    },

    alertsBefore(publishedAt, limit) {
      const before = publishedAt === null ? undefined : lt(alert.publishedAt, publishedAt);
      return selectAlerts(tools, before, limit, desc(alert.publishedAt));
    },
  } satisfies Queries;
}

/** Alerts for which the condition holds. */
export function selectAlerts(
  { db }: StoreTools,
  which: SQL | undefined,
  limit: number,
  ...order: readonly SQL[]
): Alert[] {
  const rows = db
    .select()
    .from(alert)
    .where(which)
    .orderBy(...order)
    .limit(limit);
  return rows.all().map(toAlert);
}

/** Condition of the index `alert_resolved`, written as it is there. */
const IS_RESOLVED = sql`status = 'resolved'`;

/** Condition for the alerts that the owner with this mailbox can manage. */
function isManagedBy(email: string): SQL | undefined {
  return and(isAddress(alert.ownerEmail, email), ne(alert.status, "removed"));
}

/** True unless the alert was removed. */
export function alertExists({ db }: StoreTools, alertId: string): boolean {
  return hasRow(db, alert, and(eq(alert.id, alertId), ne(alert.status, "removed")));
}

/** Maximum of edits that are counted for one alert within a day. */
const COUNTED_MAX = 100;

/** Counts an edit and postpones the next comparison of the alert: see `Store.editAlert`. Only inside `write`. */
export function noteClaimEdit(
  { db }: StoreTools,
  alertId: string,
  waitsMs: readonly number[],
  now: number,
): void {
  const inLastDay = and(
    eq(claimEdit.alertId, alertId),
    gt(claimEdit.at, now - DAY_MS),
    lte(claimEdit.at, now),
  );
  const before = countRows(db, claimEdit, inLastDay);
  if (before < COUNTED_MAX) db.insert(claimEdit).values({ alertId, at: now }).run();
  const waitMs = waitsMs[before] ?? waitsMs.at(-1) ?? 0;
  db.update(alert)
    .set({ comparedAt: null, compareAt: now + waitMs })
    .where(eq(alert.id, alertId))
    .run();
}

/** Adds an alert with the next free `publishedAt`. Its short code is reserved already. Only inside `write`. */
export function insertAlert(
  { prepared, nextRevision }: StoreTools,
  { point, ...columns }: NewAlert,
  now: number,
  announcedAt: number | null = null,
  itsRow: NewAlertRow = NO_ROW,
): void {
  const last = prepared(raisePublishedAt).get({ now });
  if (last === undefined) throw new Error("the counter row is missing");
  const organisationOf = (owner: string | null) =>
    owner === null ? undefined : prepared(organisationOfOwner).get({ email: owner.toLowerCase() });
  const row: AlertRow = {
    ...columns,
    lat: point.lat,
    lng: point.lng,
    publishedAt: last.publishedAt,
    // The second of two alerts in one millisecond is published slightly after the clock's time, and cannot be updated earlier.
    updatedAt: Math.max(columns.updatedAt, last.publishedAt),
    ...newAlertColumns(announcedAt, itsRow),
    organisation: null,
    organisationName: null,
    ...organisationOf(columns.ownerEmail),
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
  const { rowHash = null, animalPage = null } = bulk;
  const { publishedAt = now, resolvedAt, sightings = [] } = bulk;
  if (tools.prepared(alertOfSource).get({ source }) !== undefined) return false;
  tools.prepared(insertCode).run({ code: draft.shortCode });
  const state =
    resolvedAt === undefined
      ? ({ status: "active", updatedAt: publishedAt, expiresAt, endedAt: null } as const)
      : ({ status: "resolved", updatedAt: resolvedAt, expiresAt, endedAt: resolvedAt } as const);
  const fresh = { ...draft, ...state, ownerEmail, language, source };
  insertAlert(tools, fresh, publishedAt, announce ? null : now, { rowHash, animalPage });
  if (draft.photos.length > 0) usePhotos(tools, `alert:${draft.id}`, draft.photos);
  for (const seen of sightings) insertSighting(tools, seen);
  if (link !== null) insertLinks(tools, [link]);
  return true;
}

const alertOfSource = (db: Db) =>
  db
    .select({ id: alert.id })
    .from(alert)
    .where(eq(alert.source, sql.placeholder("source")));
const insertCode = (db: Db) => db.insert(shortCode).values(placeholdersOf(shortCode));
