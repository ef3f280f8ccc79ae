import { Hono } from "hono";
import type { SitemapEntry } from "../../core/alerts/sitemap.ts";
import { Fault } from "../../core/fault.ts";
import type { Service } from "../../core/service/service.ts";
import type { Site } from "../middleware/site.ts";
import type { HttpEnv } from "../middleware/env.ts";
import { cacheable, sendWithEtag } from "../middleware/etag.ts";
import type { ReadCounter } from "../middleware/rate-limit.ts";
import { isoTime } from "./alert-json.ts";

const XML = cacheable("application/xml; charset=utf-8", "public, max-age=3600");
/** Reads that one part counts as: it holds as many alerts as fifty pages of a search. */
const READS = 10;
const XMLNS = "http://www.sitemaps.org/schemas/sitemap/0.9";
/** Name of the part of pages that are no alerts, and of the part of the newest alerts. */
const PAGES = "pages";
const NEWEST = "newest";

/** Sitemap (sitemaps.org, 0.9): an index, and parts with the active alerts. To be mounted at the root. */
export function createSitemapRoutes(
  { service, links }: Pick<Site, "links"> & { readonly service: Service },
  countReads: ReadCounter["count"],
): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const { home, about, returns, publish, subscribe, privacy, terms, imprint } = links;
  const pages = [home, about, returns, publish, subscribe, privacy, terms, imprint];

  routes.get("/sitemap.xml", (c) => {
    countReads(c.get("caller"), READS - 1);
    const parts = [PAGES, ...service.alerts.sitemapParts().map((before) => before ?? NEWEST)];
    const rows = parts.map(
      (part) => `<sitemap><loc>${links.sitemapPart(`${part}`)}</loc></sitemap>`,
    );
    return send(c, `<sitemapindex xmlns="${XMLNS}">${rows.join("")}</sitemapindex>`);
  });

  routes.get("/sitemaps/:file", async (c) => {
    countReads(c.get("caller"), READS - 1);
    const [, part] = /^(pages|newest|\d{1,15})\.xml$/.exec(c.req.param("file")) ?? [];
    if (part === undefined) throw new Fault("not_found", { reason: "nothing_here" });
    const entries: readonly (Pick<SitemapEntry, "url"> & Partial<SitemapEntry>)[] =
      part === PAGES
        ? pages.map((url) => ({ url }))
        : await service.alerts.sitemapPart(part === NEWEST ? null : Number(part));
    const rows = entries.map(({ url, updatedAt }) => {
      const changed = updatedAt === undefined ? "" : `<lastmod>${isoTime(updatedAt)}</lastmod>`;
      return `<url><loc>${url}</loc>${changed}</url>`;
    });
    return send(c, `<urlset xmlns="${XMLNS}">${rows.join("")}</urlset>`);
  });

  return routes;
}

function send(c: Parameters<typeof sendWithEtag>[0], xml: string): Response {
  return sendWithEtag(c, { body: `<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`, kind: XML });
}
