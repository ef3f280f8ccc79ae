import type { Context } from "hono";
import { Fault } from "../../../core/fault.ts";
import type { Web } from "./layout.tsx";
import type { PhotoSize } from "../../../core/photos/photo-files.ts";

/** Names never change their content, but a removed photo must disappear from caches within a day. */
const A_DAY = "public, max-age=86400, immutable";
/** Photo file name: `3f…a0.webp`, or `3f…a0-480.webp` for the thumbnail. */
const FILE = /^([0-9a-f]{32})(-480)?\.webp$/;

/** Photos of public alerts. */
export function photoRoutes({ app, service }: Pick<Web, "app" | "service">): void {
  app.get("/photos/:file", async (c) => {
    const photo = photoNamed(c.req.param("file"));
    const bytes = photo === null ? null : await service.photo(photo.name, photo.size);
    if (bytes === null) throw new Fault("not_found", { reason: "photo_unknown" });
    c.header("Cache-Control", A_DAY);
    // Other sites may show the photos of alerts.
    c.header("Access-Control-Allow-Origin", "*");
    return sendPhoto(c, bytes);
  });
}

/** Photo name and size in a file name; null for any other name. */
export function photoNamed(
  file: string,
): { readonly name: string; readonly size: PhotoSize } | null {
  const parts = FILE.exec(file);
  return parts?.[1] === undefined
    ? null
    : { name: parts[1], size: parts[2] === undefined ? "full" : "thumb" };
}

/** Sends photo bytes with headers that stop browsers from treating them as anything else. */
export function sendPhoto(c: Context, bytes: Uint8Array): Response {
  c.header("Content-Type", "image/webp");
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Content-Security-Policy", "sandbox; default-src 'none'");
  return c.body(new Uint8Array(bytes));
}
