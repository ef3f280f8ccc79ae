import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../db/sqlite/open.ts";
import { createSqliteStore } from "../../db/sqlite/store.ts";
import { createPicturing, type Picturing } from "../../src/core/picturing.ts";
import type { Photos } from "../../src/core/ports.ts";
import type { Store } from "../../src/core/store.ts";
import { openAlbum } from "../../src/photos/album.ts";
import { openVault } from "../../src/vault.ts";
import { jpeg } from "../support/picture.ts";
import { DAWN, DAY } from "../support/time.ts";

const CALLER = { address: "198.51.100.7" };
/** When a picture of dawn that nobody asked to publish is one too long. */
const LATER = DAWN + 2 * DAY;

let folder: string;
let store: Store;
let photos: Photos;
let picturing: Picturing;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "pet-alert-picturing-"));
  store = createSqliteStore(openDatabase(folder));
  const clock = () => DAWN;
  photos = await openAlbum({ folder: join(folder, "photos"), clock });
  const fetchPhoto = () => jpeg({ width: 16, height: 16 });
  const vault = openVault(folder);
  picturing = createPicturing({
    store,
    photos,
    fetchPhoto,
    vault,
    clock,
    sharedNetworks: [],
    heldBack: () => {},
  });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A picture that was handed in long ago and is used by nobody. */
async function stray(): Promise<string> {
  const name = await picturing.keepPhoto(await jpeg({ width: 32, height: 32 }), CALLER);
  await picturing.dropStrays(DAWN);
  return name;
}

test("a picture stays while it is put to use, however long ago it was handed in", async () => {
  const name = await stray();

  const during = await picturing.using([name], async () => {
    await picturing.dropStrays(LATER);
    return photos.has(name);
  });
  await picturing.dropStrays(LATER);

  expect([during, await photos.has(name)]).toEqual([true, false]);
});

test("a picture that leaves at the moment it is wanted is whole or missed, never a broken promise", async () => {
  for (let round = 0; round < 10; round++) {
    const name = await stray();
    const leaving = picturing.dropStrays(LATER);
    for (let turns = 0; turns < round; turns++) await Promise.resolve();

    const [use] = await Promise.allSettled([
      picturing.using([name], async () => {
        await leaving;
        return [await photos.has(name), (await photos.read(name, "thumb")) !== null];
      }),
      leaving,
    ]);

    if (use.status === "fulfilled") expect(use.value).toEqual([true, true]);
    else expect(String(use.reason)).toContain("one is not here any more");
  }
});

test("a picture that is gone can be used by nobody", async () => {
  const name = await stray();
  await picturing.dropStrays(LATER);
  let done = false;

  const use = picturing.using([name], async () => {
    done = true;
  });

  await expect(use).rejects.toThrow("photos must be chosen again");
  expect(done).toBe(false);
});

test("of two that tidy at once, neither forgets what was handed in meanwhile", async () => {
  const name = await stray();
  const { names } = photos;
  const { promise: looked, resolve: look } = Promise.withResolvers<void>();
  const { promise: goOn, resolve: release } = Promise.withResolvers<void>();
  photos.names = async (after, limit) => {
    const page = await names(after, limit);
    look();
    await goOn;
    return page;
  };

  const strays = picturing.dropStrays(LATER);
  await looked;
  await picturing.keepPhoto(await jpeg({ width: 32, height: 32 }), CALLER);
  const gone = picturing.dropGone();
  release();
  await Promise.all([strays, gone]);

  expect(await photos.has(name)).toBe(true);
});
