import { and, desc, eq, getTableColumns, inArray, isNull, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Alert, AlertRef } from "../../src/core/alert.ts";
import type { BulkAlert } from "../../src/core/store.ts";
import { insertLinks } from "./links.ts";
import { usePhotos } from "./photos.ts";
import { alert, counter, outcome, shortCode } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";

type AlertRow = typeof alert.$inferSelect;
type Verbs = Pick<
  SyncStore,
  | "alertsByKeys"
  | "alert"
  | "codeTaken"
  | "addAlerts"
  | "moveAlert"
  | "editAlert"
  | "alertsOwnedBy"
  | "tellOutcome"
  | "outcomeTold"
  | "muteReminders"
>;

export function alertVerbs(tools: StoreTools): Verbs {
  const { db, read, write, nextRevision } = tools;
  const byKeys = db
    .select()
    .from(alert)
    .where(sql`${alert.publishedAt} in (select value from json_each(${sql.placeholder("keys")}))`)
    .prepare();
  const addOne = bulkAdder(tools);

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

    codeTaken: (code) =>
      read(() => db.select().from(shortCode).where(eq(shortCode.code, code)).get() !== undefined),

    addAlerts: (alerts, now) =>
      write(() => alerts.flatMap((bulk) => (addOne(bulk, now) ? [bulk.source] : []))),

    moveAlert(seen, change, now) {
      return write(() => {
        const asSeen = and(
          eq(alert.id, seen.id),
          eq(alert.status, seen.status),
          eq(alert.expiresAt, seen.expiresAt),
          // Nobody is left to answer for it: live again, it would never be erased.
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

    editAlert(seen, draft, now) {
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
            comparedAt: null,
            revision: nextRevision(),
          })
          .where(asSeen)
          .returning({ id: alert.id })
          .get();
        if (changed !== undefined) usePhotos(tools, `alert:${seen.id}`, draft.photos);
        return changed !== undefined;
      });
    },

    alertsOwnedBy(email, limit) {
      const manageable = and(
        eq(sql`lower(${alert.ownerEmail})`, email.toLowerCase()),
        inArray(alert.status, ["active", "expired", "resolved", "hidden"]),
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

    tellOutcome(alertId, told) {
      return write(() => {
        const first = db
          .update(alert)
          .set({ outcomeTold: true })
          .where(
            and(eq(alert.id, alertId), eq(alert.status, "resolved"), eq(alert.outcomeTold, false)),
          )
          .returning({ id: alert.id })
          .get();
        if (first !== undefined) db.insert(outcome).values(told).run();
        return first !== undefined;
      });
    },

    outcomeTold(alertId) {
      const row = read(() => byId.get({ name: alertId }));
      return row !== undefined && row.outcomeTold;
    },

    muteReminders(alertId) {
      write(() =>
        db.update(alert).set({ remindersMuted: true }).where(eq(alert.id, alertId)).run(),
      );
    },
  };
}

/** Adds an alert with the next free `publishedAt`. Its short code is reserved already. Only inside `write`. */
export function insertAlert(
  tools: StoreTools,
  fresh: Omit<Alert, "publishedAt">,
  now: number,
  announcedAt: number | null = null,
): void {
  alertInserter(tools)(fresh, now, announcedAt);
}

/** `insertAlert` with its statements prepared: building them takes several times as long as running them. */
function alertInserter({ db, nextRevision }: StoreTools) {
  const raise = db
    .update(counter)
    .set({ lastPublishedAt: sql`max(${counter.lastPublishedAt} + 1, ${sql.placeholder("now")})` })
    .returning({ publishedAt: counter.lastPublishedAt })
    .prepare();
  const insert = db.insert(alert).values(ALERT_PLACEHOLDERS).prepare();
  return (fresh: Omit<Alert, "publishedAt">, now: number, announcedAt: number | null): void => {
    const last = raise.get({ now });
    if (last === undefined) throw new Error("the counter row is missing");
    const { point, ...columns } = fresh;
    const row: typeof alert.$inferInsert = {
      ...columns,
      lat: point.lat,
      lng: point.lng,
      publishedAt: last.publishedAt,
      // Its own first moment may lie a little after the clock's: nothing changes before it is published.
      updatedAt: Math.max(columns.updatedAt, last.publishedAt),
      announcedAt,
      // Where zones hear nothing, owners of the other half hear nothing either.
      comparedAt: announcedAt,
      matchesMuted: false,
      remindersMuted: false,
      outcomeTold: false,
      hiddenFrom: null,
      erasedAt: null,
      revision: nextRevision(),
    };
    insert.run(row);
  };
}

const ALERT_PLACEHOLDERS = Object.fromEntries(
  Object.keys(getTableColumns(alert)).map((column) => [column, sql.placeholder(column)]),
) as Record<keyof AlertRow, ReturnType<typeof sql.placeholder>>;

/** Adds one alert unless its source is there already; says whether it did. Only inside `write`. */
function bulkAdder(tools: StoreTools): (bulk: BulkAlert, now: number) => boolean {
  const { db } = tools;
  const bySource = db
    .select({ id: alert.id })
    .from(alert)
    .where(eq(alert.source, sql.placeholder("source")))
    .prepare();
  const reserve = db
    .insert(shortCode)
    .values({ code: sql.placeholder("code") })
    .prepare();
  const insert = alertInserter(tools);

  return (bulk, now) => {
    if (bySource.get({ source: bulk.source }) !== undefined) return false;
    reserve.run({ code: bulk.draft.shortCode });
    const fresh: Omit<Alert, "publishedAt"> = {
      ...bulk.draft,
      status: "active",
      updatedAt: now,
      expiresAt: bulk.expiresAt,
      endedAt: null,
      ownerEmail: bulk.ownerEmail,
      language: bulk.language,
      source: bulk.source,
    };
    insert(fresh, now, bulk.announce ? null : now);
    if (bulk.link !== null) insertLinks(tools, [bulk.link]);
    return true;
  };
}

export function toAlert(row: AlertRow): Alert {
  const {
    lat,
    lng,
    announcedAt: _announcedAt,
    comparedAt: _comparedAt,
    matchesMuted: _matchesMuted,
    remindersMuted: _muted,
    outcomeTold: _outcomeTold,
    hiddenFrom: _hiddenFrom,
    erasedAt: _erasedAt,
    revision: _revision,
    ...kept
  } = row;
  return { ...kept, point: { lat, lng } };
}
