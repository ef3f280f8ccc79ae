import { expect } from "bun:test";
import { openPostgres } from "../../db/postgres/open.ts";
import { createPostgresStore } from "../../db/postgres/store.ts";
import type { Store } from "../../src/core/store.ts";
import { weakened } from "../chaos/weakened.ts";
import { publish } from "../support/confirmed.ts";
import { makeRequest, publicationOf } from "../support/make.ts";
import { createDatabase, postgresTests, type TestDatabase } from "../support/postgres.ts";
import { startProxy } from "../support/postgres-proxy.ts";
import { DAWN, HOUR } from "../support/time.ts";

const { describe, test } = postgresTests;
/** The whole statement, as the protocol ends it. */
const COMMIT = "commit\0";
type Proxy = ReturnType<typeof startProxy>;
const LIMIT = { key: "one", max: 1, windowMs: HOUR };

/** A store whose connections go through a proxy. */
async function throughProxy(
  work: (store: Store, proxy: Proxy, database: TestDatabase) => Promise<void>,
  create = createPostgresStore,
): Promise<void> {
  const database = await createDatabase();
  const proxy = startProxy(database.socket);
  const url = new URL(database.url);
  url.searchParams.set("host", proxy.folder);
  const store = create(await openPostgres(url.href, 4));
  try {
    await work(store, proxy, database);
  } finally {
    await store.close();
    proxy.stop();
    await database.release();
  }
}

describe("a commit whose answer is lost", () => {
  for (const fault of ["before", "after", "late"] as const) {
    test(`counts once when the connection is cut (${fault})`, () =>
      throughProxy(async (store, proxy) => {
        proxy.failAt(COMMIT, fault);

        const answers = [
          await store.countHits([LIMIT], DAWN),
          await store.countHits([LIMIT], DAWN),
        ];

        expect(proxy.happened()).toBe(1);
        expect(answers).toEqual([null, DAWN + HOUR]);
      }));

    test(`confirms once, and says so (${fault})`, () =>
      throughProxy(async (store, proxy) => {
        const request = makeRequest();
        await store.addPending(request, DAWN);
        proxy.failAt(COMMIT, fault);

        const changes = publicationOf(request.pending);
        const outcome = await store.confirmPending(request.pending.id, changes, DAWN);

        expect(proxy.happened()).toBe(1);
        expect(outcome).toEqual({ kind: "won" });
        expect(await store.alertsAfter(null, 10)).toHaveLength(1);
        expect((await store.position()).revision).toBe(1);
      }));
  }

  test("would count twice without the ledger", async () => {
    const copy = await weakened({
      module: "db/postgres/ledger.ts",
      name: "wasCommitted",
      instead: "async () => false",
    });
    try {
      const { createPostgresStore: create } =
        await copy.load<typeof import("../../db/postgres/store.ts")>("db/postgres/store.ts");
      await throughProxy(async (store, proxy) => {
        proxy.failAt(COMMIT, "after");
        expect(await store.countHits([LIMIT], DAWN)).toBe(DAWN + HOUR);
      }, create);
    } finally {
      copy.remove();
    }
  });
});

describe("a connection", () => {
  test("that ends in the middle of a transaction is replaced, and the work done again", () =>
    throughProxy(async (store, proxy) => {
      proxy.failAt('insert into "hit"', "before");

      const answers = [await store.countHits([LIMIT], DAWN), await store.countHits([LIMIT], DAWN)];

      expect(proxy.happened()).toBe(1);
      expect(answers).toEqual([null, DAWN + HOUR]);
    }));

  test("that answers nothing is given up, and another one asked", () =>
    throughProxy(async (store, proxy) => {
      const { id } = await publish(store);
      proxy.failAt('from "alert"', "silent");

      const alert = await store.alert({ by: "id", id });

      expect(proxy.happened()).toBe(1);
      expect(alert?.id).toBe(id);
    }));

  test("that the server ends between two calls is not noticed", () =>
    throughProxy(async (store, _proxy, { admin, name }) => {
      const { id } = await publish(store);
      await admin.unsafe(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );

      expect(await store.alert({ by: "id", id })).not.toBeNull();
      expect(await store.countHits([LIMIT], DAWN)).toBeNull();
    }));

  test("that cannot be had is an unavailable service, not a bug", () =>
    throughProxy(async (store, proxy) => {
      proxy.stop();

      const asked = await store.alive().catch((error: unknown) => error);

      expect(asked).toMatchObject({ code: "unavailable", retryAfterSeconds: 60 });
    }));
});
