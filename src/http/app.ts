import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { every } from "hono/combine";
import { cors } from "hono/cors";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { DAY_MS } from "../core/duration.ts";
import { Fault } from "../core/fault.ts";
import type { Limit, Network, Rate, Rates } from "../core/limit.ts";
import type { Links } from "../core/links.ts";
import type { Clock } from "../core/ports.ts";
import type { Service } from "../core/service.ts";
import { createCatalog, linksToApi } from "./catalog.ts";
import { admit, type HttpEnv } from "./caller.ts";
import { problem } from "./faults.ts";
import { type MetricsDoor, metricsDoor } from "./metrics.ts";
import { REQUEST_ID_HEADER, type Traffic } from "./traffic.ts";
import { createFeeds } from "./feeds.ts";
import { createHealth } from "./health.ts";
import { apiDocument, createOpenApi } from "./openapi/document.ts";
import { createDiscovery } from "./mcp/discovery.ts";
import { createEndpoint } from "./mcp/endpoint.ts";
import { createQr, createShortLinks } from "./qr.ts";
import { createRest } from "./rest.ts";
import { says } from "./said.ts";
import { uploadsAtOnce } from "./uploads.ts";
import { createDocs } from "./web/docs.tsx";
import { createEmbed, EMBED_PATH } from "./web/embed.tsx";
import { createPages, faultPage } from "./web/pages.tsx";

/** What the doors are opened with. */
export type Site = {
  readonly service: Service;
  readonly links: Links;
  readonly baseUrl: string;
  readonly siteName: string;
  /** Where map tiles come from; null: no maps. */
  readonly tiles: { readonly url: string; readonly attribution: string } | null;
  /** Whether anybody reads what is reported. */
  readonly isModerated: boolean;
  readonly version: string;
  readonly trustProxy: number;
  readonly rates: Rates;
  readonly limitRead: Rate;
  /** Daily backups that are kept. */
  readonly backupKeep: number;
  readonly sharedNetworks: readonly Network[];
  readonly allowedOrigins: readonly string[];
  readonly clock: Clock;
  readonly traffic: Traffic;
  readonly metrics: Pick<MetricsDoor, "gather" | "isPublic">;
  /** Told of the callers held back by what they read. */
  readonly heldBack: (limit: Limit) => void;
  /** Told of every error that is a bug. */
  readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void;
};

/** A request without pictures. */
const BODY_BYTES_MAX = 256 * 1024;
/** A form with pictures. */
export const UPLOAD_BYTES_MAX = 8 * 1024 * 1024;
const UPLOAD_PATHS = /^\/(?:publish|confirm\/[^/]+|manage\/[^/]+\/edit)$/;

/** Whether a request may bring pictures along; it may take its time, too. */
export function isUpload(request: Request): boolean {
  if (request.method !== "POST") return false;
  const isForm = request.headers.get("Content-Type")?.startsWith("multipart/form-data") ?? false;
  return isForm && UPLOAD_PATHS.test(pathOf(request));
}

/**
 * HTTP/1.0, which some health checks speak, knows no Host header, and some name no host in it: Bun then gives a path in
 * the place of an address. Such a request is read as one to our own, so that it comes to the door it means.
 */
export function withOwnHost(request: Request, baseUrl: string): Request {
  return request.url.startsWith("/") ? new Request(baseUrl + request.url, request) : request;
}

/** Under a Host header that names none, Bun gives no whole address. */
function pathOf({ url }: Request): string {
  return URL.parse(url)?.pathname ?? "";
}

const EXPOSED = ["Link", "Retry-After", "ETag", REQUEST_ID_HEADER];
const preflight = cors({
  origin: "*",
  allowMethods: ["GET", "HEAD"],
  exposeHeaders: EXPOSED,
  maxAge: DAY_MS / 1000,
});

const OPEN = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED.join(","),
};
const openly = says(OPEN);

/** Pages of all origins may read what is public. */
const openToAll: MiddlewareHandler<HttpEnv> = (c, next) =>
  c.req.method === "OPTIONS" ? preflight(c, next) : openly(c, next);

/** Strict-Transport-Security is the reverse proxy's: from here it would bind every subdomain of a shelter's address. */
const SECURITY = {
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

/**
 * Every door of the house on one Hono app. Its router is the fast one, which throws at a path that is not plain to it:
 * what may be anything (`:name`) has no word beside it.
 */
export function createApp(site: Site): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ router: new RegExpRouter() });
  app.use(site.traffic.watch);
  app.use(says(SECURITY));
  app.use(EMBED_PATH, says({ "X-Frame-Options": null }));
  for (const path of [
    "/api/v1/*",
    "/api/qr/*",
    "/api/openapi.json",
    "/api/mcp/server-card",
    "/.well-known/*",
    "/server.json",
    "/llms.txt",
    "/feed.atom",
  ])
    app.use(path, openToAll);
  for (const path of ["/", "/api/v1/*"]) app.use(path, says({ Link: linksToApi(site.links) }));
  app.route("/", createHealth(site.service, site.version));
  // Who is near is never held back. Where everybody may ask, each ask counts: the figures cost looks at store and disk.
  const figures = metricsDoor({ ...site, ...site.metrics });
  if (!site.metrics.isPublic) app.use("/metrics", figures);
  app.use(admit(site));
  if (site.metrics.isPublic) app.use("/metrics", figures);
  const refuseNoHost = hostCheck();
  const limitBody = bodyUpTo(BODY_BYTES_MAX, refuseBody);
  const limitUpload = every(uploadsAtOnce(), bodyUpTo(UPLOAD_BYTES_MAX, refuseUpload));
  app.use((c, next) => {
    refuseNoHost(c.req.raw);
    return isUpload(c.req.raw) ? limitUpload(c, next) : limitBody(c, next);
  });

  app.route("/api/v1", createRest(site.service, site.links));
  app.route("/", createFeeds(site));
  app.route("/api/qr", createQr(site.service, site.links));
  app.route("/a", createShortLinks(site.service));
  const description = apiDocument(site);
  app.route("/", createOpenApi(description));
  app.route("/", createDocs(site, description));
  app.route("/", createCatalog(site.links));
  app.route("/", createDiscovery(site));
  app.route(
    "/api/mcp",
    createEndpoint({ service: site.service, identity: site, log: site.log }, site.allowedOrigins),
  );
  app.route("/", createEmbed(site));
  app.route("/", createPages(site));

  refuseOtherMethods(app);
  app.notFound((c) => answerFault(site, c, new Fault("not_found", { reason: "nothing_here" })));
  app.onError((error, c) => answerFault(site, c, error));
  return app;
}

/**
 * Refuses requests whose Host header names no host: all that follows reads the address, though nothing is made from
 * its host. Nearly all name the same one, and what follows a good one makes no address bad.
 */
function hostCheck(): (request: Request) => void {
  let goodStart: string | null = null;
  return ({ url, headers }) => {
    const host = headers.get("Host");
    const start = `http://${host}`;
    if (start === goodStart && url.startsWith(`${start}/`)) return;
    const namesOne = host === null || URL.canParse(start);
    if (!namesOne || !URL.canParse(url))
      throw new Fault("bad_input", "The Host header names no host.");
    goodStart = start;
  };
}

/** Refuses what is larger, by what its head says where it does: opening a body as a stream costs more than reading it. */
function bodyUpTo(bytesMax: number, refuse: () => never): MiddlewareHandler<HttpEnv> {
  const countBytes = bodyLimit({ maxSize: bytesMax, onError: refuse });
  return (c, next) => {
    const { method, headers } = c.req.raw;
    if (method === "GET" || method === "HEAD") return next();
    const length = headers.get("Content-Length");
    if (length === null || headers.has("Transfer-Encoding")) return countBytes(c, next);
    return Number(length) > bytesMax ? refuse() : next();
  };
}

function refuseBody(): never {
  throw new Fault("too_large", { reason: "request_too_large", kib: BODY_BYTES_MAX / 1024 });
}

function refuseUpload(): never {
  throw new Fault("too_large", { reason: "photos_too_large", mb: UPLOAD_BYTES_MAX / 1024 / 1024 });
}

/** Programs get problem details, people a page. */
function answerFault(
  site: Site,
  c: Parameters<typeof problem>[0],
  error: unknown,
): Response | Promise<Response> {
  const request: string = c.get("request");
  if (!(error instanceof Fault)) site.log("bug", { request, route: c.req.routePath, error });
  const forPrograms =
    /^\/(?:api|\.well-known|healthz|readyz|server\.json|llms\.txt|robots\.txt|feed\.atom|register)/.test(
      c.req.path,
    );
  return forPrograms
    ? problem(c, error)
    : faultPage(c, error instanceof Fault ? error : { request }, site);
}

/** A path that is known under another method: 405 with what it allows. */
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
      throw new Fault("bad_method", `${c.req.method} is not possible here; possible: ${allow}.`);
    });
  }
}
