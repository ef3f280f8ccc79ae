import type { Context } from "hono";
import { Fault } from "../../../core/fault.ts";
import { defaultHeaders } from "../../middleware/response-headers.ts";

/** Paths that contain a private token or ticket. */
const TOKEN_PATH =
  /^\/(?:confirm|manage|conversation|unsubscribe|pair|waiting|erase|admin\/enter|inbox\/enter)\/./s;
/** Paths of actions of moderators and members, whose only credential is the cookie. */
const SESSION_PATH =
  /^\/(?:admin\/(?:alerts\/|sign-out$)|inbox\/(?:conversations\/|alerts$|members(?:\/|$)|sign-out$))/;

/** True if the path itself is the credential: a site that knows it could act anyway. */
export function holdsToken(path: string): boolean {
  return TOKEN_PATH.test(path);
}

/**
 * Rejects a form that was submitted from another site (CSRF). Throws `forbidden`.
 *
 * Browsers since 2023 name the site of a form in Sec-Fetch-Site, except over plain http. Older ones send Origin, which is
 * "null" for sandboxed frames, for a POST redirected by another site, and for pages with `Referrer-Policy: no-referrer`.
 * Of our own pages only those with a token in their address have that policy, so "null" is accepted at those addresses
 * only. Programs and browsers from before 2020 send neither header, which is not accepted where a cookie is the
 * credential.
 */
export function refuseOtherSites(c: Context): void {
  const site = c.req.header("Sec-Fetch-Site");
  // A sibling subdomain counts as another site: its forms carry our cookies.
  const isOurs = site === undefined ? isOurOrigin(c) : site === "same-origin" || site === "none";
  if (!isOurs) throw new Fault("forbidden", { reason: "other_site" });
}

function isOurOrigin(c: Context): boolean {
  const origin = c.req.header("Origin");
  if (origin === undefined) return !SESSION_PATH.test(c.req.path);
  if (origin === "null") return holdsToken(c.req.path);
  return URL.parse(origin)?.host === URL.parse(c.req.url)?.host;
}

/** Makes browsers send our origin with our own forms; see `refuseOtherSites`. */
export const nameOriginToOurselves = defaultHeaders({ "Referrer-Policy": "same-origin" });
