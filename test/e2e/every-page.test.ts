import { expect } from "bun:test";
import PostalMime from "postal-mime";
import type { Browser } from "playwright-core";
import { type Language, LANGUAGES } from "../../src/messages/languages.ts";
import { isNightly } from "../support/nightly.ts";
import { readQr } from "../support/qr.ts";
import { accessibilityErrors, loadAxe, overflowErrors, textSizeOf } from "./accessibility.ts";
import { closePages, openChromium, START_MS_MAX } from "./chromium.ts";
import { markupErrors } from "./html-validation.ts";
import { type PageState, PAGES } from "./pages.ts";
import { drawPages, printTests } from "./pdf.ts";
import { createSampleData, type SampleData, type Texts } from "./sample-data.ts";
import { openSite, type Site } from "./site.ts";
import { type Answer, openTab, type Tab } from "./tab.ts";

// Every page in every state, on a site whose people wrote hostile text into every field.

const { afterAll, beforeAll, describe, test } = printTests;

/** A language that the site offers before anybody has reviewed it; read from right to left. */
const ARABIC = "ar";
const ALL_LANGUAGES: readonly (Language | typeof ARABIC)[] = [...LANGUAGES, ARABIC];
/** Languages in which everything is asked of every page. */
const WHOLLY = isNightly ? ALL_LANGUAGES : (["en"] as const);
const OTHERS = ALL_LANGUAGES.filter((language) => !WHOLLY.includes(language as "en"));
/** Pages that are opened in one of the other languages each. */
const LONGEST = 40;
const SCHEMES = ["light", "dark"] as const;
const HEIGHT = 844;
/** The width of a small phone, and of 1280 pixels at 400 %. */
const NARROW = 320;
const WIDE = 1280;
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
/** Words of the subjects of all emails that hold what somebody wrote. */
const EMAILS = [
  "confirm",
  "is live",
  "ends in",
  "in your area",
  "match",
  "New message",
  "Seen:",
  "moderation",
];

// If any of this is not treated as text, it creates an element of the class "owned" or calls `owned`.
const HOSTILE: Texts = {
  name: `"'><img class=owned src=x onerror=owned()>`,
  color: `</dd></a><script class=owned>owned()</script>`,
  breed: `owned()//&quot; {{owned()}} \${owned()}`,
  description: `</textarea><iframe class=owned srcdoc="<script>parent.owned()</script>"></iframe>\n<svg class=owned onload=owned()> \u202Eesrever\u2066 ${"W".repeat(400)} Z${"\u0334\u0351".repeat(200)}`,
  city: `<!-- <b class=owned>]]> ${"Llanfair".repeat(6)}`,
  sender: `</title><b class=owned>' onfocus=owned() x='`,
  message: `</blockquote></form><input class=owned autofocus onfocus=owned()> <a class=owned href="javascript:owned()">x</a> ${"M".repeat(400)}`,
  label: `<style class=owned>*{display:none}</style>`,
  note: `</li><video class=owned autoplay onloadstart=owned()><source src=x onerror=owned()></video> ${"N".repeat(300)}`,
  report: `</p><details class=owned open ontoggle=owned()> ${"R".repeat(400)}`,
  place: `Lyon"><object class=owned data="javascript:owned()">`,
  file: `"><img class=owned src=x onerror=owned()>.jpg`,
};

let site: Site;
let empty: Site;
let data: SampleData;
let chromium: Browser;
let tabs: Record<string, Tab & { readonly setText: (percent: number) => Promise<void> }>;
/** Calls by hostile text. */
let calls = 0;
let onCall = () => {};

beforeAll(async () => {
  const settings = { UNREVIEWED_LANGUAGES: ARABIC };
  chromium = await openChromium();
  site = await openSite(settings);
  empty = await openSite({ ...settings, ...NOBODY_NAMED });
  data = await createSampleData(site.world, empty.origin, HOSTILE);
  tabs = Object.fromEntries(
    await Promise.all(ALL_LANGUAGES.map(async (one) => [one, await openTabIn(one)] as const)),
  );
}, START_MS_MAX);

afterAll(async () => {
  await closePages(chromium);
  await site?.end();
  await empty?.end();
  expect(site.world.logged).toEqual([]);
});

async function openTabIn(language: string) {
  const context = await chromium.newContext({
    locale: language,
    viewport: { width: NARROW, height: HEIGHT },
    reducedMotion: "reduce",
    serviceWorkers: "block",
  });
  if (WHOLLY.includes(language as "en")) await loadAxe(context);
  const tab = await openTab(context, site, empty);
  await tab.page.exposeFunction("owned", () => {
    calls += 1;
    onCall();
  });
  return { ...tab, setText: await textSizeOf(tab.page) };
}

for (const state of PAGES)
  test(
    `${state.name}: is valid, accessible, as wide as its screen, and shows text as text`,
    async () => {
      const languages = WHOLLY.filter((one) => one === (state.language ?? one)).filter(
        // Other sites are offered no language that nobody has reviewed.
        (one) => one !== ARABIC || !state.isFramed,
      );
      const faults: string[] = [];
      for (const language of languages) faults.push(...(await faultsIn(language, state)));

      expect(faults).toEqual([]);
    },
    PAGE_MS_MAX,
  );

/** Everything is asked of one load: colours and text size change while the page stands. */
async function faultsIn(language: string, state: PageState): Promise<string[]> {
  calls = 0;
  const tab = tabs[language]!;
  const { page } = tab;
  const [first, ...more] = schemesOf(state);
  await page.emulateMedia({ colorScheme: first });
  const answer = await tab.open(state, data);
  const faults = [...faultsOfAnswer(answer, state, language), ...(await markupErrors(answer))];
  for (const scheme of [first, ...more]) {
    if (scheme !== first) await page.emulateMedia({ colorScheme: scheme });
    const found = await accessibilityErrors(page);
    faults.push(...found.map((fault) => `${scheme}: ${fault}`));
  }
  await tab.setText(LARGE_TEXT);
  faults.push(...(await overflowErrors(page)));
  await tab.setText(100);
  const { length, owned } = await page.evaluate<{ length: number; owned: number }>(
    "({ length: document.body.innerText.length, owned: document.querySelectorAll('.owned').length })",
  );
  if (owned + calls > 0) faults.push(`${owned} elements and ${calls} calls of a stranger`);
  noteLinks(answer, page.url(), state);
  if (language === "en") lengths.set(state, length);
  return [...faults, ...tab.heard()].map((fault) => `${language}: ${fault}`);
}

/** The pages share their colours: by day each is seen in one scheme, the next one in the other. */
function schemesOf(state: PageState) {
  const [light, dark] = SCHEMES;
  if (isNightly) return SCHEMES;
  return PAGES.indexOf(state) % 2 === 0 ? ([light] as const) : ([dark] as const);
}

function faultsOfAnswer({ status, headers, source }: Answer, state: PageState, language: string) {
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

for (const [turn, language] of OTHERS.entries())
  test(
    `pages with long texts speak ${language}, and none is wider than its screen`,
    async () => {
      const states = PAGES.filter((state) => state.language === undefined)
        .toSorted((a, b) => (lengths.get(b) ?? 0) - (lengths.get(a) ?? 0))
        .slice(0, LONGEST)
        .filter((_, nth) => nth % OTHERS.length === turn);
      const tab = tabs[language]!;
      const faults: string[] = [];

      await tab.setText(LARGE_TEXT);
      for (const state of states) {
        await tab.page.setViewportSize({ width: NARROW, height: HEIGHT });
        const found = faultsOfAnswer(await tab.open(state, data), state, language);
        found.push(...(await overflowErrors(tab.page)));
        await tab.page.setViewportSize({ width: WIDE, height: HEIGHT });
        found.push(...(await overflowErrors(tab.page)), ...tab.heard());
        faults.push(...found.map((fault) => `${state.name}: ${fault}`));
      }

      expect(lengths.size).toBeGreaterThan(LONGEST);
      expect(faults).toEqual([]);
    },
    PAGE_MS_MAX,
  );

test("from right to left, a map counts from the left, and a card begins with its tag", async () => {
  const { page, setText } = tabs[ARABIC]!;
  await setText(100);
  await page.setViewportSize({ width: WIDE, height: HEIGHT });
  await page.goto(`${site.origin}/?place=Lyon&radius_km=25`, { waitUntil: "networkidle" });

  const seen = await page.evaluate<Record<string, number>>(`(() => {
    const direction = (selector) => getComputedStyle(document.querySelector(selector)).direction;
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    return {
      page: direction("body"),
      map: direction(".leaflet-container"),
      indent: box(".cards .card").right - box(".cards .card .tag").right,
      gap: box(".cards").left - box(".map").right,
    };
  })()`);

  expect(seen).toMatchObject({ page: "rtl", map: "ltr" });
  expect(seen["indent"]).toBeWithin(0, 20);
  expect(seen["gap"]).toBeGreaterThan(0);
});

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

    expect(links.size).toBeGreaterThan(PAGES.length / 2);
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
    // The switch of languages leads to the same page in each of them.
    const isSwitch = ![null, "fr"].includes(url.searchParams.get("lang"));
    if (url.origin === site.origin && !isSwitch && !links.has(url.href)) links.set(url.href, from);
  }
}

/** A path without what differs from one alert or person to another: "/alerts/…/contact". */
function shapeOf({ pathname }: URL): string {
  const [, room = "", ...parts] = pathname.split("/");
  const isName = (part: string, at: number) =>
    room === "admin" || room === "inbox" ? /\d/.test(part) : at === 0 || /[0-9a-f]{32}/.test(part);
  return [room, ...parts.map((part, at) => (isName(part, at) ? "…" : part))].join("/");
}

describe("hostile text", () => {
  test("is shown as it was written", async () => {
    const tab = tabs["en"]!;
    await tab.open({ name: "alert", at: ({ lost }) => lost.page }, data);
    const shown = await tab.page.locator("main").innerText();
    await tab.open({ name: "moderation", at: () => "/admin", isSignedIn: true }, data);
    const moderated = await tab.page.locator("main").innerText();

    for (const text of [HOSTILE.name, HOSTILE.color, HOSTILE.breed, HOSTILE.city, HOSTILE.note])
      expect(shown).toContain(text);
    expect(moderated).toContain(HOSTILE.report);
  });

  test("neither makes a poster longer than its sheet nor keeps its code from being read", async () => {
    const { page } = tabs["en"]!;
    await page.goto(`${data.lost.poster}?paper=letter&sheet=tear`);
    const [sheet, ...more] = await drawPages(await page.pdf({ preferCSSPageSize: true }));

    expect(more).toEqual([]);
    expect((await readQr(new Response(sheet))).said).toEndWith(`/a/${data.lost.code}`);
  });

  test(
    "is only text in every email, where no content security policy applies",
    async () => {
      const { page } = tabs["en"]!;
      calls = 0;
      await page.goto("about:blank");
      let seen = "";

      for (const { raw } of site.world.sentMail) {
        const { html, subject } = await PostalMime.parse(raw);
        await page.setContent(html ?? "");
        expect(await page.locator(".owned").count()).toBe(0);
        seen += `${subject} ${html}`;
      }

      for (const kind of EMAILS) expect(seen).toContain(kind);
      for (const text of [HOSTILE.name, HOSTILE.city, HOSTILE.label, HOSTILE.note])
        expect(seen).toContain(Bun.escapeHTML(text).replaceAll("&#x27;", "&#39;"));
      expect(calls).toBe(0);
    },
    PAGE_MS_MAX,
  );

  test("would be seen if it were more than text", async () => {
    const { page } = tabs["en"]!;
    const called = new Promise<void>((tell) => (onCall = tell));

    await page.goto("about:blank");
    await page.setContent(HOSTILE.name);
    await called;

    expect(await page.locator(".owned").count()).toBe(1);
  });
});
