import type { Config } from "../settings/config.ts";
import type { Log } from "../ops/log.ts";
import { openFolder, openFolderToRead } from "./folder.ts";
import type { ReadOnlyStorage, Storage } from "./storage.ts";
import type { Clock } from "../core/instance.ts";

/** Opens the storage that the settings name. Throws `Fault` with a sentence for the operator when it cannot be used. */
export async function openStorage(
  config: Config,
  clock: Clock,
  log: Log,
  freeBytes?: () => Promise<number>,
): Promise<Storage> {
  return config.cluster === null
    ? openFolder(config, clock, log, freeBytes)
    : (await loadCluster()).openCluster(config.cluster, log);
}

/** Opens the storage that the settings name for reading, while services use it. Throws `Fault` as `openStorage` does. */
export async function openStorageToRead(config: Config): Promise<ReadOnlyStorage> {
  return config.cluster === null
    ? openFolderToRead(config)
    : (await loadCluster()).openClusterToRead(config.cluster);
}

type ClusterModule = typeof import("./cluster.ts");

/** As `examineCluster` of cluster.ts, which is loaded only when it is used. */
export const examineCluster: ClusterModule["examineCluster"] = async (...args) =>
  (await loadCluster()).examineCluster(...args);

/** As `moveFolder` of move.ts, which is loaded only when it is used. */
export const moveFolder: (typeof import("./move.ts"))["moveFolder"] = async (...args) =>
  (await import("./move.ts")).moveFolder(...args);

/** Loads the engine of PostgreSQL, which a service on a folder does without. */
function loadCluster(): Promise<ClusterModule> {
  return import("./cluster.ts");
}
