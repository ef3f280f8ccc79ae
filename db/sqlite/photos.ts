import { and, eq, inArray, like, not, sql } from "drizzle-orm";
import { PUBLIC_STATUSES } from "../../src/core/alerts/alert.ts";
import { FINDABLE } from "../../src/core/matching/pair-store.ts";
import type { Queries, StoreTools } from "./context.ts";
import { inList } from "./expressions.ts";
import type { Db } from "./open.ts";
import { alert, photoGone, photoUse, sighting } from "./schema.ts";

/** Alert, sighting, message or waiting request that uses a photo. */
export type PhotoUser = `${"alert" | "sighting" | "message" | "pending"}:${string}`;

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

    unusedPhotos: (limit) =>
      db
        .select()
        .from(photoGone)
        .limit(limit)
        .all()
        .map(({ name }) => name),

    forgetUnusedPhotos(names) {
      write(() =>
        db
          .delete(photoGone)
          .where(inArray(photoGone.name, [...names]))
          .run(),
      );
    },
  } satisfies Queries;
}

/** Sets the photos that a user shows. Only inside `write`. */
export function usePhotos(
  { db, prepared }: StoreTools,
  user: PhotoUser,
  names: readonly string[],
): void {
  const dropped = prepared(dropOthers).all({ user, names: JSON.stringify(names) });
  for (const name of names) {
    db.insert(photoUse).values({ name, user }).onConflictDoNothing().run();
    db.delete(photoGone).where(eq(photoGone.name, name)).run();
  }
  for (const { name } of dropped) {
    const other = db.select().from(photoUse).where(eq(photoUse.name, name)).limit(1).get();
    if (other === undefined) db.insert(photoGone).values({ name }).onConflictDoNothing().run();
  }
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
export function freePhotos({ db }: StoreTools, users: readonly PhotoUser[]): void {
  const dropped = db
    .delete(photoUse)
    .where(inList(photoUse.user, users))
    .returning({ name: photoUse.name })
    .all();
  const names = JSON.stringify(dropped.map(({ name }) => name));
  db.run(sql`
    insert into photo_gone (name)
    select value from json_each(${names})
    where not exists (select 1 from photo_use where photo_use.name = value)
    on conflict do nothing`);
}
