import type { Context } from "hono";
import { setCookie } from "hono/cookie";
import {
  detectFromCookie,
  detectFromHeader,
  detectFromQuery,
  type DetectorOptions,
} from "hono/language";
import { type Language, LANGUAGES } from "../../core/alert.ts";

/** What a link of the language switch carries. */
export const LANGUAGE_PARAMETER = "lang";
const COOKIE = "lang";
const COOKIE_SECONDS = 365 * 86_400;
const DETECTION = {
  lookupQueryString: LANGUAGE_PARAMETER,
  lookupCookie: COOKIE,
  lookupFromHeaderKey: "accept-language",
  supportedLanguages: [...LANGUAGES],
  ignoreCase: true,
} as unknown as DetectorOptions;

/**
 * The language a page is drawn in: the one just chosen, the one chosen before, the first of ours the browser asks
 * for, English. Only a choice is remembered, in the only cookie there is.
 */
export function languageOf(c: Context): Language {
  const chosen = ours(detectFromQuery(c, DETECTION));
  if (chosen !== null && c.req.method === "GET")
    setCookie(c, COOKIE, chosen, {
      maxAge: COOKIE_SECONDS,
      path: "/",
      httpOnly: true,
      sameSite: "Lax",
    });
  return (
    chosen ?? ours(detectFromCookie(c, DETECTION)) ?? ours(detectFromHeader(c, DETECTION)) ?? "en"
  );
}

function ours(language: string | undefined): Language | null {
  return LANGUAGES.find((known) => known === language) ?? null;
}
