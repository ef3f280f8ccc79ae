import { S3Client } from "bun";
import type { Fault } from "../chaos/fault.ts";
import { createDatabase } from "../support/postgres.ts";
import { freePort } from "../support/process.ts";
import { indexesUnlikeTables } from "./history.ts";
import { builtProgram } from "./programs.ts";
import { onDatabase, outcomeOf, underLoad } from "./under-load.ts";

// Faults of what the nodes share: the mail server, the bucket, and a database that went back in time.

const LOAD_MS = 6_000;

/** One node reaches no mail server. */
export const mailCutOff: Fault = {
  name: "a node cut off from the mail server",
  promise: "the other nodes send its emails; none is lost and none comes twice",
  async run() {
    const [program, closed] = [await builtProgram(), await freePort()];
    const run = await onDatabase(({ url }) => ({
      purpose: "mail cut off",
      url,
      smtpUrlOf: (node, mail) => (node === 0 ? `smtp://127.0.0.1:${closed}` : mail),
      program,
      async inflict() {
        await Bun.sleep(2 * LOAD_MS);
        return [];
      },
    }));
    return outcomeOf(run);
  },
};

const BUCKET_AWAY_SECONDS = 20;

/** The bucket takes requests and never answers them. */
export const bucketHangs: Fault = {
  name: "a bucket that hangs",
  promise:
    "nothing is removed that is not in the list of what was removed; the rest goes on, and removing succeeds once the bucket answers",
  async run() {
    const program = await builtProgram();
    const run = await onDatabase(({ url }) => ({
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
    }));
    return outcomeOf(run);
  },
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

/** The database is put back to an earlier state while the nodes run. */
export const olderDatabase: Fault = {
  name: "a database put back in time",
  promise: "every node notices, reads everything anew, shows what is stored, and raises an alarm",
  // An alarm comes within a minute.
  isLong: true,
  async run() {
    const [program, database] = [await builtProgram(), await createDatabase()];
    const { admin, name } = database;
    const disconnect = async () => {
      await admin.unsafe(`alter database ${name} allow_connections false`);
      await admin.unsafe(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
    };
    const run = await underLoad({
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
    return outcomeOf(run);
  },
};
