import { createHints, followHints } from "../../db/postgres/feed.ts";
import { openPostgres } from "../../db/postgres/open.ts";
import { createPostgresStore } from "../../db/postgres/store.ts";
import type { Cluster } from "../config.ts";
import type { EmailFiles, Secrets } from "../core/ports.ts";
import type { Log } from "../ops/log.ts";
import { readKeyFile } from "../ops/secret-key.ts";
import { createSecrets } from "../ops/secrets.ts";
import { openBucket } from "../objects/bucket.ts";
import { openBucketPhotos } from "../objects/photos.ts";
import { bucketTombstones } from "../objects/tombstones.ts";
import type { ReadOnlyStorage, Storage } from "./storage.ts";

/**
 * Opens the database of a cluster, which other nodes may use at the same time, and brings its schema up to date. Throws
 * `Fault` with a sentence for the operator when it cannot be used.
 */
export async function openCluster(cluster: Cluster, log: Log): Promise<Storage> {
  const secrets = readSecrets(cluster);
  const pool = await openPostgres(cluster.databaseUrl, cluster.connections);
  const hints = createHints(pool);
  const bucket = openBucket(cluster.bucket, {
    onFailure: (text) => log("bucket", { text }),
  });
  const tombstones = bucketTombstones(bucket, secrets.keyedHash);
  const store = createPostgresStore(pool, tombstones, "locks", hints.give);
  return {
    store: {
      ...store,
      async close() {
        await hints.settled();
        await store.close();
      },
    },
    secrets,
    photos: openBucketPhotos(bucket),
    emailFiles: NO_EMAIL_FILES,
    disk: null,
    follow: (onChange) => followHints(cluster.databaseUrl, onChange),
    lastBackupAt: () => null,
    createJobs: () => ({ tick: async () => {}, stop: async () => {} }),
    releaseMemory: () => {},
  };
}

/** Opens the database of a cluster for reading. Throws as `openCluster` does. */
export async function openClusterToRead(cluster: Cluster): Promise<ReadOnlyStorage> {
  const pool = await openPostgres(cluster.databaseUrl, cluster.connections);
  return { store: createPostgresStore(pool), readSecrets: () => readSecrets(cluster) };
}

function readSecrets({ keyFile }: Cluster): Secrets {
  return createSecrets(readKeyFile(keyFile));
}

/** All emails of a cluster are sent. */
const NO_EMAIL_FILES: EmailFiles = { count: async () => 0, drop: async () => 0 };
