import { type Context, Hono, type MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { getPathNoStrict } from "hono/utils/url";
import { DAY_MS } from "../core/duration.ts";
import { Fault } from "../core/fault.ts";
import { basePathOf, pathWithin } from "../core/urls.ts";
import type { Service } from "../core/service/service.ts";
import { createSitemapRoutes } from "./api/sitemap.ts";
import { createRest, NOTES_HEADER, TOTAL_HEADER } from "./api/alerts.ts";
import { createFeeds } from "./api/feeds.ts";
import { createHealth } from "./api/health.ts";
import { type MetricsOptions, serveMetrics } from "./api/metrics.ts";
import { apiDocument, createOpenApi } from "./api/openapi/document.ts";
import { createCatalog, linksFromHome, linksToApi } from "./api/openapi/routes.ts";
import { serveSecurityTxt } from "./api/security-txt.ts";
import { createMapMarks } from "./api/map-marks.ts";
import { createQr, createShortLinks } from "./api/qr.ts";
import type { HttpEnv } from "./middleware/env.ts";
import { problem, statusOf } from "./middleware/faults.ts";
import { linkPath } from "./middleware/link-path.ts";
import { createDiscovery } from "./mcp/discovery.ts";
import { createEndpoint } from "./mcp/endpoint.ts";
import { checkOrigins } from "./mcp/origins.ts";
import {
  clientIp,
  isFile,
  limitFiles,
  limitReads,
  type ReadLimit,
} from "./middleware/rate-limit.ts";
import { createRequestBodies, isShort } from "./middleware/request-body.ts";
import { REQUEST_ID_HEADER, type RequestLog } from "./middleware/request-log.ts";
import { defaultHeaders, responseHeaders } from "./middleware/response-headers.ts";
import { CARDS_DOCUMENT } from "./web/assets/assets.ts";
import { createEmbed, EMBED_PATH } from "./web/pages/embed/embed.tsx";
import type { LegalFacts } from "./web/pages/legal/legal.tsx";
import { createPages, faultPage } from "./web/routes.tsx";
import type { Site } from "./middleware/site.ts";
import type { DrawPreview } from "../photos/preview-picture.ts";
import type { ReadMultipart } from "../core/photos/photo-files.ts";

/** Everything the HTTP application depends on. */
export type AppOptions = Site &
  ReadLimit & {
    readonly service: Service;
    /** False while requests should go to another node. */
    readonly isReady: () => boolean;
    readonly trustProxy: number;
    /** Called for each request whose client's address the proxy does not tell. */
    readonly onUnreadAddress: () => void;
    readonly legal: LegalFacts;
    readonly allowedOrigins: readonly string[];
    readonly drawPreview: DrawPreview;
    readonly requestLog: RequestLog;
    readonly metrics: Pick<MetricsOptions, "gather" | "isPublic" | "token">;
    readonly readMultipart: ReadMultipart;
    readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void;
  };

/**
 * REST API, tool server and pages on one Hono app. Its router is the fast one, which throws at ambiguous paths: no
 * static segment may stand beside a parameter (`:name`). A trailing slash is ignored.
 */
export function createApp(site: AppOptions): Hono<HttpEnv> {
  const basePath = basePathOf(site.baseUrl);
  const app = new Hono<HttpEnv>({
    router: new RegExpRouter(),
    // Routes and handlers see paths without that of the site; links add it again.
    getPath: (request) => linkPath(pathWithin(basePath, getPathNoStrict(request))),
  });
  const addSecurityHeaders = defaultHeaders(SECURITY_HEADERS);
  app.use((c, next) => {
    addSecurityHeaders(c);
    const answered = site.requestLog.middleware(c, next);
    return c.req.method === "HEAD" ? answered.then(() => tellLength(c)) : answered;
  });
  app.use(EMBED_PATH, responseHeaders({ "X-Frame-Options": null }));
  for (const path of CORS_PATHS) app.use(path, allowAllOrigins());
  app.use("/api/mcp", checkOrigins(site.baseUrl, site.allowedOrigins));
  const apiLinks = { Link: linksToApi(site.links) };
  app.use("/api/v1/*", allowAllOrigins(apiLinks));
  app.use("/", responseHeaders({ Link: linksFromHome(site.links) }));
  app.route("/", createHealth(site.service, site.version, site.isReady));
  // Only public readers of the metrics are limited: gathering the metrics queries the store and the disk.
  const metrics = serveMetrics({ ...site, ...site.metrics });
  if (!site.metrics.isPublic) app.use("/metrics", metrics);
  const setCaller = clientIp(site);
  const reads = limitReads(site);
  const files = limitFiles(site);
  const receiveBody = createRequestBodies(site.readMultipart);
  // One middleware for all of them: each one costs every request a promise.
  app.use((c, next) => {
    setCaller(c);
    const isOfFile = c.req.method !== "POST" && isFile(c.req.path);
    const counter = isOfFile ? files : reads;
    try {
      // The tool server counts its calls, and answers the short ones in its own words beyond the limit.
      if (!isCallOfTools(c)) counter.count(c.get("caller"), 1);
      else if (!isShort(c.req.raw)) counter.count(c.get("caller"), 0);
    } finally {
      if (API_PATHS.test(c.req.path)) c.set("rateLimit", reads.headers(c.get("caller")));
    }
    checkHost(c.req.raw);
    const answered = receiveBody(c, next);
    if (c.req.method !== "POST" && !isOfFile) return answered;
    const note = (status: number) => {
      if (status >= 400 && status < 500) counter.noteRefused(c.get("caller"));
    };
    return answered.then(
      () => note(c.res.status),
      // A body that cannot be read; Hono has made responses of all other errors.
      (error: unknown) => {
        if (error instanceof Fault) note(statusOf(error.code));
        throw error;
      },
    );
  });
  if (site.metrics.isPublic) app.use("/metrics", metrics);

  app.route("/api/v1", createRest(site.service, site.links));
  app.route("/", createFeeds(site));
  app.route("/api/qr", createQr(site.service, site.links));
  app.route("/a", createShortLinks(site.service));
  const openApi = apiDocument(site);
  app.route("/", createOpenApi(openApi));
  app.route("/", createCatalog(site.links));
  app.get("/.well-known/security.txt", serveSecurityTxt(site.legal.operator, site));
  app.route("/", createSitemapRoutes(site, reads.count));
  app.route("/", createMapMarks(site));
  app.route("/", createDiscovery(site));
  app.route(
    "/api/mcp",
    createEndpoint({ service: site.service, site, cards: CARDS_DOCUMENT, log: site.log }, reads),
  );
  app.route("/", createEmbed(site));
  app.route("/", createPages({ ...site, api: openApi }));

  refuseOtherMethods(app);
  app.notFound((c) => sendFault(site, c, new Fault("not_found", { reason: "nothing_here" })));
  app.onError((error, c) => sendFault(site, c, error));
  return app;
}

/** Adds the length that a GET would answer with: Hono drops the body of HEAD, and its length with it. */
async function tellLength(c: Context<HttpEnv>): Promise<void> {
  if (c.res.headers.has("Content-Length") || c.res.body === null) return;
  const body = await c.res.clone().arrayBuffer();
  c.header("Content-Length", String(body.byteLength));
}

/**
 * Headers for browsers' security; hono/secure-headers would set them one by one on each response. The reverse proxy
 * sends Strict-Transport-Security: from here it would bind every subdomain of a shelter's domain.
 */
const SECURITY_HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Origin-Agent-Cluster": "?1",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-DNS-Prefetch-Control": "off",
  "X-Download-Options": "noopen",
  "X-Frame-Options": "DENY",
  "X-Permitted-Cross-Domain-Policies": "none",
  "X-XSS-Protection": "0",
};

/** Paths that pages of any origin may read, besides the REST API. */
const CORS_PATHS = [
  "/api/qr/*",
  "/api/openapi.json",
  "/api/mcp/server-card",
  "/.well-known/*",
  "/server.json",
  "/llms.txt",
  "/feed.atom",
];
/** Headers that they may read. Those of the limit would tell any site that its visitor has just been here. */
const EXPOSED_HEADERS = [
  "Link",
  "Retry-After",
  "ETag",
  TOTAL_HEADER,
  NOTES_HEADER,
  REQUEST_ID_HEADER,
];
const preflight = cors({
  origin: "*",
  allowMethods: ["GET", "HEAD"],
  exposeHeaders: EXPOSED_HEADERS,
  maxAge: DAY_MS / 1000,
});

/** Middleware that lets pages of any origin read a path, and adds these default headers to its responses. */
function allowAllOrigins(
  headers: Readonly<Record<string, string>> = {},
): MiddlewareHandler<HttpEnv> {
  const addHeaders = responseHeaders({
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": EXPOSED_HEADERS.join(","),
    ...headers,
  });
  return (c, next) => (c.req.method === "OPTIONS" ? preflight(c, next) : addHeaders(c, next));
}

/** Checks that the Host header is valid, because handlers parse the URL of the request. Throws `bad_input`. */
function checkHost({ url, headers }: Request): void {
  const host = headers.get("Host");
  if ((host !== null && !URL.canParse(`http://${host}`)) || !URL.canParse(url))
    throw new Fault("bad_input", "The Host header is not valid.");
}

/** Paths whose responses tell what is left of a client's limit. */
const API_PATHS = /^\/(?:api\/(?:v1|mcp)(?:\/|$)|feed\.atom)/;

function isCallOfTools({ req }: Context): boolean {
  return req.method === "POST" && req.path === "/api/mcp";
}

const PROGRAM_PATHS =
  /^\/(?:api|\.well-known|healthz|readyz|server\.json|llms\.txt|robots\.txt|feed\.atom|map|register)/;

/** Responds with problem details on paths for programs, and for too many files, and with a page elsewhere. */
function sendFault(
  site: AppOptions,
  c: Parameters<typeof problem>[0],
  error: unknown,
): Response | Promise<Response> {
  const request: string = c.get("requestId");
  if (!(error instanceof Fault)) site.log("bug", { request, route: c.req.routePath, error });
  const isPageless =
    PROGRAM_PATHS.test(c.req.path) ||
    (error instanceof Fault && error.code === "too_many" && isFile(c.req.path));
  return isPageless
    ? problem(c, error, site.links.docs)
    : faultPage(c, error instanceof Fault ? error : { request }, site);
}

/** Answers 405 with Allow where a path has handlers for other methods only. */
function refuseOtherMethods(app: Hono<HttpEnv>): void {
  const allowed = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method === "ALL") continue;
    const methods = allowed.get(path) ?? new Set();
    methods.add(method);
    if (method === "GET") methods.add("HEAD");
    allowed.set(path, methods);
  }
  for (const [path, methods] of allowed) {
    app.all(path, (c) => {
      const allow = [...methods].join(", ");
      c.header("Allow", allow);
      throw new Fault("bad_method", `${c.req.method} is not allowed here. Allowed: ${allow}.`);
    });
  }
}
