import { createPostgresStore } from "../../db/postgres/store.ts";
import { NO_TOMBSTONES } from "../../db/tombstone.ts";
import type { Store } from "../../src/core/service/store.ts";
import type { Zone } from "../../src/core/zones/zone.ts";
import { makeEmail } from "./make.ts";
import { createDatabase } from "./postgres.ts";
import { DAWN, DAY } from "./time.ts";

export type Stores = readonly [Store, Store];
export type Races = Readonly<Record<string, (stores: Stores) => Promise<void>>>;

/** Does something so many times at once, by turns on each store. */
export function atOnce<Result>(
  times: number,
  stores: Stores,
  work: (store: Store, nth: number) => Promise<Result>,
): Promise<Result[]> {
  return Promise.all(
    Array.from({ length: times }, (_, nth) => work(stores[nth % 2 === 0 ? 0 : 1], nth)),
  );
}

export const countOf = <Value>(values: readonly Value[], value: Value) =>
  values.filter((one) => one === value).length;

/** Two stores on one database of their own, which is given back afterwards. */
export async function onTwoStores(
  create: typeof createPostgresStore,
  race: (stores: Stores) => Promise<void>,
): Promise<void> {
  const database = await createDatabase();
  const open = async () => create(await database.open(12), NO_TOMBSTONES);
  const stores = [await open(), await open()] as const;
  try {
    await race(stores);
  } finally {
    for (const store of stores) await store.close();
    await database.release();
  }
}

/** Sends a zone an email about an alert, which waits a day. */
export function addZoneEmail(store: Store, { id, email: mailbox }: Zone, alertId: string) {
  const email = makeEmail({ createdAt: DAWN + DAY });
  const told = { email, alertIds: [alertId], zoneIds: [id], countsMore: false };
  return store.addZoneEmails([{ mailbox, email: told, links: [] }], { upTo: DAWN, now: DAWN });
}
