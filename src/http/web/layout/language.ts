import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { parseAccept } from "hono/utils/accept";
import { type Language, LANGUAGES, type PageLanguage } from "../../../messages/languages.ts";
import type { Site } from "../../middleware/site.ts";
import { DAY_MS } from "../../../core/duration.ts";
import { memoize } from "../../../text/memoize.ts";

/** Query parameter of the language links. */
export const LANGUAGE_PARAMETER = "lang";
const COOKIE = "lang";
/** Lifetime of the language cookie. */
export const COOKIE_MS = 365 * DAY_MS;
/**
 * Language of a page, one of `languages`: the `lang` parameter, the cookie, the first one in Accept-Language, or English.
 * Only an explicit choice is remembered, in the only cookie of the public pages.
 */
export function languageOf(c: Context, site: Pick<Site, "languages" | "links">): PageLanguage {
  return expressedLanguage(c, site) ?? "en";
}

/** The same; null if the request names no language, as those of crawlers. */
export function expressedLanguage(
  c: Context,
  { languages, links }: Pick<Site, "languages" | "links">,
): PageLanguage | null {
  const { chosen, kept, accepted } = detected(c, languages);
  if (chosen !== null && c.req.method === "GET")
    setCookie(c, COOKIE, chosen, {
      maxAge: COOKIE_MS / 1000,
      path: links.at("/"),
      httpOnly: true,
      sameSite: "Lax",
    });
  return chosen ?? kept ?? accepted;
}

/** Language by parameter or header, without the cookie, for pages embedded in other sites. */
export function requestedLanguage(c: Context): Language {
  const { chosen, accepted } = detected(c, LANGUAGES);
  return chosen ?? accepted ?? "en";
}

/** Languages of `languages` that the parameter, the cookie and the header ask for. */
function detected<Known extends PageLanguage>(c: Context, languages: readonly Known[]) {
  const known = (tag = "") => {
    const lower = tag.toLowerCase();
    return languages.find((one) => lower === one || lower.startsWith(`${one}-`)) ?? null;
  };
  const accepted = parseAccept(
    c.req.header("Accept-Language")?.slice(0, ACCEPT_LANGUAGE_MAX) ?? "",
  );
  return {
    chosen: known(c.req.query(LANGUAGE_PARAMETER)),
    kept: known(getCookie(c, COOKIE)),
    accepted: accepted.map(({ type }) => known(type)).find((one) => one !== null) ?? null,
  };
}

/**
 * Country of the reader by Accept-Language (ISO 3166-1 alpha-2): that of the most wanted language, "CA" of "fr-CA" and "DE"
 * of "de", because Firefox sends no region. A language of many countries says nothing without a region, which may stand with
 * it further down ("es, es-MX"); after English, which browsers send unasked, the next language counts. Undefined without any.
 */
export function countryOf(c: Context): string | undefined {
  const languages = c.req.header("Accept-Language")?.slice(0, ACCEPT_LANGUAGE_MAX) ?? "";
  return countryByLanguages(languages) ?? undefined;
}

/** Characters of the header that are read. */
const ACCEPT_LANGUAGE_MAX = 200;
const LANGUAGES_MEMOIZED_MAX = 100;
const countryByLanguages = memoize(LANGUAGES_MEMOIZED_MAX, (languages) => {
  const locales = parseAccept(languages).flatMap(({ type }) => localeOf(type) ?? []);
  const wanted = locales.find(({ language, region }) => language !== "en" || region !== undefined);
  if (wanted === undefined) return null;
  const { region } =
    locales.find((one) => one.language === wanted.language && one.region !== undefined) ??
    (OF_MANY_COUNTRIES.has(wanted.language) ? wanted : wanted.maximize());
  return region !== undefined && /^[A-Z]{2}$/.test(region) ? region : null;
});

/** Languages that most of their speakers share with other countries than the likeliest one. */
const OF_MANY_COUNTRIES = new Set(["ar", "en", "es", "pt"]);

function localeOf(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag);
  } catch {
    return null;
  }
}
