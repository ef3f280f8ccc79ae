import { Fault } from "../core/fault.ts";
import { barePicture, unreadable } from "./bare.ts";
import { createTurns } from "./turns.ts";

/** One picture as WebP in two sizes, upright, with nothing inside but what is seen. */
export type Picture = {
  /** Longest side at most 1600 pixels. */
  readonly full: Uint8Array;
  /** Longest side at most 480 pixels. */
  readonly thumb: Uint8Array;
};

/** Bytes of a picture somebody sends, at most. */
export const PICTURE_BYTES_MAX = 8 * 1024 * 1024;
/** Width times height of a picture somebody sends, at most: a phone's 24 megapixels fit. */
const PIXELS_MAX = 25_000_000;

const FULL_PX = 1600;
const THUMB_PX = 480;
/** Of 100. */
const QUALITY = 80;
/** One decode of 25 megapixels takes 200 MB of memory and half a second of a core. */
const DECODES_AT_ONCE = 2;
/** They hold their bytes while they wait. */
const WAITING_MAX = 16;

/**
 * Gives a function that turns bytes from the public into a picture of ours. It reads JPEG, PNG, WebP and GIF (the
 * first image of a moving one), never enlarges, and holds no colour profile either: all colours are taken as sRGB.
 * It throws `bad_input`, `bad_type`, `too_large`, and `unavailable` when too many pictures wait.
 */
export function createPictureReader(): (bytes: Uint8Array) => Promise<Picture> {
  const inTurn = createTurns({ atOnce: DECODES_AT_ONCE, waitingMax: WAITING_MAX });
  return async (bytes) => {
    if (bytes.length === 0) throw new Fault("bad_input", { reason: "photo_empty" });
    if (bytes.length > PICTURE_BYTES_MAX)
      throw new Fault("too_large", {
        reason: "photo_too_large",
        mb: PICTURE_BYTES_MAX / 1024 / 1024,
      });
    const bare = barePicture(bytes);
    return inTurn(async () => {
      const full = await webp(bare, FULL_PX);
      // From the full picture, so that a stranger's bytes are decoded once.
      return { full, thumb: await webp(full, THUMB_PX) };
    });
  };
}

async function webp(bytes: Uint8Array, longestSidePx: number): Promise<Uint8Array> {
  try {
    return await new Bun.Image(bytes, { maxPixels: PIXELS_MAX })
      .resize(longestSidePx, longestSidePx, { fit: "inside", withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .bytes();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ERR_IMAGE_TOO_MANY_PIXELS")
      throw new Fault("too_large", {
        reason: "photo_too_wide",
        megapixels: PIXELS_MAX / 1_000_000,
      });
    // The beginning of a file may be damaged too.
    if (code === "ERR_IMAGE_DECODE_FAILED" || code === "ERR_IMAGE_UNKNOWN_FORMAT")
      throw unreadable();
    throw error;
  }
}
