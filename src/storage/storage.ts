import type { Follow } from "../ops/node.ts";
import type { ArchiveState, CopyState } from "../ops/health-checks.ts";
import type { Store } from "../core/service/store.ts";
import type { Photos } from "../core/photos/photo-files.ts";
import type { Secrets } from "../core/instance.ts";
import type { EmailFiles } from "../core/erasure/erasure-store.ts";

/** Place of a service's data: a folder of its own, or a database that several nodes share. */
export type Storage = {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly photos: Photos;
  readonly emailFiles: EmailFiles;
  /** Folder and the bytes free on its disk, which must not become full; null if nothing is kept on this machine. */
  readonly disk: { readonly folder: string; readonly freeBytes: () => Promise<number> } | null;
  /** Null if no other process uses it. */
  readonly follow: Follow | null;
  /** Time of the newest backup that the service made; null if there is none. */
  lastBackupAt(now: number): number | null;
  /** State of the archive from which the database is restored; null if the service makes its own backups. */
  readonly archive: (() => Promise<ArchiveState>) | null;
  /** State of the copies of its backups elsewhere; null if none are made. */
  readonly copies: (() => CopyState) | null;
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
