import { afterEach, beforeEach, expect, test } from "bun:test";
import { openBucket } from "../../src/storage/bucket/bucket.ts";
import { openBucketPhotos } from "../../src/storage/bucket/photos.ts";
import { jpeg, photoColors } from "../support/picture.ts";
import { createBucket, type TestBucket } from "../support/s3.ts";
import type { Photos } from "../../src/core/photos/photo-files.ts";

let server: TestBucket;
let photos: Photos;
beforeEach(async () => {
  server = await createBucket();
  photos = openBucketPhotos(openBucket(server.address, { callMs: 1_000, pauseMs: 1 }));
});
afterEach(() => server.stop());

const cat = new Blob([await jpeg({ width: 800, height: 600 })]);
const dog = new Blob([await jpeg({ width: 600, height: 800 })]);

/** Stores a file of a photo as it is. */
async function place(file: string): Promise<void> {
  await openBucket(server.address).put(`photos/${file}`, new Uint8Array([1]), "image/webp");
}

const HOME = "198.51.100";

const nameOf = (nth: number) => nth.toString(16).padStart(32, "0");

test("a photo can be read in both sizes under the name that it has in a folder", async () => {
  const name = await photos.keep(cat, HOME);

  const full = (await photos.read(name, "full")) ?? new Uint8Array();
  const thumb = (await photos.read(name, "thumb")) ?? new Uint8Array();
  expect(await photoColors(full)).toMatchObject({ width: 800, height: 600 });
  expect(await photoColors(thumb)).toMatchObject({ width: 480, height: 360 });
  expect(name).toBe(new Bun.CryptoHasher("sha256").update(full).digest("hex").slice(0, 32));
  expect(await photos.has(name)).toBe(true);
});

test("a dropped photo is gone in both sizes, and dropping it again is as good", async () => {
  const [name, other] = [await photos.keep(cat, HOME), await photos.keep(dog, HOME)];

  await photos.drop(name);
  await photos.drop(name);

  expect([await photos.has(name), await photos.read(name, "full")]).toEqual([false, null]);
  expect(await photos.read(name, "thumb")).toBeNull();
  expect(await photos.has(other)).toBe(true);
});

test.each(["", "../erased/x", "0123456789ABCDEF0123456789ABCDEF", `${nameOf(1)}.webp`])(
  "a name that is none of ours is not asked for: %j",
  async (name) => {
    expect([await photos.read(name, "full"), await photos.has(name)]).toEqual([null, false]);
    await photos.drop(name);

    expect(server.requests).toEqual([]);
  },
);

test("names come in order, page by page, each once, also where a size is missing", async () => {
  const expected = Array.from({ length: 9 }, (_, nth) => nameOf(nth));
  for (const [nth, name] of expected.entries()) {
    // A crash can leave a thumbnail alone.
    await place(`${name}-480.webp`);
    if (nth % 3 !== 0) await place(`${name}.webp`);
  }

  for (const limit of [1, 2, 3, 4, 20]) {
    const seen: string[] = [];
    for (let page = await photos.names(null, limit); page.length > 0;) {
      expect(page.length).toBeLessThanOrEqual(limit);
      seen.push(...page.map(({ name }) => name));
      page = await photos.names(page.at(-1)?.name ?? null, limit);
    }
    expect([limit, seen]).toEqual([limit, expected]);
  }
});

test("a photo that a server does not take is refused as by a full disk, and is not half there", async () => {
  server.trouble("read-only");

  await expect(photos.keep(cat, HOME)).rejects.toMatchObject({
    code: "unavailable",
    why: { reason: "photos_not_kept" },
  });

  server.recover();
  expect(await photos.names(null, 10)).toEqual([]);
});

test("a server that fails between the two sizes leaves no photo that looks whole", async () => {
  server.trouble("read-only", 0);
  const name = await photos.keep(cat, HOME);
  await photos.drop(name);
  await place(`${name}-480.webp`);

  expect(await photos.has(name)).toBe(false);
  expect(await photos.keep(cat, HOME)).toBe(name);
  expect(await photos.has(name)).toBe(true);
});

test("a photo that cannot be read just now is not said to be missing", async () => {
  const name = await photos.keep(cat, HOME);

  server.trouble("failing");

  await expect(photos.read(name, "full")).rejects.toMatchObject({ code: "unavailable" });
  await expect(photos.has(name)).rejects.toMatchObject({ code: "unavailable" });
});
