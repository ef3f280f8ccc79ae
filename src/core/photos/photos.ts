import { photoOfTicket, photoTicket } from "./ticket.ts";
import { CAPS, QUOTAS } from "../caps.ts";
import { Fault } from "../fault.ts";
import { badInput } from "../input.ts";
import type { Instance } from "../instance.ts";
import { callerNetwork } from "../ip-address.ts";
import { type Caller, callerHits, type LimitPorts, type LimitStore, tooMany } from "../limits.ts";
import { createMutex } from "../mutex.ts";
import { createTaskQueue } from "../task-queue.ts";
import type { PhotoFile, Photos, PhotoSize } from "./photo-files.ts";
import {
  PHOTO_DELETION_MS,
  PHOTO_HOLD_MS,
  photoGone,
  type PhotoStore,
  UNUSED_PHOTO_MS,
  UPLOADED_PHOTO_MS,
} from "./photo-store.ts";

/** Use cases of photos, and the operations of other use cases on them. */
export type PhotoActions = ReturnType<typeof createPhotoActions>;

/** A photo URL that failed: 1-based position and reason. */
export type FailedPhoto = { readonly position: number; readonly reason: string };

type FetchedPhotos = {
  readonly names: readonly string[];
  readonly unfetched: readonly FailedPhoto[];
};

/** Network in the queue of photos to fetch for those of tables. */
const TABLES = "tables";
/** Network in the queue of photos to decode for those that were fetched: as many as are fetched at once. */
const FETCHED = "fetched";

/** Maximum of photos with a message or a sighting. */
export const ATTACHED_PHOTOS_MAX = QUOTAS.attachedPhotos;

const CLEANUP_BATCH = 200;

export function createPhotoActions(ports: Ports) {
  const { photos, store } = ports;
  /** Deletion of photos by this process. */
  let deletion: Promise<void> = Promise.resolve();
  let cleanedUpTo: string | null = null;
  // Each photo is decoded before the next is fetched, because fetched photos are held in memory.
  const fetching = createTaskQueue({
    atOnce: QUOTAS.photosFetched,
    perNetwork: QUOTAS.photoFetchesPerNetwork,
    waitingMax: QUOTAS.photoFetchesWaiting,
  });
  const serially = createMutex();

  async function countPhotos(count: number, caller: Caller): Promise<void> {
    const hits = callerHits(ports, "photo", CAPS.photosPerClient, caller);
    const now = ports.clock();
    const each = Array.from({ length: count }, () => hits).flat();
    const retryAt = await store.countHits(each, now);
    if (retryAt !== null) throw tooMany(ports, "photo", retryAt, now);
  }

  function nameOf(ref: string, own: readonly string[]): string | null {
    return own.includes(ref) ? ref : photoOfTicket(ref, ports.clock(), ports.secrets);
  }

  /** Photo names for tickets and for the alert's `own` photo names. Throws `bad_input` for any other. */
  function named(refs: readonly string[], own: readonly string[] = []): string[] {
    const names = refs.map((ref) => nameOf(ref, own));
    if (names.includes(null)) throw photoGone();
    return [...new Set(names.filter((name) => name !== null))];
  }

  /** Tries again if this process was just deleting one of the photos. */
  async function unlessLeaving(attempt: () => Promise<boolean>): Promise<boolean> {
    if (await attempt()) return true;
    await deletion.catch(() => {});
    return attempt();
  }

  /** Runs `work` while keeping these photos from being deleted. Throws `bad_input` if one is no longer stored. */
  async function using<Result>(
    names: readonly string[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (names.length === 0) return work();
    const hold = () => store.holdPhotos(names, ports.clock() + PHOTO_HOLD_MS);
    if (!(await unlessLeaving(hold))) throw photoGone();
    try {
      const stored = await Promise.all(names.map((name) => photos.has(name)));
      if (!stored.every(Boolean)) throw photoGone();
      return await work();
    } finally {
      // The hold of one that cannot be released just now ends by itself.
      await store.releasePhotos(names).catch((error: unknown) => {
        if (!(error instanceof Fault)) throw error;
      });
    }
  }

  async function keep(photo: PhotoFile, network: string): Promise<string> {
    const name = await photos.keep(photo, network);
    const until = ports.clock() + UPLOADED_PHOTO_MS;
    if (!(await unlessLeaving(() => store.keepUploadedPhoto(name, until))))
      throw new Fault("unavailable", { reason: "photos_not_kept" }, { retryAfterSeconds: 60 });
    // The same photo may have been deleted before.
    return (await photos.has(name)) ? name : photos.keep(photo, network);
  }

  /** `isBusy`: some failed only because others wait, too, or the store does not answer. */
  async function fetchAll(
    addresses: readonly string[],
    network: string,
  ): Promise<FetchedPhotos & { readonly isBusy: boolean }> {
    const fetchOne = (address: string) =>
      fetching(network, async () => {
        const photo = await ports.fetchPhoto(address);
        return keep({ bytes: async () => photo }, FETCHED);
      });
    const outcomes = await Promise.allSettled(addresses.map(fetchOne));
    const unfetched = outcomes.flatMap((outcome, at): FailedPhoto[] => {
      if (outcome.status === "fulfilled") return [];
      // A bug, not a failure of the address.
      if (!(outcome.reason instanceof Fault)) throw outcome.reason;
      return [{ position: at + 1, reason: outcome.reason.message }];
    });
    const names = outcomes.flatMap((outcome) =>
      outcome.status === "fulfilled" ? [outcome.value] : [],
    );
    const isBusy = outcomes.some(
      (outcome) => outcome.status === "rejected" && outcome.reason.code === "unavailable",
    );
    return { names, unfetched, isBusy };
  }

  async function dropGone(): Promise<void> {
    const startedAt = ports.clock();
    const unused = await store.unusedPhotos(startedAt, CLEANUP_BATCH);
    if (unused.length === 0) return;
    const dropped: string[] = [];
    try {
      for (const name of await store.takeUnusedPhotos(unused, startedAt)) {
        // Another node may have taken them meanwhile.
        if (Math.abs(ports.clock() - startedAt) > PHOTO_DELETION_MS) break;
        await photos.drop(name);
        dropped.push(name);
      }
    } finally {
      if (dropped.length > 0) await store.forgetUnusedPhotos(dropped, startedAt);
    }
  }

  async function dropStrays(now: number): Promise<void> {
    const page = await photos.names(cleanedUpTo, CLEANUP_BATCH);
    cleanedUpTo = page.length < CLEANUP_BATCH ? null : (page.at(-1)?.name ?? null);
    const old = page.filter(({ keptAt }) => keptAt < now - UNUSED_PHOTO_MS).map(({ name }) => name);
    const used = old.length === 0 ? [] : await store.photosInUse(old);
    const strays = old.filter((name) => !used.includes(name));
    if (strays.length > 0) await store.addUnusedPhotos(strays);
  }

  return {
    /**
     * Stores an uploaded photo without its metadata. Returns a ticket with which its holder can publish it within a day;
     * it is public only once an alert shows it. Throws `bad_input`, `bad_type`, `too_large`, `too_many` and `unavailable`.
     */
    async upload(photo: PhotoFile, caller: Caller): Promise<string> {
      await countPhotos(1, caller);
      const name = await keep(photo, callerNetwork(caller.address));
      return photoTicket(name, ports.clock(), ports.secrets);
    },

    /** Photo that a public alert shows, or null. */
    publicPhoto: async (name: string, size: PhotoSize): Promise<Uint8Array | null> =>
      (await store.isPhotoPublic(name)) ? photos.read(name, size) : null,

    /** Thumbnail for a ticket or for one of the alert's `own` photo names, or null. */
    async thumbnail(ref: string, own: readonly string[] = []): Promise<Uint8Array | null> {
      const name = nameOf(ref, own);
      return name === null ? null : photos.read(name, "thumb");
    },

    named,
    using,

    /**
     * Runs `work` with the names of the photos of a message or sighting, which are not deleted meanwhile. Throws
     * `bad_input` for a ticket that is not valid, and for too many.
     */
    async attached<Result>(
      tickets: readonly string[],
      work: (names: readonly string[]) => Promise<Result>,
    ): Promise<Result> {
      const names = named(tickets);
      if (names.length > ATTACHED_PHOTOS_MAX) {
        const reason = { kind: "at_most", limit: ATTACHED_PHOTOS_MAX } as const;
        throw badInput([{ field: "photos", reason }]);
      }
      return using(names, () => work(names));
    },

    /**
     * Fetches photos in parallel. Failures are returned and do not stop the others; beyond the limit of the caller all
     * fail, so that users of one assistant cannot keep each other from publishing.
     */
    async fetched(addresses: readonly string[], caller: Caller): Promise<FetchedPhotos> {
      if (addresses.length === 0) return { names: [], unfetched: [] };
      try {
        await countPhotos(addresses.length, caller);
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== "too_many") throw error;
        const reason = error.message;
        return { names: [], unfetched: addresses.map((_, at) => ({ position: at + 1, reason })) };
      }
      const { names, unfetched } = await fetchAll(addresses, callerNetwork(caller.address));
      return { names, unfetched };
    },

    /** Fetches the photos of a row in a table of the operator's, without a limit. Failures do not stop the others. */
    fetchedOfTable: (addresses: readonly string[]) => fetchAll(addresses, TABLES),

    /** Deletes photos that nobody uses any more, one batch per call. */
    dropGone: (): Promise<void> => (deletion = serially(dropGone)),

    /** Finds photos that were never used, one batch per call; `dropGone` deletes them. */
    dropStrays: (now: number): Promise<void> => serially(() => dropStrays(now)),
  };
}

/** Ports of photos. */
type Ports = Pick<Instance, "clock" | "secrets"> &
  Pick<LimitPorts, "sharedNetworks" | "onRateLimited"> & {
    readonly store: PhotoStore & Pick<LimitStore, "countHits">;
    readonly photos: Photos;
    /** Fetches a photo from a URL given by a stranger. Throws `Fault`. */
    readonly fetchPhoto: (address: string) => Promise<Uint8Array>;
  };
