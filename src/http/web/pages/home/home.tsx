/** @jsxImportSource hono/jsx */
import { LinkItem, Section } from "../../components/elements.tsx";
import type { PageMessages } from "../../../../messages/messages.ts";
import type { PublicAlert } from "../../../../core/alerts/alert.ts";
import type { HomeAgain } from "../../../../core/outcomes/home-again.ts";
import { Fault } from "../../../../core/fault.ts";
import { ALERTS_PER_PAGE_MAX, type SearchPage } from "../../../../core/alerts/search.ts";
import type { Service } from "../../../../core/service/service.ts";
import { isoDate } from "../../../../core/input.ts";
import { catalogLinks, feedLinks } from "../../../../core/urls.ts";
import type { Located } from "../../../../places/places.ts";
import type { FormState } from "../../form/field.tsx";
import { withPlaceErrors } from "../../form/location-field.tsx";
import { snakeCase } from "../../../middleware/field-names.ts";
import {
  without,
  withoutEmpty,
  type FormError,
  type FormValues,
  readQuery,
} from "../../form/form.ts";
import {
  type PageContext,
  local,
  type Page,
  renderFault,
  type Web,
  usePage,
  withParameters,
} from "../../layout/layout.tsx";
import { csvOf, isListView, LIST_VIEW } from "./alert-rows.tsx";
import { AREA, centreOf, type Result, Results, searchAround } from "./results.tsx";
import { HomeAgainCard, Picture } from "../../components/alert.tsx";
import { readSearch, SEARCH_PARAMETERS, SearchForm, withoutOtherBreeds } from "./search-form.tsx";
import { townName } from "../../components/town-name.ts";

/** Parameters of searches that search engines may index; all other searches are refinements. */
const INDEXED = ["place", "radius_km", "type", "species"];

/** Home page: the search and the newest alerts. All state of a search is in its URL. */
export function homeRoutes({ get, service }: Web): void {
  get("/", async (c, ctx) => {
    const asked = withoutEmpty(readQuery(c, SEARCH_PARAMETERS));
    // The code that stands on posters and in emails.
    const code = (asked["q"] ?? "").replace(/\s/g, "");
    if (await service.alerts.isShortCodeTaken(code))
      return c.redirect(local(ctx.links.short(code)), 302);
    const values = plainValues(asked);
    try {
      const result = await search(service, ctx, values);
      const { since } = result;
      const shown = since === null ? values : { ...values, since: since.day };
      return homePage(ctx, { values: shown, error: null }, result, {
        animals: await homeAgain(service, values, result),
        count: await service.outcomes.homeAgainCount(),
      });
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "bad_input") throw error;
      return renderFault(c, ctx, error, homePage(ctx, { values, error: asOnTheForm(error) }, null));
    }
  });

  get("/alerts.csv", async (c, ctx) => {
    const values = { ...plainValues(withoutEmpty(readQuery(c, SEARCH_PARAMETERS))), ...LIST_VIEW };
    const alerts: PublicAlert[] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages < CSV_PAGES_MAX; pages++) {
      const { found } = await search(
        service,
        ctx,
        cursor === null ? values : { ...values, cursor },
      );
      // The page asks which of several places is meant.
      if (found === null) return withParameters(ctx.links.home, values);
      alerts.push(...found.alerts.map(({ alert }) => alert));
      cursor = found.nextCursor;
      if (cursor === null) break;
    }
    const part = cursor === null ? "" : `-first-${alerts.length}`;
    const name = `alerts-${isoDate(ctx.now)}${part}.csv`;
    c.header("Content-Type", "text/csv; charset=utf-8");
    c.header("Content-Disposition", `attachment; filename="${name}"`);
    c.header("X-Robots-Tag", "noindex");
    c.header("Cache-Control", "no-cache");
    return c.body(csvOf(alerts));
  });
}

/** Pages of a list in one CSV file. */
const CSV_PAGES_MAX = 10;

/** Values of the search that is meant. */
function plainValues(asked: FormValues): FormValues {
  // The form always sends a radius, which means nothing without a place.
  const hasPlace = asked["place"] !== undefined || asked["lat"] !== undefined;
  if (!hasPlace) return withoutOtherBreeds(without(asked, "radius_km"));
  // A program may leave something behind a link to a search, which ends with the radius.
  const radius = /^\d+(?=\D+$)/.exec(asked["radius_km"] ?? "")?.[0];
  return withoutOtherBreeds(radius === undefined ? asked : { ...asked, radius_km: radius });
}

async function search(
  service: Service,
  { country }: PageContext,
  { place, country_code: countryCode, ...values }: FormValues,
): Promise<Result> {
  const limit = isListView(values) ? { limit: ALERTS_PER_PAGE_MAX } : {};
  return searchAround(
    service,
    { place, country, countryCode },
    { ...readSearch(values), ...limit },
  );
}

/** Animals that came home, and the number of all that ever did. */
type Returned = { readonly animals: readonly HomeAgain[]; readonly count: number | null };
const NOBODY_RETURNED: Returned = { animals: [], count: null };

/** Animals that came home and fit the search; none on further pages and in refined searches. */
async function homeAgain(
  service: Service,
  values: FormValues,
  { located, radiusKm, found }: Result,
): Promise<readonly HomeAgain[]> {
  const { cursor, query, since, color, breedGroup, organisation, type, species } =
    readSearch(values);
  const refined = cursor ?? query ?? since ?? color ?? breedGroup ?? organisation;
  if (refined !== undefined || found === null) return [];
  const near = located?.kind === "known" ? { point: located.point, radiusKm } : null;
  return service.outcomes.homeAgain({ type, species, near });
}

/** Errors under the form's field names. */
function asOnTheForm(error: Fault): FormError {
  const { code, why, fields } = withPlaceErrors(error);
  const nameOf = (field: string) => (field === "query" ? "q" : snakeCase(field));
  return { code, why, fields: fields.map((wrong) => ({ ...wrong, field: nameOf(wrong.field) })) };
}

function homePage(
  ctx: PageContext,
  draft: FormState,
  result: Result | null,
  { animals, count }: Returned = NOBODY_RETURNED,
): Page {
  const { t, tiles } = ctx;
  const { located, found } = result ?? { located: null, found: null };
  const title =
    result !== null && located?.kind === "known"
      ? t.home.around({ km: result.radiusKm, town: townName(t, located.town, ctx.country) })
      : t.home.title;
  const isOnMap = found !== null && (found.alerts.length > 0 || located !== null);
  const isList = isListView(draft.values);
  const isMapped = tiles !== null && isOnMap && !isList;
  return {
    title: draft.error === null ? title : t.errorTitle({ title }),
    access: "public",
    canonical: isListed(draft.values, result) ? withParameters(ctx.links.home, draft.values) : null,
    scripts: isMapped ? ["town", "search", "map"] : ["town", "search"],
    head: <Head values={draft.values} title={title} result={result} />,
    isWide: true,
    body: (
      <>
        <Hero
          values={draft.values}
          located={located}
          newest={found?.alerts ?? []}
          homeAgainCount={count}
        />
        <SearchForm draft={{ ...draft, values: withTown(t, draft.values, result) }} />
        {result !== null && <Results values={draft.values} result={result} />}
        <HomeAgainList animals={animals} />
      </>
    ),
  };
}

/** Values with the name of the town where a position was searched. */
function withTown(t: PageMessages, values: FormValues, result: Result | null): FormValues {
  const isMissing = values["place"] === undefined && result?.isTownExact === true;
  return isMissing && result.located?.kind === "known"
    ? { ...values, place: townName(t, result.located.town) }
    : values;
}

/** True for a search that search engines may list. */
function isListed(values: FormValues, result: Result | null): boolean {
  const names = Object.keys(values);
  return result !== null && result.found !== null && names.every((name) => INDEXED.includes(name));
}

function Head(props: { values: FormValues; title: string; result: Result | null }) {
  const { t, links, siteName } = usePage();
  const { values, title, result } = props;
  const own = withParameters(links.home, values);
  const isIndexed = isListed(values, result);
  return (
    <>
      {!isIndexed && <meta name="robots" content="noindex" />}
      <meta name="description" content={t.home.lead} />
      <meta property="og:type" content="website" />
      <meta property="og:url" content={own} />
      <meta property="og:title" content={`${title} – ${siteName}`} />
      <meta property="og:description" content={t.home.lead} />
      {catalogLinks(links).map((link) => (
        <link {...link} />
      ))}
      {result?.found &&
        feedLinks(links).map(({ href, ...link }) => (
          <link
            {...link}
            title={t.home.feed({ site: siteName })}
            href={withParameters(href, feedFilters(values, result))}
          />
        ))}
    </>
  );
}

/** Parameters of the feed for this search: a position instead of a name, and none that feeds lack. */
function feedFilters(values: FormValues, { located, radiusKm }: Result): FormValues {
  const refined = ["sort", "cursor", "color", "breed_group", "view"];
  const filters = without(values, ...AREA, ...refined);
  return located?.kind === "known" ? { ...centreOf(located, radiusKm), ...filters } : filters;
}

/** The promise, and what one can do about it. A search has the doors alone. */
function Hero(props: {
  values: FormValues;
  located: Located | null;
  newest: SearchPage["alerts"];
  homeAgainCount: number | null;
}) {
  const { values, located, newest, homeAgainCount } = props;
  const { t, links } = usePage();
  if (Object.keys(values).length > 0)
    return (
      <>
        <h1 class="heard">{t.home.title}</h1>
        <Doors located={located} />
      </>
    );
  const hasPhoto = ({ alert }: SearchPage["alerts"][number]) => alert.thumbnails.length > 0;
  const photosFirst = newest.toSorted((a, b) => Number(hasPhoto(b)) - Number(hasPhoto(a)));
  const shown = photosFirst.slice(0, COLLAGE);
  const isPictured = shown.length === COLLAGE;
  return (
    <section class={isPictured ? "hero pictured" : "hero"}>
      <div>
        <h1>{t.home.promise}</h1>
        <p class="lead">{t.home.pitch}</p>
        <Doors located={null} />
        <ul class="trust">
          <li>{t.home.free}</li>
          {homeAgainCount !== null && (
            <LinkItem to={links.returns} label={t.home.again.count({ count: homeAgainCount })} />
          )}
        </ul>
        <p class="quiet first-steps">
          {t.home.firstSteps} <Guides />
        </p>
      </div>
      {isPictured && (
        <ul class="collage" aria-hidden="true">
          {shown.map(({ alert }) => (
            <li>
              <Picture alert={alert} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Animals that came home lately. */
function HomeAgainList({ animals }: { animals: readonly HomeAgain[] }) {
  const { t } = usePage();
  if (animals.length === 0) return null;
  return (
    <Section id="home-again" title={t.home.again.title}>
      <ul class="cards">
        {animals.map(({ alert, at }) => (
          <li>
            <HomeAgainCard alert={alert} at={at} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Photos beside the promise, on wide screens. */
const COLLAGE = 3;

/** Ways on from here; the map of a new alert opens at the place of the search. */
function Doors({ located }: { located: Located | null }) {
  const { t, links } = usePage();
  const near =
    located?.kind === "known" ? { near: `${located.point.lat},${located.point.lng}` } : {};
  return (
    <ul class="doors">
      {(["lost", "found"] as const).map((type) => (
        <li class={`door ${type}`}>
          <a href={withParameters(local(links.publish), { type, ...near })}>{t.home[type]}</a>
          <span>{t.home.doorHint[type]}</span>
        </li>
      ))}
      <li class="door saw">
        <a href={`${withParameters(local(links.home), { type: "lost" })}#alerts`}>{t.home.saw}</a>
      </li>
    </ul>
  );
}

function Guides() {
  const { t, links } = usePage();
  return (["cat", "dog", "found"] as const).map((guide, at) => (
    <>
      {at > 0 && " · "}
      <a href={`${local(links.about)}#${guide}`}>{t.home.guides[guide]}</a>
    </>
  ));
}
