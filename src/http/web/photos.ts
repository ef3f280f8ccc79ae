import { type Context, Hono } from "hono";
import { Fault } from "../../core/fault.ts";
import type { PhotoSize } from "../../core/ports.ts";
import type { Web, WebEnv } from "./frame.tsx";

/** A name stands for one picture for ever, but one that was removed shall be gone from every cache by then. */
const A_DAY = "public, max-age=86400, immutable";
/** `3f…a0.webp`, and `3f…a0-480.webp` for the small one. */
const FILE = /^([0-9a-f]{32})(-480)?\.webp$/;

/** The pictures of alerts that can be seen. */
export function createPhotos({ service }: Pick<Web, "service">): Hono<WebEnv> {
  const photos = new Hono<WebEnv>();
  photos.get("/photos/:file", async (c) => {
    const photo = photoNamed(c.req.param("file"));
    const bytes = photo === null ? null : await service.photo(photo.name, photo.size);
    if (bytes === null) throw new Fault("not_found", { reason: "photo_unknown" });
    c.header("Cache-Control", A_DAY);
    // Programs that show alerts elsewhere show their pictures, too.
    c.header("Access-Control-Allow-Origin", "*");
    return sendPhoto(c, bytes);
  });
  return photos;
}

/** Which picture a file's name stands for; null when it is none of ours. */
export function photoNamed(
  file: string,
): { readonly name: string; readonly size: PhotoSize } | null {
  const parts = FILE.exec(file);
  return parts?.[1] === undefined
    ? null
    : { name: parts[1], size: parts[2] === undefined ? "full" : "thumb" };
}

/** Whatever the bytes are, no browser shall take them for anything but a picture. */
export function sendPhoto(c: Context, bytes: Uint8Array): Response {
  c.header("Content-Type", "image/webp");
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Content-Security-Policy", "sandbox; default-src 'none'");
  return c.body(new Uint8Array(bytes));
}
