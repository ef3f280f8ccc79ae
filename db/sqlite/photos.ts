import {
  and,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  like,
  lte,
  not,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { PUBLIC_STATUSES } from "../../src/core/alerts/alert.ts";
import { FINDABLE } from "../../src/core/matching/pair-store.ts";
import { PHOTO_RETAKE_MS, photoGone as photoIsGone } from "../../src/core/photos/unused-photo.ts";
import type { Queries, StoreTools } from "./context.ts";
import { hasRow, inList } from "./expressions.ts";
import type { Db } from "./open.ts";
import { photoGone, photoUse } from "./photo-schema.ts";
import { alert, sighting } from "./schema.ts";

/** Alert, sighting, message, waiting request or organisation that uses a photo. */
export type PhotoUser =
  `${"alert" | "sighting" | "message" | "pending" | "organisation"}:${string}`;

export function photoQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    isPhotoPublic(name) {
      // Id after "alert:" or "sighting:". Comparing with a concatenation instead would scan all rows.
      const ofAlert = eq(alert.id, sql`substr(${photoUse.user}, 7)`);
      const ofSighting = eq(sighting.id, sql`substr(${photoUse.user}, 10)`);
      const usedBy = (kind: string) =>
        and(eq(photoUse.name, name), like(photoUse.user, `${kind}:%`));
      const onAlert = db
        .select({ id: alert.id })
        .from(photoUse)
        .innerJoin(alert, ofAlert)
        .where(and(usedBy("alert"), inArray(alert.status, [...PUBLIC_STATUSES])))
        .get();
      if (onAlert !== undefined) return true;
      if (hasRow(db, photoUse, usedBy("organisation"))) return true;
      // An animal that is home has no sightings.
      const onSighting = db
        .select({ id: alert.id })
        .from(photoUse)
        .innerJoin(sighting, ofSighting)
        .innerJoin(alert, eq(alert.id, sighting.alertId))
        .where(and(usedBy("sighting"), inArray(alert.status, [...FINDABLE])))
        .get();
      return onSighting !== undefined;
    },

    photosInUse(names) {
      const rows = db
        .selectDistinct({ name: photoUse.name })
        .from(photoUse)
        .where(inArray(photoUse.name, [...names]))
        .all();
      return rows.map(({ name }) => name);
    },

    keepUploadedPhoto: (name, until) =>
      write(() => {
        if (anyLeaves(tools, [name])) return false;
        db.insert(photoGone)
          .values({ name, keptUntil: until })
          .onConflictDoUpdate({
            target: photoGone.name,
            set: { keptUntil: sql`max(${photoGone.keptUntil}, ${until})` },
          })
          .run();
        return true;
      }),

    holdPhotos: (names, until) =>
      write(() => {
        if (anyLeaves(tools, names)) return false;
        for (const name of names)
          db.insert(photoGone)
            .values({ name, holders: 1, heldUntil: until })
            .onConflictDoUpdate({
              target: photoGone.name,
              set: {
                holders: sql`${photoGone.holders} + 1`,
                heldUntil: sql`max(${photoGone.heldUntil}, ${until})`,
              },
            })
            .run();
        return true;
      }),

    releasePhotos(names) {
      const { holders, heldUntil } = photoGone;
      write(() =>
        db
          .update(photoGone)
          .set({
            holders: sql`max(${holders} - 1, 0)`,
            heldUntil: sql`case when ${holders} > 1 then ${heldUntil} else 0 end`,
          })
          .where(inArray(photoGone.name, [...names]))
          .run(),
      );
    },

    addUnusedPhotos(names) {
      write(() => addUnused(tools, names));
    },

    unusedPhotos: (now, limit) =>
      db
        .select({ name: photoGone.name })
        .from(photoGone)
        .where(isFree(now))
        .limit(limit)
        .all()
        .map(({ name }) => name),

    takeUnusedPhotos: (names, now) =>
      write(() => {
        const free = and(inArray(photoGone.name, [...names]), isFree(now));
        const uses = db.select().from(photoUse).where(eq(photoUse.name, photoGone.name));
        db.delete(photoGone)
          .where(and(free, exists(uses)))
          .run();
        return db
          .update(photoGone)
          .set({ leavingAt: now })
          .where(free)
          .returning({ name: photoGone.name })
          .all()
          .map(({ name }) => name);
      }),

    forgetUnusedPhotos(names, takenAt) {
      const taken = and(inArray(photoGone.name, [...names]), eq(photoGone.leavingAt, takenAt));
      write(() => db.delete(photoGone).where(taken).run());
    },
  } satisfies Queries;
}

/** Sets the photos that a user shows. Throws `bad_input` if one of them is being deleted. Only inside `write`. */
export function usePhotos(tools: StoreTools, user: PhotoUser, names: readonly string[]): void {
  const { db, prepared } = tools;
  const dropped = prepared(dropOthers).all({ user, names: JSON.stringify(names) });
  for (const name of names) {
    db.insert(photoUse).values({ name, user }).onConflictDoNothing().run();
    if (anyLeaves(tools, [name])) throw photoIsGone();
    const its = eq(photoGone.name, name);
    db.delete(photoGone)
      .where(and(its, eq(photoGone.heldUntil, 0)))
      .run();
    // Requests that hold it are under way.
    db.update(photoGone).set({ keptUntil: 0 }).where(its).run();
  }
  addUnused(
    tools,
    dropped.map(({ name }) => name),
  );
}

const dropOthers = (db: Db) =>
  db
    .delete(photoUse)
    .where(
      and(
        eq(photoUse.user, sql.placeholder("user")),
        not(inList(photoUse.name, sql.placeholder("names"))),
      ),
    )
    .returning({ name: photoUse.name });

/** Drops all photos of these users. Only inside `write`. */
export function freePhotos(tools: StoreTools, users: readonly PhotoUser[]): void {
  const dropped = tools.db
    .delete(photoUse)
    .where(inList(photoUse.user, users))
    .returning({ name: photoUse.name })
    .all();
  addUnused(
    tools,
    dropped.map(({ name }) => name),
  );
}

/** True if one of the photos is being deleted. */
function anyLeaves({ db }: StoreTools, names: readonly string[]): boolean {
  const leaving = and(inArray(photoGone.name, [...names]), isNotNull(photoGone.leavingAt));
  return db.select().from(photoGone).where(leaving).limit(1).get() !== undefined;
}

/** Condition for a photo that nobody holds, or whose deletion was interrupted. */
function isFree(now: number): SQL | undefined {
  const { leavingAt, keptUntil, heldUntil } = photoGone;
  return or(
    and(isNull(leavingAt), lte(keptUntil, now), lte(heldUntil, now)),
    lte(leavingAt, now - PHOTO_RETAKE_MS),
  );
}

/** Adds those of the photos that nobody uses. */
function addUnused({ db }: StoreTools, names: readonly string[]): void {
  if (names.length === 0) return;
  db.run(sql`
    insert into photo_gone (name)
    select value from json_each(${JSON.stringify(names)})
    where not exists (select 1 from photo_use where photo_use.name = value)
    on conflict do nothing`);
}
