import { STOCKS } from "../core/caps.ts";
import { createFairQueue } from "../core/fair-queue.ts";
import { Fault } from "../core/fault.ts";
import { stripMetadata, brokenPhoto } from "./strip-metadata.ts";

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
 * animation), never enlarges, and drops colour profiles: all colours are taken as sRGB. It throws `bad_input`, `bad_type`,
 * `too_large`, and `unavailable` when too many photos are queued. The queue is fair between clients.
 */
export function createPhotoReader(): (bytes: Uint8Array, client?: string) => Promise<ResizedPhoto> {
  // A decode takes up to 8 bytes a pixel, and 25 megapixels half a second of a core.
  const decoding = createFairQueue({
    atOnce: STOCKS.photosDecoded,
    weightMax: STOCKS.pixelsDecoded,
    waitingMax: STOCKS.photosWaiting,
  });
  return async (bytes, client = "") => {
    if (bytes.length === 0) throw new Fault("bad_input", { reason: "photo_empty" });
    if (bytes.length > PHOTO_BYTES_MAX)
      throw new Fault("too_large", {
        reason: "photo_too_large",
        mb: PHOTO_BYTES_MAX / 1024 / 1024,
      });
    const bare = stripMetadata(bytes);
    const work = async () => {
      const full = await webp(bare, FULL_PX);
      // From the full photo, so that the untrusted bytes are decoded only once.
      return { full, thumb: await webp(full, THUMB_PX) };
    };
    return decoding(client, work, await pixelsOf(bare));
  };
}

/** Pixel count from the file's header, without decoding. */
async function pixelsOf(bytes: Uint8Array): Promise<number> {
  const { width, height } = await withFaults(() => imageOf(bytes).metadata());
  return width * height;
}

function webp(bytes: Uint8Array, longestSidePx: number): Promise<Uint8Array> {
  return withFaults(() =>
    imageOf(bytes)
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
