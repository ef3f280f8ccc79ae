import { type Context, Hono } from "hono";
import type { PublicAlert } from "../core/alert.ts";
import { parse } from "../core/input.ts";
import type { Links } from "../core/links.ts";
import type { SearchPage } from "../core/search.ts";
import type { Service } from "../core/service.ts";
import type { HttpEnv } from "./caller.ts";
import { restSearchInput, SEARCH_PARAMETERS, singles, withQuery } from "./rest.ts";
import { sendTagged } from "./tagged.ts";
import { alertToWire, fromWire, isoTime } from "./wire.ts";

type Site = { readonly service: Service; readonly links: Links; readonly siteName: string };

/** Lists of live alerts in the formats of others, by the same filters as the REST search. To be mounted at the root. */
export function createFeeds({ service, links, siteName }: Site): Hono<HttpEnv> {
  const feeds = new Hono<HttpEnv>();

  feeds.get("/feed.atom", async (c) => {
    const { page, self, next } = await searched(c, links.feed);
    const body = atomFeed({ page, self, next, home: links.home, siteName });
    return sendTagged(c, {
      body,
      type: "application/atom+xml; charset=utf-8",
      cacheControl: "no-cache",
    });
  });

  feeds.get("/api/v1/alerts.geojson", async (c) => {
    const { page, next } = await searched(c, links.geojson);
    const body = JSON.stringify(featureCollection(page));
    return sendTagged(c, {
      body,
      type: "application/geo+json",
      cacheControl: "no-cache",
      link: next === null ? null : `<${next}>; rel="next"`,
    });
  });

  /** The page asked for, its own address and that of the next one. */
  async function searched(c: Context, address: string) {
    const given = singles(c.req, SEARCH_PARAMETERS);
    const { q, ...rest } = parse(restSearchInput, fromWire(given));
    const page = await service.search({ ...rest, query: q });
    return {
      page,
      self: withQuery(address, given),
      next:
        page.nextCursor === null
          ? null
          : withQuery(address, { ...given, cursor: isoTime(page.nextCursor) }),
    };
  }

  return feeds;
}

/** RFC 7946: each alert is the middle of its public cell, longitude first. */
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
    next_cursor: page.nextCursor === null ? null : isoTime(page.nextCursor),
  };
}

type Feed = {
  readonly page: SearchPage;
  readonly self: string;
  readonly next: string | null;
  readonly home: string;
  readonly siteName: string;
};

/** RFC 4287, with the next page as RFC 5005 has it. In English, as all that is for programs. */
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
 * The list's own address: one for all its pages, written in one way however its filters were ordered, as RFC 4287
 * (4.2.6) asks for. Under another `BASE_URL` readers see new lists.
 */
function feedId(self: string): string {
  const list = new URL(self);
  list.searchParams.delete("cursor");
  list.searchParams.sort();
  return list.href;
}

const TYPE = { lost: "Lost", found: "Found" } as const;
const ANIMAL = { dog: "dog", cat: "cat", bird: "bird", other: "pet" } as const;

/** "Lost cat: Mimi (Lyon, FR)". */
function titleOf({ type, species, name, city, countryCode }: PublicAlert): string {
  const kind = `${TYPE[type]} ${ANIMAL[species]}`;
  return `${name === null ? kind : `${kind}: ${name}`} (${city}, ${countryCode})`;
}

function summaryOf(alert: PublicAlert): string {
  const looks = [alert.color, alert.breed].filter((look) => look !== "unknown").join(", ");
  const facts = [looks, `${alert.type} on ${alert.eventDate}`].filter((fact) => fact !== "");
  return [`${facts.join("; ")}.`, alert.description ?? ""].join("\n").trim();
}

const ENTITY: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Text as XML 1.0 can hold it: what no document may contain, escaped or not, is left out. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"]/g, (sign) => ENTITY[sign] ?? "");
}
