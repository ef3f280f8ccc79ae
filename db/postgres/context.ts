import { type Claims, createClaims } from "./claims.ts";
import type { Db, Pool } from "./connection.ts";
import type { Store } from "../../src/core/store.ts";
import type { RemoteTombstones } from "../tombstone.ts";
import { createRead, createWrite, type Guard, type Read, type Write } from "./transaction.ts";

/** Operations of one subject: `return { ... } satisfies Queries`. Together the subjects make a `Store`. */
export type Queries = Partial<Store>;

/** Context of all queries. */
export type StoreTools = {
  /** Queries outside of a transaction: each sees what is committed when it starts. */
  readonly db: Db;
  readonly read: Read;
  readonly write: Write;
  readonly tombstones: RemoteTombstones;
  readonly claims: Claims;
};

export function createStoreTools(
  pool: Pool,
  guard: Guard,
  tombstones: RemoteTombstones,
  onChanges: () => void,
): StoreTools {
  const write = createWrite(pool, guard, onChanges);
  const claims = createClaims(pool, Bun.randomUUIDv7());
  return { db: pool.db, read: createRead(pool), write, tombstones, claims };
}
