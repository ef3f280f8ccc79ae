import type { Follow } from "../ops/node.ts";
import type { StorageState } from "../ops/monitor.ts";
import type { Store } from "../core/service/store.ts";
import type { Photos } from "../core/photos/photo-files.ts";
import type { Secrets } from "../core/instance.ts";
import type { EmailFiles } from "../core/erasure/erasure-store.ts";

/** Place of a service's data: a folder of its own, or a database that several nodes share. */
export type Storage = StorageState & {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly photos: Photos;
  readonly emailFiles: EmailFiles;
  /** Null if no other process uses it. */
  readonly follow: Follow | null;
  /** Jobs of the place itself, such as backups. */
  createJobs(isSteady: (now: number) => Promise<boolean>): StorageJobs;
  /** Releases memory used by reading the whole store. */
  releaseMemory(): void;
};

export type StorageJobs = {
  /** Never rejects. */
  tick(now: number): Promise<void>;
  /** Cancels what is under way. */
  stop(): Promise<void>;
};

/** Storage for programs that only read. */
export type ReadOnlyStorage = {
  readonly store: Store;
  /** Throws `unavailable` with a sentence for the operator when there is no key. */
  readonly readSecrets: () => Secrets;
};
