import type { Config } from "../config.ts";
import type { Clock } from "../core/ports.ts";
import type { Log } from "../ops/log.ts";
import { openCluster, openClusterToRead } from "./cluster.ts";
import { openFolder, openFolderToRead } from "./folder.ts";
import type { ReadOnlyStorage, Storage } from "./storage.ts";

/** Opens the storage that the settings name. Throws `Fault` with a sentence for the operator when it cannot be used. */
export async function openStorage(
  config: Config,
  clock: Clock,
  log: Log,
  freeBytes?: () => Promise<number>,
): Promise<Storage> {
  return config.cluster === null
    ? openFolder(config, clock, log, freeBytes)
    : openCluster(config.cluster, log);
}

/** Opens the storage that the settings name for reading, while services use it. Throws `Fault` as `openStorage` does. */
export async function openStorageToRead(config: Config): Promise<ReadOnlyStorage> {
  return config.cluster === null ? openFolderToRead(config) : openClusterToRead(config.cluster);
}
