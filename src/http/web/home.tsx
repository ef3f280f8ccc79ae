import { Hono } from "hono";
import { ALERT_TYPES, SPECIES } from "../../core/alert.ts";
import { Fault } from "../../core/fault.ts";
import { parse } from "../../core/input.ts";
import { searchInput, type SearchPage } from "../../core/search.ts";
import { statusOf } from "../faults.ts";
import { AlertLine } from "./alert-line.tsx";
import { Choice, type Draft, Line, TroubleBox } from "./field.tsx";
import { filled, readQuery } from "./form.ts";
import { type Frame, local, type Page, show, type Web, type WebEnv } from "./frame.tsx";

const PARAMETERS = ["q", "species", "type", "cursor"];
const QUERY_MAX = 200;

/** The home page: what this is, the search and the newest alerts. */
export function createHome({ service, frameOf }: Web): Hono<WebEnv> {
  const home = new Hono<WebEnv>();

  home.get("/", async (c) => {
    const frame = frameOf(c);
    const given = filled(readQuery(c, PARAMETERS));
    const { q, ...filters } = given;
    try {
      const query = q === undefined ? {} : { query: q };
      const page = await service.search(parse(searchInput, { ...filters, ...query }));
      return show(c, frame, homePage(frame, { given, trouble: null }, page));
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "bad_input") throw error;
      const fields = error.fields.map(({ field, message }) => ({
        field: field === "query" ? "q" : field,
        message,
      }));
      const trouble = { message: error.message, fields };
      return show(c, frame, homePage(frame, { given, trouble }, null), statusOf(error.code));
    }
  });

  return home;
}

function homePage(frame: Frame, draft: Draft, found: SearchPage | null): Page {
  const { words, links } = frame;
  const fresh = Object.keys(draft.given).length === 0;
  return {
    title: draft.trouble === null ? words.home.title : words.errorTitle(words.home.title),
    access: "public",
    head: fresh ? (
      <>
        <link rel="canonical" href={links.home} />
        <meta name="description" content={words.home.lead} />
        <meta property="og:type" content="website" />
        <meta property="og:url" content={links.home} />
        <meta property="og:title" content={frame.siteName} />
        <meta property="og:description" content={words.home.lead} />
      </>
    ) : (
      <meta name="robots" content="noindex" />
    ),
    body: (
      <div class="wide">
        <h1>{words.home.title}</h1>
        <p class="lead">{words.home.lead}</p>
        <SearchForm frame={frame} draft={draft} />
        {found !== null && <Alerts frame={frame} draft={draft} found={found} />}
        <HowToPublish frame={frame} />
      </div>
    ),
  };
}

function SearchForm({ frame, draft }: { readonly frame: Frame; readonly draft: Draft }) {
  const { words, links } = frame;
  const labels = { q: words.home.query, species: words.home.species, type: words.home.type };
  const types = ALERT_TYPES.map((type) => [type, words.type[type]] as const);
  const species = SPECIES.map((one) => [one, words.species[one]] as const);
  return (
    <search>
      <TroubleBox frame={frame} trouble={draft.trouble} labels={labels} />
      <form class="search" method="get" action={local(links.home)} aria-label={words.home.search}>
        <Line draft={draft} name="q" type="search" label={words.home.query} max={QUERY_MAX} />
        <Choice
          draft={draft}
          name="type"
          label={words.home.type}
          options={[["", words.home.anyType], ...types]}
        />
        <Choice
          draft={draft}
          name="species"
          label={words.home.species}
          options={[["", words.home.anySpecies], ...species]}
        />
        <button type="submit">{words.home.button}</button>
      </form>
    </search>
  );
}

function Alerts({
  frame,
  draft,
  found,
}: {
  readonly frame: Frame;
  readonly draft: Draft;
  readonly found: SearchPage;
}) {
  const { words, links } = frame;
  const { cursor: _, ...filters } = draft.given;
  const searched = Object.keys(filters).length > 0;
  return (
    <section aria-labelledby="alerts">
      <h2 id="alerts">{searched ? words.home.fitting : words.home.newest}</h2>
      {found.alerts.length === 0 && (
        <p class="empty">{searched ? words.home.noneFit : words.home.none}</p>
      )}
      <ul class="cards">
        {found.alerts.map((alert) => (
          <li>
            <AlertLine frame={frame} alert={alert} level={3} />
          </li>
        ))}
      </ul>
      <p class="paging">
        {Object.keys(draft.given).length > 0 && (
          <a class="button quiet" href={local(links.home)}>
            {words.home.showAll}
          </a>
        )}
        {found.nextCursor !== null && (
          <a class="button quiet" rel="next" href={olderThan(links, filters, found.nextCursor)}>
            {words.home.older}
          </a>
        )}
      </p>
    </section>
  );
}

function olderThan(
  links: Frame["links"],
  filters: Readonly<Record<string, string>>,
  cursor: number,
): string {
  const query = new URLSearchParams({ ...filters, cursor: new Date(cursor).toISOString() });
  return `${local(links.home)}?${query}`;
}

function HowToPublish({ frame }: { readonly frame: Frame }) {
  const { words, links } = frame;
  return (
    <section class="panel" aria-labelledby="publish">
      <h2 id="publish">{words.home.publish}</h2>
      <p>{words.home.publishLead}</p>
      <ol>
        {words.home.publishSteps.map((step) => (
          <li>{step}</li>
        ))}
      </ol>
      <p>
        {words.home.server}
        <code>{links.mcp}</code>
      </p>
      <p>
        <a href={local(links.about)}>{words.home.more}</a>
      </p>
    </section>
  );
}
