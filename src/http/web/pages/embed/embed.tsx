/** @jsxImportSource hono/jsx */
import { type Context, Hono } from "hono";
import type { Child } from "hono/jsx";
import { z } from "zod";
import { PAGE_MESSAGES } from "../../../../messages/messages.ts";
import type { PublicAlert } from "../../../../core/alerts/alert.ts";
import { Fault } from "../../../../core/fault.ts";
import { parse } from "../../../../core/input.ts";
import type { Site } from "../../../middleware/site.ts";
import { searchInput } from "../../../../core/alerts/search.ts";
import type { Service } from "../../../../core/service/service.ts";
import { detailOf, statusOf } from "../../../middleware/faults.ts";
import { fromWire, parameterNames } from "../../../middleware/field-names.ts";
import { headlineOf, Mark, whereOf } from "../../components/alert.tsx";
import { EMBED_STYLE_ADDRESS } from "../../assets/assets.ts";
import { withoutEmpty, type FormValues, readQuery, without } from "../../form/form.ts";
import { local, type PageContext, withParameters } from "../../layout/layout.tsx";
import { requestedLanguage } from "../../layout/language.ts";
import { placedAt, type Result, searchAround } from "../home/results.tsx";
import { townName } from "../../components/town-name.ts";

type EmbedContext = Pick<PageContext, "t" | "country" | "links" | "siteName">;

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
const PARAMETERS = ["place", "country_code", ...parameterNames(embedInput)];
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
export function createEmbed({
  service,
  links,
  siteName,
}: Pick<Site, "links" | "siteName"> & { readonly service: Service }): Hono {
  const embed = new Hono();

  embed.get(EMBED_PATH, async (c) => {
    const t = PAGE_MESSAGES[requestedLanguage(c)];
    const ctx: EmbedContext = { t, country: service.places.homeCountry(), links, siteName };
    try {
      const values = withoutEmpty(readQuery(c, PARAMETERS));
      const { place, country_code: countryCode } = values;
      const { theme, limit = LIMIT_DEFAULT, ...input } = parse(embedInput, fromWire(values));
      const result = await searchAround(service, { place, countryCode }, { ...input, limit });
      return send(c, ctx, <List ctx={ctx} values={values} {...result} />, theme);
    } catch (error) {
      // Error pages forbid being framed.
      if (!(error instanceof Fault) || error.code !== "bad_input") throw error;
      const wrong = (
        <>
          <h1>{t.embed.wrong}</h1>
          <p>
            <code lang="en">{detailOf(error)}</code>
          </p>
        </>
      );
      c.status(statusOf(error.code));
      return send(c, ctx, wrong);
    }
  });

  return embed;
}

/** Sends the list; `theme` is absent to follow the device. */
function send(
  c: Context,
  { t, siteName, links }: EmbedContext,
  body: Child,
  theme?: "light" | "dark",
): Response | Promise<Response> {
  c.header("Content-Security-Policy", POLICY);
  c.header("Content-Language", t.language);
  c.header("Vary", "Accept-Language");
  c.header("Cache-Control", A_MINUTE);
  c.header("X-Robots-Tag", "noindex");
  const page = (
    <html lang={t.language} data-theme={theme}>
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
  return c.html(`<!doctype html>\n${page.toString()}\n`);
}

function List({ ctx, values, ...result }: Result & { ctx: EmbedContext; values: FormValues }) {
  const { t, links, siteName } = ctx;
  const alerts = result.found?.alerts ?? [];
  const choices = result.located?.kind === "ask" ? result.located.choices : [];
  const filters = without(values, "limit", "theme");
  return (
    <>
      <h1 dir="auto">{headingOf(ctx, result, filters)}</h1>
      {choices.length > 0 && (
        <ul>
          {choices.map((town) => (
            <li>
              <Outward
                to={withParameters(links.home, placedAt(t, town, filters))}
                label={townName(t, town)}
              />
            </li>
          ))}
        </ul>
      )}
      {alerts.length > 0 && (
        <ul>
          {alerts.map(({ alert }) => (
            <Item ctx={ctx} alert={alert} />
          ))}
        </ul>
      )}
      <p>
        <Outward
          to={withParameters(links.home, filters)}
          label={t.embed.more({ site: siteName })}
        />
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

function Item({ ctx, alert }: { ctx: EmbedContext; alert: PublicAlert }) {
  const { t } = ctx;
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
          <Outward to={alert.url} label={headlineOf(t, alert)} />
        </strong>
        <span dir="auto">
          {whereOf(ctx, alert)} · <time datetime={alert.eventDate}>{t.day(alert.eventDate)}</time>
        </span>
      </div>
    </li>
  );
}

/** A link that leaves the frame. */
function Outward({ to, label }: { to: string; label: string }) {
  return (
    <a href={local(to)} target="_blank" rel="noopener">
      {label}
    </a>
  );
}
