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
import { PUBLIC_STATUSES } from "../src/core/alerts/alert.ts";
import { FINDABLE } from "../src/core/matches/pair-store.ts";
import { PHOTO_RETAKE_MS, photoGone as photoIsGone } from "../src/core/photos/photo-store.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { first, hasRow } from "./queries.ts";

/** Kind of what uses a photo: `pending` is a waiting request. */
type UserKind = "alert" | "sighting" | "message" | "pending" | "organisation";
/** User of a photo: its kind and its id. */
type PhotoUser = `${UserKind}:${string}`;

export function photoQueries(tools: StoreTools) {
  const { db, dialect, write } = tools;
  const { alert, photoGone, photoUse, sighting } = tools.tables;
  return {
    async isPhotoPublic(name) {
      // Id after "alert:" or "sighting:". Comparing with a concatenation instead would scan all rows.
      const ofAlert = eq(alert.id, sql`substr(${photoUse.user}, 7)`);
      const ofSighting = eq(sighting.id, sql`substr(${photoUse.user}, 10)`);
      const usedBy = (kind: string) =>
        and(eq(photoUse.name, name), like(photoUse.user, `${kind}:%`));
      const onAlert = await first(
        db
          .select({ id: alert.id })
          .from(photoUse)
          .innerJoin(alert, ofAlert)
          .where(and(usedBy("alert"), inArray(alert.status, [...PUBLIC_STATUSES])))
          .limit(1),
      );
      if (onAlert !== undefined) return true;
      if (await hasRow(tools, photoUse, usedBy("organisation"))) return true;
      // An animal that is home has no sightings.
      const onSighting = await first(
        db
          .select({ id: alert.id })
          .from(photoUse)
          .innerJoin(sighting, ofSighting)
          .innerJoin(alert, eq(alert.id, sighting.alertId))
          .where(and(usedBy("sighting"), inArray(alert.status, [...FINDABLE])))
          .limit(1),
      );
      return onSighting !== undefined;
    },

    async photosInUse(names) {
      const used = dialect.inList(photoUse.name, names);
      const rows = await db.selectDistinct({ name: photoUse.name }).from(photoUse).where(used);
      return rows.map(({ name }) => name);
    },

    keepUploadedPhoto: (name, until) =>
      write([subjectOf(name)], async (tx) => {
        if (await anyLeaves(tx, [name])) return false;
        await tx.db
          .insert(photoGone)
          .values({ name, keptUntil: until })
          .onConflictDoUpdate({
            target: photoGone.name,
            set: { keptUntil: dialect.greater(photoGone.keptUntil, sql`excluded.kept_until`) },
          });
        return true;
      }),

    holdPhotos: (names, until) =>
      write(names.map(subjectOf), async (tx) => {
        if (await anyLeaves(tx, names)) return false;
        await tx.db
          .insert(photoGone)
          .values(names.map((name) => ({ name, holders: 1, heldUntil: until })))
          .onConflictDoUpdate({
            target: photoGone.name,
            set: {
              holders: sql`${photoGone.holders} + 1`,
              heldUntil: dialect.greater(photoGone.heldUntil, sql`excluded.held_until`),
            },
          });
        return true;
      }),

    async releasePhotos(names) {
      const { holders, heldUntil } = photoGone;
      await write(names.map(subjectOf), ({ db }) =>
        db
          .update(photoGone)
          .set({
            holders: dialect.greater(sql`${holders} - 1`, 0),
            heldUntil: sql`case when ${holders} > 1 then ${heldUntil} else 0 end`,
          })
          .where(dialect.inList(photoGone.name, names)),
      );
    },

    async addUnusedPhotos(names) {
      await write(names.map(subjectOf), (tx) => noteUnused(tx, names));
    },

    async unusedPhotos(now, limit) {
      const rows = await db.select().from(photoGone).where(isFree(tools, now)).limit(limit);
      return rows.map(({ name }) => name);
    },

    takeUnusedPhotos: (names, now) =>
      write(names.map(subjectOf), async ({ db }) => {
        const free = and(dialect.inList(photoGone.name, names), isFree(tools, now));
        const uses = db.select().from(photoUse).where(eq(photoUse.name, photoGone.name));
        await db.delete(photoGone).where(and(free, exists(uses)));
        const taken = await db.update(photoGone).set({ leavingAt: now }).where(free).returning();
        return taken.map(({ name }) => name);
      }),

    async forgetUnusedPhotos(names, takenAt) {
      const taken = and(dialect.inList(photoGone.name, names), eq(photoGone.leavingAt, takenAt));
      await write([], (tx) => tx.db.delete(photoGone).where(taken));
    },
  } satisfies Queries;
}

/** Sets the photos that a user shows. Throws `bad_input` if one of them is being deleted. */
export async function usePhotos(tx: Tx, user: PhotoUser, names: readonly string[]): Promise<void> {
  const { photoGone, photoUse } = tx.tables;
  const { db, dialect } = tx;
  const isDropped = and(eq(photoUse.user, user), not(dialect.inList(photoUse.name, names)));
  const dropped = await db.delete(photoUse).where(isDropped).returning();
  const unused = dropped.map(({ name }) => name);
  // All at once, in one order: two edits that swap photos do not wait for each other.
  await tx.lock([...names, ...unused].map(subjectOf));
  if (names.length > 0) {
    await db
      .insert(photoUse)
      .values(names.map((name) => ({ name, user })))
      .onConflictDoNothing();
    if (await anyLeaves(tx, names)) throw photoIsGone();
    const isNamed = dialect.inList(photoGone.name, names);
    await db.delete(photoGone).where(and(isNamed, eq(photoGone.heldUntil, 0)));
    // Requests that hold it are under way.
    await db.update(photoGone).set({ keptUntil: 0 }).where(isNamed);
  }
  await noteUnused(tx, unused);
}

/** Drops all photos of these users. */
export async function freePhotos(tx: Tx, kind: UserKind, ids: readonly string[]): Promise<void> {
  const { photoUse } = tx.tables;
  const users = ids.map((id): PhotoUser => `${kind}:${id}`);
  const isTheirs = tx.dialect.inList(photoUse.user, users);
  const dropped = await tx.db.delete(photoUse).where(isTheirs).returning();
  const unused = dropped.map(({ name }) => name);
  await tx.lock(unused.map(subjectOf));
  await noteUnused(tx, unused);
}

/** True if one of the photos is being deleted. */
function anyLeaves(tx: Tx, names: readonly string[]): Promise<boolean> {
  const { photoGone } = tx.tables;
  const leaving = and(tx.dialect.inList(photoGone.name, names), isNotNull(photoGone.leavingAt));
  return hasRow(tx, photoGone, leaving);
}

/** Condition for a photo that nobody holds, or whose deletion was interrupted. */
function isFree({ tables: { photoGone } }: Reader, now: number): SQL | undefined {
  const { leavingAt, keptUntil, heldUntil } = photoGone;
  return or(
    and(isNull(leavingAt), lte(keptUntil, now), lte(heldUntil, now)),
    lte(leavingAt, now - PHOTO_RETAKE_MS),
  );
}

/** Notes those of the dropped photos that nobody uses any more. Their subjects are locked. */
async function noteUnused(tx: Tx, dropped: readonly string[]): Promise<void> {
  if (dropped.length === 0) return;
  await tx.run(sql`
    insert into photo_gone (name)
    select listed.value from ${tx.dialect.texts(dropped)}
    where not exists (select 1 from photo_use where photo_use.name = listed.value)
    on conflict do nothing`);
}

/** Subject of a photo: whoever drops its last use and whoever uses it anew take turns. */
function subjectOf(name: string): string {
  return `photo:${name}`;
}
