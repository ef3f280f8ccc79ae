import { expect } from "bun:test";
import { SQL } from "bun";
import { createPostgresStore } from "../../db/postgres/store.ts";
import type { Store } from "../../src/core/store.ts";
import { createDatabase, postgresTests } from "../support/postgres.ts";
import { DAWN } from "../support/time.ts";

const { describe, test } = postgresTests;

/** A store, and a client of its database. */
async function onStore(work: (store: Store, client: SQL) => Promise<void>): Promise<void> {
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
    await work(store, client);
  } finally {
    await client.close();
    await store.close();
    await database.release();
  }
}

describe("the ledger of transactions", () => {
  test("keeps the rows of an hour, and loses older ones with the heartbeat", () =>
    onStore(async (store, client) => {
      await client.unsafe("delete from done");
      await client.unsafe(
        "insert into done (at) select now() - nth * interval '20 minutes' from generate_series(1, 6) nth",
      );

      await store.recordHeartbeat({ at: DAWN, steadySince: DAWN });

      // Those of 20 and 40 minutes ago, and that of the heartbeat itself.
      expect(await client.unsafe("select from done")).toHaveLength(3);
    }));
});
