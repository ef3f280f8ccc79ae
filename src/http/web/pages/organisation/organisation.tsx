/** @jsxImportSource hono/jsx */
import { ButtonLink, Section } from "../../components/elements.tsx";
import type { SearchPage } from "../../../../core/alerts/search.ts";
import type { OrganisationView } from "../../../../core/organisations/organisation.ts";
import { AlertCard } from "../../components/alert.tsx";
import { OrganisationContact } from "../../components/organisation.tsx";
import {
  local,
  type Page,
  type PageContext,
  usePage,
  type Web,
  withParameters,
} from "../../layout/layout.tsx";

/** Alerts on the page of an organisation; the search has the others. */
const SHOWN = 20;

/** Public page of an organisation: how to reach it, its newest alerts, its feed and its list for other sites. */
export function organisationRoutes({ get, service }: Web): void {
  get("/organisations/:slug", async (c, ctx) => {
    const organisation = await service.organisations.view(c.req.param("slug"));
    const found = await service.alerts.search(
      { organisation: organisation.slug, limit: SHOWN },
      { withTotal: true },
    );
    return organisationPage(ctx, organisation, found);
  });
}

function organisationPage(
  { t, links, siteName }: PageContext,
  organisation: OrganisationView,
  found: SearchPage,
): Page {
  const { name, url, logo } = organisation;
  const text = t.organisation;
  const filter = { organisation: organisation.slug };
  const feed = withParameters(links.feed, filter);
  return {
    title: name,
    access: "public",
    canonical: url,
    head: (
      <>
        <meta property="og:type" content="website" />
        <meta property="og:url" content={url} />
        <meta property="og:title" content={`${name} – ${siteName}`} />
        <link
          rel="alternate"
          type="application/atom+xml"
          title={t.home.feed({ site: name })}
          href={feed}
        />
      </>
    ),
    isWide: true,
    body: (
      <>
        <div class="organisation">
          {logo !== null && <img src={local(logo)} alt="" />}
          <h1 dir="auto">{name}</h1>
        </div>
        <OrganisationContact organisation={organisation} />
        <Section id="alerts" title={text.alerts}>
          {found.alerts.length === 0 && <p class="empty">{text.none}</p>}
          <ul class="cards">
            {found.alerts.map(({ alert }) => (
              <li>
                <AlertCard alert={alert} level={3} />
              </li>
            ))}
          </ul>
          <p class="paging">
            {found.nextCursor !== null && (
              <ButtonLink
                to={withParameters(links.home, filter)}
                label={text.all({ count: found.total?.count ?? found.alerts.length })}
              />
            )}
            <ButtonLink to={withParameters(links.feed, filter)} label={text.feed} />
          </p>
        </Section>
        <Embedding organisation={organisation} />
        <p class="quiet">
          <a href={local(links.inbox)}>{t.inbox.title}</a>
        </p>
      </>
    ),
  };
}

/** Code that shows the organisation's alerts on its own site. */
function Embedding({ organisation: { slug, name } }: { organisation: OrganisationView }) {
  const { t, links } = usePage();
  const address = withParameters(links.embed, { organisation: slug });
  const title = name.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const snippet = `<iframe src="${address}" title="${title}" width="100%" height="480" frameborder="0" loading="lazy"></iframe>`;
  return (
    <details>
      <summary>{t.embed.title}</summary>
      <p>{t.organisation.embed}</p>
      <pre>
        <code>{snippet}</code>
      </pre>
    </details>
  );
}
