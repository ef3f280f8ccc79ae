import { Hono } from "hono";
import {
  type ContentCoding,
  codingFor,
  STATIC_LEVEL,
  compress,
  VARY_ACCEPT_ENCODING,
} from "../../middleware/compress.ts";
import type { ScriptName } from "./bundle.ts";
import { bundle } from "./bundle.ts" with { type: "macro" };
import embedRules from "../pages/embed/embed.css" with { type: "text" };
import { ICON_SVG } from "./icon.tsx";
import type { Theme } from "../../middleware/site.ts";
import { addTheme } from "./theme.ts";
import aboutRules from "./style/about.css" with { type: "text" };
import alertRules from "./style/alert.css" with { type: "text" };
import baseRules from "./style/base.css" with { type: "text" };
import cardRules from "./style/cards.css" with { type: "text" };
import formRules from "./style/form.css" with { type: "text" };
import homeRules from "./style/home.css" with { type: "text" };
import listRules from "./style/list.css" with { type: "text" };
import moderationRules from "./style/moderation.css" with { type: "text" };
import organisationRules from "./style/organisation.css" with { type: "text" };
import planRules from "./style/plan.css" with { type: "text" };
import posterRules from "../pages/poster/poster.css" with { type: "text" };

export type { ScriptName };

const { scripts, styles, cards, worker } = bundle();

// Of equally specific rules the later one wins, so the general ones come first.
const style = [
  baseRules,
  formRules,
  cardRules,
  alertRules,
  organisationRules,
  planRules,
  homeRules,
  listRules,
  aboutRules,
  moderationRules,
  posterRules,
].join("\n");
/** URL of the style sheet of all pages, with a hash of its content so that it can be cached forever. */
export const STYLE_ADDRESS = addressOf("/style.css", style);

const embedStyle = `${coloursOf(style)}\n${embedRules}`;
/** URL of the style sheet of the embeddable list. */
export const EMBED_STYLE_ADDRESS = addressOf("/embed.css", embedStyle);

/** Document of the cards that hosts of assistants show in a frame; complete in itself. */
export const CARDS_DOCUMENT = [
  "<!doctype html>",
  '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
  `<title>Alerts</title><style>${cards.style}</style></head>`,
  `<body><main></main><script type="module">${cards.script}</script></body></html>`,
].join("\n");

/** URL of a script for `<script type="module" src={…}>`. Pages work without scripts. */
export function scriptAddress(name: ScriptName): string {
  return addressOf(`/scripts/${name}.js`, scripts[name]);
}

/** URL of the style sheet of a script; null if it has none. */
export function scriptStyleAddress(name: ScriptName): string | null {
  const style = styles[name];
  return style === undefined ? null : addressOf(`/scripts/${name}.css`, style);
}

/** Source of the service worker, before which its `ASSETS` stand. */
export const WORKER_SOURCE = worker;

/** Address of the page about a lost connection. */
export const OFFLINE_ADDRESS = "/offline";

/** Addresses that the service worker keeps: what the public pages load. */
export const KEPT_ADDRESSES: readonly string[] = [
  STYLE_ADDRESS,
  ...(Object.keys(scripts) as ScriptName[]).map(scriptAddress),
  ...(Object.keys(styles) as ScriptName[]).flatMap((name) => scriptStyleAddress(name) ?? []),
  "/icon.svg",
];

/** Static files of the pages: style sheets, scripts, the icon, and the colour and logo of the instance. */
export function createAssets(theme: Theme): Hono {
  const app = new Hono();
  serve(app, "/style.css", "text/css", style);
  serve(app, "/embed.css", "text/css", embedStyle);
  for (const [name, text] of Object.entries(scripts)) {
    serve(app, `/scripts/${name}.js`, "text/javascript", text);
  }
  for (const [name, text] of Object.entries(styles)) {
    serve(app, `/scripts/${name}.css`, "text/css", text);
  }
  // Programs that do not read the page request /favicon.ico; the content type makes the name irrelevant.
  for (const path of ["/icon.svg", "/favicon.ico"])
    app.get(path, (c) => {
      c.header("Content-Type", "image/svg+xml");
      c.header("Content-Security-Policy", "default-src 'none'");
      c.header("X-Content-Type-Options", "nosniff");
      c.header("Cache-Control", A_DAY);
      return c.body(ICON_SVG);
    });
  addTheme(app, theme);
  return app;
}

const FOR_EVER = "public, max-age=31536000, immutable";
const A_DAY = "public, max-age=86400";

function addressOf(path: string, text: string): string {
  return `${path}?v=${versionOf(text)}`;
}

/** Light and dark colours of a style sheet, for pages whose `data-theme` selects one of them. */
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

function serve(app: Hono, path: string, mediaType: string, text: string): void {
  const version = versionOf(text);
  const packedBy: Partial<Record<ContentCoding, Uint8Array<ArrayBuffer>>> = {};
  app.get(path, (c) => {
    c.header("Content-Type", `${mediaType}; charset=utf-8`);
    c.header("X-Content-Type-Options", "nosniff");
    // An outdated URL gets the current text, which must not be cached under it.
    c.header("Cache-Control", c.req.query("v") === version ? FOR_EVER : "no-cache");
    c.header("Vary", VARY_ACCEPT_ENCODING.Vary);
    const coding = codingFor(c);
    if (coding === null) return c.body(text);

    c.header("Content-Encoding", coding);
    return c.body((packedBy[coding] ??= compress(text, coding, STATIC_LEVEL)));
  });
}
