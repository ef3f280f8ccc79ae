/** @jsxImportSource hono/jsx */
import { ButtonLink, LinkLine } from "../../components/elements.tsx";
import { PAGE_MESSAGES, type PageMessages } from "../../../../messages/messages.ts";
import { animalHeadline, eventDay, writtenText } from "../../../../core/alerts/alert-text.ts";
import { capitalize } from "../../../../messages/locale.ts";
import { appearanceOf, type PublicAlert, readerOf } from "../../../../core/alerts/alert.ts";
import { placeText } from "../../../../places/places.ts";
import { parse } from "../../../../core/input.ts";
import { type MatchView, matchesInput } from "../../../../core/matches/find-matches.ts";
import type { PublisherView } from "../../../../core/organisations/publisher.ts";
import { isStillMissing, type SightingView } from "../../../../core/sightings/sighting.ts";
import {
  Day,
  dayOf,
  Facts,
  Gallery,
  headlineOf,
  placeOf,
  whereOf,
} from "../../components/alert.tsx";
import { expressedLanguage } from "../../layout/language.ts";
import { photoOfFile } from "../../../../core/photos/photo-files.ts";
import { callerNetwork } from "../../../../core/ip-address.ts";
import {
  type PageContext,
  local,
  type Page,
  renderPage,
  type Web,
  usePage,
} from "../../layout/layout.tsx";
import { PublishedBy } from "../../components/organisation.tsx";
import { MapBox } from "../../components/map.tsx";
import { Matches, MATCHES_SHOWN } from "./matches.tsx";
import { ShareRow } from "../../components/share.tsx";
import { markLegend, Sightings } from "../sighting/sighting.tsx";
import { PREVIEW_PX } from "../../../../photos/preview-picture.ts";

/** Alert page. Other names of the alert redirect to its canonical URL. */
export function alertRoutes({ get, service, drawPreview }: Web): void {
  get("/alerts/:name", async (c, readers) => {
    const alert = await service.alerts.get(c.req.param("name"));
    if (alert.slug !== c.req.param("name")) return c.redirect(alert.url, 301);
    // Crawlers name no language: they get the alert's own.
    const language = expressedLanguage(c, readers) ?? alert.language;
    const ctx = { ...readers, t: PAGE_MESSAGES[language] };
    const [{ matches }, sightings, organisation] = await Promise.all([
      service.matches.find(
        parse(matchesInput, {
          alert: alert.id,
          limit: MATCHES_SHOWN,
          language: ctx.t.language,
        }),
      ),
      service.sightings.of(alert),
      service.organisations.publisherOf(alert),
    ]);
    return renderPage(c, ctx, alertPage(ctx, { alert, matches, sightings, organisation }));
  });

  get("/alerts/:name/preview.jpg", async (c) => {
    const alert = await service.alerts.get(c.req.param("name"));
    const [first] = alert.photos;
    const photo = first === undefined ? null : photoOfFile(first.slice(first.lastIndexOf("/") + 1));
    const bytes = photo === null ? null : await service.photos.publicPhoto(photo.name, "full");
    const t = PAGE_MESSAGES[alert.language];
    const state = alert.status === "resolved" ? "home" : alert.type;
    const headline = capitalize(animalHeadline(t, alert));
    const picture = await drawPreview(
      {
        key: `${alert.id} ${alert.updatedAt} ${alert.status}`,
        state,
        band: (state === "home" ? t.alert.homeTag : t.type[state]).toLocaleUpperCase(
          alert.language,
        ),
        title: alert.name ?? headline,
        lines: [
          ...(alert.name === null ? [] : [headline]),
          placeOf({ t, country: service.places.homeCountry() }, alert),
          t.day(alert.eventDate),
        ],
        species: alert.species,
        color: alert.color,
        photo: bytes,
      },
      callerNetwork(c.get("caller").address),
    );
    c.header("Content-Type", "image/jpeg");
    c.header("Cache-Control", "public, max-age=3600");
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Access-Control-Allow-Origin", "*");
    return c.body(picture);
  });
}

type View = {
  readonly alert: PublicAlert;
  readonly matches: readonly MatchView[];
  readonly sightings: readonly SightingView[];
  readonly organisation: PublisherView | null;
};

function alertPage(ctx: PageContext, { alert, matches, sightings, organisation }: View): Page {
  const { t, links } = ctx;
  return {
    title: titleOf(ctx, alert),
    access: "public",
    canonical: alert.url,
    head: <AlertHead alert={alert} />,
    scripts: ["map"],
    isWide: true,
    body: (
      <article class="alert" id="alert">
        <Ended alert={alert} />
        <div class="columns">
          <Gallery alert={alert} />
          <div>
            <h1 dir="auto">{headlineOf(t, alert)}</h1>
            <p class="meta">
              <bdi>{whereOf(ctx, alert)}</bdi> · <Day date={alert.eventDate} at={alert} />
              {alert.eventTime !== null && `, ${t.aboutTime(alert.eventTime)}`}
            </p>
            {isStillMissing(alert) && <p class="warning">{t.sighting.calm}</p>}
            <Actions alert={alert} />
            <ShareRow alert={alert} posterOf={alert.status === "active" ? alert.slug : null} />
            <Facts alert={alert} />
            {organisation !== null && <PublishedBy organisation={organisation} />}
          </div>
        </div>
        <MapBox
          mode="trail"
          label={t.alert.map[alert.type]}
          more={{ "data-list": "#alert", ...(sightings.length > 0 && markLegend(t, alert)) }}
        />
        <Sightings alert={alert} sightings={sightings} />
        <Matches alert={alert} matches={matches} />
        <p class="quiet">
          {t.alert.published({ day: t.day(dayOf(alert, alert.publishedAt)) })}{" "}
          {alert.status === "active" && t.alert.runs({ day: t.day(dayOf(alert, alert.expiresAt)) })}
        </p>
        {ctx.isModerated && <LinkLine to={links.report(alert.slug)} label={t.report.link} />}
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
        <EndNotice
          title={t.alert.homeAgain}
          text={`${t.alert.homeAgainText[alert.type]} ${t.alert.takeDown}`}
        />
      );
    case "expired":
      return <EndNotice title={t.alert.expired} text={t.alert.expiredText} />;
  }
}

function EndNotice({ title, text }: { title: string; text: string }) {
  return (
    <div class="notice">
      <p class="lead">{title}</p>
      <p>{text}</p>
    </div>
  );
}

/** Actions for an animal that is not home yet. */
function Actions({ alert }: { alert: PublicAlert }) {
  const { t, links } = usePage();
  return (
    <div class="acts">
      {alert.reachable && (
        <p class="act">
          <ButtonLink to={alert.contactUrl} label={t.contact.title[readerOf(alert)]} isMain />
          <span class="hint">{t.alert.contactHint}</span>
        </p>
      )}
      {isStillMissing(alert) && (
        <p class="act">
          <a
            class={alert.reachable ? "button quiet" : "button"}
            href={local(links.sighting(alert.slug))}
          >
            {t.sighting.title[alert.species]}
          </a>
          <span class="hint">{t.sighting.linkHint}</span>
        </p>
      )}
    </div>
  );
}

/** Length of link previews, beyond which most apps cut them. */
const DESCRIPTION_MAX = 200;
/** Radius of the feed linked from the page of an alert. */
const FEED_RADIUS_KM = 10;

/** Head of an alert's page for search engines, link previews and feed readers. */
function AlertHead({ alert }: { alert: PublicAlert }) {
  const ctx = usePage();
  const { t, links, siteName } = ctx;
  const title = titleOf(ctx, alert);
  const description = descriptionOf(t, alert);
  const version = `${alert.updatedAt.toString(36)}${alert.status === "resolved" ? "h" : ""}`;
  const near = new URLSearchParams({
    lat: String(alert.lat),
    lng: String(alert.lng),
    radius_km: String(FEED_RADIUS_KM),
  });
  return (
    <>
      <link
        rel="alternate"
        type="application/atom+xml"
        title={t.alert.around({ town: placeText(alert) })}
        href={`${links.feed}?${near}`}
      />
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={siteName} />
      <meta property="og:locale" content={new Intl.Locale(t.tag).baseName.replace("-", "_")} />
      <meta property="og:url" content={alert.url} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {/* The size lets apps lay out the preview before its picture has arrived. */}
      <meta property="og:image" content={links.preview(alert.slug, version)} />
      <meta property="og:image:type" content="image/jpeg" />
      <meta property="og:image:width" content={String(PREVIEW_PX.width)} />
      <meta property="og:image:height" content={String(PREVIEW_PX.height)} />
      <meta property="og:image:alt" content={title} />
      <meta name="twitter:card" content="summary_large_image" />
      <script
        type="application/ld+json"
        dangerouslySetInnerHTML={{
          __html: inScript({ ...linkedData(title, description, alert), inLanguage: t.language }),
        }}
      />
    </>
  );
}

/** "Lost cat: Mimi (Lyon, France)". */
function titleOf(ctx: PageContext, alert: PublicAlert): string {
  return `${headlineOf(ctx.t, alert)} (${placeOf(ctx, alert)})`;
}

/** Description by the owner, or else what the animal looks like. */
function descriptionOf(t: PageMessages, alert: PublicAlert): string {
  const when = `${t.alert.on[alert.type]} ${eventDay(t, alert)}`;
  const text =
    alert.description === null
      ? [appearanceOf(alert), when].filter((part) => part !== "").join(", ")
      : writtenText(t, alert.description);
  const letters = [...text.replace(/\s+/g, " ")];
  return letters.length <= DESCRIPTION_MAX
    ? letters.join("")
    : `${letters.slice(0, DESCRIPTION_MAX - 1).join("")}…`;
}

/**
 * JSON-LD. schema.org has no type for lost animals, so this is a page about an animal, with a place and an expiry date.
 * The position is that of the public cell.
 */
function linkedData(title: string, description: string, alert: PublicAlert): object {
  const iso = (time: number) => new Date(time).toISOString();
  return {
    "@context": "https://schema.org",
    "@type": "WebPage",
    "@id": alert.url,
    url: alert.url,
    name: title,
    description,
    datePublished: iso(alert.publishedAt),
    dateModified: iso(alert.updatedAt),
    ...(alert.status === "active" ? { expires: iso(alert.expiresAt) } : {}),
    ...(alert.photos.length === 0 ? {} : { image: alert.photos }),
    about: {
      "@type": "Thing",
      identifier: alert.id,
      ...(alert.name === null ? {} : { name: alert.name }),
      description: [alert.species, appearanceOf(alert)].filter((part) => part !== "").join(", "),
    },
    contentLocation: {
      "@type": "Place",
      name: placeText(alert),
      address: {
        "@type": "PostalAddress",
        addressLocality: alert.city,
        addressCountry: alert.countryCode,
      },
      geo: { "@type": "GeoCoordinates", latitude: alert.lat, longitude: alert.lng },
    },
  };
}

/** JSON that cannot close its script element. */
function inScript(data: object): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
