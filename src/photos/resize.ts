import { QUOTAS } from "../core/caps.ts";
import { Fault } from "../core/fault.ts";
import { createTaskQueue } from "../core/task-queue.ts";
import { stripMetadata, brokenPhoto, withProfile, type StrippedPhoto } from "./strip-metadata.ts";
import type { PhotoFile } from "../core/photos/photo-files.ts";

/** Photo as WebP in two sizes, upright, without metadata. */
export type ResizedPhoto = {
  /** Longest side at most 1600 pixels. */
  readonly full: Uint8Array;
  /** Longest side at most 480 pixels. */
  readonly thumb: Uint8Array;
};

/** Maximum size of an uploaded photo. */
export const PHOTO_BYTES_MAX = 8 * 1024 * 1024;
/** Maximum width times height of an uploaded photo; a phone's 24 megapixels fit. */
const PIXELS_MAX = 25_000_000;

const FULL_PX = 1600;
const THUMB_PX = 480;
/** WebP quality, of 100. */
const QUALITY = 80;

/**
 * Creates a function that decodes and resizes an uploaded photo. It reads JPEG, PNG, WebP and GIF (the first image of an
 * animation), never enlarges, and keeps of a colour profile the numbers, with which browsers show its colours. It throws
 * `bad_input`, `bad_type`, `too_large`, and `unavailable` if too many wait. One photo is in memory at a time, networks in
 * turn: 25 megapixels take up to 200 MB, and half a second of a core.
 */
export function createPhotoReader(): (photo: PhotoFile, network: string) => Promise<ResizedPhoto> {
  const queue = createTaskQueue({
    atOnce: 1,
    perNetwork: QUOTAS.decodesPerNetwork,
    waitingMax: QUOTAS.decodesWaiting,
  });
  return (photo, network) =>
    queue(network, async () => {
      const { bytes, orientation = 1, profile } = strippedPhoto(await photo.bytes());
      const upright = await webp(turned(imageOf(bytes), orientation), FULL_PX);
      const full =
        profile === null
          ? upright
          : withProfile(upright, profile, await imageOf(upright).metadata());
      // From the full photo, so that the untrusted bytes are decoded only once. It keeps the profile.
      return { full, thumb: await webp(imageOf(full), THUMB_PX) };
    });
}

function strippedPhoto(bytes: Uint8Array): StrippedPhoto {
  if (bytes.length === 0) throw new Fault("bad_input", { reason: "photo_empty" });
  if (bytes.length > PHOTO_BYTES_MAX) {
    const mb = PHOTO_BYTES_MAX / 1024 / 1024;
    throw new Fault("too_large", { reason: "photo_too_large", mb });
  }
  return stripMetadata(bytes);
}

/** Degrees to turn a photo clockwise, by its orientation from 1, and orientations to mirror from left to right after it. */
const TURNS = [0, 0, 180, 180, 90, 90, 270, 270];
const MIRRORED = [2, 4, 5, 7];

function turned(image: Bun.Image, orientation: number): Bun.Image {
  image.rotate(TURNS[orientation - 1] ?? 0);
  return MIRRORED.includes(orientation) ? image.flop() : image;
}

function webp(image: Bun.Image, longestSidePx: number): Promise<Uint8Array> {
  return withFaults(() =>
    image
      .resize(longestSidePx, longestSidePx, { fit: "inside", withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .bytes(),
  );
}

function imageOf(bytes: Uint8Array): Bun.Image {
  return new Bun.Image(bytes, { maxPixels: PIXELS_MAX });
}

async function withFaults<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ERR_IMAGE_TOO_MANY_PIXELS")
      throw new Fault("too_large", {
        reason: "photo_too_wide",
        megapixels: PIXELS_MAX / 1_000_000,
      });
    // A damaged header gives an unknown format.
    if (code === "ERR_IMAGE_DECODE_FAILED" || code === "ERR_IMAGE_UNKNOWN_FORMAT")
      throw brokenPhoto();
    throw error;
  }
}
