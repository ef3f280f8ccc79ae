import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import { Fault } from "../core/fault.ts";
import type { Network, Rate, Rates } from "../core/limit.ts";
import type { Links } from "../core/links.ts";
import type { Clock } from "../core/ports.ts";
import type { Service } from "../core/service.ts";
import { callerAddress, type HttpEnv, readLimit } from "./caller.ts";
import { problem } from "./faults.ts";
import { createHealth } from "./health.ts";
import { createDiscovery } from "./mcp/discovery.ts";
import { createEndpoint } from "./mcp/endpoint.ts";
import { createQr, createShortLinks } from "./qr.ts";
import { createRest } from "./rest.ts";
import { createPages, faultPage } from "./web/pages.tsx";

/** What the doors are opened with. */
export type Site = {
  readonly service: Service;
  readonly links: Links;
  readonly baseUrl: string;
  readonly siteName: string;
  /** Where map tiles come from; null: no maps. */
  readonly tiles: { readonly url: string; readonly attribution: string } | null;
  readonly version: string;
  readonly trustProxy: number;
  readonly rates: Rates;
  readonly limitRead: Rate;
  readonly sharedNetworks: readonly Network[];
  readonly allowedOrigins: readonly string[];
  readonly clock: Clock;
  /** Told of every error that is a bug. */
  readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void;
};

export const BODY_BYTES_MAX = 256 * 1024;
const openToAll = cors({
  origin: "*",
  allowMethods: ["GET", "HEAD"],
  exposeHeaders: ["Link", "Retry-After", "ETag"],
  maxAge: 86_400,
});

/** Every door of the house on one Hono app. */
export function createApp(site: Site): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use(
    secureHeaders({
      // The reverse proxy's to say: from here it would bind every subdomain of a shelter's own address.
      strictTransportSecurity: false,
      crossOriginResourcePolicy: false,
      xFrameOptions: "DENY",
      referrerPolicy: "no-referrer",
    }),
  );
  app.use(callerAddress(site.trustProxy));
  for (const path of [
    "/api/v1/*",
    "/api/qr/*",
    "/api/mcp/server-card",
    "/.well-known/*",
    "/llms.txt",
  ])
    app.use(path, openToAll);
  app.route("/", createHealth(site.service, site.version));
  app.use(readLimit(site.limitRead, site.sharedNetworks, site.clock));
  app.use(bodyLimit({ maxSize: BODY_BYTES_MAX, onError: refuseBody }));

  app.route("/api/v1", createRest(site.service, site.links));
  app.route("/api/qr", createQr(site.service, site.links));
  app.route("/a", createShortLinks(site.service));
  app.route("/", createDiscovery(site));
  app.route(
    "/api/mcp",
    createEndpoint({ service: site.service, identity: site, log: site.log }, site.allowedOrigins),
  );
  app.route("/", createPages(site));

  refuseOtherMethods(app);
  app.notFound((c) =>
    answerFault(site, c, new Fault("not_found", "There is nothing at this address.")),
  );
  app.onError((error, c) => answerFault(site, c, error));
  return app;
}

function refuseBody(): never {
  throw new Fault("too_large", `A request may hold ${BODY_BYTES_MAX / 1024} KiB at most.`);
}

/** Programs get problem details, people a page. */
function answerFault(
  site: Site,
  c: Parameters<typeof problem>[0],
  error: unknown,
): Response | Promise<Response> {
  if (!(error instanceof Fault)) site.log("bug", { path: c.req.routePath, error });
  const forPrograms = /^\/(?:api|\.well-known|healthz|readyz|llms\.txt|register)/.test(c.req.path);
  return forPrograms
    ? problem(c, error)
    : faultPage(c, error instanceof Fault ? error : null, site);
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
