/** @jsxImportSource hono/jsx */
import { type Context, Hono } from "hono";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import { PAGE_MESSAGES, type PageMessages } from "../../../../messages/messages.ts";
import type { PublicAlert } from "../../../../core/alerts/alert.ts";
import { Fault } from "../../../../core/fault.ts";
import { parse } from "../../../../core/input.ts";
import type { Links } from "../../../../core/urls.ts";
import { searchInput } from "../../../../core/alerts/search.ts";
import type { Service } from "../../../../core/service/service.ts";
import { detailOf, statusOf } from "../../../middleware/faults.ts";
import { headlineOf, Mark, whereOf } from "../../components/alert.tsx";
import { EMBED_STYLE_ADDRESS } from "../../assets/assets.ts";
import { withoutEmpty, type FormValues, readQuery } from "../../form/form.ts";
import { local, type PageContext, withParameters } from "../../layout/layout.tsx";
import { requestedLanguage } from "../../layout/language.ts";
import { placedAt, type Result, searchAround } from "../home/results.tsx";
import { townName } from "../../components/town-name.ts";

type EmbedSite = { readonly service: Service; readonly links: Links; readonly siteName: string };
type EmbedContext = Pick<PageContext, "t" | "country"> & {
  readonly links: Links;
  readonly siteName: string;
  /** Null follows the device. */
  readonly theme: "light" | "dark" | null;
};

/** Only path that other sites may show in a frame. */
export const EMBED_PATH = "/embed";
/** Most alerts in the list; more belong on our own pages. */
const LIMIT_MAX = 20;
const LIMIT_DEFAULT = 5;
const embedInput = searchInput
  .pick({ lat: true, lng: true, radiusKm: true, species: true, type: true, organisation: true })
  .extend({
    limit: z.number().int().min(1).max(LIMIT_MAX).optional(),
    theme: z.enum(["light", "dark"]).optional(),
  });
/** Parameters passed on to our own page. */
const FILTERS = [
  "place",
  "country_code",
  "lat",
  "lng",
  "radius_km",
  "species",
  "type",
  "organisation",
];
const PARAMETERS = [...FILTERS, "limit", "theme"];
/** Content security policy: any site may frame the list, and the list can only load its style and images. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'none'",
  "frame-ancestors *",
  "base-uri 'none'",
].join("; ");
/** Cache time: a removed alert disappears after a minute. */
const A_MINUTE = "public, max-age=60";

/** List of the newest alerts for frames in other sites. Neither reads nor sets a cookie. */
export function createEmbed({ service, links, siteName }: EmbedSite): Hono {
  const embed = new Hono();

  embed.get(EMBED_PATH, async (c) => {
    const drawing: EmbedContext = {
      t: PAGE_MESSAGES[requestedLanguage(c)],
      country: service.places.homeCountry(),
      links,
      siteName,
      theme: null,
    };
    try {
      const values = withoutEmpty(readQuery(c, PARAMETERS));
      const { theme, ...result } = await search(service, values);
      return send(c, { ...drawing, theme }, <List drawing={drawing} values={values} {...result} />);
    } catch (error) {
      // Error pages forbid being framed.
      if (!(error instanceof Fault) || error.code !== "bad_input") throw error;
      return send(c, drawing, <Wrong t={drawing.t} fault={error} />, statusOf(error.code));
    }
  });

  return embed;
}

async function search(
  service: Service,
  values: FormValues,
): Promise<Result & Pick<EmbedContext, "theme">> {
  const { place, country_code: countryCode, radius_km, ...filters } = values;
  const {
    limit = LIMIT_DEFAULT,
    theme = null,
    ...input
  } = parse(embedInput, {
    ...filters,
    ...(radius_km === undefined ? {} : { radiusKm: radius_km }),
  });
  return { theme, ...(await searchAround(service, { place, countryCode }, { ...input, limit })) };
}

function send(
  c: Context,
  { t, siteName, theme, links }: EmbedContext,
  body: Child,
  status: ContentfulStatusCode = 200,
): Response | Promise<Response> {
  c.header("Content-Security-Policy", POLICY);
  c.header("Content-Language", t.language);
  c.header("Vary", "Accept-Language");
  c.header("Cache-Control", A_MINUTE);
  c.header("X-Robots-Tag", "noindex");
  const page = (
    <html lang={t.language} data-theme={theme ?? undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${t.home.newest} – ${siteName}`}</title>
        <link rel="canonical" href={links.home} />
        <link rel="stylesheet" href={links.at(EMBED_STYLE_ADDRESS)} />
      </head>
      <body>
        <main>{body}</main>
      </body>
    </html>
  );
  return c.html(`<!doctype html>\n${page.toString()}\n`, status);
}

function List({
  drawing,
  values,
  ...result
}: Result & { drawing: EmbedContext; values: FormValues }) {
  const { t, links, siteName } = drawing;
  const alerts = result.found?.alerts ?? [];
  const { located } = result;
  const choices = located?.kind === "ask" ? located.choices : [];
  const filters = Object.fromEntries(
    Object.entries(values).filter(([name]) => FILTERS.includes(name)),
  );
  return (
    <>
      <h1 dir="auto">{headingOf(drawing, result, filters)}</h1>
      {choices.length > 0 && (
        <ul>
          {choices.map((town) => (
            <li>
              <Outward to={withParameters(links.home, placedAt(t, town, filters))}>
                {townName(t, town)}
              </Outward>
            </li>
          ))}
        </ul>
      )}
      {alerts.length > 0 && (
        <ul>
          {alerts.map(({ alert }) => (
            <Item reader={drawing} alert={alert} />
          ))}
        </ul>
      )}
      <p>
        <Outward to={withParameters(links.home, filters)}>
          {t.embed.more({ site: siteName })}
        </Outward>
      </p>
    </>
  );
}

/** Heading: what is listed, or why nothing is. */
function headingOf(
  { t, country }: EmbedContext,
  { located, radiusKm, found }: Result,
  filters: FormValues,
): string {
  const { home } = t;
  const isEmpty = found?.alerts.length === 0;
  const { place = "" } = filters;
  if (located?.kind === "ask") return home.which({ place });
  if (located?.kind === "unknown") return home.unknown({ place });
  if (located !== null) {
    const names = { km: radiusKm, town: townName(t, located.town, country) };
    return isEmpty ? home.noneNear(names) : home.around(names);
  }
  if (!isEmpty) return home.newest;
  return Object.keys(filters).length === 0 ? home.none : home.noneFit;
}

function Item({ reader, alert }: { reader: EmbedContext; alert: PublicAlert }) {
  const { t } = reader;
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
          <Outward to={alert.url}>{headlineOf(t, alert)}</Outward>
        </strong>
        <span dir="auto">
          {whereOf(reader, alert)} ·{" "}
          <time datetime={alert.eventDate}>{t.day(alert.eventDate)}</time>
        </span>
      </div>
    </li>
  );
}

function Wrong({ t, fault }: { t: PageMessages; fault: Fault }) {
  return (
    <>
      <h1>{t.embed.wrong}</h1>
      <p>
        <code lang="en">{detailOf(fault)}</code>
      </p>
    </>
  );
}

/** A link that leaves the frame. */
function Outward({ to, children }: { to: string; children?: Child }) {
  return (
    <a href={to} target="_blank" rel="noopener">
      {children}
    </a>
  );
}
