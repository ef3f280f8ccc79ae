import { and, desc, eq, getTableColumns, gt, inArray, isNull, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Alert, type AlertRef, searchedTexts } from "../../src/core/alert.ts";
import type { MatchSubject } from "../../src/core/match/subject.ts";
import type { ActiveAlert, BulkAlert, LinkPurpose } from "../../src/core/store.ts";
import type { IndexChange, ZoneChange } from "../../src/core/ports.ts";
import { eraseConversations } from "./conversations.ts";
import { insertLinks } from "./links.ts";
import { closeReports } from "./moderation.ts";
import { withdrawLetters, withdrawMatches } from "./outbox.ts";
import { erasePairs } from "./pairs.ts";
import { usePhotos } from "./photos.ts";
import { alert, conversation, counter, link, outcome, pending, shortCode, zone } from "./schema.ts";
import { eraseSightings } from "./sightings.ts";
import type { StoreTools, SyncStore } from "./store.ts";
import { indexedZone, withdrawNews } from "./zones.ts";

type AlertRow = typeof alert.$inferSelect;
type Verbs = Pick<
  SyncStore,
  | "alertsByKeys"
  | "alert"
  | "codeTaken"
  | "revision"
  | "activeAlerts"
  | "changesSince"
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
  const since = { revision: sql.placeholder("revision"), limit: sql.placeholder("limit") };
  const activeAfter = db
    .select(READ)
    .from(alert)
    .where(and(gt(alert.publishedAt, sql.placeholder("after")), sql`status = 'active'`))
    .orderBy(alert.publishedAt)
    .limit(since.limit)
    .prepare();
  const alertsSince = db
    .select(INDEXED)
    .from(alert)
    .where(gt(alert.revision, since.revision))
    .orderBy(alert.revision)
    .limit(since.limit)
    .prepare();
  const zonesSince = db
    .select()
    .from(zone)
    .where(gt(zone.revision, since.revision))
    .orderBy(zone.revision)
    .limit(since.limit)
    .prepare();

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

    revision() {
      const row = read(() => db.select({ revision: counter.revision }).from(counter).get());
      if (row === undefined) throw new Error("the counter row is missing");
      return row.revision;
    },

    // Bare rows: at a start there may be a million, and naming their columns one by one takes as long as all the rest.
    activeAlerts(after, limit) {
      const rows = read(() => activeAfter.values({ after: after ?? BEFORE_ALL, limit }));
      return (rows as ReadRow[]).map(activeAlert);
    },

    changesSince(revision, limit) {
      return read(() => {
        const alerts = alertsSince.all({ revision, limit });
        const zones = zonesSince.all({ revision, limit });
        // Where one list was cut, the other must not run ahead of it.
        const cuts = [alerts, zones]
          .filter((rows) => rows.length === limit)
          .map((rows) => rows.at(-1)?.revision ?? revision);
        const upTo = Math.min(...cuts, Number.MAX_SAFE_INTEGER);
        const inStep = <Row extends { revision: number }>(rows: Row[]) =>
          rows.filter((row) => row.revision <= upTo);
        const seen = [...inStep(alerts), ...inStep(zones)];
        return {
          alerts: inStep(alerts).map((row) => ({
            change: indexChange(row),
            subject: subjectOf(row),
          })),
          zones: inStep(zones).map(zoneChange),
          revision: seen.reduce((highest, row) => Math.max(highest, row.revision), revision),
          more: cuts.length > 0,
        };
      });
    },

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

const WIPED_TEXT = {
  name: null,
  breed: "unknown",
  color: "unknown",
  description: null,
  photos: [] as readonly string[],
  city: "",
} as const;
export const WIPED_OWNER = { ownerEmail: null, chipHash: null } as const;

/** Takes an alert out of everything and keeps of it what holds its names taken. Only inside `write`. */
export function eraseAlert(tools: StoreTools, id: string, now: number): void {
  const erased = tools.db
    .update(alert)
    .set({
      ...WIPED_TEXT,
      ...WIPED_OWNER,
      status: "removed",
      endedAt: now,
      updatedAt: now,
      erasedAt: now,
      revision: tools.nextRevision(),
    })
    .where(eq(alert.id, id))
    .returning({ shortCode: alert.shortCode })
    .get();
  erasePrivateParts(tools, id, now);
  withdrawNews(tools, id, now);
  if (erased !== undefined) withdrawMatches(tools, erased.shortCode, now);
  closeReports(tools, id, now);
  usePhotos(tools, `alert:${id}`, []);
}

/** Drops what people wrote about an alert, its pairs, private links and waiting letters. Only inside `write`. */
export function erasePrivateParts(tools: StoreTools, alertId: string, now: number): void {
  const { db } = tools;
  const conversations = db
    .select({ id: conversation.id })
    .from(conversation)
    .where(eq(conversation.alertId, alertId))
    .all();
  eraseConversations(
    tools,
    conversations.map(({ id }) => id),
  );
  const ends: readonly (readonly [LinkPurpose, readonly string[]])[] = [
    ["manage", [alertId]],
    ["unsubscribe", [`reminders:${alertId}`, `matches:${alertId}`]],
  ];
  for (const [purpose, gone] of ends) {
    db.delete(link)
      .where(and(eq(link.purpose, purpose), inArray(link.subject, [...gone])))
      .run();
  }
  erasePairs(tools, alertId);
  eraseSightings(tools, alertId);
  withdrawLetters(tools, `alert:${alertId}`, now);
  // Messages and sightings that nobody confirmed.
  db.update(pending)
    .set({ payload: null, email: "" })
    .where(
      and(
        eq(pending.state, "waiting"),
        sql`json_extract(${pending.payload}, '$.alertId') = ${alertId}`,
      ),
    )
    .run();
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

/** What the index and matching read of an alert. */
const READ = {
  publishedAt: alert.publishedAt,
  species: alert.species,
  type: alert.type,
  name: alert.name,
  breed: alert.breed,
  color: alert.color,
  city: alert.city,
  size: alert.size,
  sex: alert.sex,
  age: alert.age,
  eventDate: alert.eventDate,
  chipHash: alert.chipHash,
  lat: alert.lat,
  lng: alert.lng,
};
const INDEXED = { ...READ, revision: alert.revision, status: alert.status };

/** Less than any key. */
const BEFORE_ALL = -1;

/** The columns of `READ`, in their order. */
type ReadRow = [
  publishedAt: number,
  species: AlertRow["species"],
  type: AlertRow["type"],
  name: string | null,
  breed: string,
  color: string,
  city: string,
  size: AlertRow["size"],
  sex: AlertRow["sex"],
  age: AlertRow["age"],
  eventDate: string,
  chipHash: string | null,
  lat: number,
  lng: number,
];

function activeAlert([
  publishedAt,
  species,
  type,
  name,
  breed,
  color,
  city,
  size,
  sex,
  age,
  eventDate,
  chipHash,
  lat,
  lng,
]: ReadRow): ActiveAlert {
  return {
    publishedAt,
    species,
    type,
    name,
    breed,
    color,
    size,
    sex,
    age,
    eventDate,
    chipHash,
    point: { lat, lng },
    texts: searchedTexts({ name, breed, color, city }),
  };
}

function subjectOf({ lat, lng, ...columns }: Pick<AlertRow, keyof typeof INDEXED>): MatchSubject {
  return { ...columns, point: { lat, lng } };
}

function indexChange(row: Pick<AlertRow, keyof typeof INDEXED>): IndexChange {
  if (row.status !== "active") return { kind: "drop", publishedAt: row.publishedAt };
  const { publishedAt, species, type } = row;
  const texts = searchedTexts(row);
  return {
    kind: "put",
    alert: { publishedAt, species, type, texts, point: { lat: row.lat, lng: row.lng } },
  };
}

function zoneChange(row: typeof zone.$inferSelect): ZoneChange {
  if (row.endedAt !== null) return { kind: "drop", id: row.id };
  return { kind: "put", zone: indexedZone(row) };
}
