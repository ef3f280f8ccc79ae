import { Hono } from "hono";
import { catalogLinks, feedLinks, type Links } from "../../../core/urls.ts";
import { staticDocument } from "../../middleware/etag.ts";
import { responseHeaders } from "../../middleware/response-headers.ts";

/** Pages opened by a token or by moderators. They carry noindex, too, but crawlers need not even fetch them. */
const DISALLOWED = [
  "/admin",
  "/confirm/",
  "/conversation/",
  "/erase/",
  "/inbox",
  "/manage/",
  "/pair/",
  "/unsubscribe/",
  "/waiting/",
];
const LINKSET_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** API catalog and robots.txt, to be mounted at the root. */
export function createCatalog(links: Links): Hono {
  const catalog = new Hono();
  catalog.get(
    "/.well-known/api-catalog",
    responseHeaders({ Link: linkTo(links.apiCatalog, "api-catalog") }),
    staticDocument(JSON.stringify(apiCatalog(links)), LINKSET_TYPE),
  );
  catalog.get("/robots.txt", staticDocument(robotsFile(links), "text/plain; charset=utf-8"));
  return catalog;
}

/** Link header to the API description, its documentation and the catalog (RFC 8631, RFC 9727). */
export function linksToApi(links: Links): string {
  return [
    linkTo(links.openapi, "service-desc"),
    linkTo(links.docs, "service-doc"),
    linkTo(links.apiCatalog, "api-catalog"),
  ].join(", ");
}

/** Link header of the home page: to the API description, every catalog, and the feeds. */
export function linksFromHome(links: Links): string {
  const typed = [...catalogLinks(links), ...feedLinks(links)].map(
    ({ href, rel, type }) => `${linkTo(href, rel)}; type="${type}"`,
  );
  return [linkTo(links.openapi, "service-desc"), linkTo(links.docs, "service-doc"), ...typed].join(
    ", ",
  );
}

function linkTo(address: string, relation: string): string {
  return `<${address}>; rel="${relation}"`;
}

/** API catalog (RFC 9727) as a link set (RFC 9264): the REST API and the tool server with their descriptions. */
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
function robotsFile(links: Links): string {
  const disallowed = DISALLOWED.map((path) => `Disallow: ${links.at(path)}`);
  return [
    "User-agent: *",
    ...disallowed,
    `Allow: ${links.at("/")}`,
    `Sitemap: ${links.sitemap}`,
    "",
  ].join("\n");
}
