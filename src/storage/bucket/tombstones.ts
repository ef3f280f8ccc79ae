import { type Tombstone, type TombstoneList, tombstoneOf } from "../../../db/tombstone.ts";
import { Fault } from "../../core/fault.ts";
import { type Bucket, keysUnder } from "./bucket.ts";

/**
 * Tombstones in a bucket: an object without contents for each, `erased/<time>-<kind>-<mark>`, which is never changed. They
 * lie outside of the database, which can be restored to an earlier time.
 */
export function bucketTombstones(bucket: Bucket): TombstoneList {
  return {
    add: (line) =>
      bucket.put(`${FOLDER}${line.replaceAll(" ", "-")}`, new Uint8Array(), "text/plain"),
    all: async () =>
      (await Array.fromAsync(keysUnder(bucket, FOLDER))).map((name) => readKey(`${FOLDER}${name}`)),
    async dropBefore(time) {
      // In the order of their times. The rest is left to the next call.
      const keys = (await bucket.list(FOLDER, null, DROPPED_MAX)).map(({ key }) => key);
      const old = keys.filter((key) => readKey(key).at < time);
      for (const key of old) await bucket.drop(key);
      const [kept] = keys.slice(old.length);
      const rest = keys.length < DROPPED_MAX ? time : -Infinity;
      return { isAny: old.length > 0, oldestAt: kept === undefined ? rest : readKey(kept).at };
    },
  };
}

/** Tombstones deleted per call, each with a request of its own. */
const DROPPED_MAX = 200;

const FOLDER = "erased/";

function readKey(key: string): Tombstone {
  const line = key.replace(/^erased\/(.{24})-([a-z]+)-/, "$1 $2 ");
  const stone = tombstoneOf(line);
  if (stone === null)
    throw new Fault(
      "unavailable",
      `The object ${key} of the bucket cannot be read. The objects under ${FOLDER} are the list of what was erased: nothing else may lie there.`,
    );
  return stone;
}
