import {
  and,
  asc,
  Column,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  isNull,
  lt,
  ne,
  sql,
  type SQL,
} from "drizzle-orm";
import type { PgColumn, PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { AlertRef } from "../src/core/alerts/alert-ref.ts";
import type { Alert, NewAlert } from "../src/core/alerts/alert.ts";
import { DAY_MS } from "../src/core/duration.ts";
import type { Duty, Queries, Reader, StoreTools, Tx } from "./context.ts";
import { insertLinks } from "./links.ts";
import { withdrawPlanEmails, withdrawReminders } from "./outbox.ts";
import { usePhotos } from "./photos.ts";
import {
  changeIds,
  countRows,
  first,
  hasRow,
  idsOf,
  isExactly,
  isRecent,
  lockRows,
} from "./queries.ts";
import type { Row, Tables } from "./schema/tables.ts";
import type { BulkAlert } from "../src/core/tables/imported-alert.ts";

/** Alert in a row, without the columns that the store keeps for itself. */
export function toAlert(row: Row<"alert">): Alert {
  const { lat, lng, ...columns } = withoutOwn(row);
  return { point: { lat, lng }, ...columns };
}

/** A row or the columns of the table, without what the store keeps for itself. */
function withoutOwn<Values extends Record<keyof Row<"alert">, unknown>>({
  announcedAt: _announcedAt,
  comparedAt: _comparedAt,
  compareAt: _compareAt,
  matchesMuted: _matchesMuted,
  planMutedAt: _planMutedAt,
  remindersMuted: _remindersMuted,
  outcomeTold: _outcomeTold,
  rowHash: _rowHash,
  missedReads: _missedReads,
  animalPage: _animalPage,
  hiddenFrom: _hiddenFrom,
  erasedAt: _erasedAt,
  revision: _revision,
  ...columns
}: Values) {
  return columns;
}

/** Columns of an `Alert`, in the order of the values that `readAlert` gets. */
export function alertColumns({ alert }: Tables) {
  const { lat, lng, ...sameNamed } = withoutOwn(getTableColumns(alert));
  return { lat, lng, ...sameNamed };
}

/** Reader of alerts from the values of `alertColumns`. Drizzle takes as long to map a row as SQLite to read it. */
export function alertReader(tables: Tables): (values: readonly unknown[]) => Alert {
  const columns = Object.entries<Column>(alertColumns(tables));
  const names = columns.map(([name]) => name);
  /** Columns whose values are not those of the row, such as JSON; null for others. */
  const decoded = columns.map(([, column]) =>
    column.mapFromDriverValue === Column.prototype.mapFromDriverValue ? null : column,
  );
  return (values) => {
    const alert: Record<string, unknown> = { point: { lat: values[0], lng: values[1] } };
    for (let nth = 2; nth < names.length; nth++) {
      const value = values[nth];
      const column = decoded[nth];
      alert[names[nth]!] = column && value !== null ? column.mapFromDriverValue(value) : value;
    }
    return alert as Alert;
  };
}

export function alertQueries(tools: StoreTools) {
  const { alert, link, shortCode } = tools.tables;
  const { arrays, write } = tools;
  const readAlert = alertReader(tools.tables);

  function byRef(ref: AlertRef) {
    switch (ref.by) {
      case "id":
        return arrays(byId, { name: ref.id });
      case "slug":
        return arrays(bySlug, { name: ref.slug });
      case "code":
        return arrays(byCode, { name: ref.code });
    }
  }

  return {
    async alertsByKeys(keys) {
      const rows = await arrays(byKeys, { keys: JSON.stringify(keys) });
      const found = new Map(rows.map(readAlert).map((one) => [one.publishedAt, one]));
      return keys.flatMap((key) => found.get(key) ?? []);
    },

    async alert(ref) {
      const [row] = await byRef(ref);
      return row === undefined ? null : readAlert(row);
    },

    isShortCodeTaken: (code) => hasRow(tools, shortCode, eq(shortCode.code, code)),

    addAlerts: (alerts, now) =>
      write(["import"], async (tx) => {
        const fresh = await unknownAmong(tx, alerts);
        const codes = fresh.map(({ draft }) => ({ code: draft.shortCode }));
        await tx.insertAll(shortCode, codes);
        for (const bulk of fresh) await addBulk(tx, bulk, now);
        const links = fresh.flatMap((bulk) => bulk.link ?? []);
        await insertLinks(tx, links);
        return fresh.map(({ source }) => source);
      }),

    changeStatus(seen, change, now) {
      const asSeen = and(
        eq(alert.id, seen.id),
        eq(alert.status, seen.status),
        eq(alert.expiresAt, seen.expiresAt),
        // An erased alert has no owner. If it became active again, nothing would ever erase it.
        isNull(alert.erasedAt),
      );
      const changes = {
        ...change,
        updatedAt: now,
        ...(change.status === "active" ? { comparedAt: null } : {}),
      };
      return write([], async (tx) => {
        if (!(await changeAlert(tx, asSeen, changes))) return false;
        if (change.status !== "active") await withdrawPlanEmails(tx, [seen.id], now);
        await withdrawReminders(tx, [seen.id], now);
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
      const changes = { ...columns, ...point, updatedAt: Math.max(now, seen.updatedAt + 1) };
      return write([], async (tx) => {
        if (!(await changeAlert(tx, asSeen, changes))) return false;
        await usePhotos(tx, `alert:${seen.id}`, draft.photos);
        if (waitsMs !== undefined) await noteClaimEdit(tx, seen.id, waitsMs, now);
        return true;
      });
    },

    alertsOwnedBy: (email, limit) =>
      selectAlerts(tools, isManagedBy(tools, email), limit, desc(alert.publishedAt)),

    manageableAlerts: (email, limit, offset) =>
      tools.read(async ({ db }) => {
        const hasLink = and(eq(link.purpose, "manage"), eq(link.subject, alert.id));
        const rows = await db
          .select({ alert, link })
          .from(alert)
          .innerJoin(link, hasLink)
          .where(isManagedBy(tools, email))
          .orderBy(desc(alert.publishedAt))
          .limit(limit)
          .offset(offset);
        const all = await first(
          db
            .select({ total: count() })
            .from(alert)
            .innerJoin(link, hasLink)
            .where(isManagedBy(tools, email)),
        );
        return {
          alerts: rows.map((row) => ({ alert: toAlert(row.alert), link: row.link })),
          total: all?.total ?? 0,
        };
      }),

    async muteReminders(alertId) {
      await write([], (tx) =>
        tx.db.update(alert).set({ remindersMuted: true }).where(eq(alert.id, alertId)),
      );
    },

    resolvedAlerts: (endedAfter, limit) =>
      selectAlerts(
        tools,
        and(IS_RESOLVED, gt(alert.endedAt, endedAfter)),
        limit,
        desc(alert.endedAt),
      ),

    resolvedCount: () => countRows(tools, alert, IS_RESOLVED),

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

const byKeys = ({ db, dialect, tables }: Reader) =>
  db
    .select(alertColumns(tables))
    .from(tables.alert)
    .where(dialect.inNumbers(tables.alert.publishedAt, sql.placeholder("keys")));

const byName =
  (column: "id" | "slug" | "shortCode") =>
  ({ db, tables }: Reader) =>
    db
      .select(alertColumns(tables))
      .from(tables.alert)
      .where(eq(tables.alert[column], sql.placeholder("name")));
const byId = byName("id");
const bySlug = byName("slug");
const byCode = byName("shortCode");

/** Alerts for which the condition holds. */
export async function selectAlerts(
  { db, tables: { alert } }: Reader,
  which: SQL | undefined,
  limit: number,
  ...order: readonly (SQL | PgColumn)[]
): Promise<Alert[]> {
  const rows = await db
    .select()
    .from(alert)
    .where(which)
    .orderBy(...order)
    .limit(limit);
  return rows.map(toAlert);
}

/** Alerts with work of a duty that this process does: those for which the condition holds and nobody else has claimed. */
export async function takeAlerts(
  tools: StoreTools,
  duty: Duty,
  which: SQL | undefined,
  limit: number,
  ...order: readonly SQL[]
): Promise<Alert[]> {
  const { claims } = tools;
  const found = await selectAlerts(tools, which, limit * claims.processesMax, ...order);
  const mine = new Set(await claims.take(duty, idsOf(found), limit));
  return found.filter(({ id }) => mine.has(id));
}

/** Condition of the index `alert_resolved`, written as it is there. */
const IS_RESOLVED = sql`status = 'resolved'`;

/** Condition for the alerts that the owner with this mailbox can manage. */
function isManagedBy({ tables: { alert } }: Reader, email: string): SQL | undefined {
  return and(isExactly(alert.ownerEmail, email), ne(alert.status, "removed"));
}

/** Locks an alert until the end of the transaction if the condition holds for it; returns whether it does. */
export async function lockAlert(tx: Tx, which: SQL | undefined): Promise<boolean> {
  return (await lockRows(tx, tx.tables.alert, which, "share")).length > 0;
}

/** Condition for an alert that was not removed. */
export function isUnremoved({ tables: { alert } }: Reader, alertId: string): SQL | undefined {
  return and(eq(alert.id, alertId), ne(alert.status, "removed"));
}

/** Changes an alert for which the condition holds, as the indexes see it too; returns whether there was one. */
export async function changeAlert(
  tx: Tx,
  which: SQL | undefined,
  set: PgUpdateSetSource<Tables["alert"]>,
): Promise<boolean> {
  const changed = await changeIds(tx, tx.tables.alert, set, which);
  for (const id of changed) tx.changes.alerts.add(id);
  return changed.length > 0;
}

/** Maximum of edits that are counted for one alert within a day. */
const COUNTED_MAX = 100;

/** Counts an edit and postpones the next comparison of the alert: see `Store.editAlert`. */
export async function noteClaimEdit(
  tx: Tx,
  alertId: string,
  waitsMs: readonly number[],
  now: number,
): Promise<void> {
  const { alert, claimEdit } = tx.tables;
  const inLastDay = and(eq(claimEdit.alertId, alertId), isRecent(claimEdit.at, now, DAY_MS));
  const before = await countRows(tx, claimEdit, inLastDay);
  if (before < COUNTED_MAX) await tx.db.insert(claimEdit).values({ alertId, at: now });
  const waitMs = waitsMs[before] ?? waitsMs.at(-1) ?? 0;
  await tx.db
    .update(alert)
    .set({ comparedAt: null, compareAt: now + waitMs })
    .where(eq(alert.id, alertId));
}

/** Columns that an import stores with an alert. Zones are not notified of one that has been announced. */
type Imported = Pick<BulkAlert, "rowHash" | "animalPage" | "sightings"> & {
  readonly announcedAt?: number | null;
};

/** Adds an alert with the next free `publishedAt`, at the end of the transaction. Its short code is reserved already. */
export function insertAlert(
  { changes }: Tx,
  { point, ...columns }: NewAlert,
  now: number,
  { announcedAt = null, rowHash, animalPage, sightings = [] }: Imported = {},
): void {
  // An alert that zones are not notified of is not compared either.
  const times = { announcedAt, comparedAt: announcedAt };
  const imported = { rowHash: rowHash ?? null, animalPage: animalPage ?? null };
  changes.newAlerts.push({ row: { ...columns, ...point, ...times, ...imported }, now, sightings });
}

/** Alerts of an import whose source is not known, each once. */
async function unknownAmong(tx: Tx, alerts: readonly BulkAlert[]): Promise<BulkAlert[]> {
  const { alert } = tx.tables;
  const sources = alerts.map(({ source }) => source);
  const isListed = tx.dialect.inList(alert.source, sources);
  const rows = await tx.db.select({ source: alert.source }).from(alert).where(isListed);
  const known = new Set(rows.map(({ source }) => source));
  return alerts.filter(({ source }) => {
    const isNew = !known.has(source);
    known.add(source);
    return isNew;
  });
}

/** Adds one alert of an import, whose short code is reserved already. */
async function addBulk(tx: Tx, bulk: BulkAlert, now: number): Promise<void> {
  const { source, draft, expiresAt, ownerEmail, language, announce } = bulk;
  const { publishedAt = now, resolvedAt, sightings = [] } = bulk;
  const state =
    resolvedAt === undefined
      ? ({ status: "active", updatedAt: publishedAt, endedAt: null } as const)
      : ({ status: "resolved", updatedAt: resolvedAt, endedAt: resolvedAt } as const);
  const fresh = { ...draft, ...state, expiresAt, ownerEmail, language, source };
  insertAlert(tx, fresh, publishedAt, { ...bulk, announcedAt: announce ? null : now });
  if (draft.photos.length > 0) await usePhotos(tx, `alert:${draft.id}`, draft.photos);
  for (const { id, photos } of sightings)
    if (photos.length > 0) await usePhotos(tx, `sighting:${id}`, photos);
}

/** Closes the reports about alerts and the edits of them; returns how many were open. */
export async function closeReports(
  { db, dialect, tables: { claimEdit, report } }: Tx,
  alertIds: readonly string[],
  now: number,
): Promise<number> {
  let closed = 0;
  for (const table of [report, claimEdit]) {
    const open = and(dialect.inList(table.alertId, alertIds), isNull(table.handledAt));
    closed += (await db.update(table).set({ handledAt: now }).where(open).returning()).length;
  }
  return closed;
}
