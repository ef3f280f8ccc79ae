import { HOUR_MS, MINUTE_MS } from "../duration.ts";
import type { Fault } from "../fault.ts";
import { badInput } from "../input.ts";
import { UNUSED_PHOTO_MS } from "./ticket.ts";

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
