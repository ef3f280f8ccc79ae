import { expect } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostgresStore } from "../../db/postgres/store.ts";
import { NO_TOMBSTONES } from "../../db/tombstone.ts";
import { createPhotoActions } from "../../src/core/photos/photos.ts";
import type { Store } from "../../src/core/service/store.ts";
import { openBucket } from "../../src/storage/bucket/bucket.ts";
import { openBucketPhotos } from "../../src/storage/bucket/photos.ts";
import { makeDraft, makePending, makeRequest } from "../support/make.ts";
import { jpeg } from "../support/picture.ts";
import { createDatabase, postgresTests } from "../support/postgres.ts";
import { createBucket } from "../support/s3.ts";
import { openVault } from "../support/secrets.ts";
import { DAWN, DAY } from "../support/time.ts";
import type { Photos } from "../../src/core/photos/photo-files.ts";

const { describe, test } = postgresTests;

const CALLER = { address: "198.51.100.7" };
const picture = await jpeg({ width: 32, height: 32 });

/** Time of both nodes. */
type Time = { now: number };

type Node = {
  readonly store: Store;
  readonly photos: Photos;
  readonly actions: ReturnType<typeof createPhotoActions>;
};

/** Two nodes on one database and one bucket. */
async function withNodes(
  work: (one: Node, other: Node, time: Time) => Promise<void>,
  changes: Partial<Store> = {},
): Promise<void> {
  const database = await createDatabase();
  const bucket = await createBucket();
  const folder = mkdtempSync(join(tmpdir(), "pet-alert-photo-races-"));
  const secrets = openVault(folder);
  const time: Time = { now: DAWN };
  const openNode = async (): Promise<Node> => {
    const pool = await database.open(4);
    const store = { ...createPostgresStore(pool, NO_TOMBSTONES), ...changes };
    const photos = openBucketPhotos(openBucket(bucket.address));
    const actions = createPhotoActions({
      store,
      photos,
      fetchPhoto: async () => picture,
      secrets,
      clock: () => time.now,
      sharedNetworks: [],
      onRateLimited: () => {},
    });
    return { store, photos, actions };
  };
  const nodes = [await openNode(), await openNode()] as const;
  try {
    await work(...nodes, time);
  } finally {
    for (const { store } of nodes) await store.close();
    await database.release();
    bucket.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function upload({ actions }: Node, bytes = picture): Promise<string> {
  const [name = ""] = actions.named([await actions.upload(new Blob([bytes]), CALLER)]);
  return name;
}

/** Asks to publish an alert with a photo. */
function use({ store, actions }: Node, name: string): Promise<unknown> {
  return actions.using([name], () => ask(store, name));
}

function ask(store: Store, name: string): Promise<unknown> {
  const payload = { kind: "publish", draft: makeDraft({ photos: [name] }), removed: [] } as const;
  const pending = makePending({ payload, expiresAt: DAWN + 30 * DAY });
  return store.addPending(makeRequest({ pending }), DAWN);
}

const isUsed = async ({ store }: Node, name: string) =>
  (await store.photosInUse([name])).length > 0;
const settled = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => String(error),
  );

describe("a photo that one node deletes while another one wants it", () => {
  test("can be neither used nor uploaded until its files are gone, and then be uploaded again", () =>
    withNodes(async (one, other, time) => {
      const name = await upload(one);
      time.now += 2 * DAY;
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const { promise: goOn, resolve: release } = Promise.withResolvers<void>();
      const { drop } = one.photos;
      Object.assign(one.photos, {
        drop: async (dropped: string) => {
          begin();
          await goOn;
          await drop(dropped);
        },
      });

      const deletion = one.actions.dropGone();
      await begun;
      expect(await settled(use(other, name))).toContain("photos must be chosen again");
      expect(await settled(upload(other))).toContain("can’t store photos right now");
      expect(await isUsed(other, name)).toBe(false);
      release();
      await deletion;

      expect(await upload(other)).toBe(name);
      expect(await settled(use(other, name))).toBe("done");
      await one.actions.dropGone();
      expect([await isUsed(other, name), await other.photos.has(name)]).toEqual([true, true]);
    }));

  test("stays if the other node came first", () =>
    withNodes(async (one, other, time) => {
      const name = await upload(one);
      time.now += 2 * DAY;

      await other.actions.using([name], async () => {
        await one.actions.dropGone();
        await ask(other.store, name);
      });
      await one.actions.dropGone();

      expect([await isUsed(other, name), await other.photos.has(name)]).toEqual([true, true]);
    }));

  test("would be used without its files if nobody held it", () =>
    withNodes(
      async (one, other, time) => {
        const name = await upload(one);
        time.now += 2 * DAY;

        await other.actions.using([name], async () => {
          await one.actions.dropGone();
          await ask(other.store, name);
        });

        expect([await isUsed(other, name), await other.photos.has(name)]).toEqual([true, false]);
      },
      { holdPhotos: async () => true },
    ));

  test("is deleted by the other node if the first one dies on the way", () =>
    withNodes(async (one, other, time) => {
      const name = await upload(one);
      time.now += 2 * DAY;
      Object.assign(one.photos, { drop: () => Promise.reject(new Error("killed")) });

      await settled(one.actions.dropGone());
      await other.actions.dropGone();
      expect(await other.photos.has(name)).toBe(true);
      time.now += 60_000;
      await other.actions.dropGone();

      expect(await other.photos.has(name)).toBe(false);
      expect(await upload(other)).toBe(name);
    }));

  test("is left to the other node by one that was frozen on the way", () =>
    withNodes(async (one, _other, time) => {
      const name = await upload(one);
      time.now += 2 * DAY;
      const { takeUnusedPhotos } = one.store;
      Object.assign(one.store, {
        takeUnusedPhotos: async (...args: Parameters<typeof takeUnusedPhotos>) => {
          const taken = await takeUnusedPhotos(...args);
          time.now += 60_000;
          return taken;
        },
      });

      await one.actions.dropGone();

      expect(await one.photos.has(name)).toBe(true);
    }));
});
