import type { RemoteTombstones, Tombstone, TombstoneKind } from "../../../db/tombstone.ts";
import { Fault } from "../../core/fault.ts";
import { type Bucket, keysUnder } from "./bucket.ts";

/**
 * Tombstones in a bucket: an object without contents for each, `erased/<time>-<kind>-<mark>`, which is never changed. They
 * lie outside of the database, which can be restored to an earlier time.
 */
export function bucketTombstones(
  bucket: Bucket,
  keyedHash: (purpose: "tombstone", text: string) => string,
): RemoteTombstones {
  const mark = (kind: TombstoneKind, name: string) => keyedHash("tombstone", `${kind} ${name}`);
  /** Lower bound of the oldest time, so that the bucket is not listed each time. What other nodes add is newer. */
  let oldestAt = -Infinity;

  return {
    mark,
    async add(kind, name, at) {
      const time = new Date(at).toISOString();
      const hash = mark(kind, name);
      await bucket.put(keyOf(time, kind, hash), NOTHING, MEDIA_TYPE);
      oldestAt = Math.min(oldestAt, at);
      return lineOf(time, kind, hash);
    },
    all: async () =>
      (await Array.fromAsync(keysUnder(bucket, FOLDER))).map((name) =>
        tombstoneOf(`${FOLDER}${name}`),
      ),
    async forget(before) {
      if (oldestAt >= before) return false;
      // In the order of their times. The rest is left to the next call.
      const stones = (await bucket.list(FOLDER, null, FORGOTTEN_MAX)).map(({ key }) => ({
        key,
        at: tombstoneOf(key).at,
      }));
      const old = stones.filter(({ at }) => at < before);
      for (const { key } of old) await bucket.drop(key);
      const isAll = stones.length < FORGOTTEN_MAX;
      oldestAt = stones.find(({ at }) => at >= before)?.at ?? (isAll ? before : -Infinity);
      return old.length > 0;
    },
  };
}

/** Stores a tombstone of another list. */
export async function putTombstone(bucket: Bucket, { at, kind, mark }: Tombstone): Promise<void> {
  await bucket.put(keyOf(new Date(at).toISOString(), kind, mark), NOTHING, MEDIA_TYPE);
}

/** Tombstones deleted per call, each with a request of its own. */
const FORGOTTEN_MAX = 200;

const FOLDER = "erased/";
const NOTHING = new Uint8Array();
const MEDIA_TYPE = "text/plain";
const KEY =
  /^erased\/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)-(mailbox|confirmed|alert|zone|device)-([0-9a-f]{64})$/;

function keyOf(time: string, kind: TombstoneKind, mark: string): string {
  return `${FOLDER}${time}-${kind}-${mark}`;
}

/** Line of a tombstone in the database, as in the list of a data folder. */
function lineOf(time: string, kind: string, mark: string): string {
  return `${time} ${kind} ${mark}`;
}

function tombstoneOf(key: string): Tombstone {
  const [, time, kind, mark] = KEY.exec(key) ?? [];
  if (time === undefined || kind === undefined || mark === undefined)
    throw new Fault(
      "unavailable",
      `The object ${key} of the bucket cannot be read. The objects under ${FOLDER} are the list of what was erased: nothing else may lie there.`,
    );
  return {
    at: Date.parse(time),
    kind: kind as TombstoneKind,
    mark,
    line: lineOf(time, kind, mark),
  };
}
