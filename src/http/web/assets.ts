import { Hono } from "hono";
import { type Coding, codingWanted, ONCE, packed, VARIES } from "../packed.ts";
import type { ScriptName } from "./bundle.ts";
import { bundle } from "./bundle.ts" with { type: "macro" };
import embedRules from "./embed.css" with { type: "text" };
import { ICON_SVG } from "./icon.tsx";
import style from "./style.css" with { type: "text" };

export type { ScriptName };

const { scripts, styles } = bundle();

/** Where the style sheet of every page is served. Changes with its content, so that it can be kept for ever. */
export const STYLE_ADDRESS = addressOf("/style.css", style);

const embedStyle = `${coloursOf(style)}\n${embedRules}`;
/** Where the style sheet of the list in other sites' pages is served. */
export const EMBED_STYLE_ADDRESS = addressOf("/embed.css", embedStyle);

/** Where a script is served, for `<script type="module" src={…}>`. Scripts only improve: pages work without. */
export function scriptAddress(name: ScriptName): string {
  return addressOf(`/scripts/${name}.js`, scripts[name]);
}

/** Where the style sheet that goes with a script is served, for `<link rel="stylesheet">`; null if it has none. */
export function scriptStyleAddress(name: ScriptName): string | null {
  const style = styles[name];
  return style === undefined ? null : addressOf(`/scripts/${name}.css`, style);
}

/** The files pages are drawn with: style sheets, scripts and the icon. */
export function createAssets(): Hono {
  const assets = new Hono();
  serve(assets, "/style.css", "text/css", style);
  serve(assets, "/embed.css", "text/css", embedStyle);
  for (const [name, text] of Object.entries(scripts)) {
    serve(assets, `/scripts/${name}.js`, "text/javascript", text);
  }
  for (const [name, text] of Object.entries(styles)) {
    serve(assets, `/scripts/${name}.css`, "text/css", text);
  }
  // The second is what programs ask for that read no page; the type is said, so the name does not matter.
  for (const path of ["/icon.svg", "/favicon.ico"])
    assets.get(path, (c) => {
      c.header("Content-Type", "image/svg+xml");
      c.header("Content-Security-Policy", "default-src 'none'");
      c.header("X-Content-Type-Options", "nosniff");
      c.header("Cache-Control", A_DAY);
      return c.body(ICON_SVG);
    });
  return assets;
}

const FOR_EVER = "public, max-age=31536000, immutable";
const A_DAY = "public, max-age=86400";

function addressOf(path: string, text: string): string {
  return `${path}?v=${versionOf(text)}`;
}

/** The colours of a style sheet, by day and by night, for pages whose `data-theme` can choose between the two. */
function coloursOf(sheet: string): string {
  const [day = "", night = ""] = [...sheet.matchAll(/:root \{([^}]*)\}/g)].map(
    ([, rules]) => rules,
  );
  return [
    `:root {${day}}`,
    `@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) {${night}} }`,
    `:root[data-theme="dark"] {${night}}`,
  ].join("\n");
}

function versionOf(text: string): string {
  return Bun.hash(text).toString(36);
}

function serve(assets: Hono, path: string, mediaType: string, text: string): void {
  const version = versionOf(text);
  const packedBy: Partial<Record<Coding, Uint8Array<ArrayBuffer>>> = {};
  assets.get(path, (c) => {
    c.header("Content-Type", `${mediaType}; charset=utf-8`);
    c.header("X-Content-Type-Options", "nosniff");
    // An old address gives today's text; keeping it under that address would be wrong.
    c.header("Cache-Control", c.req.query("v") === version ? FOR_EVER : "no-cache");
    c.header("Vary", VARIES.Vary);
    const coding = codingWanted(c);
    if (coding === null) return c.body(text);

    c.header("Content-Encoding", coding);
    return c.body((packedBy[coding] ??= packed(text, coding, ONCE)));
  });
}
