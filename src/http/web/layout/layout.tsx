/** @jsxImportSource hono/jsx */
import type { Context, Hono } from "hono";
import { type Child, createContext, useContext } from "hono/jsx";
import type { ParamKeys } from "hono/types";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { PageMessages } from "../../../messages/messages.ts";
import {
  ALL_LANGUAGES,
  type Language,
  LANGUAGES,
  type PageLanguage,
} from "../../../messages/languages.ts";
import { Fault, type FaultCode } from "../../../core/fault.ts";
import type { Caller } from "../../../core/limits.ts";
import type { Site } from "../../middleware/site.ts";
import type { Box } from "../../../values/point.ts";
import type { Service } from "../../../core/service/service.ts";
import { statusOf } from "../../middleware/faults.ts";
import { codingFor, compress, VARY_ACCEPT_ENCODING } from "../../middleware/compress.ts";
import { Paw } from "../assets/icon.tsx";
import {
  type ScriptName,
  scriptAddress,
  scriptStyleAddress,
  STYLE_ADDRESS,
} from "../assets/assets.ts";
import { logoAddress, themeAddress } from "../assets/theme.ts";
import { LANGUAGE_PARAMETER } from "./language.ts";
import { type FormOrigin, holdsToken, nameOriginToOurselves } from "./form-origin.ts";
import type { DrawPreview } from "../../../photos/preview-picture.ts";

/** Data every page is rendered with. */
export type PageContext = Site & {
  /** Path of the route as it was registered (`/manage/:token`); null on a page about an error. */
  readonly route: string | null;
  /** Texts in the language of the page. */
  readonly t: PageMessages;
  /**
   * Reader's country (ISO 3166-1 alpha-2) if the browser tells, or else that of the instance: decides between towns of one
   * name, and needs no mention.
   */
  readonly country: string | undefined;
  /** Area that a map shows at first if nothing better is known: the reader's country. Null for the whole world. */
  readonly mapView: Box | null;
  /** Time of the request in milliseconds. */
  readonly now: number;
  /** Address of this page, for links to its other languages; null in an answer to a form. */
  readonly currentUrl: URL | null;
};
/** Dependencies of the page routes: use cases, and the ways to add a route. */
export type Web = {
  readonly service: Service;
  readonly get: AddRoute;
  readonly post: AddForm;
  readonly drawPreview: DrawPreview;
  /** For answers that need no page context. */
  readonly app: Hono<WebEnv>;
};
/** Adds a route. Its handler returns a page, which is rendered with status 200, or a response. */
type AddRoute = <Path extends string>(path: Path, handler: RouteHandler<Path>) => void;
export type RouteHandler<Path extends string> = (
  c: Context<WebEnv, Path>,
  ctx: PageContext,
  params: Params<Path>,
) => Answer | Promise<Answer>;
/** Parameters of a path. */
export type Params<Path extends string> = Readonly<Record<ParamKeys<Path>, string>>;
/** Page, response, or the address of one of our pages to go on to, so that reloading does not send a form again. */
export type Answer = Page | Response | string;
/** Adds the route of a form. */
type AddForm = <Path extends string>(
  path: Path,
  handler: RouteHandler<Path>,
  options?: FormOptions,
) => void;
export type FormOptions = {
  /** Pages whose form is accepted, by default our own. */
  readonly from?: FormOrigin;
  /** True for a link whose token is the right to act: programs may post anything to it. */
  readonly isForPrograms?: boolean;
};
/** Request variables of the page routes. */
export type WebEnv = { Variables: { caller: Caller; errorPage?: ErrorPage } };
/** Page of a form with its error. Errors of the codes in `except` are not the form's. */
type ErrorPage = {
  readonly page: (error: Fault) => Page | Promise<Page>;
  readonly except: readonly FaultCode[];
};

/** Content of one page, without the layout. */
export type Page = {
  readonly title: string;
  /** Public pages may be indexed and cached; private ones are opened by a token or answer a form. */
  readonly access: "public" | "private";
  /** Address under which search engines list the page, without the language; null or absent if they should not. */
  readonly canonical?: string | null;
  /** More elements for `<head>`. */
  readonly head?: Child;
  /** Uses the width of a large screen. Known from the start: a page that widened later would move under its reader. */
  readonly isWide?: boolean;
  /** True for a page that opens itself when it was added to a home screen; the others open the home page. */
  readonly isOwnApp?: boolean;
  /** Scripts that make the page more convenient, besides the one of every page; it works without them. */
  readonly scripts?: readonly ScriptName[];
  /** Address of the page with the form that this page answers, unless the form is sent to that same address. */
  readonly formAddress?: string;
  readonly body: Child;
};

export const MANIFEST_ADDRESS = "/manifest.webmanifest";
/** Manifest of pages that are an app of their own on a home screen. */
export const PAGE_MANIFEST_ADDRESS = "/page.webmanifest";

const PageContextStore = createContext<PageContext | null>(null);

/** Context of the page being rendered. Only components may call it. */
export function usePage(): PageContext {
  const ctx = useContext(PageContextStore);
  if (ctx === null) throw new Error("usePage() outside of a page");
  return ctx;
}

/** Renders a whole page. */
export function renderPage(
  c: Context,
  ctx: PageContext,
  content: Page,
  status: ContentfulStatusCode = 200,
): Response | Promise<Response> {
  const isAnswer = c.req.method === "POST";
  const page = isAnswer ? { formAddress: ctx.links.at(c.req.path), ...content } : content;
  const currentUrl = isAnswer ? addressOf(ctx, page) : ctx.currentUrl;
  setHeaders(c, ctx, policyOf(ctx, page));
  if (ctx.route !== null && !holdsToken(ctx.route)) nameOriginToOurselves(c);
  if (page.access === "private") keepPrivate(c);
  const document = (
    <PageContextStore.Provider value={{ ...ctx, currentUrl }}>
      <Document page={page} isAnswer={isAnswer} />
    </PageContextStore.Provider>
  );
  const text = `<!doctype html>\n${document.toString()}\n`;
  return page.access === "private" ? c.html(text, status) : compressedPage(c, text, status);
}

/** Headers of a page that is public. */
function setHeaders(c: Context, { t }: PageContext, policy: string): void {
  c.header("Content-Security-Policy", policy);
  c.header("Content-Language", t.pageLanguage);
  c.header("Vary", "Accept-Language, Cookie");
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Cache-Control", "no-cache");
}

/** Address of the page with the form that this page answers, for the links to other languages. */
function addressOf({ links }: PageContext, { formAddress = local(links.home) }: Page): URL {
  return new URL(formAddress, links.home);
}

/** Renders a part of a public page, for a script of that page. */
export function renderFragment(c: Context, ctx: PageContext, content: Child): Response {
  setHeaders(c, ctx, FRAGMENT_POLICY);
  c.header("X-Robots-Tag", "noindex");
  const fragment = <PageContextStore.Provider value={ctx}>{content}</PageContextStore.Provider>;
  return compressedPage(c, fragment.toString(), 200);
}

/** Policy for a fragment that someone opens as a page. */
const FRAGMENT_POLICY =
  "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

/** Public pages hold no secret, so their length may tell what they hold (BREACH). */
function compressedPage(c: Context, text: string, status: ContentfulStatusCode): Response {
  c.header("Vary", VARY_ACCEPT_ENCODING.Vary, { append: true });
  c.header("Content-Type", "text/html; charset=UTF-8");
  const coding = codingFor(c);
  if (coding === null) return c.body(text, status);
  c.header("Content-Encoding", coding);
  return c.body(compress(text, coding), status);
}

/** Renders a page about an error, with its status and the time to wait. */
export function renderFault(
  c: Context,
  ctx: PageContext,
  fault: Fault,
  page: Page,
): Response | Promise<Response> {
  if (fault.retryAfterSeconds !== null) c.header("Retry-After", String(fault.retryAfterSeconds));
  return renderPage(c, ctx, page, statusOf(fault.code));
}

/** From now on, errors show the page of a form again, except those of some codes. */
export function onError(
  c: Context<WebEnv>,
  page: ErrorPage["page"],
  except: ErrorPage["except"] = [],
): void {
  c.set("errorPage", { page, except });
}

/** Answer of a route: of its handler, or the page for its error. Rethrows bugs, and errors without a page. */
export async function answerOf(
  c: Context<WebEnv>,
  ctx: PageContext,
  handle: () => Answer | Promise<Answer>,
): Promise<Response> {
  try {
    const answer = await handle();
    if (answer instanceof Response) return answer;
    return typeof answer === "string" ? seeOther(c, answer) : await renderPage(c, ctx, answer);
  } catch (error) {
    const shown = c.get("errorPage");
    if (!(error instanceof Fault) || !shown || shown.except.includes(error.code)) throw error;
    return renderFault(c, ctx, error, await shown.page(error));
  }
}

/** Redirects to a page of ours. */
function seeOther(c: Context, address: string): Response {
  keepPrivate(c);
  return c.redirect(local(address), 303);
}

/** Keeps an address that holds a token out of caches and search engines. */
export function keepPrivate(c: Context): void {
  c.header("Cache-Control", "no-store");
  c.header("X-Robots-Tag", "noindex");
}

/** One of our URLs without the origin, so that pages work under any host name. Paths and fragments stay. */
export function local(link: string): string {
  if (!link.startsWith("http")) return link;
  const { pathname, search, hash } = new URL(link);
  return `${pathname}${search}${hash}`;
}

/** Link with query parameters. */
export function withParameters(link: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString();
  return query === "" ? link : `${link}?${query}`;
}

/** Content security policy: our own styles and scripts, which every page has, and pictures that the page uses. */
function policyOf({ tiles }: PageContext, { scripts = [] }: Page): string {
  const tileOrigin =
    tiles === null || !scripts.includes("map") ? "" : ` ${new URL(tiles.url).origin}`;
  // The map replaces tiles it no longer needs by an empty `data:` image.
  const images = scripts.includes("photos") ? " data: blob:" : tileOrigin && " data:";
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    `img-src 'self'${images}${tileOrigin}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

function Document({ page, isAnswer }: { page: Page; isAnswer: boolean }) {
  const { t, siteName, theme, links } = usePage();
  const scripts = ["page", ...(page.scripts ?? [])] as const;
  const themeStyle = themeAddress(theme);
  return (
    <html lang={t.pageLanguage} dir={t.direction === "rtl" ? "rtl" : undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${page.title} – ${siteName}`}</title>
        <link rel="stylesheet" href={links.at(STYLE_ADDRESS)} />
        {themeStyle !== null && <link rel="stylesheet" href={links.at(themeStyle)} />}
        <link rel="icon" href={links.at("/icon.svg")} type="image/svg+xml" />
        <link rel="apple-touch-icon" href={links.at("/icon-192.png")} />
        <link
          rel="manifest"
          href={links.at(page.isOwnApp === true ? PAGE_MANIFEST_ADDRESS : MANIFEST_ADDRESS)}
        />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#221d1a" />
        {page.canonical != null && <Canonical address={page.canonical} />}
        {page.head}
        {scripts.map((name) => {
          const style = scriptStyleAddress(name);
          return style !== null && <link rel="stylesheet" href={links.at(style)} />;
        })}
        {scripts.map((name) => (
          <script type="module" src={links.at(scriptAddress(name))}></script>
        ))}
      </head>
      <body class={page.isWide ? "wide" : undefined}>
        <a class="skip" href="#content">
          {t.layout.skip}
        </a>
        <Header />
        <main
          id="content"
          data-form-address={isAnswer && page.formAddress ? local(page.formAddress) : undefined}
          data-offline={page.access === "public" ? "" : undefined}
        >
          <Unreviewed />
          {page.body}
        </main>
        <Footer />
      </body>
    </html>
  );
}

/** Canonical address, in the language that was asked for, and the same page in every language. */
function Canonical({ address }: { address: string }) {
  const { t, currentUrl } = usePage();
  const inLanguageOf = (language: Language) => {
    const url = new URL(address);
    url.searchParams.set(LANGUAGE_PARAMETER, language);
    return url.href;
  };
  const isChosen = currentUrl?.searchParams.has(LANGUAGE_PARAMETER) ?? false;
  return (
    <>
      <link rel="canonical" href={isChosen ? inLanguageOf(t.language) : address} />
      {LANGUAGES.map((language) => (
        <link rel="alternate" hreflang={language} href={inLanguageOf(language)} />
      ))}
      <link rel="alternate" hreflang="x-default" href={address} />
    </>
  );
}

function Header() {
  const { links, siteName, t, theme, currentUrl } = usePage();
  const logo = logoAddress(theme);
  return (
    <header class="top">
      <div>
        <a class="brand" href={local(links.home)}>
          {logo === null ? <Paw /> : <img src={links.at(logo)} alt="" />}
          {siteName}
        </a>
        <nav aria-label={t.layout.menu}>
          <a href={`${local(links.home)}#search`}>{t.layout.search}</a>
          <a href={local(links.requestManageLinks)}>{t.layout.findMine}</a>
          {currentUrl !== null && (
            <a class="language" href="#languages">
              <span class="heard">{t.layout.languages} </span>
              {t.pageLanguage.toUpperCase()}
            </a>
          )}
        </nav>
      </div>
    </header>
  );
}

function Footer() {
  const { t, links, siteName, currentUrl } = usePage();
  const pages = [
    [links.about, t.layout.about],
    [links.privacy, t.layout.privacy],
    [links.terms, t.layout.terms],
    [links.imprint, t.layout.imprint],
    [links.requestManageLinks, t.layout.findMine],
    [links.docs, t.layout.api],
  ] as const;
  return (
    <footer class="bottom">
      <div>
        <p>{t.layout.footer({ site: siteName })}</p>
        <ul>
          {pages.map(([link, label]) => (
            <li>
              <a href={local(link)}>{label}</a>
            </li>
          ))}
        </ul>
        {currentUrl !== null && <Languages here={currentUrl} />}
      </div>
    </footer>
  );
}

/** Warning that a translation was not reviewed. */
function Unreviewed() {
  const { t } = usePage();
  if (t.pageLanguage === t.language) return null;
  return <p class="unreviewed">{t.layout.unreviewed}</p>;
}

/** Links to this page in every language. */
function Languages({ here }: { here: URL }) {
  const { t, languages } = usePage();
  return (
    <nav class="languages" id="languages" aria-label={t.layout.languages}>
      <ul>
        {languages.map((language) => (
          <li>
            <a
              href={inLanguage(here, language)}
              lang={language}
              hreflang={language}
              aria-current={language === t.pageLanguage ? "true" : undefined}
            >
              {ALL_LANGUAGES[language].name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function inLanguage(here: URL, language: PageLanguage): string {
  const url = new URL(here);
  url.searchParams.set(LANGUAGE_PARAMETER, language);
  // A path that starts with two slashes would name another host.
  return `${url.pathname.replace(/^\/+/, "/")}${url.search}`;
}
