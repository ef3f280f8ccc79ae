import type { Context } from "hono";
import { Fault } from "../../../core/fault.ts";
import { defaultHeaders } from "../../middleware/response-headers.ts";

/**
 * Pages whose form a route accepts:
 * - `own`: ours, and those that nothing is known of;
 * - `session`: ours, because the cookie of a session is the only credential;
 * - `any`: also those of other sites.
 */
export type FormOrigin = "own" | "session" | "any";

/** True if the address of a route is the credential: a site that knows it could act anyway. */
export function holdsToken(route: string): boolean {
  return /\/:(?:token|ticket)(?:\/|$)/.test(route);
}

/**
 * Rejects a form that was submitted from another site (CSRF). Throws `forbidden`.
 *
 * Browsers since 2023 name the site of a form in Sec-Fetch-Site, except over plain http. Older ones send Origin, which is
 * "null" for sandboxed frames, for a POST redirected by another site, and for pages with `Referrer-Policy: no-referrer`.
 * Of our own pages only those with a token in their address have that policy, so "null" is accepted at those addresses
 * only. Programs and browsers from before 2020 send neither header, which is not accepted where a cookie is the
 * credential.
 *
 * `siteHost` is the host of BASE_URL: behind many proxies the request names the address of this service as its host, or
 * lacks the port.
 */
export function refuseOtherSites(
  c: Context,
  route: string,
  accepted: FormOrigin,
  siteHost: string,
): void {
  if (accepted === "any") return;
  const site = c.req.header("Sec-Fetch-Site");
  // A sibling subdomain counts as another site: its forms carry our cookies.
  const isOurs =
    site === undefined
      ? isOurOrigin(c, route, accepted, siteHost)
      : site === "same-origin" || site === "none";
  if (!isOurs) throw new Fault("forbidden", { reason: "other_site" });
}

function isOurOrigin(c: Context, route: string, accepted: FormOrigin, siteHost: string): boolean {
  const origin = c.req.header("Origin");
  if (origin === undefined) return accepted !== "session";
  if (origin === "null") return holdsToken(route);
  const host = URL.parse(origin)?.host;
  return host === siteHost || host === URL.parse(c.req.url)?.host;
}

/** Makes browsers send our origin with our own forms; see `refuseOtherSites`. */
export const nameOriginToOurselves = defaultHeaders({ "Referrer-Policy": "same-origin" });
