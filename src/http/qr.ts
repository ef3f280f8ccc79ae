import { Hono } from "hono";
import { etag } from "hono/etag";
import { toBuffer } from "qrcode";
import { z } from "zod";
import { alertRef } from "../core/alert.ts";
import { Fault } from "../core/fault.ts";
import { parse } from "../core/input.ts";
import type { Links } from "../core/links.ts";
import type { Service } from "../core/service.ts";
import type { HttpEnv } from "./caller.ts";
import { singles } from "./rest.ts";
import { KEPT_WITH_304 } from "./wire.ts";

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

  qr.get("/:code", etag(KEPT_WITH_304), async (c) => {
    const code = codeIn(c.req.param("code"));
    const { size = SIZE_DEFAULT } = parse(qrInput, singles(c.req, ["size"]));
    if (code === null || !(await service.codeTaken(code))) throw noSuchCode();
    const png = await toBuffer(links.short(code), {
      type: "png",
      // The library rounds the width down after dividing by the number of modules: a hair more gives exactly the size.
      width: size + WIDTH_HAIR,
      margin: size < SMALL_PX ? QUIET_MODULES_SMALL : QUIET_MODULES,
      errorCorrectionLevel: "M",
    });
    c.header("Content-Type", "image/png");
    c.header("Cache-Control", "public, max-age=86400");
    return c.body(new Uint8Array(png));
  });

  return qr;
}

/** The short code that a path names, in upper case; null when it is none. */
function codeIn(name: string): string | null {
  const ref = alertRef(name);
  return ref?.by === "code" && ref.code.length === name.length ? ref.code : null;
}

function noSuchCode(): Fault {
  return new Fault("not_found", { reason: "code_unknown" });
}
