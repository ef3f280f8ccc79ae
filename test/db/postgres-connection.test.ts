import { expect } from "bun:test";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "../../db/postgres/connection.ts";
import { createNotifier } from "../../db/postgres/feed.ts";
import { openPostgres, readServerFacts } from "../../db/postgres/open.ts";
import { createPostgresStore } from "../../db/postgres/store.ts";
import type { Store } from "../../src/core/service/store.ts";
import { weakened } from "../chaos/weakened.ts";
import { publish } from "../support/confirmed.ts";
import { makeRequest, publicationOf } from "../support/make.ts";
import { createDatabase, NOBODY, postgresTests, type TestDatabase } from "../support/postgres.ts";
import { startProxy } from "../support/postgres-proxy.ts";
import { openSmallDisk } from "../support/disk.ts";
import { isRoot, testsUnlessMissing } from "../support/system-programs.ts";
import { DAWN, HOUR } from "../support/time.ts";

const { describe, test } = postgresTests;
const rootTests = isRoot()
  ? postgresTests
  : testsUnlessMissing("This test mounts a small disk, which needs root.");
/** The whole statement, as the protocol ends it. */
const COMMIT = "commit\0";
type Proxy = ReturnType<typeof startProxy>;
/** Holds the tables with their indexes, and little more. */
const DISK_MB = 24;
/** Far more than fill the pages that the tables have already. */
const WRITES_MAX = 500;
const LIMIT = { key: "one", max: 1, windowMs: HOUR };

type Database = TestDatabase & { readonly pool: Pool };

/** A store whose connections go through a proxy. */
async function throughProxy(
  work: (store: Store, proxy: Proxy, database: Database) => Promise<void>,
  create = createPostgresStore,
): Promise<void> {
  const database = await createDatabase();
  const proxy = startProxy(database.socket);
  const url = new URL(database.url);
  url.searchParams.set("host", proxy.folder);
  const pool = await openPostgres(url.href, 4);
  const store = create(pool);
  try {
    await work(store, proxy, { ...database, pool });
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
      module: "db/postgres/nodes.ts",
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

rootTests.test(
  "a full disk of the server refuses writes, answers reads, and writes again once there is room",
  async () => {
    const database = await createDatabase();
    const folder = mkdtempSync(join(tmpdir(), "pet-alert-disk-"));
    chmodSync(folder, 0o755);
    const disk = await openSmallDisk(join(folder, "disk"), DISK_MB);
    if (disk === null) throw new Error("no small disk could be mounted");
    const data = join(disk.path, "data");
    mkdirSync(data);
    chownSync(data, NOBODY.uid, NOBODY.gid);
    await database.admin.unsafe(`create tablespace small location '${data}'`);
    await database.moveTo("small");
    const store = createPostgresStore(await database.open(4));
    try {
      const kept = await publish(store);
      disk.fill();

      const fillTable = async () => {
        for (let nth = 0; nth < WRITES_MAX; nth++) await publish(store);
      };
      const refusal = await fillTable().catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: "unavailable", retryAfterSeconds: 60 });
      expect(await store.alert({ by: "id", id: kept.id })).not.toBeNull();
      const before = (await store.alertsAfter(null, WRITES_MAX)).length;

      disk.empty();
      await publish(store);
      expect(await store.alertsAfter(null, WRITES_MAX)).toHaveLength(before + 1);
    } finally {
      await store.close();
      await database.moveTo("pg_default");
      await database.admin.unsafe("drop tablespace small");
      await disk.unmount();
      rmSync(folder, { recursive: true, force: true });
      await database.release();
    }
  },
);

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

  test("that answers nothing to a hint or to a question about the server is given up, too", () =>
    throughProxy(async (_store, proxy, { pool }) => {
      const notifier = createNotifier(pool);
      proxy.failAt("pg_notify", "silent");
      notifier.notify();
      await notifier.settled();

      proxy.failAt("pg_stat_archiver", "silent");
      expect((await readServerFacts(pool)).archive).toBe("off");
      expect(proxy.happened()).toBe(2);
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
