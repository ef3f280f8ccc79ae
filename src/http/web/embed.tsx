import { type Context, Hono } from "hono";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import type { PublicAlert } from "../../core/alert.ts";
import { Fault } from "../../core/fault.ts";
import { parse } from "../../core/input.ts";
import type { Links } from "../../core/links.ts";
import { searchInput } from "../../core/search.ts";
import type { Service } from "../../core/service.ts";
import { detailOf, statusOf } from "../faults.ts";
import { headlineOf, Mark, placeOf } from "./alert-line.tsx";
import { EMBED_STYLE_ADDRESS } from "./assets.ts";
import { filled, type Given, readQuery } from "./form.ts";
import { local } from "./frame.tsx";
import { languageAsked } from "./language.ts";
import { addressOf, type Result, searchAround } from "./results.tsx";
import { townLabel } from "./towns.tsx";
import { type Words, WORDS } from "./words/words.ts";

type Site = { readonly service: Service; readonly links: Links; readonly siteName: string };
type Drawing = {
  readonly words: Words;
  readonly links: Links;
  readonly siteName: string;
  /** Null: as the reader's device has it. */
  readonly theme: "light" | "dark" | null;
};

/** The one path that other sites may frame. */
export const EMBED_PATH = "/embed";
/** The list stands in pages of all sizes; more than this is for our own pages. */
const LIMIT_MAX = 20;
const LIMIT_DEFAULT = 5;
const embedInput = searchInput
  .pick({ lat: true, lng: true, radiusKm: true, species: true, type: true })
  .extend({
    limit: z.number().int().min(1).max(LIMIT_MAX).optional(),
    theme: z.enum(["light", "dark"]).optional(),
  });
const PARAMETERS = ["place", "lat", "lng", "radius_km", "species", "type", "limit", "theme"];
/** What goes on to our own page. */
const FILTERS = ["place", "lat", "lng", "radius_km", "species", "type"];
/** Any site may show the list, and it may do nothing but be looked at. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'none'",
  "frame-ancestors *",
  "base-uri 'none'",
].join("; ");
/** A removed alert is gone everywhere within this time. */
const A_MINUTE = "public, max-age=60";

/** The newest alerts as a small list for other sites' pages, to be shown in a frame. Neither reads nor sets a cookie. */
export function createEmbed({ service, links, siteName }: Site): Hono {
  const embed = new Hono();

  embed.get(EMBED_PATH, async (c) => {
    const drawing: Drawing = { words: WORDS[languageAsked(c)], links, siteName, theme: null };
    try {
      const given = filled(readQuery(c, PARAMETERS));
      const { theme, ...result } = await search(service, given);
      return send(c, { ...drawing, theme }, <List drawing={drawing} given={given} {...result} />);
    } catch (error) {
      // A page of errors would not show itself in a frame.
      if (!(error instanceof Fault) || error.code !== "bad_input") throw error;
      return send(c, drawing, <Wrong words={drawing.words} fault={error} />, statusOf(error.code));
    }
  });

  return embed;
}

async function search(service: Service, given: Given): Promise<Result & Pick<Drawing, "theme">> {
  const { place, radius_km, ...filters } = given;
  const {
    limit = LIMIT_DEFAULT,
    theme = null,
    ...input
  } = parse(embedInput, {
    ...filters,
    ...(radius_km === undefined ? {} : { radiusKm: radius_km }),
  });
  return { theme, ...(await searchAround(service, place, { ...input, limit })) };
}

function send(
  c: Context,
  { words, siteName, theme, links }: Drawing,
  body: Child,
  status: ContentfulStatusCode = 200,
): Response | Promise<Response> {
  c.header("Content-Security-Policy", POLICY);
  c.header("Content-Language", words.language);
  c.header("Vary", "Accept-Language");
  c.header("Cache-Control", A_MINUTE);
  c.header("X-Robots-Tag", "noindex");
  const page = (
    <html lang={words.language} data-theme={theme ?? undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{words.pageTitle(words.home.newest, siteName)}</title>
        <link rel="canonical" href={links.home} />
        <link rel="stylesheet" href={EMBED_STYLE_ADDRESS} />
      </head>
      <body>
        <main>{body}</main>
      </body>
    </html>
  );
  return c.html(`<!doctype html>\n${page.toString()}\n`, status);
}

function List({
  drawing: { words, links, siteName },
  given,
  ...result
}: Result & { readonly drawing: Drawing; readonly given: Given }) {
  const alerts = result.found?.alerts ?? [];
  const filters = Object.fromEntries(
    Object.entries(given).filter(([name]) => FILTERS.includes(name)),
  );
  return (
    <>
      <h1 dir="auto">{headingOf(words, result, filters)}</h1>
      {alerts.length > 0 && (
        <ul>
          {alerts.map(({ alert }) => (
            <Item words={words} alert={alert} />
          ))}
        </ul>
      )}
      <p>
        <Outward to={addressOf(local(links.home), filters)}>{words.embed.more(siteName)}</Outward>
      </p>
    </>
  );
}

/** What is listed, or why nothing is. */
function headingOf(words: Words, { located, radiusKm, found }: Result, filters: Given): string {
  const { home } = words;
  const isEmpty = found?.alerts.length === 0;
  if (located?.kind === "unknown") return home.unknown(filters["place"] ?? "");
  if (located !== null) {
    const town = townLabel(words, located.town);
    return isEmpty ? home.noneNear(radiusKm, town) : home.around(radiusKm, town);
  }
  if (!isEmpty) return home.newest;
  return Object.keys(filters).length === 0 ? home.none : home.noneFit;
}

function Item({ words, alert }: { readonly words: Words; readonly alert: PublicAlert }) {
  const [thumbnail] = alert.thumbnails;
  return (
    <li>
      {thumbnail === undefined ? (
        <Mark alert={alert} />
      ) : (
        <img src={local(thumbnail)} alt="" width="56" height="56" loading="lazy" />
      )}
      <div>
        <strong dir="auto">
          <Outward to={local(alert.url)}>{headlineOf(words, alert)}</Outward>
        </strong>
        <span dir="auto">
          {placeOf(words, alert)} ·{" "}
          <time datetime={alert.eventDate}>{words.day(alert.eventDate)}</time>
        </span>
      </div>
    </li>
  );
}

function Wrong({ words, fault }: { readonly words: Words; readonly fault: Fault }) {
  return (
    <>
      <h1>{words.embed.wrong}</h1>
      <p>
        <code lang="en">{detailOf(fault)}</code>
      </p>
    </>
  );
}

/** A link that leaves the frame. */
function Outward({ to, children }: { readonly to: string; readonly children?: Child }) {
  return (
    <a href={to} target="_blank" rel="noopener">
      {children}
    </a>
  );
}
