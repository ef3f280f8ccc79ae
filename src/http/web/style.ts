import { Hono } from "hono";
import { ICON_SVG } from "./icon.tsx";
import style from "./style.css" with { type: "text" };

const VERSION = Bun.hash(style).toString(36);
/** Changes with its content, so that it can be kept for ever. */
export const STYLE_ADDRESS = `/style.css?v=${VERSION}`;

const FOR_EVER = "public, max-age=31536000, immutable";
const A_DAY = "public, max-age=86400";

/** The files every page needs. */
export function createStyle(): Hono {
  const files = new Hono();
  files.get("/style.css", (c) => {
    c.header("Content-Type", "text/css; charset=utf-8");
    c.header("X-Content-Type-Options", "nosniff");
    // An old address gives today's style; keeping it under that address would be wrong.
    c.header("Cache-Control", c.req.query("v") === VERSION ? FOR_EVER : "no-cache");
    return c.body(style);
  });
  files.get("/icon.svg", (c) => {
    c.header("Content-Type", "image/svg+xml");
    c.header("Content-Security-Policy", "default-src 'none'");
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Cache-Control", A_DAY);
    return c.body(ICON_SVG);
  });
  return files;
}
