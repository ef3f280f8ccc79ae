import type { Located, TownChoice } from "../../../../places/places.ts";
import { townName } from "../../components/town-name.ts";
import type { Web } from "../../layout/layout.tsx";

const A_DAY = "public, max-age=86400";

/**
 * Completions for the name of a town as JSON: `[{name, label, lat, lng}]`, positions on the public grid. `place` instead
 * of `q` gets the place that a form takes this text for; or those between which it asks, with `"isAsked": true`; or none.
 */
export function townRoutes({ get, service }: Web): void {
  get("/towns", (c, { t, country }) => {
    const place = c.req.query("place");
    const countryCode = c.req.query("country_code");
    const located =
      place === undefined ? null : service.places.locate({ place, country, countryCode });
    const towns =
      place === undefined
        ? service.places.completeTown(c.req.query("q") ?? "", country)
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
