import { and, eq, inArray, like, notInArray, sql } from "drizzle-orm";
import { among } from "./among.ts";
import { alert, photoGone, photoUse } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";

type Verbs = Pick<SyncStore, "photoIsPublic" | "photosInUse" | "photosGone" | "forgetPhotos">;

/** Who uses a picture. */
export type PhotoUser = `alert:${string}` | `pending:${string}`;

export function photoVerbs(tools: StoreTools): Verbs {
  const { db, read, write } = tools;
  return {
    photoIsPublic(name) {
      const shown = and(
        eq(photoUse.name, name),
        inArray(alert.status, ["active", "resolved", "expired"]),
      );
      // What stands behind "alert:". The other way round every alert would be looked at.
      const ofAlert = eq(alert.id, sql`substr(${photoUse.user}, 7)`);
      return read(
        () =>
          db
            .select({ id: alert.id })
            .from(photoUse)
            .innerJoin(alert, ofAlert)
            .where(and(shown, like(photoUse.user, "alert:%")))
            .get() !== undefined,
      );
    },

    photosInUse(names) {
      const rows = read(() =>
        db
          .selectDistinct({ name: photoUse.name })
          .from(photoUse)
          .where(inArray(photoUse.name, [...names]))
          .all(),
      );
      return rows.map(({ name }) => name);
    },

    photosGone: (limit) =>
      read(() => db.select().from(photoGone).limit(limit).all()).map(({ name }) => name),

    forgetPhotos(names) {
      write(() =>
        db
          .delete(photoGone)
          .where(inArray(photoGone.name, [...names]))
          .run(),
      );
    },
  };
}

/** From now on the user shows these pictures and no others. Only inside `write`. */
export function usePhotos({ db }: StoreTools, user: PhotoUser, names: readonly string[]): void {
  const dropped = db
    .delete(photoUse)
    .where(and(eq(photoUse.user, user), notInArray(photoUse.name, [...names])))
    .returning({ name: photoUse.name })
    .all();
  for (const name of names) {
    db.insert(photoUse).values({ name, user }).onConflictDoNothing().run();
    db.delete(photoGone).where(eq(photoGone.name, name)).run();
  }
  for (const { name } of dropped) {
    const other = db.select().from(photoUse).where(eq(photoUse.name, name)).limit(1).get();
    if (other === undefined) db.insert(photoGone).values({ name }).onConflictDoNothing().run();
  }
}

/** From now on these users show no pictures. Only inside `write`. */
export function freePhotos({ db }: StoreTools, users: readonly PhotoUser[]): void {
  const dropped = db
    .delete(photoUse)
    .where(among(photoUse.user, users))
    .returning({ name: photoUse.name })
    .all();
  const names = JSON.stringify(dropped.map(({ name }) => name));
  db.run(sql`
    insert into photo_gone (name)
    select value from json_each(${names})
    where not exists (select 1 from photo_use where photo_use.name = value)
    on conflict do nothing`);
}
