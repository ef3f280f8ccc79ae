import type { Hono } from "hono";
import type { Theme } from "../../middleware/site.ts";

export const NO_THEME: Theme = { accent: null, logo: null };

/** Address of the style sheet with the instance's colour; null without one. */
export function themeAddress({ accent }: Theme): string | null {
  return accent === null ? null : `/theme.css?v=${accent.slice(1)}`;
}

/** Address of the instance's logo; null without one. */
export function logoAddress({ logo }: Theme): string | null {
  return logo === null ? null : `/logo?v=${Bun.hash(logo.bytes).toString(36)}`;
}

/** Adds the style sheet and the logo of the instance. */
export function addTheme(app: Hono, { accent, logo }: Theme): void {
  if (accent !== null)
    app.get("/theme.css", (c) => {
      c.header("Content-Type", "text/css; charset=utf-8");
      c.header("Cache-Control", A_DAY);
      return c.body(rulesOf(accent));
    });
  if (logo !== null)
    app.get("/logo", (c) => {
      c.header("Content-Type", logo.mediaType);
      c.header("Cache-Control", A_DAY);
      // An SVG opened by itself must not run anything.
      c.header("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'");
      return c.body(logo.bytes);
    });
}

const A_DAY = "public, max-age=86400";

/**
 * Light and dark shades of one colour; the dark scheme mixes it with white until dark letters can be read on it. Browsers
 * without color-mix() show the colour itself, in the light scheme only.
 */
function rulesOf(accent: string): string {
  return [
    `@media (prefers-color-scheme:light){:root{--accent:${accent};--accent-strong:${accent}}}`,
    "@supports (color:color-mix(in oklab,red,red)){",
    `:root{--accent:${accent};--accent-strong:color-mix(in oklab,${accent},#000 25%);--tint:color-mix(in oklab,${accent} 10%,#fff)}`,
    `@media (prefers-color-scheme:dark){:root{--accent:color-mix(in oklab,${accent} 35%,#fff);--accent-strong:color-mix(in oklab,${accent} 20%,#fff);--on-accent:color-mix(in oklab,${accent} 40%,#000);--tint:color-mix(in oklab,${accent} 25%,#181412)}}`,
    "}",
  ].join("\n");
}
