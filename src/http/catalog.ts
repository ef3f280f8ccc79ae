import { Hono } from "hono";
import { etag } from "hono/etag";
import type { Links } from "../core/links.ts";
import { KEPT_WITH_304 } from "./wire.ts";

/** Pages that are opened by a token or by moderators. They say noindex, too; their addresses need not be fetched at all. */
const KEPT_FROM_ROBOTS = [
  "/admin",
  "/confirm/",
  "/conversation/",
  "/erase/",
  "/manage/",
  "/pair/",
  "/unsubscribe/",
  "/waiting/",
];
const AN_HOUR = "public, max-age=3600";
const LINKSET_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Where machines find what there is on this server. To be mounted at the root. */
export function createCatalog(links: Links): Hono {
  const catalog = new Hono();
  const linkset = JSON.stringify(apiCatalog(links));
  const robots = robotsFile();
  const say = (path: string, type: string, body: string) =>
    catalog.get(path, etag(KEPT_WITH_304), (c) => {
      c.header("Content-Type", type);
      c.header("Cache-Control", AN_HOUR);
      return c.body(body);
    });
  catalog.use("/.well-known/api-catalog", async (c, next) => {
    await next();
    c.res.headers.append("Link", linkTo(links.apiCatalog, "api-catalog"));
  });
  say("/.well-known/api-catalog", LINKSET_TYPE, linkset);
  say("/robots.txt", "text/plain; charset=utf-8", robots);
  return catalog;
}

/** Where the API is described, as a Link header says it (RFC 8631, RFC 9727). */
export function linksToApi(links: Links): string {
  return [
    linkTo(links.openapi, "service-desc"),
    linkTo(links.docs, "service-doc"),
    linkTo(links.apiCatalog, "api-catalog"),
  ].join(", ");
}

function linkTo(address: string, relation: string): string {
  return `<${address}>; rel="${relation}"`;
}

/** RFC 9727, as a link set (RFC 9264): the REST API and the tool server, and where each is described. */
function apiCatalog(links: Links) {
  return {
    linkset: [
      {
        anchor: links.apiCatalog,
        item: [{ href: links.api }, { href: links.mcp }],
      },
      {
        anchor: links.api,
        "service-desc": [{ href: links.openapi, type: "application/json" }],
        "service-doc": [{ href: links.docs, type: "text/html" }],
        status: [{ href: links.ready, type: "application/json" }],
      },
      {
        anchor: links.mcp,
        "service-desc": [{ href: links.serverCard, type: "application/mcp-server-card+json" }],
        "service-doc": [{ href: `${links.about}#assistants`, type: "text/html" }],
        status: [{ href: links.ready, type: "application/json" }],
      },
    ],
  };
}

/** RFC 9309. */
function robotsFile(): string {
  return [
    "User-agent: *",
    ...KEPT_FROM_ROBOTS.map((path) => `Disallow: ${path}`),
    "Allow: /",
    "",
  ].join("\n");
}
