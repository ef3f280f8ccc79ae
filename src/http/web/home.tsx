import { Hono } from "hono";
import { Fault, type FieldFault } from "../../core/fault.ts";
import { parse } from "../../core/input.ts";
import { searchInput } from "../../core/search.ts";
import type { Service } from "../../core/service.ts";
import type { Draft } from "./field.tsx";
import { filled, type Given, readQuery } from "./form.ts";
import { type Frame, local, type Page, show, showFault, type Web, type WebEnv } from "./frame.tsx";
import { addressOf, centreOf, type Result, Results, searchAround } from "./results.tsx";
import { SEARCH_PARAMETERS, SearchForm } from "./search-form.tsx";
import { townLabel } from "./towns.tsx";

/** Searches that stand for a page of their own; all others are one of these seen closer. */
const INDEXED = ["place", "radius_km", "type", "species"];

/** The home page: what this is, the search and the newest alerts. A search is its address. */
export function createHome({ service, frameOf }: Web): Hono<WebEnv> {
  const home = new Hono<WebEnv>();

  home.get("/", async (c) => {
    const frame = frameOf(c);
    const given = withoutLoneRadius(filled(readQuery(c, SEARCH_PARAMETERS)));
    try {
      const result = await search(service, given);
      return show(c, frame, homePage(frame, { given, trouble: null }, result));
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "bad_input") throw error;
      const { code, why, fields } = error;
      const trouble = { code, why, fields: asOnTheForm(fields) };
      return showFault(c, frame, error, homePage(frame, { given, trouble }, null));
    }
  });

  return home;
}

/** The form always sends a radius; without a place it means nothing. */
function withoutLoneRadius(given: Given): Given {
  const { radius_km: _, ...rest } = given;
  return given["place"] === undefined && given["lat"] === undefined ? rest : given;
}

async function search(service: Service, given: Given): Promise<Result> {
  const { q, place, radius_km, ...filters } = given;
  const input = parse(searchInput, {
    ...filters,
    ...(q === undefined ? {} : { query: q }),
    ...(radius_km === undefined ? {} : { radiusKm: radius_km }),
  });
  return searchAround(service, place, input);
}

/** The form's names for what is wrong; coordinates have no field of their own, and what is wrong with both is said once. */
function asOnTheForm(fields: readonly FieldFault[]): FieldFault[] {
  const isLatWrong = fields.some(({ field }) => field === "lat");
  return fields
    .filter(({ field }) => !(field === "lng" && isLatWrong))
    .map((wrong) => ({ ...wrong, field: ON_THE_FORM[wrong.field] ?? wrong.field }));
}
const ON_THE_FORM: Readonly<Record<string, string>> = {
  query: "q",
  radiusKm: "radius_km",
  lat: "place",
  lng: "place",
};

function homePage(frame: Frame, draft: Draft, result: Result | null): Page {
  const { words, tiles } = frame;
  const { located, found } = result ?? { located: null, found: null };
  const title =
    result !== null && located?.kind === "known"
      ? words.home.around(result.radiusKm, townLabel(words, located.town))
      : words.home.title;
  const mapped = tiles !== null && found !== null && found.alerts.length > 0;
  return {
    title: draft.trouble === null ? title : words.errorTitle(title),
    access: "public",
    scripts: ["town", "near-me", ...(mapped ? ["map" as const] : [])],
    head: <Head frame={frame} draft={draft} title={title} result={result} />,
    body: (
      <div class="wide">
        <h1>{words.home.title}</h1>
        <p class="lead">{words.home.lead}</p>
        <Doors frame={frame} />
        <SearchForm frame={frame} draft={draft} />
        {result !== null && <Results frame={frame} given={draft.given} result={result} />}
        <Assistant frame={frame} />
      </div>
    ),
  };
}

function Head({
  frame,
  draft,
  title,
  result,
}: {
  readonly frame: Frame;
  readonly draft: Draft;
  readonly title: string;
  readonly result: Result | null;
}) {
  const { words, links, siteName } = frame;
  const own = addressOf(links.home, draft.given);
  const isIndexed =
    result !== null &&
    result.found !== null &&
    Object.keys(draft.given).every((name) => INDEXED.includes(name));
  return (
    <>
      {isIndexed ? <link rel="canonical" href={own} /> : <meta name="robots" content="noindex" />}
      <meta name="description" content={words.home.lead} />
      <meta property="og:type" content="website" />
      <meta property="og:url" content={own} />
      <meta property="og:title" content={words.pageTitle(title, siteName)} />
      <meta property="og:description" content={words.home.lead} />
      {result?.found && (
        <link
          rel="alternate"
          type="application/atom+xml"
          title={words.home.feed(siteName)}
          href={addressOf(links.feed, feedFilters(draft.given, result))}
        />
      )}
    </>
  );
}

/** The search as programs ask it: a place by its position, and without the page. */
function feedFilters(given: Given, { located, radiusKm }: Result): Given {
  const { place: _, lat: __, lng: ___, radius_km: ____, cursor: _____, ...filters } = given;
  return located?.kind === "known" ? { ...centreOf(located, radiusKm), ...filters } : filters;
}

function Doors({ frame }: { readonly frame: Frame }) {
  const { words, links } = frame;
  return (
    <>
      <p class="doors">
        <a class="button" href={`${local(links.publish)}?type=lost`}>
          {words.home.lost}
        </a>
        <a class="button" href={`${local(links.publish)}?type=found`}>
          {words.home.found}
        </a>
      </p>
      <p class="quiet">
        {words.home.firstSteps}{" "}
        {(["cat", "dog", "found"] as const).map((guide, at) => (
          <>
            {at > 0 && " · "}
            <a href={`${local(links.about)}#${guide}`}>{words.home.guides[guide]}</a>
          </>
        ))}
      </p>
    </>
  );
}

function Assistant({ frame }: { readonly frame: Frame }) {
  const { words, links } = frame;
  return (
    <section class="panel" aria-labelledby="assistant">
      <h2 id="assistant">{words.home.assistant}</h2>
      <p>
        {words.home.assistantText}
        <code>{links.mcp}</code>
      </p>
      <p>
        <a href={`${local(links.about)}#assistants`}>{words.home.more}</a>
      </p>
    </section>
  );
}
