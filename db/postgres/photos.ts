import { and, eq, inArray, like, not, sql } from "drizzle-orm";
import { PUBLIC_STATUSES } from "../../src/core/alerts/alert.ts";
import { FINDABLE } from "../../src/core/matching/pair-store.ts";
import type { Queries, StoreTools } from "./context.ts";
import { first, inList, jsonOf } from "./expressions.ts";
import { alert, photoGone, photoUse, sighting } from "./schema.ts";
import type { Tx } from "./transaction.ts";

/** Alert, sighting, message or waiting request that uses a photo. */
export type PhotoUser = `${"alert" | "sighting" | "message" | "pending"}:${string}`;

export function photoQueries({ db, write }: StoreTools) {
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
      const rows = await db
        .selectDistinct({ name: photoUse.name })
        .from(photoUse)
        .where(inList(photoUse.name, names));
      return rows.map(({ name }) => name);
    },

    async unusedPhotos(limit) {
      const rows = await db.select().from(photoGone).limit(limit);
      return rows.map(({ name }) => name);
    },

    async forgetUnusedPhotos(names) {
      await write([], (tx) => tx.db.delete(photoGone).where(inList(photoGone.name, names)));
    },
  } satisfies Queries;
}

/** Sets the photos that a user shows. */
export async function usePhotos(tx: Tx, user: PhotoUser, names: readonly string[]): Promise<void> {
  const { db } = tx;
  const dropped = await db
    .delete(photoUse)
    .where(and(eq(photoUse.user, user), not(inList(photoUse.name, names))))
    .returning({ name: photoUse.name });
  await tx.lock(names.map(subjectOf));
  if (names.length > 0) {
    await db
      .insert(photoUse)
      .values(names.map((name) => ({ name, user })))
      .onConflictDoNothing();
    await db.delete(photoGone).where(inList(photoGone.name, names));
  }
  await noteUnused(
    tx,
    dropped.map(({ name }) => name),
  );
}

/** Drops all photos of these users. */
export async function freePhotos(tx: Tx, users: readonly PhotoUser[]): Promise<void> {
  const dropped = await tx.db
    .delete(photoUse)
    .where(inList(photoUse.user, users))
    .returning({ name: photoUse.name });
  await noteUnused(
    tx,
    dropped.map(({ name }) => name),
  );
}

/** Notes those of the dropped photos that nobody uses any more. */
async function noteUnused(tx: Tx, dropped: readonly string[]): Promise<void> {
  if (dropped.length === 0) return;
  await tx.lock(dropped.map(subjectOf));
  await tx.db.execute(sql`
    insert into photo_gone (name)
    select dropped.name from json_array_elements_text(${jsonOf(dropped)}) as dropped(name)
    where not exists (select 1 from photo_use where photo_use.name = dropped.name)
    on conflict do nothing`);
}

/** Whoever drops the last use of a photo and whoever uses it anew take turns. */
function subjectOf(name: string): string {
  return `photo:${name}`;
}
