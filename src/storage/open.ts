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

/** Loads the engine of PostgreSQL, which a service on a folder does without. */
function loadCluster(): Promise<typeof import("./cluster.ts")> {
  return import("./cluster.ts");
}
