/** @jsxImportSource hono/jsx */
import { ButtonLine, LinkLine, Section, Moment, privatePage } from "../../components/elements.tsx";
import type { FoundAlerts } from "../../../../core/moderation/alert-search.ts";
import { placeText } from "../../../../places/places.ts";
import type { AlertCase, ModeratedAlert } from "../../../../core/moderation/queue.ts";
import { Drawing, headlineOf } from "../../components/alert.tsx";
import { local, type Page, type PageContext, usePage } from "../../layout/layout.tsx";
import { LookAlikeCounts, Moderated } from "./moderated-alert.tsx";

/** Newest alerts of any status, or those that a search finds. */
export function alertsPage(
  ctx: PageContext,
  query: string,
  { alerts, next }: FoundAlerts<ModeratedAlert>,
): Page {
  const { t, links } = ctx;
  const text = t.admin.alerts;
  const older = new URLSearchParams({
    ...(query === "" ? {} : { q: query }),
    ...(next === null ? {} : { before: next }),
  });
  return privatePage(
    query === "" ? text.newest : text.found,
    <>
      <AlertSearch query={query} isOnList />
      {alerts.length === 0 && <p class="empty">{next === null ? text.none : text.noneYet}</p>}
      <ul class="quotes">
        {alerts.map((alert) => (
          <li>
            <AlertRow alert={alert} />
          </li>
        ))}
      </ul>
      {next !== null && <ButtonLine to={`${links.admin}/alerts?${older}`} label={text.older} />}
      <BackToQueue />
    </>,
  );
}

/** Everything about one alert, with its look-alikes. */
export function alertCasePage(ctx: PageContext, about: AlertCase): Page {
  const { t } = ctx;
  const { alert, reports, sightings, lookAlikes, shown } = about;
  const text = t.admin.lookAlikes;
  return privatePage(
    t.admin.alerts.one({ code: alert.shortCode }),
    <>
      <Moderated alert={alert} reports={reports} sightings={sightings} isAlone />
      <Section id="look-alikes" title={text.title}>
        {shown.length === 0 ? (
          <p class="empty">{text.none}</p>
        ) : (
          <p>
            <LookAlikeCounts counts={lookAlikes} />
          </p>
        )}
        <ul class="quotes">
          {shown.map(({ alert: other, ways }) => (
            <li>
              <AlertRow alert={other}>
                <strong>{ways.map((way) => text.way[way]).join(" · ")}</strong>
              </AlertRow>
            </li>
          ))}
        </ul>
      </Section>
      <BackToQueue />
    </>,
  );
}

/** Search among all alerts. `isOnList`: on the page of the newest alerts or of a search. */
export function AlertSearch({ query = "", isOnList = false }) {
  const { t, links } = usePage();
  const text = t.admin.alerts;
  const path = `${local(links.admin)}/alerts`;
  return (
    <form role="search" method="get" action={path}>
      <div class="field">
        <label for="q">{text.search}</label>
        <p class="hint" id="q-hint">
          {text.searchHint}
        </p>
        <input
          id="q"
          name="q"
          type="search"
          value={query}
          maxlength={300}
          autocomplete="off"
          aria-describedby="q-hint"
        />
      </div>
      <p class="ways">
        <button type="submit">{text.searchButton}</button>
        {(query !== "" || !isOnList) && <a href={path}>{text.newest}</a>}
      </p>
    </form>
  );
}

/** Alert in a list, with a link to its page for moderators. */
function AlertRow({ alert, children }: { alert: ModeratedAlert; children?: Page["body"] }) {
  const { t, links } = usePage();
  const [thumbnail] = alert.thumbnails;
  return (
    <div class="row">
      {thumbnail === undefined ? (
        <Drawing alert={alert} />
      ) : (
        <img src={local(thumbnail)} alt="" width="480" height="480" loading="lazy" />
      )}
      <div>
        <p dir="auto">
          <a href={`${local(links.admin)}/alerts/${alert.id}`}>{headlineOf(t, alert)}</a>
        </p>
        {children !== undefined && <p>{children}</p>}
        <p class="quiet" dir="auto">
          {[placeText(alert), alert.shortCode].filter((part) => part !== "").join(" · ")} ·{" "}
          <Moment at={alert.publishedAt} /> · {t.admin.alerts.status[alert.status]}
        </p>
      </div>
    </div>
  );
}

function BackToQueue() {
  const { t, links } = usePage();
  return <LinkLine to={links.admin} label={t.admin.alerts.back} />;
}
