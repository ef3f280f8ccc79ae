import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Caller } from "../../core/limit.ts";
import type { Links } from "../../core/links.ts";
import type { Service } from "../../core/service.ts";
import { Paw } from "./icon.tsx";
import { STYLE_ADDRESS } from "./style.ts";
import type { Words } from "./words/en.ts";

/** What every page is drawn with. */
export type Frame = {
  readonly links: Links;
  readonly siteName: string;
  readonly words: Words;
};
/** A door of the web room: what its pages are drawn with and the verbs they call. */
export type Web = { readonly service: Service; readonly frame: Frame };
export type WebEnv = { Variables: { caller: Caller } };

export type Page = {
  readonly title: string;
  /** Public pages can be linked to and kept; private ones are opened by a token or answer a form. */
  readonly access: "public" | "private";
  /** More for `<head>`. */
  readonly head?: Child;
  readonly body: Child;
};

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** Answers with a whole page. */
export function show(
  c: Context,
  frame: Frame,
  page: Page,
  status: ContentfulStatusCode = 200,
): Response | Promise<Response> {
  c.header("Content-Security-Policy", POLICY);
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Referrer-Policy", "no-referrer");
  if (page.access === "private") keepPrivate(c);
  else c.header("Cache-Control", "no-cache");
  return c.html(
    `<!doctype html>\n${(<Document frame={frame} page={page} />).toString()}\n`,
    status,
  );
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
      <nav>
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
          <a href={local(`${links.api}/alerts`)}>{words.frame.api}</a>
        </li>
      </ul>
    </footer>
  );
}
