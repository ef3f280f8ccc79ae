import type { Context } from "hono";
import { setCookie } from "hono/cookie";
import {
  detectFromCookie,
  detectFromHeader,
  detectFromQuery,
  type DetectorOptions,
} from "hono/language";
import { type Language, LANGUAGES } from "../../core/alert.ts";
import { DAY_MS } from "../../core/duration.ts";

/** What a link of the language switch carries. */
export const LANGUAGE_PARAMETER = "lang";
const COOKIE = "lang";
/** How long a choice is remembered. */
export const COOKIE_MS = 365 * DAY_MS;
/** Whole, though the three detectors called below read only some of it. */
const DETECTION: DetectorOptions = {
  order: ["querystring", "cookie", "header"],
  lookupQueryString: LANGUAGE_PARAMETER,
  lookupCookie: COOKIE,
  lookupFromHeaderKey: "accept-language",
  lookupFromPathIndex: 0,
  supportedLanguages: [...LANGUAGES],
  fallbackLanguage: "en",
  ignoreCase: true,
  caches: false,
};

/**
 * The language a page is drawn in: the one just chosen, the one chosen before, the first of ours the browser asks
 * for, English. Only a choice is remembered, in the only cookie of the public pages.
 */
export function languageOf(c: Context): Language {
  const chosen = ours(detectFromQuery(c, DETECTION));
  if (chosen !== null && c.req.method === "GET")
    setCookie(c, COOKIE, chosen, {
      maxAge: COOKIE_MS / 1000,
      path: "/",
      httpOnly: true,
      sameSite: "Lax",
    });
  return (
    chosen ?? ours(detectFromCookie(c, DETECTION)) ?? ours(detectFromHeader(c, DETECTION)) ?? "en"
  );
}

/** The language asked for by the address or the browser; without a cookie, for what is shown inside other sites. */
export function languageAsked(c: Context): Language {
  return ours(detectFromQuery(c, DETECTION)) ?? ours(detectFromHeader(c, DETECTION)) ?? "en";
}

function ours(language: string | undefined): Language | null {
  return LANGUAGES.find((known) => known === language) ?? null;
}
