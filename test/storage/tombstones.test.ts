import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTombstones } from "../../db/sqlite/tombstones.ts";
import { createTombstones, type Tombstones } from "../../db/tombstone.ts";
import { type Bucket, openBucket } from "../../src/storage/bucket/bucket.ts";
import { bucketTombstones } from "../../src/storage/bucket/tombstones.ts";
import { createBucket, type TestBucket } from "../support/s3.ts";
import { openVault } from "../support/secrets.ts";
import { DAWN, DAY } from "../support/time.ts";

let server: TestBucket;
let bucket: Bucket;
let folder: string;
beforeEach(async () => {
  server = await createBucket();
  bucket = openBucket(server.address, { callMs: 1_000, pauseMs: 1 });
  folder = mkdtempSync(join(tmpdir(), "pet-alert-tombstones-"));
});
afterEach(() => {
  server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Tombstones as a node that has just started sees them. */
function open(): Tombstones {
  return createTombstones(bucketTombstones(bucket), openVault(folder).keyedHash);
}

test("what one node adds every other finds, in the order of time", async () => {
  const [one, other] = [open(), open()];

  const second = await one.add("alert", "b", DAWN + 1);
  const first = await other.add("mailbox", "anna@example.org", DAWN);

  for (const node of [one, other, open()])
    expect(await node.all()).toEqual([
      { at: DAWN, kind: "mailbox", mark: node.mark("mailbox", "anna@example.org"), line: first },
      { at: DAWN + 1, kind: "alert", mark: node.mark("alert", "b"), line: second },
    ]);
});

test("a line is the same as in the list of a data folder", async () => {
  const inFolder = openTombstones(folder, openVault(folder).keyedHash);

  expect(await open().add("zone", "z", DAWN)).toBe(await inFolder.add("zone", "z", DAWN));
  expect(await open().all()).toEqual([...(await inFolder.all())]);
});

test("one that the server does not take is not promised", async () => {
  server.trouble("read-only");

  await expect(open().add("alert", "a", DAWN)).rejects.toMatchObject({ code: "unavailable" });
});

test("a list that cannot be read is never an empty one", async () => {
  await open().add("alert", "a", DAWN);
  server.trouble("failing");

  await expect(open().all()).rejects.toMatchObject({ code: "unavailable" });
});

test("another object among them is refused with a sentence that names it", async () => {
  await bucket.put("erased/notes.txt", new Uint8Array(), "text/plain");

  await expect(open().all()).rejects.toThrow("erased/notes.txt");
});

test("the old ones are forgotten by one node for all, and the newer ones stay", async () => {
  const [one, other] = [open(), open()];
  await one.add("alert", "old", DAWN);
  const kept = await other.add("alert", "new", DAWN + DAY);

  expect(await other.forget(DAWN)).toBe(false);
  expect(await other.forget(DAWN + DAY)).toBe(true);
  expect(await one.forget(DAWN + DAY)).toBe(false);
  expect((await one.all()).map(({ line }) => line)).toEqual([kept]);
});

test("the bucket is not listed each minute while nothing in it is old enough", async () => {
  const node = open();
  await node.add("alert", "a", DAWN + DAY);
  await node.forget(DAWN);
  const asked = server.requests.length;

  for (let minute = 0; minute < 10; minute++) expect(await node.forget(DAWN)).toBe(false);

  expect(server.requests).toHaveLength(asked);
  expect(await node.forget(DAWN + 2 * DAY)).toBe(true);
});
