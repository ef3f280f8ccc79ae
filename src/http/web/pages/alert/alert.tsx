/** @jsxImportSource hono/jsx */
import type { PublicAlert } from "../../../../core/alerts/alert.ts";
import { parse } from "../../../../core/input.ts";
import { type MatchView, matchesInput } from "../../../../core/matching/find-matches.ts";
import { isStillMissing, type SightingView } from "../../../../core/sightings/sighting.ts";
import { AlertHead, titleOf } from "./alert-head.tsx";
import { readerOf } from "../../components/alert-line.tsx";
import { Facts, Gallery, Headline } from "../../components/alert-text.tsx";
import { type PageContext, local, type Page, type Web, usePage } from "../../layout.tsx";
import { MapBox } from "../../components/map.tsx";
import { Matches, MATCHES_SHOWN } from "./matches.tsx";
import { PosterLink, Share } from "../../components/share.tsx";
import { Sightings } from "../sighting/sighting.tsx";

/** Alert page. Other names of the alert redirect to its canonical URL. */
export function alertRoutes({ get, service }: Web): void {
  get("/alerts/:name", async (c, ctx) => {
    const alert = await service.get(c.req.param("name"));
    if (alert.slug !== c.req.param("name")) return c.redirect(alert.url, 301);
    const [{ matches }, sightings] = await Promise.all([
      service.findMatches(
        parse(matchesInput, {
          alert: alert.id,
          limit: MATCHES_SHOWN,
          language: ctx.t.language,
        }),
      ),
      service.sightings(alert),
    ]);
    return alertPage(ctx, { alert, matches, sightings });
  });
}

type View = {
  readonly alert: PublicAlert;
  readonly matches: readonly MatchView[];
  readonly sightings: readonly SightingView[];
};

function alertPage(ctx: PageContext, { alert, matches, sightings }: View): Page {
  const { t, links } = ctx;
  return {
    title: titleOf(t, alert),
    access: "public",
    head: <AlertHead alert={alert} />,
    scripts: ["map", "page"],
    body: (
      <article class="alert" id="alert">
        <Ended alert={alert} />
        <Headline alert={alert} level={1} />
        <Gallery alert={alert} />
        <Actions alert={alert} />
        <Facts alert={alert} />
        <Spot alert={alert} isSeen={sightings.length > 0} />
        <Sightings alert={alert} sightings={sightings} />
        <Matches alert={alert} matches={matches} />
        <Share alert={alert} />
        {alert.status === "active" && <PosterLink slug={alert.slug} />}
        <p class="quiet">
          {t.alert.published(t.day(alert.publishedAt))}{" "}
          {alert.status === "active" && t.alert.runs(t.day(alert.expiresAt))}
        </p>
        {ctx.isModerated && (
          <p>
            <a href={local(links.report(alert.slug))}>{t.report.link}</a>
          </p>
        )}
      </article>
    ),
  };
}

function Ended({ alert }: { alert: PublicAlert }) {
  const { t } = usePage();
  switch (alert.status) {
    case "active":
      return null;
    case "resolved":
      return (
        <div class="notice">
          <p class="lead">{t.alert.homeAgain}</p>
          <p>
            {t.alert.homeAgainText[alert.type]} {t.alert.takeDown}
          </p>
        </div>
      );
    case "expired":
      return (
        <div class="notice">
          <p class="lead">{t.alert.expired}</p>
          <p>{t.alert.expiredText}</p>
        </div>
      );
  }
}

/** Actions for an animal that is not home yet. */
function Actions({ alert }: { alert: PublicAlert }) {
  const { t, links } = usePage();
  return (
    <div class="acts">
      {alert.reachable && (
        <p class="act">
          <a class="button" href={local(alert.contactUrl)}>
            {t.contact.title[readerOf(alert)]}
          </a>
          <span class="hint">{t.alert.contactHint}</span>
        </p>
      )}
      {isStillMissing(alert) && (
        <p class="act">
          <a
            class={alert.reachable ? "button quiet" : "button"}
            href={local(links.sighting(alert.slug))}
          >
            {t.sighting.link}
          </a>
          <span class="hint">{t.sighting.linkHint}</span>
        </p>
      )}
    </div>
  );
}

/** Map of an alert with its cell and those of its sightings. */
function Spot({ alert, isSeen }: { alert: PublicAlert; isSeen: boolean }) {
  const { t } = usePage();
  const { alert: text, home, sighting } = t;
  const [own, seen] =
    alert.type === "lost"
      ? (["data-lost-label", "data-found-label"] as const)
      : (["data-found-label", "data-lost-label"] as const);
  const legend = isSeen ? { [own]: sighting.alertHere[alert.type], [seen]: sighting.seenHere } : {};
  return (
    <MapBox
      mode="alerts"
      label={text.map[alert.type]}
      more={{ "data-list": "#alert", "data-close": home.close, ...legend }}
    />
  );
}
