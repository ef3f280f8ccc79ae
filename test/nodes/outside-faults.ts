import { S3Client } from "bun";
import type { Fault } from "../chaos/fault.ts";
import type { Weakening } from "../chaos/weakened.ts";
import { createDatabase } from "../support/postgres.ts";
import { freePort } from "../support/process.ts";
import { indexesUnlikeTables } from "./history.ts";
import { underLoad } from "./under-load.ts";
import { onDatabase, tryAll } from "./with-and-without.ts";

// Faults of what the nodes share: the mail server, the bucket, and a database that went back in time.

const LOAD_MS = 6_000;

const GIVE_UP: Weakening = {
  module: "db/outbox.ts",
  name: "outboxQueries",
  instead: `(tools) => {
    const queries = original.outboxQueries(tools);
    return {
      ...queries,
      postponeEmail: ({ id }) =>
        queries.closeEmails([{ id, outcome: "given_up", mailboxHash: null }], Date.now()),
    };
  }`,
};

/** One node reaches no mail server. */
export const mailCutOff: Fault = {
  name: "a node cut off from the mail server",
  promise: "the other nodes send its emails; none is lost and none comes twice",
  async run(say) {
    const closed = await freePort();
    return tryAll(
      [["trying again", GIVE_UP]],
      (program) =>
        onDatabase(({ url }) => ({
          purpose: "mail cut off",
          url,
          smtpUrlOf: (node, mail) => (node === 0 ? `smtp://127.0.0.1:${closed}` : mail),
          program,
          async inflict() {
            await Bun.sleep(2 * LOAD_MS);
            return [];
          },
        })),
      say,
    );
  },
};

/** The answer does not wait for the bucket. */
const LIST_LATER: Weakening = {
  module: "src/storage/bucket/tombstones.ts",
  name: "bucketTombstones",
  instead: `(bucket) =>
    original.bucketTombstones({ ...bucket, put: async (...object) => void bucket.put(...object).catch(() => {}) })`,
};
const BUCKET_AWAY_SECONDS = 20;

/** The bucket takes requests and never answers them. */
export const bucketHangs: Fault = {
  name: "a bucket that hangs",
  promise:
    "nothing is removed that is not in the list of what was removed; the rest goes on, and removing succeeds once the bucket answers",
  run: (say) =>
    tryAll(
      [["the list before the removal", LIST_LATER]],
      (program) =>
        onDatabase(({ url }) => ({
          purpose: "the bucket hangs",
          url,
          program,
          async inflict({ bucket }, { rows }) {
            await Bun.sleep(LOAD_MS);
            bucket.trouble("hung");
            await Bun.sleep(BUCKET_AWAY_SECONDS * 1_000);
            bucket.recover();
            await Bun.sleep(LOAD_MS);
            const removed = await rows("select 1 as one from alert where status = 'removed'");
            const listed = await tombstonesIn(bucket.address);
            return listed >= removed.length
              ? []
              : [`${removed.length} alerts are removed, and ${listed} listed in the bucket`];
          },
        })),
      say,
    ),
};

async function tombstonesIn(address: {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}): Promise<number> {
  const client = new S3Client(address);
  let count = 0;
  for (let startAfter = "erased/"; ;) {
    const { contents = [] } = await client.list({ prefix: "erased/", startAfter, maxKeys: 1_000 });
    count += contents.length;
    const last = contents.at(-1);
    if (last === undefined) return count;
    startAfter = last.key;
  }
}

/** Revisions that go back are taken for none. */
const NO_HISTORY: Weakening = {
  module: "src/core/jobs/index-sync.ts",
  name: "createIndexSync",
  instead: `(ports, writer) => {
    const { store } = ports;
    const changesSince = async (since, limit) => {
      const changes = await store.changesSince(since, limit);
      return { ...changes, history: "", revision: Math.max(since, changes.revision) };
    };
    const position = async () => ({ ...(await store.position()), history: "" });
    return original.createIndexSync({ ...ports, store: { ...store, changesSince, position } }, writer);
  }`,
};

/** The database is put back to an earlier state while the nodes run. */
export const olderDatabase: Fault = {
  name: "a database put back in time",
  promise: "every node notices, reads everything anew, shows what is stored, and raises an alarm",
  // An alarm comes within a minute.
  isLong: true,
  run: (say) =>
    tryAll(
      [["the history of the database", NO_HISTORY]],
      async (program) => {
        const database = await createDatabase();
        const { admin, name } = database;
        const disconnect = async () => {
          await admin.unsafe(`alter database ${name} allow_connections false`);
          await admin.unsafe(
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
          );
        };
        return underLoad({
          purpose: "an older database",
          url: database.url,
          program,
          async inflict() {
            await Bun.sleep(LOAD_MS);
            await disconnect();
            await admin.unsafe(`create database ${name}_copy template ${name}`);
            await admin.unsafe(`alter database ${name} allow_connections true`);
            await Bun.sleep(LOAD_MS);
            return [];
          },
          async check(service, queries, _history, random) {
            await disconnect();
            await admin.unsafe(`drop database ${name} with (force)`);
            await admin.unsafe(`alter database ${name}_copy rename to ${name}`);
            for (const node of service.nodes) await service.becomesReady(node);
            const unlike = await indexesUnlikeTables(queries, service, random);
            const alarms = await Promise.all(
              service.nodes.map((node) => service.raises(node, "history")),
            );
            return [...unlike, ...(alarms.includes(false) ? ["a node raised no alarm"] : [])];
          },
        });
      },
      say,
    ),
};
