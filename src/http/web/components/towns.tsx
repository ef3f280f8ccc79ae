/** @jsxImportSource hono/jsx */
import type { PageMessages } from "../../../messages/messages.ts";
import type { Located, TownChoice } from "../../../places/geocoder.ts";
import { placeLabel } from "../../../places/place-name.ts";
import type { Web } from "../layout.tsx";

const A_DAY = "public, max-age=86400";

/**
 * Completions for the name of a town as JSON: `[{name, label, lat, lng}]`, positions on the public grid. `place` instead
 * of `q` gets the place that a form takes this text for; or those between which it asks, with `"isAsked": true`; or none.
 */
export function townRoutes({ get, service }: Web): void {
  get("/towns", (c, { t, country }) => {
    const place = c.req.query("place");
    const countryCode = c.req.query("country_code");
    const located = place === undefined ? null : service.locate({ place, country, countryCode });
    const towns =
      place === undefined
        ? service.completeTown(c.req.query("q") ?? "", country)
        : townsMeant(located);
    const isAsked = located?.kind === "ask" ? { isAsked: true } : {};
    c.header("Cache-Control", A_DAY);
    c.header("Vary", "Accept-Language, Cookie");
    c.header("X-Content-Type-Options", "nosniff");
    return c.json(
      towns.map((town) => ({
        name: town.name,
        label: townName(t, town),
        ...town.point,
        ...isAsked,
      })),
    );
  });
}

function townsMeant(located: Located | null): readonly TownChoice[] {
  if (located?.kind === "ask") return located.choices;
  return located?.kind === "known" && located.unread === null
    ? [{ ...located.town, point: located.point }]
    : [];
}

/**
 * "Friedrichshain, Berlin, Germany", "69004 Lyon, France", or "Springfield, United States (near Peoria)" next to a larger
 * Springfield. `country` is the one that needs no mention.
 */
export function townName(t: PageMessages, town: TownChoice, country?: string): string {
  const { near, countryCode } = town;
  const name = placeLabel(town);
  const label = countryCode === country ? name : `${name}, ${t.country(countryCode)}`;
  return near === null ? label : t.home.besides({ town: label, city: near });
}
