import { Hono } from "hono";
import type { Town } from "../../core/towns.ts";
import type { Web, WebEnv } from "./frame.tsx";
import type { Words } from "./words/words.ts";

const A_DAY = "public, max-age=86400";

/** Towns for a name that is being typed, as JSON: `[{name, label, lat, lng}]`, positions on the public grid. */
export function createTowns({ service, frameOf }: Web): Hono<WebEnv> {
  const towns = new Hono<WebEnv>();
  towns.get("/towns", (c) => {
    const { words } = frameOf(c);
    const begun = service.townsBegun(c.req.query("q") ?? "");
    c.header("Cache-Control", A_DAY);
    c.header("Vary", "Accept-Language, Cookie");
    c.header("X-Content-Type-Options", "nosniff");
    return c.json(
      begun.map((town) => ({ name: town.name, label: townLabel(words, town), ...town.point })),
    );
  });
  return towns;
}

/** "Lyon, France", or "Springfield, United States (near Peoria)" beside a greater Springfield. */
export function townLabel(words: Words, { name, countryCode, near }: Town): string {
  const label = words.place(name, words.country(countryCode));
  return near === null ? label : words.home.besides(label, near);
}
