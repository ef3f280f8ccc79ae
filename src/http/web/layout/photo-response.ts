import type { Context } from "hono";
import { Fault } from "../../../core/fault.ts";
import { photoOfFile, type PhotoSize } from "../../../core/photos/photo-files.ts";
import { type Web, keepPrivate } from "./layout.tsx";

/** Names never change their content, but a removed photo must disappear from caches within a day. */
const A_DAY = "public, max-age=86400, immutable";

/** Photos of public alerts. */
export function photoRoutes({ get, service }: Web): void {
  get("/photos/:file", (c, _, { file }) => sendPhoto(c, file, service.photos.publicPhoto, true));
}

/**
 * Sends the photo of a file name, with headers that stop browsers from treating it as anything else. Throws `not_found`.
 * Private photos are kept by nobody; public ones may be shown by other sites.
 */
export async function sendPhoto(
  c: Context,
  file: string,
  load: (name: string, size: PhotoSize) => Promise<Uint8Array | null>,
  isPublic = false,
): Promise<Response> {
  const photo = photoOfFile(file);
  const bytes = photo && (await load(photo.name, photo.size));
  if (bytes === null) throw new Fault("not_found", { reason: "photo_unknown" });
  if (isPublic) {
    c.header("Cache-Control", A_DAY);
    c.header("Access-Control-Allow-Origin", "*");
  } else keepPrivate(c);
  c.header("Content-Type", "image/webp");
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Content-Security-Policy", "sandbox; default-src 'none'");
  return c.body(new Uint8Array(bytes));
}
