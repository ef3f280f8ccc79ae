import { createNotifier, listen, notificationsArrive } from "../../db/postgres/feed.ts";
import {
  keyFits,
  openPostgres,
  openPostgresToRead,
  operatorFault,
  POOLED,
  readServerFacts,
  type ServerFacts,
} from "../../db/postgres/open.ts";
import { createPostgresStore } from "../../db/postgres/store.ts";
import type { Cluster } from "../settings/config.ts";
import { leastOffset } from "../ops/health-checks.ts";
import { Fault } from "../core/fault.ts";
import { openBucket } from "./bucket/bucket.ts";
import { openBucketPhotos } from "./bucket/photos.ts";
import { createTombstones } from "../../db/tombstone.ts";
import { bucketTombstones } from "./bucket/tombstones.ts";
import type { Log } from "../ops/log.ts";
import { keyCheckOf, readKeyFile } from "../ops/secret-key.ts";
import { createSecrets } from "../ops/secrets.ts";
import type { ReadOnlyStorage, Storage } from "./storage.ts";
import type { Clock } from "../core/instance.ts";
import type { OutboxState } from "../core/email.ts";
import type { EmailFiles } from "../core/erasure/erasure-store.ts";

type Pool = Awaited<ReturnType<typeof openPostgres>>;

/**
 * Opens the database of a cluster, which other nodes may use at the same time, and brings its schema up to date. Throws
 * `Fault` with a sentence for the operator when the database or the bucket cannot be used, or the key is another one.
 */
export async function openCluster(cluster: Cluster, log: Log): Promise<Storage> {
  const key = readKeyFile(cluster.keyFile);
  const secrets = createSecrets(key);
  const bucket = openBucket(cluster.bucket, { onFailure: (text) => log("bucket", { text }) });
  await bucket.refuseUnusable();
  const pool = await openPostgres(cluster.databaseUrl, cluster.connections);
  try {
    if (!(await notificationsArrive(cluster.databaseUrl))) throw new Fault("unavailable", POOLED);
    await refuseOtherKey(pool, key);
  } catch (error) {
    await pool.close();
    throw operatorFault(error);
  }
  const notifier = createNotifier(pool);
  const tombstones = createTombstones(bucketTombstones(bucket), secrets.keyedHash);
  const store = createPostgresStore(pool, tombstones, notifier.notify);
  return {
    store: {
      ...store,
      async close() {
        await notifier.settled();
        await store.close();
      },
    },
    secrets,
    photos: openBucketPhotos(bucket),
    emailFiles: NO_EMAIL_FILES,
    disk: null,
    follow: (onChange) => listen(cluster.databaseUrl, onChange),
    lastBackupAt: () => null,
    copies: null,
    archive: async () => (await readServerFacts(pool)).archive,
    createJobs: () => ({ tick: async () => {}, stop: async () => {} }),
    releaseMemory: () => {},
  };
}

/** All emails of a cluster are sent. */
const NO_EMAIL_FILES: EmailFiles = { count: async () => 0, drop: async () => 0 };

async function refuseOtherKey(pool: Pool, key: Uint8Array): Promise<void> {
  if (await keyFits(pool, keyCheckOf(key))) return;
  throw new Fault(
    "unavailable",
    "The key of SECRET_KEY_FILE is not the one that the database was written with. Use the key file of the other nodes.",
  );
}

/** Opens the database of a cluster for reading. Throws `Fault` with a sentence for the operator when it cannot be read. */
export async function openClusterToRead(cluster: Cluster): Promise<ReadOnlyStorage> {
  const pool = await openPostgresToRead(cluster.databaseUrl, cluster.connections);
  return {
    store: createPostgresStore(pool),
    readSecrets: () => createSecrets(readKeyFile(cluster.keyFile)),
  };
}

/** State of a cluster, for its operator: faults with a sentence, or facts. */
export type ClusterState = {
  readonly server: (ServerFacts & { readonly clockOffset: number }) | Fault;
  /** Null if changes of other nodes are told at once. */
  readonly pooler: Fault | null;
  /** Null if the key fits, or if there is nothing yet that needs one. */
  readonly key: Fault | null;
  readonly bucket: Fault | null;
  /** Null if there are no tables yet. */
  readonly outbox: OutboxState | null;
};

/** Looks at the database, the bucket and the key of a cluster, which may be in use. Changes nothing. */
export async function examineCluster(cluster: Cluster, clock: Clock): Promise<ClusterState> {
  const bucket = await faultOf(openBucket(cluster.bucket).refuseUnusable());
  const nothing = { pooler: null, key: null, bucket, outbox: null };
  let pool: Pool;
  try {
    pool = await openPostgresToRead(cluster.databaseUrl, cluster.connections);
  } catch (error) {
    if (error instanceof Fault) return { ...nothing, server: error };
    throw error;
  }
  try {
    const store = createPostgresStore(pool);
    const askedAt = clock();
    const facts = await readServerFacts(pool);
    return {
      bucket,
      server: { ...facts, clockOffset: leastOffset(facts.now, { askedAt, answeredAt: clock() }) },
      pooler: (await notificationsArrive(cluster.databaseUrl))
        ? null
        : new Fault("unavailable", POOLED),
      key: await faultOf(examineKeyFile(pool, cluster)),
      outbox: await store.outboxState(),
    };
  } catch (error) {
    const fault = operatorFault(error);
    if (fault instanceof Fault) return { ...nothing, server: fault };
    throw error;
  } finally {
    await pool.close();
  }
}

async function examineKeyFile(pool: Pool, { keyFile }: Cluster): Promise<void> {
  await refuseOtherKey(pool, readKeyFile(keyFile));
}

async function faultOf(work: Promise<unknown>): Promise<Fault | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
