import { DAY_MS, HOUR_MS, MINUTE_MS } from "../duration.ts";
import type { Fault } from "../fault.ts";
import { badInput } from "../input.ts";

/** Photos of alerts, sightings, messages and pending actions. Their files are in the photo store. */
export interface PhotoStore {
  /** True if a public alert shows the photo, as its own or as that of a sighting. */
  isPhotoPublic(name: string): Promise<boolean>;
  /** Those of the photos that an alert, a sighting, a message or a waiting action uses. */
  photosInUse(names: readonly string[]): Promise<string[]>;
  /**
   * Keeps an uploaded photo until a time, or until its first use ends. Returns false, and does nothing, if it is being
   * deleted: its files can vanish at any moment.
   */
  keepUploadedPhoto(name: string, until: number): Promise<boolean>;
  /**
   * Holds photos for a request that may use them: they are not deleted until `releasePhotos`, or until a time if it never
   * comes. Returns false, and holds none, if one of them is being deleted.
   */
  holdPhotos(names: readonly string[], until: number): Promise<boolean>;
  /** Ends one `holdPhotos`. */
  releasePhotos(names: readonly string[]): Promise<void>;
  /** Adds photos to those to be deleted, except those in use and those that are kept. */
  addUnusedPhotos(names: readonly string[]): Promise<void>;
  /** Photos that nobody holds; most of them are not used either. Those whose deletion was interrupted come again. */
  unusedPhotos(now: number, limit: number): Promise<string[]>;
  /**
   * Takes photos for deletion: returns those that nobody uses or holds, and that nobody can use or hold any more until
   * `forgetUnusedPhotos`. One is taken a second time only if its deletion was interrupted, after two minutes.
   */
  takeUnusedPhotos(names: readonly string[], now: number): Promise<string[]>;
  /**
   * Ends the deletion of photos: their files are gone, and may be stored again. Those that were taken at another time are
   * left to whoever took them.
   */
  forgetUnusedPhotos(names: readonly string[], takenAt: number): Promise<void>;
}

/** Retention of photos that no alert shows. */
export const UNUSED_PHOTO_MS = DAY_MS;

// Files of photos are named by their content, so that a photo may be uploaded and used again while the files of the last
// use are being deleted, perhaps by another node. The database decides who comes first: whoever relies on a photo holds it,
// and one that is taken for deletion can be held and used by nobody until its files are gone.

/** Time after which a photo is no longer held by a request; longer than the database and the photo store let one wait. */
export const PHOTO_HOLD_MS = MINUTE_MS;
/** Time for which an uploaded photo is kept: until its ticket has ended, which is rounded up to the hour. */
export const UPLOADED_PHOTO_MS = UNUSED_PHOTO_MS + HOUR_MS;
/** Time that a node has for the files of the photos that it took. */
export const PHOTO_DELETION_MS = MINUTE_MS / 2;
/** Age of a deletion that was interrupted, by twice the time that it may take. */
export const PHOTO_RETAKE_MS = 2 * PHOTO_DELETION_MS;

/** Fault of a request with a photo that is no longer stored. */
export function photoGone(): Fault {
  return badInput([{ field: "photos", reason: { kind: "photo_gone" } }]);
}
