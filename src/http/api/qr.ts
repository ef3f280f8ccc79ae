import { Hono } from "hono";
import { LRUCache } from "lru-cache";
import { toBuffer } from "qrcode";
import { z } from "zod";
import { alertRef } from "../../core/alerts/alert-ref.ts";
import { Fault } from "../../core/fault.ts";
import { parse } from "../../core/input.ts";
import type { Links } from "../../core/urls.ts";
import type { Service } from "../../core/service/service.ts";
import type { HttpEnv } from "../middleware/env.ts";
import { singleValues } from "./alerts.ts";
import { cacheable, sendWithEtag, type CacheableBody, etagOf } from "../middleware/etag.ts";

const SIZE_DEFAULT = 256;
/** Query parameters of a QR image. */
export const qrInput = z.object({
  size: z
    .number()
    .int()
    .min(64)
    .max(512)
    .describe(`Width and height in pixels, ${SIZE_DEFAULT} when absent`)
    .optional(),
});
/** Quiet zone in modules: four by ISO/IEC 18004, less for small images, which need the pixels. */
const QUIET_MODULES = 4;
const QUIET_MODULES_SMALL = 2;
const SMALL_PX = 128;

/** Short links, as printed on posters: redirects to the alert's page. To be mounted at /a. */
export function createShortLinks(service: Service): Hono<HttpEnv> {
  const short = new Hono<HttpEnv>();
  short.get("/:code", async (c) => {
    const code = shortCodeOf(c.req.param("code"));
    if (code === null) throw unknownCode();
    const { url } = await service.alerts.get(code);
    return c.redirect(url, 302);
  });
  return short;
}

/** QR images of short links, to be mounted at /api/qr. Also for alerts that are not confirmed yet. */
export function createQr(service: Service, links: Links): Hono<HttpEnv> {
  const qr = new Hono<HttpEnv>();
  /** The image of a code never changes. */
  const images = new LRUCache<string, CacheableBody>({ max: IMAGES_MAX });

  qr.get("/:code", async (c) => {
    const code = shortCodeOf(c.req.param("code"));
    const { size = SIZE_DEFAULT } = parse(qrInput, singleValues(c.req, ["size"]));
    if (code === null) throw unknownCode();
    const key = `${code} ${size}`;
    const cached = images.get(key);
    if (cached !== undefined) return sendWithEtag(c, cached);
    if (!(await service.alerts.isShortCodeTaken(code))) throw unknownCode();
    const image = await draw(links.short(code), size);
    images.set(key, image);
    return sendWithEtag(c, image);
  });

  return qr;
}

/** Cached images, about 2 KB each: drawing one takes longer than a hundred searches. */
const IMAGES_MAX = 1_000;

const PNG = cacheable("image/png", "public, max-age=86400");

async function draw(text: string, size: number): Promise<CacheableBody> {
  const png = await toBuffer(text, {
    type: "png",
    // The library rounds down after dividing by the number of modules; a little more gives the exact size.
    width: size + 0.001,
    margin: size < SMALL_PX ? QUIET_MODULES_SMALL : QUIET_MODULES,
    errorCorrectionLevel: "M",
  });
  const body = new Uint8Array(png);
  return { body, etag: etagOf(body), kind: PNG };
}

/** Short code in a path segment, in upper case; null if it is not one. */
function shortCodeOf(name: string): string | null {
  const ref = alertRef(name);
  return ref?.by === "code" && !name.includes("/") ? ref.code : null;
}

function unknownCode(): Fault {
  return new Fault("not_found", { reason: "code_unknown" });
}
