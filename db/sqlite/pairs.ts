import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { FINDABLE, type KnownSubject, SUBJECTS_MAX } from "../../src/core/store.ts";
import { toAlert } from "./alerts.ts";
import { among } from "./among.ts";
import { insertLinks } from "./links.ts";
import { insertLetters } from "./outbox.ts";
import { alert, link, pair } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";

type Verbs = Pick<
  SyncStore,
  | "subjectsByKeys"
  | "alertsByChip"
  | "uncompared"
  | "endedPairs"
  | "tellPairs"
  | "endPair"
  | "muteMatches"
>;

export function pairVerbs(tools: StoreTools): Verbs {
  const { db, read, write } = tools;
  const subjects = db
    .select(SUBJECT)
    .from(alert)
    .where(sql`${alert.publishedAt} in (select value from json_each(${sql.placeholder("keys")}))`)
    .prepare();
  const alertId = sql.placeholder("alertId");
  const ended = db
    .select({ lostId: pair.lostId, foundId: pair.foundId })
    .from(pair)
    .where(and(or(eq(pair.lostId, alertId), eq(pair.foundId, alertId)), isNotNull(pair.endedAt)))
    .limit(sql.placeholder("limit"))
    .prepare();

  /** Since the pair was found, either alert may have been removed: what letters say of it must go nowhere then. */
  function bothFindable(lostId: string, foundId: string): boolean {
    const findable = and(
      inArray(alert.id, [lostId, foundId]),
      inArray(alert.status, [...FINDABLE]),
    );
    return db.select({ id: alert.id }).from(alert).where(findable).all().length === 2;
  }

  function isMuted(alertId: string): boolean {
    const row = db
      .select({ muted: alert.matchesMuted })
      .from(alert)
      .where(eq(alert.id, alertId))
      .get();
    return row?.muted ?? true;
  }

  return {
    // Bare rows: naming their columns one by one takes as long as reading them.
    subjectsByKeys(keys) {
      const known = JSON.stringify(keys.slice(0, SUBJECTS_MAX));
      const rows = read(() => subjects.values({ keys: known }));
      return (rows as SubjectRow[]).map(knownSubject);
    },

    alertsByChip(chipHash, limit) {
      const wearing = and(eq(alert.chipHash, chipHash), inArray(alert.status, [...FINDABLE]));
      return read(() => db.select().from(alert).where(wearing).limit(limit).all().map(toAlert));
    },

    uncompared(limit) {
      const waiting = and(isNull(alert.comparedAt), sql`status = 'active'`);
      return read(() =>
        db
          .select()
          .from(alert)
          .where(waiting)
          .orderBy(asc(alert.publishedAt))
          .limit(limit)
          .all()
          .map(toAlert),
      );
    },

    endedPairs(alertId, limit) {
      const rows = read(() => ended.all({ alertId, limit }));
      return rows.map(({ lostId, foundId }) => (lostId === alertId ? foundId : lostId));
    },

    tellPairs({ id, updatedAt }, pairs, now) {
      write(() => {
        for (const { lostId, foundId, letters, links } of pairs) {
          if (!bothFindable(lostId, foundId)) continue;
          const first = db
            .insert(pair)
            .values({ lostId, foundId, toldAt: now })
            .onConflictDoNothing()
            .returning()
            .get();
          if (first === undefined) continue;
          insertLinks(tools, links);
          for (const { letter, about } of letters) {
            if (!isMuted(about)) insertLetters(tools, [letter], `alert:${about}`);
          }
        }
        const asRead = and(eq(alert.id, id), eq(alert.updatedAt, updatedAt));
        db.update(alert).set({ comparedAt: now }).where(asRead).run();
      });
    },

    endPair(lostId, foundId, now) {
      write(() => {
        db.insert(pair)
          .values({ lostId, foundId, endedAt: now })
          .onConflictDoUpdate({ target: [pair.lostId, pair.foundId], set: { endedAt: now } })
          .run();
      });
    },

    muteMatches(alertId) {
      write(() => db.update(alert).set({ matchesMuted: true }).where(eq(alert.id, alertId)).run());
    },
  };
}

/** Forgets the pairs of alerts and the private links to them. Only inside `write`. */
export function erasePairs({ db }: StoreTools, alertIds: readonly string[]): void {
  const forgotten = db
    .delete(pair)
    .where(or(among(pair.lostId, alertIds), among(pair.foundId, alertIds)))
    .returning({ lostId: pair.lostId, foundId: pair.foundId })
    .all();
  const sides = forgotten.flatMap(({ lostId, foundId }) => [
    `${lostId}:${foundId}:lost`,
    `${lostId}:${foundId}:found`,
  ]);
  db.delete(link)
    .where(and(eq(link.purpose, "pair"), among(link.subject, sides)))
    .run();
}

/** What matching reads, and by what it is known, in the order of a `SubjectRow`. */
const SUBJECT = {
  publishedAt: alert.publishedAt,
  id: alert.id,
  type: alert.type,
  species: alert.species,
  lat: alert.lat,
  lng: alert.lng,
  eventDate: alert.eventDate,
  name: alert.name,
  breed: alert.breed,
  color: alert.color,
  size: alert.size,
  sex: alert.sex,
  age: alert.age,
  chipHash: alert.chipHash,
};
type AlertRow = typeof alert.$inferSelect;
type SubjectRow = [
  publishedAt: number,
  id: string,
  type: AlertRow["type"],
  species: AlertRow["species"],
  lat: number,
  lng: number,
  eventDate: string,
  name: string | null,
  breed: string,
  color: string,
  size: AlertRow["size"],
  sex: AlertRow["sex"],
  age: AlertRow["age"],
  chipHash: string | null,
];

/** A row's values by position: a test gives each its own, for the types know one text from another no more than SQL does. */
function knownSubject([
  publishedAt,
  id,
  type,
  species,
  lat,
  lng,
  eventDate,
  name,
  breed,
  color,
  size,
  sex,
  age,
  chipHash,
]: SubjectRow): KnownSubject {
  return {
    publishedAt,
    id,
    type,
    species,
    point: { lat, lng },
    eventDate,
    name,
    breed,
    color,
    size,
    sex,
    age,
    chipHash,
  };
}
