import { expect } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { type Language, LANGUAGES } from "../../src/messages/languages.ts";
import { type SampleData, createSampleData } from "./sample-data.ts";
import { browserTests, closePages, openChromium, START_MS_MAX } from "./chromium.ts";
import { markupErrors } from "./html-validation.ts";
import { type PageState, PAGES } from "./pages.ts";
import { isNightly } from "../support/nightly.ts";
import {
  loadAxe,
  accessibilityErrors,
  contrastErrors,
  overflowErrors,
  withText,
} from "./accessibility.ts";
import { openSite, type Site } from "./site.ts";
import { type Answer, openTab, type Tab } from "./tab.ts";

const { afterAll, beforeAll, test } = browserTests;

const SCHEMES = [
  { scheme: "light", faultsOf: accessibilityErrors },
  { scheme: "dark", faultsOf: contrastErrors },
] as const;
/** Languages in which everything is asked of every page. */
const WHOLLY: readonly Language[] = isNightly ? LANGUAGES : ["en"];
/** Pages that are opened in the other languages. */
const LONGEST = 40;
const PHONE = { width: 390, height: 844 };
/** The width of a small phone, and of 1280 pixels at 400 %. */
const NARROW = 320;
/** Percent of what the browser is set to. */
const LARGE_TEXT = 200;
/** Settings of the site without alerts, whose pages also name no operator. */
const NOBODY_NAMED = {
  OPERATOR_NAME: "",
  OPERATOR_CONTACT: "",
  OPERATOR_ADDRESS: "",
  LEGAL_FILE: "",
};

/** Longest look at a page, on a busy machine. */
const PAGE_MS_MAX = 300_000;

let site: Site;
let empty: Site;
let data: SampleData;
let chromium: Browser;
let tabs: Record<Language, Tab>;

beforeAll(async () => {
  chromium = await openChromium();
  site = await openSite();
  empty = await openSite(NOBODY_NAMED);
  data = await createSampleData(site.world, empty.origin);
  const enter = (language: Language) =>
    chromium.newContext({ locale: language, reducedMotion: "reduce", serviceWorkers: "block" });
  const open = async (language: Language): Promise<[Language, Tab]> => {
    const context = await enter(language);
    if (WHOLLY.includes(language)) await loadAxe(context);
    return [language, await openTab(context, site, empty)];
  };
  tabs = Object.fromEntries(await Promise.all(LANGUAGES.map(open))) as Record<Language, Tab>;
}, START_MS_MAX);

afterAll(async () => {
  await closePages(chromium);
  await site?.end();
  await empty?.end();
  expect(site.world.logged).toEqual([]);
});

for (const state of PAGES) {
  test(
    `${state.name}: has no fault in ${WHOLLY.join(", ")}, light or dark, in large text`,
    async () => {
      const languages = WHOLLY.filter((one) => one === (state.language ?? one));
      const looks = languages.map((language) => faultsIn(language, state));
      const faults = await Promise.all(looks);

      expect(faults.flat()).toEqual([]);
    },
    PAGE_MS_MAX,
  );
}

for (const language of LANGUAGES.filter((one) => !WHOLLY.includes(one)))
  test(
    `the ${LONGEST} pages with the longest texts speak ${language}, and none is wider than a narrow screen`,
    async () => {
      const states = PAGES.filter((state) => state.language === undefined)
        .toSorted((a, b) => (lengths.get(b) ?? 0) - (lengths.get(a) ?? 0))
        .slice(0, LONGEST);
      const faults: string[] = [];

      for (const state of states) {
        const tab = tabs[language];
        const answer = await tab.open(state, data);
        const found = [
          ...faultsOfAnswer(answer, state, language),
          ...(await widthErrors(tab.page)),
          ...tab.heard(),
        ];
        faults.push(...found.map((fault) => `${state.name}: ${fault}`));
      }

      expect(lengths.size).toBeGreaterThan(LONGEST);
      expect(faults).toEqual([]);
    },
    PAGE_MS_MAX,
  );

test(
  "no page leads nowhere, and every page they lead to is among those looked at here",
  async () => {
    const faults: string[] = [];

    for (const [address, { name: from, isSignedIn }] of links) {
      const cookies = `moderator=${data.admin.session}; member=${data.inbox.session}`;
      const headers = isSignedIn ? { Cookie: cookies } : {};
      const answer = await site.world.fetch(address, { headers });
      const isPage = answer.headers.get("Content-Type")?.startsWith("text/html");
      const shape = shapeOf(new URL(address));
      // What was removed since is gone, and says so.
      if (answer.status >= 400 && answer.status !== 410)
        faults.push(`${from} leads to ${address}: ${answer.status}`);
      if (isPage && !lookedAt.has(shape)) faults.push(`${from} leads to ${shape}, not looked at`);
    }

    expect(links.size).toBeGreaterThan(PAGES.length);
    expect(faults).toEqual([]);
  },
  PAGE_MS_MAX,
);

/** Characters of the English pages. */
const lengths = new Map<PageState, number>();
/** Shapes of the pages that were looked at. */
const lookedAt = new Set<string>();
/** Addresses on this site that they lead to, and the first page that does. */
const links = new Map<string, PageState>();

function noteLinks({ status, source }: Answer, address: string, from: PageState): void {
  lookedAt.add(shapeOf(new URL(address)));
  // Its language switch leads to the same fault.
  if (status >= 400) return;
  for (const [, href = ""] of source.matchAll(/<a\b[^>]* href="([^"]*)"/g)) {
    const url = new URL(href.replaceAll("&amp;", "&"), site.origin);
    url.hash = "";
    if (url.origin === site.origin && !links.has(url.href)) links.set(url.href, from);
  }
}

/** A path without what differs from one alert or person to another: "/alerts/…/contact". */
function shapeOf({ pathname }: URL): string {
  const [, room = "", ...parts] = pathname.split("/");
  const isName = (part: string, at: number) =>
    room === "admin" || room === "inbox" ? /\d/.test(part) : at === 0 || /[0-9a-f]{32}/.test(part);
  return [room, ...parts.map((part, at) => (isName(part, at) ? "…" : part))].join("/");
}

/** Everything is asked of one load: colours, width and text size change while the page stands. */
async function faultsIn(language: Language, state: PageState): Promise<string[]> {
  const tab = tabs[language];
  const { page } = tab;
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: "light" });
  const answer = await tab.open(state, data);

  noteLinks(answer, page.url(), state);

  const faults = faultsOfAnswer(answer, state, language);
  // The languages differ in their words only, and what words can do to markup is seen in hostile.test.ts.
  if (language === "en") {
    faults.push(...(await markupErrors(answer)));
    lengths.set(state, await page.evaluate<number>("document.body.innerText.length"));
  }
  for (const { scheme, faultsOf } of schemesOf(state)) {
    await page.emulateMedia({ colorScheme: scheme });
    const found = await faultsOf(page);
    faults.push(...found.map((fault) => `${scheme}: ${fault}`));
  }
  faults.push(...(await widthErrors(page)));
  return [...faults, ...tab.heard()].map((fault) => `${language}: ${fault}`);
}

/** The pages share their colours: by day each is seen in one scheme, the next one in the other. */
function schemesOf(state: PageState) {
  const [light, dark] = SCHEMES;
  if (isNightly) return SCHEMES;
  return PAGES.indexOf(state) % 2 === 0 ? [light] : [{ ...dark, faultsOf: accessibilityErrors }];
}

async function widthErrors(page: Page): Promise<string[]> {
  // What is narrow enough in large text is so in any other.
  const normal = isNightly ? await overflowErrors(page, NARROW) : [];
  const large = await withText(page, LARGE_TEXT, () => overflowErrors(page, NARROW));
  return [...normal, ...large.map((fault) => `text of ${LARGE_TEXT} %: ${fault}`)];
}

function faultsOfAnswer({ status, headers, source }: Answer, state: PageState, language: Language) {
  const policy = headers["content-security-policy"] ?? "none";
  const said = /^<!doctype html>\s*<html[^>]* lang="([^"]*)"/.exec(source)?.[1];
  return [
    status !== (state.status ?? 200) && `answers ${status}`,
    said !== (state.language ?? language) && `speaks ${said}`,
    !isStrict(policy, state) && `has the policy ${policy}`,
  ].filter((fault) => fault !== false);
}

/** Nothing but what is named, no part of the web as a whole, nothing written into the page. */
function isStrict(policy: string, { isFramed = false }: PageState): boolean {
  const [framed, rest] = [policy.includes("frame-ancestors *"), policy.replace("ancestors *", "")];
  if (framed !== isFramed) return false;
  return rest.includes("default-src 'none'") && !/unsafe-|\*|https?:(?!\/\/)/.test(rest);
}
