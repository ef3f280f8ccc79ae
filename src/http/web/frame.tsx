import type { Context } from "hono";
import { type Child, createContext } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type Language, LANGUAGES } from "../../core/alert.ts";
import type { Fault } from "../../core/fault.ts";
import type { Caller } from "../../core/limit.ts";
import type { Links } from "../../core/links.ts";
import type { Service } from "../../core/service.ts";
import { statusOf } from "../faults.ts";
import { Paw } from "./icon.tsx";
import { type ScriptName, scriptAddress, scriptStyleAddress, STYLE_ADDRESS } from "./assets.ts";
import { LANGUAGE_PARAMETER } from "./language.ts";
import { WORDS, type Words } from "./words/words.ts";

/** What every page is drawn with. */
export type Frame = {
  readonly links: Links;
  readonly siteName: string;
  readonly words: Words;
  /** The address asked for, where the same page could be asked for in another language; null after a form was sent. */
  readonly here: URL | null;
  /** Where map tiles come from; null: no map is drawn. */
  readonly tiles: Tiles | null;
  /** Whether anybody reads what is reported. */
  readonly isModerated: boolean;
};
/** `url` with {z}, {x} and {y}. */
export type Tiles = { readonly url: string; readonly attribution: string };
/** A door of the web room: the verbs its pages call and what they are drawn with, in the language of who asks. */
export type Web = { readonly service: Service; readonly frameOf: (c: Context) => Frame };
/** What the doors of the web room find in a request: who calls. */
export type WebEnv = { Variables: { caller: Caller } };

/** One page, without what all have in common. */
export type Page = {
  readonly title: string;
  /** Public pages can be linked to and kept; private ones are opened by a token or answer a form. */
  readonly access: "public" | "private";
  /** More for `<head>`. */
  readonly head?: Child;
  /** Scripts that make the page handier; without them it works all the same. */
  readonly scripts?: readonly ScriptName[];
  readonly body: Child;
};

/** What a page may load: only what it uses. */
function policyOf({ tiles }: Frame, { scripts = [] }: Page): string {
  const tileOrigin =
    tiles === null || !scripts.includes("map") ? "" : ` ${new URL(tiles.url).origin}`;
  // An empty `data:` picture stands where the map no longer wants a tile.
  const pictures = scripts.includes("photos") ? " data: blob:" : tileOrigin && " data:";
  return [
    "default-src 'none'",
    "style-src 'self'",
    ...(scripts.length === 0 ? [] : ["script-src 'self'", "connect-src 'self'"]),
    `img-src 'self'${pictures}${tileOrigin}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

/** The words of the page that is drawn: for the parts of forms, which stand too deep to be handed them each time. */
export const Spoken = createContext<Words>(WORDS.en);

/** Answers with a whole page. */
export function show(
  c: Context,
  frame: Frame,
  page: Page,
  status: ContentfulStatusCode = 200,
): Response | Promise<Response> {
  c.header("Content-Security-Policy", policyOf(frame, page));
  c.header("Content-Language", frame.words.language);
  c.header("Vary", "Accept-Language, Cookie");
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Referrer-Policy", "no-referrer");
  if (page.access === "private") keepPrivate(c);
  else c.header("Cache-Control", "no-cache");
  const document = (
    <Spoken.Provider value={frame.words}>
      <Document frame={frame} page={page} />
    </Spoken.Provider>
  );
  return c.html(`<!doctype html>\n${document.toString()}\n`, status);
}

/** Answers with a page that tells of a fault, under the fault's status and with the time to wait. */
export function showFault(
  c: Context,
  frame: Frame,
  fault: Fault,
  page: Page,
): Response | Promise<Response> {
  if (fault.retryAfterSeconds !== null) c.header("Retry-After", String(fault.retryAfterSeconds));
  return show(c, frame, page, statusOf(fault.code));
}

/** After a form: on to a page of its own, so that loading it again sends nothing twice. */
export function seeOther(c: Context, address: string): Response {
  keepPrivate(c);
  return c.redirect(address, 303);
}

/** For every answer at an address that holds a token: kept by nobody, found by no search engine. */
export function keepPrivate(c: Context): void {
  c.header("Cache-Control", "no-store");
  c.header("X-Robots-Tag", "noindex");
  c.header("Referrer-Policy", "no-referrer");
}

/**
 * One of our own addresses as seen from our pages: without the base, so that forms, images and links work under
 * whatever name the pages were reached.
 */
export function local(link: string): string {
  const { pathname, search, hash } = new URL(link);
  return `${pathname}${search}${hash}`;
}

function Document({ frame, page }: { frame: Frame; page: Page }) {
  const { words, siteName } = frame;
  return (
    <html lang={words.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{words.pageTitle(page.title, siteName)}</title>
        <link rel="stylesheet" href={STYLE_ADDRESS} />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        {page.head}
        {page.scripts?.map((name) => {
          const style = scriptStyleAddress(name);
          return style !== null && <link rel="stylesheet" href={style} />;
        })}
        {page.scripts?.map((name) => (
          <script type="module" src={scriptAddress(name)}></script>
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          {words.frame.skip}
        </a>
        <Header frame={frame} />
        <main id="content">{page.body}</main>
        <Footer frame={frame} />
      </body>
    </html>
  );
}

function Header({ frame }: { frame: Frame }) {
  return (
    <header class="top">
      <a class="brand" href={local(frame.links.home)}>
        <Paw />
        {frame.siteName}
      </a>
      <nav aria-label={frame.words.frame.menu}>
        <a href={local(frame.links.about)}>{frame.words.frame.about}</a>
      </nav>
    </header>
  );
}

function Footer({ frame }: { frame: Frame }) {
  const { words, links, siteName } = frame;
  return (
    <footer class="bottom">
      <p>{words.frame.footer(siteName)}</p>
      <ul>
        <li>
          <a href={local(links.about)}>{words.frame.privacy}</a>
        </li>
        <li>
          <a href={local(links.findMine)}>{words.frame.findMine}</a>
        </li>
        <li>
          <a href={local(links.docs)}>{words.frame.api}</a>
        </li>
      </ul>
      {frame.here !== null && <Languages frame={frame} here={frame.here} />}
    </footer>
  );
}

/** The same page in the other languages, each named in itself. */
function Languages({ frame, here }: { readonly frame: Frame; readonly here: URL }) {
  return (
    <nav class="languages" aria-label={frame.words.frame.languages}>
      <ul>
        {LANGUAGES.map((language) => (
          <li>
            <a
              href={inLanguage(here, language)}
              lang={language}
              hreflang={language}
              aria-current={language === frame.words.language ? "true" : undefined}
            >
              {WORDS[language].ownName}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function inLanguage(here: URL, language: Language): string {
  const url = new URL(here);
  url.searchParams.set(LANGUAGE_PARAMETER, language);
  // Two slashes at its beginning would name another host.
  return `${url.pathname.replace(/^\/+/, "/")}${url.search}`;
}
