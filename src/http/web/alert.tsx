import { Hono } from "hono";
import type { PublicAlert } from "../../core/alert.ts";
import { parse } from "../../core/input.ts";
import { type MatchFace, matchesInput } from "../../core/matching.ts";
import { isAtLarge, type SightingFace } from "../../core/sighting.ts";
import { AlertHead, titleOf } from "./alert-head.tsx";
import { readerOf } from "./alert-line.tsx";
import { Facts, Gallery, Headline } from "./alert-text.tsx";
import { type Frame, local, type Page, show, type Web, type WebEnv } from "./frame.tsx";
import { MapBox } from "./map.tsx";
import { Matches, MATCHES_SHOWN } from "./matches.tsx";
import { PosterLink, Share } from "./share.tsx";
import { Sightings } from "./sighting.tsx";
import type { Words } from "./words/words.ts";

/** The page of each alert, at one address; its other names lead there. */
export function createAlertPages({ service, frameOf }: Web): Hono<WebEnv> {
  const pages = new Hono<WebEnv>();

  pages.get("/alerts/:name", async (c) => {
    const frame = frameOf(c);
    const alert = await service.get(c.req.param("name"));
    if (alert.slug !== c.req.param("name")) return c.redirect(alert.url, 301);
    const [{ matches }, sightings] = await Promise.all([
      service.matches(
        parse(matchesInput, {
          alert: alert.id,
          limit: MATCHES_SHOWN,
          language: frame.words.language,
        }),
      ),
      service.sightings(alert),
    ]);
    return show(c, frame, alertPage(frame, { alert, matches, sightings }));
  });

  return pages;
}

type View = {
  readonly alert: PublicAlert;
  readonly matches: readonly MatchFace[];
  readonly sightings: readonly SightingFace[];
};

function alertPage(frame: Frame, { alert, matches, sightings }: View): Page {
  const { words, links } = frame;
  return {
    title: titleOf(words, alert),
    access: "public",
    head: <AlertHead frame={frame} alert={alert} />,
    scripts: ["map", "page"],
    body: (
      <article class="alert" id="alert">
        <Ended words={words} alert={alert} />
        <Headline frame={frame} alert={alert} level={1} />
        <Gallery frame={frame} alert={alert} />
        <Acts frame={frame} alert={alert} />
        <Facts frame={frame} alert={alert} />
        <Spot frame={frame} alert={alert} isSeen={sightings.length > 0} />
        <Sightings frame={frame} alert={alert} sightings={sightings} />
        <Matches frame={frame} alert={alert} matches={matches} />
        <Share frame={frame} alert={alert} />
        {alert.status === "active" && <PosterLink frame={frame} slug={alert.slug} />}
        <p class="quiet">
          {words.alert.published(words.day(alert.publishedAt))}{" "}
          {alert.status === "active" && words.alert.runs(words.day(alert.expiresAt))}
        </p>
        {frame.isModerated && (
          <p>
            <a href={local(links.report(alert.slug))}>{words.report.link}</a>
          </p>
        )}
      </article>
    ),
  };
}

function Ended({ words, alert }: { readonly words: Words; readonly alert: PublicAlert }) {
  switch (alert.status) {
    case "active":
      return null;
    case "resolved":
      return (
        <div class="notice">
          <p class="lead">{words.alert.homeAgain}</p>
          <p>
            {words.alert.homeAgainText[alert.type]} {words.alert.takeDown}
          </p>
        </div>
      );
    case "expired":
      return (
        <div class="notice">
          <p class="lead">{words.alert.expired}</p>
          <p>{words.alert.expiredText}</p>
        </div>
      );
  }
}

/** What a reader can do about an animal that is not home. */
function Acts({ frame, alert }: { readonly frame: Frame; readonly alert: PublicAlert }) {
  const { words, links } = frame;
  return (
    <div class="acts">
      {alert.reachable && (
        <p class="act">
          <a class="button" href={local(alert.contactUrl)}>
            {words.contact.title[readerOf(alert)]}
          </a>
          <span class="hint">{words.alert.contactHint}</span>
        </p>
      )}
      {isAtLarge(alert) && (
        <p class="act">
          <a
            class={alert.reachable ? "button quiet" : "button"}
            href={local(links.sighting(alert.slug))}
          >
            {words.sighting.link}
          </a>
          <span class="hint">{words.sighting.linkHint}</span>
        </p>
      )}
    </div>
  );
}

/** The map of one alert: its own cell, and those where the animal was seen. */
function Spot({
  frame,
  alert,
  isSeen,
}: {
  readonly frame: Frame;
  readonly alert: PublicAlert;
  readonly isSeen: boolean;
}) {
  const { alert: say, home, sighting } = frame.words;
  const [own, seen] =
    alert.type === "lost"
      ? (["data-lost-label", "data-found-label"] as const)
      : (["data-found-label", "data-lost-label"] as const);
  const legend = isSeen ? { [own]: sighting.alertHere[alert.type], [seen]: sighting.seenHere } : {};
  return (
    <MapBox
      frame={frame}
      mode="alerts"
      label={say.map[alert.type]}
      more={{ "data-list": "#alert", "data-close": home.close, ...legend }}
    />
  );
}
