import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { BucketAddress } from "../../src/settings/bucket-address.ts";
import { type Bucket, openBucket } from "../../src/storage/bucket/bucket.ts";
import { createBucket, type BucketTrouble, type TestBucket } from "../support/s3.ts";

const BYTES = new TextEncoder().encode("a photo");
/** Longest wait for an answer of a server that hangs: long enough for one that does not, on a busy machine. */
const CALL_MS = 3_000;

let server: TestBucket;
let bucket: Bucket;
let failures: string[];
beforeEach(async () => {
  server = await createBucket();
  bucket = open();
});
afterEach(() => server.stop());

function open(changes: Partial<BucketAddress> = {}): Bucket {
  failures = [];
  return openBucket(
    { ...server.address, ...changes },
    { callMs: 60_000, pauseMs: 1, onFailure: (sentence) => failures.push(sentence) },
  );
}

const put = (key: string) => bucket.put(key, BYTES, "text/plain");
/** "done", or the error. */
const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "done",
    (error: unknown) => error,
  );

describe("an object", () => {
  test("is there once it is put, with the same bytes, until it is dropped, which can be done twice", async () => {
    expect([await bucket.has("a"), await bucket.get("a")]).toEqual([false, null]);

    await put("a");
    await put("with a space/and:a colon");

    expect([await bucket.has("a"), await bucket.get("a")]).toEqual([true, Buffer.from(BYTES)]);
    expect(await bucket.get("with a space/and:a colon")).toEqual(Buffer.from(BYTES));
    await bucket.drop("a");
    await bucket.drop("a");
    expect([await bucket.has("a"), await bucket.get("a")]).toEqual([false, null]);
  });

  test("is listed after the one before it, with the time at which it was stored", async () => {
    for (const key of ["a/3", "a/1", "a/2", "b/1"]) await put(key);

    const page = await bucket.list("a/", null, 2);

    expect(page.map(({ key }) => key)).toEqual(["a/1", "a/2"]);
    expect(Math.abs((page[0]?.storedAt ?? 0) - Date.now())).toBeLessThan(60_000);
    expect((await bucket.list("a/", "a/2", 2)).map(({ key }) => key)).toEqual(["a/3"]);
    expect(await bucket.list("a/", "a/3", 2)).toEqual([]);
  });
});

const CALLS: Readonly<Record<string, (bucket: Bucket) => Promise<unknown>>> = {
  put: (bucket) => bucket.put("a", BYTES, "text/plain"),
  get: (bucket) => bucket.get("a"),
  has: (bucket) => bucket.has("a"),
  drop: (bucket) => bucket.drop("a"),
  list: (bucket) => bucket.list("", null, 10),
};

const READ_ONLY_CALLS = ["put", "drop"];
const TROUBLES: readonly BucketTrouble[] = ["hung", "failing", "cut", "read-only"];
const SEEN = {
  hung: "does not answer as it should (TimeoutError)",
  failing: "does not answer as it should",
  cut: "does not answer as it should",
  "read-only": "may not do everything",
} as const;

/** Makes trouble on a server of its own for each of some calls, all at once, as servers that hang take long. */
async function inTrouble(
  names: readonly string[],
  kind: BucketTrouble,
  look: (
    call: () => Promise<unknown>,
    server: TestBucket,
    failures: readonly string[],
    name: string,
  ) => Promise<void>,
  requests?: number,
): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      const own = await createBucket();
      const told: string[] = [];
      const callMs = kind === "hung" ? CALL_MS : 60_000;
      const onFailure = (sentence: string) => void told.push(sentence);
      await openBucket(own.address).put("a", BYTES, "text/plain");
      const troubled = openBucket(own.address, { callMs, pauseMs: 1, onFailure });
      own.trouble(kind, requests);
      await look(() => outcomeOf(CALLS[name]!(troubled)), own, told, name);
      own.stop();
    }),
  );
}

describe.each(TROUBLES)("a server that is %s", (kind) => {
  const affected = Object.keys(CALLS).filter(
    (name) => kind !== "read-only" || READ_ONLY_CALLS.includes(name),
  );

  test(`lets ${affected.join(", ")} fail, which the caller may try again, and tells the operator`, () =>
    inTrouble(affected, kind, async (call, own, told, name) => {
      const error = await call();

      expect(error, name).toMatchObject({ code: "unavailable", retryAfterSeconds: 60 });
      expect(told, name).toEqual([expect.stringContaining(SEEN[kind])]);
      own.recover();
      expect(await call(), name).toBe("done");
    }));
});

describe.each(["hung", "failing", "cut"] as const)("a server that is %s for a moment", (kind) => {
  test("is asked again by every call, and nobody sees it", () =>
    inTrouble(
      Object.keys(CALLS),
      kind,
      async (call, _own, told, name) => {
        expect(await call(), name).toBe("done");
        expect(told, name).toEqual([]);
      },
      2,
    ));
});

test("a refusal is not tried again", async () => {
  server.trouble("read-only");
  await outcomeOf(put("a"));

  expect(server.requests).toHaveLength(1);
});

describe("a bucket that cannot be used is refused with a sentence for the operator", () => {
  test.each([
    ["no such bucket", { bucket: "missing" }, "the bucket missing, which does not exist"],
    ["no such key", { accessKeyId: "nobody" }, "refuses the key or the secret"],
    ["another region", { region: "elsewhere" }, "in another region"],
    ["no server", { endpoint: "http://127.0.0.1:1" }, "Is it running"],
  ])("%s", async (_name, changes, sentence) => {
    bucket = open(changes);

    const error = await outcomeOf(bucket.refuseUnusable());

    expect(error).toMatchObject({ code: "unavailable" });
    expect(String(error)).toContain(sentence);
    expect(String(error)).not.toContain("hunter2");
    expect(await outcomeOf(put("a"))).toMatchObject({ code: "unavailable" });
  });

  test.each(TROUBLES)("%s", async (kind) => {
    server.trouble(kind);
    const troubled = openBucket(server.address, { callMs: CALL_MS, pauseMs: 1 });

    expect(String(await outcomeOf(troubled.refuseUnusable()))).toContain(SEEN[kind]);
  });
});
