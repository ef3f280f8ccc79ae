import { Hono } from "hono";
import { animalHeadline } from "../../core/alerts/alert-text.ts";
import { capitalize, LOCALES } from "../../messages/locale.ts";
import { appearanceOf, type PublicAlert } from "../../core/alerts/alert.ts";
import { placeText } from "../../places/places.ts";
import type { Site } from "../middleware/site.ts";
import type { SearchPage } from "../../core/alerts/search.ts";
import type { Service } from "../../core/service/service.ts";
import type { HttpEnv } from "../middleware/env.ts";
import { FEED_PARAMETERS, linkToNext, searchPage, totalHeader, withQuery } from "./alerts.ts";
import { cacheable, sendWithEtag } from "../middleware/etag.ts";
import { alertToWire, isoTime } from "./alert-json.ts";

const ATOM = cacheable("application/atom+xml; charset=utf-8", "no-cache");
const GEOJSON = cacheable("application/geo+json", "no-cache");

/** Searches as Atom feed and GeoJSON, with the filters of the REST API. To be mounted at the root. */
export function createFeeds({
  service,
  links,
  siteName,
}: Pick<Site, "links" | "siteName"> & { readonly service: Service }): Hono<HttpEnv> {
  const feeds = new Hono<HttpEnv>();

  feeds.get("/feed.atom", async (c) => {
    const { parameters, page, next } = await searchPage(
      service.alerts,
      c.req,
      links.feed,
      FEED_PARAMETERS,
    );
    const self = withQuery(links.feed, parameters);
    const body = atomFeed({ page, self, next, home: links.home, siteName });
    return sendWithEtag(c, {
      body,
      kind: ATOM,
    });
  });

  feeds.get("/api/v1/alerts.geojson", async (c) => {
    const { page, next } = await searchPage(service.alerts, c.req, links.geojson);
    const body = JSON.stringify(featureCollection(page));
    return sendWithEtag(c, {
      body,
      kind: GEOJSON,
      link: linkToNext(next),
      headers: totalHeader(page),
    });
  });

  return feeds;
}

/** GeoJSON (RFC 7946): each alert is a point at the centre of its public cell, longitude first. */
function featureCollection(page: SearchPage) {
  return {
    type: "FeatureCollection",
    features: page.alerts.map(({ alert, distanceKm }) => {
      const { latitude, longitude, ...properties } = alertToWire(alert);
      return {
        type: "Feature",
        id: properties.id,
        geometry: { type: "Point", coordinates: [longitude, latitude] },
        properties: distanceKm === null ? properties : { ...properties, distance_km: distanceKm },
      };
    }),
    next_cursor: page.nextCursor,
  };
}

type Feed = {
  readonly page: SearchPage;
  readonly self: string;
  readonly next: string | null;
  readonly home: string;
  readonly siteName: string;
};

/** Atom feed (RFC 4287) with a link to the next page (RFC 5005). In English, like all output for programs. */
function atomFeed({ page, self, next, home, siteName }: Feed): string {
  const updated = Math.max(0, ...page.alerts.map(({ alert }) => alert.updatedAt));
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${xml(feedId(self))}</id>
<title>${xml(`${siteName}: lost and found pets`)}</title>
<updated>${isoTime(updated)}</updated>
<author><name>${xml(siteName)}</name></author>
<link rel="self" type="application/atom+xml" href="${xml(self)}"/>
<link rel="alternate" type="text/html" href="${xml(home)}"/>
${next === null ? "" : `<link rel="next" type="application/atom+xml" href="${xml(next)}"/>\n`}${page.alerts
    .map(entry)
    .join("")}</feed>
`;
}

function entry({ alert }: { readonly alert: PublicAlert }): string {
  const [photo] = alert.photos;
  return `<entry>
<id>urn:uuid:${xml(alert.id)}</id>
<title>${xml(titleOf(alert))}</title>
<published>${isoTime(alert.publishedAt)}</published>
<updated>${isoTime(alert.updatedAt)}</updated>
<link rel="alternate" type="text/html" href="${xml(alert.url)}"/>
${photo === undefined ? "" : `<link rel="enclosure" type="image/webp" href="${xml(photo)}"/>\n`}<category term="${alert.type}"/>
<category term="${alert.species}"/>
<summary type="text">${xml(summaryOf(alert))}</summary>
</entry>
`;
}

/**
 * Id of a feed: its normalised URL without the cursor, so that all pages and orders of parameters share it (RFC 4287,
 * 4.2.6). A change of `BASE_URL` makes new feeds.
 */
function feedId(self: string): string {
  const url = new URL(self);
  url.searchParams.delete("cursor");
  url.searchParams.sort();
  return url.href;
}

/** "Lost cat: Mimi (Friedrichshain, Berlin, DE)". */
function titleOf(alert: PublicAlert): string {
  const { name, countryCode } = alert;
  const kind = capitalize(animalHeadline(LOCALES.en, alert));
  return `${name === null ? kind : `${kind}: ${name}`} (${placeText(alert)}, ${countryCode})`;
}

function summaryOf(alert: PublicAlert): string {
  const facts = [appearanceOf(alert), `${alert.type} on ${alert.eventDate}`].filter(
    (fact) => fact !== "",
  );
  return [`${facts.join("; ")}.`, alert.description ?? ""].join("\n").trim();
}

const ENTITY: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Escapes text for XML 1.0. Characters that XML cannot contain even when escaped are removed. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"]/g, (character) => ENTITY[character] ?? "");
}
