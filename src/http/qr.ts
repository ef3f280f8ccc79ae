import { Hono } from "hono";
import { toBuffer } from "qrcode";
import { z } from "zod";
import { alertRef } from "../core/alert.ts";
import { Fault } from "../core/fault.ts";
import { parse } from "../core/input.ts";
import type { Links } from "../core/links.ts";
import type { Service } from "../core/service.ts";
import type { HttpEnv } from "./caller.ts";
import { singles } from "./rest.ts";
import { sendTagged, type Tagged, tagOf } from "./tagged.ts";

const WIDTH_HAIR = 0.001;
const SIZE_DEFAULT = 256;
/** What may be asked of a QR image. */
export const qrInput = z.object({
  size: z
    .number()
    .int()
    .min(64)
    .max(512)
    .describe(`Width and height in pixels, ${SIZE_DEFAULT} when absent`)
    .optional(),
});
/** Quiet zone in modules: ISO/IEC 18004 asks for four; small images need the pixels more. */
const QUIET_MODULES = 4;
const QUIET_MODULES_SMALL = 2;
const SMALL_PX = 128;

/** Short links, what posters say: each leads to its alert's page. To be mounted at /a. */
export function createShortLinks(service: Service): Hono<HttpEnv> {
  const short = new Hono<HttpEnv>();
  short.get("/:code", async (c) => {
    const code = codeIn(c.req.param("code"));
    if (code === null) throw noSuchCode();
    const { url } = await service.get(code);
    return c.redirect(url, 302);
  });
  return short;
}

/** QR images of short links, to be mounted at /api/qr. A code exists from the moment it was given out. */
export function createQr(service: Service, links: Links): Hono<HttpEnv> {
  const qr = new Hono<HttpEnv>();

  const images = createImages(links);

  qr.get("/:code", async (c) => {
    const code = codeIn(c.req.param("code"));
    const { size = SIZE_DEFAULT } = parse(qrInput, singles(c.req, ["size"]));
    if (code === null) throw noSuchCode();
    const known = images.kept(code, size);
    if (known !== null) return sendTagged(c, known);
    if (!(await service.codeTaken(code))) throw noSuchCode();
    return sendTagged(c, await images.draw(code, size));
  });

  return qr;
}

/** Images kept at most, some 2 KB each: drawing one takes longer than a hundred searches. */
const IMAGES_MAX = 1_000;

/** Images of codes that were given out. A code says the same for ever, so what was drawn once stays right. */
function createImages(links: Links) {
  /** Those asked for lately last. */
  const images = new Map<string, Tagged>();

  function keep(name: string, image: Tagged): void {
    images.delete(name);
    images.set(name, image);
    const oldest = images.keys().next();
    if (images.size > IMAGES_MAX && !oldest.done) images.delete(oldest.value);
  }

  return {
    kept(code: string, size: number): Tagged | null {
      const name = `${code} ${size}`;
      const image = images.get(name);
      if (image === undefined) return null;
      keep(name, image);
      return image;
    },

    async draw(code: string, size: number): Promise<Tagged> {
      const png = await toBuffer(links.short(code), {
        type: "png",
        // The library rounds the width down after dividing by the number of modules: a hair more gives exactly the size.
        width: size + WIDTH_HAIR,
        margin: size < SMALL_PX ? QUIET_MODULES_SMALL : QUIET_MODULES,
        errorCorrectionLevel: "M",
      });
      const body = new Uint8Array(png);
      const image = {
        body,
        tag: tagOf(body),
        type: "image/png",
        cacheControl: "public, max-age=86400",
      };
      keep(`${code} ${size}`, image);
      return image;
    },
  };
}

/** The short code that a path names, in upper case; null when it is none. */
function codeIn(name: string): string | null {
  const ref = alertRef(name);
  return ref?.by === "code" && ref.code.length === name.length ? ref.code : null;
}

function noSuchCode(): Fault {
  return new Fault("not_found", { reason: "code_unknown" });
}
