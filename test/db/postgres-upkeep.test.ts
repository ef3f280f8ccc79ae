import { expect } from "bun:test";
import { SQL } from "bun";
import { keyFits } from "../../db/postgres/open.ts";
import { createPostgresStore } from "../../db/postgres/store.ts";
import type { Store } from "../../src/core/service/store.ts";
import { createDatabase, postgresTests, type TestDatabase } from "../support/postgres.ts";
import { publishFor } from "../support/erasures.ts";
import { DAWN } from "../support/time.ts";

const { describe, test } = postgresTests;

/** A store, and a client of its database. */
async function onStore(
  work: (store: Store, client: SQL, database: TestDatabase) => Promise<void>,
): Promise<void> {
  const database = await createDatabase();
  const store = createPostgresStore(await database.open(2));
  const client = new SQL({
    adapter: "postgres",
    path: database.socket,
    username: "tests",
    database: database.name,
    max: 1,
  });
  try {
    await work(store, client, database);
  } finally {
    await client.close();
    await store.close();
    await database.release();
  }
}

describe("the ledger of transactions", () => {
  test("keeps the rows of an hour, and loses older ones with the heartbeat", () =>
    onStore(async (store, client) => {
      await client.unsafe("delete from ledger");
      await client.unsafe(
        "insert into ledger (at) select now() - nth * interval '20 minutes' from generate_series(1, 6) nth",
      );

      await store.recordHeartbeat({ at: DAWN, steadySince: DAWN });

      // Those of 20 and 40 minutes ago, and that of the heartbeat itself.
      expect(await client.unsafe("select from ledger")).toHaveLength(3);
    }));
});

describe("after an erasure", () => {
  /** Versions of rows on the first page of the table, and those that are not there any more. */
  async function versions(client: SQL): Promise<{ kept: number; gone: number }> {
    const [row] = await client.unsafe(
      `select count(*) filter (where lp_len > 0)::int as kept, count(*) filter (where lp_len = 0)::int as gone
       from heap_page_items(get_raw_page('alert', 0))`,
    );
    return row;
  }

  test("the next wipe removes what the files of the tables still hold of it", () =>
    onStore(async (store, client) => {
      await client.unsafe("create extension if not exists pageinspect");
      await client.unsafe("vacuum full alert");
      const { id } = await publishFor(store, "owner@example.org");
      await store.wipeErasedPages();
      expect(await versions(client)).toEqual({ kept: 1, gone: 0 });

      await store.removeAlert(id, DAWN);
      expect((await versions(client)).kept).toBeGreaterThan(1);
      await store.wipeErasedPages();

      expect((await versions(client)).kept).toBe(1);
      expect(await client.unsafe("select from vacuum_owed")).toEqual([]);
      await client.unsafe("drop extension pageinspect");
    }));
});

describe("the key of a node", () => {
  test("is that of the database if it was the first, and no other is", () =>
    onStore(async (store, _client, database) => {
      const pools = await Promise.all([1, 2].map(() => database.open(2)));
      const [one, other] = [pools[0]!, pools[1]!];

      const fits = await Promise.all([keyFits(one, "one"), keyFits(other, "other")]);

      expect(fits.toSorted()).toEqual([false, true]);
      const first = fits[0] === true ? "one" : "other";
      expect(await keyFits(other, first)).toBe(true);
      expect(await keyFits(one, "third")).toBe(false);
      for (const pool of pools) await pool.close();
      await store.alive();
    }));
});
