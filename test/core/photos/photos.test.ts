import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../../db/sqlite/open.ts";
import { createSqliteStore } from "../../../db/sqlite/store.ts";
import { QUOTAS } from "../../../src/core/caps.ts";
import { createPhotoActions, type PhotoActions } from "../../../src/core/photos/photos.ts";
import type { Store } from "../../../src/core/service/store.ts";
import { openPhotoFolder } from "../../../src/photos/photo-folder.ts";
import { PHOTO_HOLD_MS } from "../../../src/core/photos/photo-store.ts";
import { openVault } from "../../support/secrets.ts";
import { jpeg } from "../../support/picture.ts";
import { DAWN, DAY } from "../../support/time.ts";
import type { Photos } from "../../../src/core/photos/photo-files.ts";

const CALLER = { address: "198.51.100.7" };
/** When a picture of dawn that nobody asked to publish is one too long. */
const LATER = DAWN + 2 * DAY;

let folder: string;
let store: Store;
let photos: Photos;
let now: number;
let picturing: PhotoActions;
/** What becomes of fetching a photo from an address. */
let fetching: () => Promise<Uint8Array>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "pet-alert-picturing-"));
  store = createSqliteStore(openDatabase(folder));
  now = DAWN;
  const clock = () => now;
  photos = await openPhotoFolder({
    folder: join(folder, "photos"),
    clock,
    freeBytes: async () => Infinity,
  });
  fetching = () => jpeg({ width: 16, height: 16 });
  const secrets = openVault(folder);
  picturing = createPhotoActions({
    store,
    photos,
    fetchPhoto: () => fetching(),
    secrets,
    clock,
    sharedNetworks: [],
    onRateLimited: () => {},
  });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A picture that was handed in long ago and is used by nobody. */
async function stray(): Promise<string> {
  const ticket = await picturing.upload(new Blob([await jpeg({ width: 32, height: 32 })]), CALLER);
  const [name = ""] = picturing.named([ticket]);
  await cleanUp();
  return name;
}

/** Deletes what nobody uses, as a tick does. */
async function cleanUp(): Promise<void> {
  await picturing.dropStrays(now);
  await picturing.dropGone();
}

test("a picture stays while it is put to use, however long ago it was handed in", async () => {
  const name = await stray();
  now = LATER;

  const during = await picturing.using([name], async () => {
    await cleanUp();
    return photos.has(name);
  });
  now += PHOTO_HOLD_MS;
  await cleanUp();

  expect([during, await photos.has(name)]).toEqual([true, false]);
});

test("a picture that leaves at the moment it is wanted is whole or missed, never a broken promise", async () => {
  for (let round = 0; round < 10; round++) {
    now = DAWN;
    const name = await stray();
    now = LATER;
    const leaving = cleanUp();
    for (let turns = 0; turns < round; turns++) await Promise.resolve();

    const [use] = await Promise.allSettled([
      picturing.using([name], async () => {
        await leaving;
        return [await photos.has(name), (await photos.read(name, "thumb")) !== null];
      }),
      leaving,
    ]);

    if (use.status === "fulfilled") expect(use.value).toEqual([true, true]);
    else expect(String(use.reason)).toContain("one is no longer available");
  }
});

test("of two that tidy at once, neither forgets what was handed in meanwhile", async () => {
  const name = await stray();
  now = LATER;
  const { names } = photos;
  const { promise: looked, resolve: look } = Promise.withResolvers<void>();
  const { promise: goOn, resolve: release } = Promise.withResolvers<void>();
  photos.names = async (after, limit) => {
    const page = await names(after, limit);
    look();
    await goOn;
    return page;
  };

  const strays = cleanUp();
  await looked;
  await picturing.upload(new Blob([await jpeg({ width: 32, height: 32 })]), CALLER);
  const gone = picturing.dropGone();
  release();
  await Promise.all([strays, gone]);

  expect(await photos.has(name)).toBe(true);
});

test("of many photos to fetch only a few are fetched at once, and one network cannot fill the queue", async () => {
  const { promise: goOn, resolve: release } = Promise.withResolvers<void>();
  let underWay = 0;
  let most = 0;
  fetching = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await goOn;
    underWay -= 1;
    return jpeg({ width: 16, height: 16 });
  };
  const addresses = Array.from({ length: 20 }, (_, at) => `https://example.org/${at}.jpg`);

  const greedy = picturing.fetched(addresses, CALLER);
  await turns(20);
  const other = picturing.fetched(["https://example.org/cat.jpg"], { address: "203.0.113.5" });
  await turns(20);
  release();

  expect((await other).unfetched).toEqual([]);
  expect((await greedy).unfetched).toHaveLength(20 - QUOTAS.photoFetchesPerNetwork);
  expect(most).toBe(4);
});

/** Lets what is under way in this process go on. */
async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await new Promise((next) => setImmediate(next));
}
