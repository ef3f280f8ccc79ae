import { expect } from "bun:test";
import PostalMime from "postal-mime";
import type { Browser, Page } from "playwright-core";
import { readQr } from "../support/qr.ts";
import { type SampleData, createSampleData, type Texts } from "./sample-data.ts";
import { closePages, openChromium, START_MS_MAX } from "./chromium.ts";
import { markupErrors } from "./html-validation.ts";
import { drawPages, printTests } from "./pdf.ts";
import { type PageState, PAGES } from "./pages.ts";
import { overflowErrors } from "./accessibility.ts";
import { openSite, type Site } from "./site.ts";
import { openTab, type Tab } from "./tab.ts";

const { afterAll, beforeAll, describe, test } = printTests;

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

const AS_QUERY = encodeURIComponent(HOSTILE.name);

/** Pages that show the input of the request. */
const TYPED: readonly PageState[] = [
  { name: "home, hostile words", at: () => `/?q=${AS_QUERY}` },
  {
    name: "home, hostile filters",
    at: () => `/?species=${AS_QUERY}&cursor=${AS_QUERY}`,
    status: 400,
  },
  { name: "hostile name of an alert", at: () => `/alerts/${AS_QUERY}`, status: 404 },
  { name: "hostile link", at: () => `/confirm/${AS_QUERY}`, status: 404 },
  { name: "home, hostile town", at: () => `/?place=${encodeURIComponent(HOSTILE.place)}` },
  {
    name: "embedded list, hostile town",
    at: () => `/embed?place=${encodeURIComponent(HOSTILE.place)}`,
    isFramed: true,
  },
  { name: "publish, hostile town in the address", at: () => `/publish?place=${AS_QUERY}` },
  {
    name: "publish, hostile",
    at: () => "/publish",
    post: { ...HOSTILE, type: HOSTILE.name, species: HOSTILE.name, photo: [HOSTILE.file, "x"] },
    status: 400,
  },
  {
    name: "publish, hostile name of a file",
    at: () => "/publish",
    act: (page) => chooseNoPhoto(page, HOSTILE.file),
  },
  {
    name: "sighting, hostile",
    at: (data) => data.lost.sighting,
    post: { place: HOSTILE.place, note: HOSTILE.note, hoursAgo: HOSTILE.name, email: HOSTILE.name },
    status: 400,
  },
  {
    name: "subscribe, hostile",
    at: () => "/subscribe",
    post: {
      place: HOSTILE.place,
      label: HOSTILE.label,
      radiusKm: HOSTILE.name,
      email: HOSTILE.name,
    },
    status: 400,
  },
  {
    name: "report, hostile",
    at: (data) => data.lost.report,
    post: { reason: HOSTILE.name, text: HOSTILE.report },
    status: 400,
  },
  {
    name: "find my link, hostile",
    at: () => "/manage",
    post: { email: HOSTILE.name },
    status: 400,
  },
  {
    name: "waiting, hostile address",
    at: (data) => `${data.waiting.fresh}/address`,
    post: { email: HOSTILE.name },
    status: 400,
  },
  {
    name: "edit, hostile",
    at: (data) => `${data.lost.manage}/edit`,
    post: {
      ...HOSTILE,
      edited: "1",
      eventDate: HOSTILE.name,
      lat: HOSTILE.name,
      lng: HOSTILE.name,
    },
    status: 400,
  },
  {
    name: "contact, hostile",
    at: (data) => data.lost.contact,
    post: { name: HOSTILE.name, email: HOSTILE.sender, message: HOSTILE.message },
    status: 400,
  },
  {
    name: "confirm a publication, hostile",
    at: (data) => data.confirm.publish,
    post: { ...HOSTILE, eventDate: HOSTILE.name, sex: HOSTILE.name, age: HOSTILE.name },
    status: 400,
  },
];

/** Words of the subjects of all emails that hold what somebody wrote. */
const KINDS = [
  "confirm",
  "is live",
  "ends in",
  "in your area",
  "match",
  "New message",
  "Seen:",
  "moderation",
];

let chromium: Browser;
let site: Site;
let empty: Site;
let data: SampleData;
let tab: Tab;
let calls = 0;
let onCall = () => {};

beforeAll(async () => {
  chromium = await openChromium();
  site = await openSite();
  empty = await openSite();
  data = await createSampleData(site.world, empty.origin, HOSTILE);
  tab = await openTab(
    await chromium.newContext({ locale: "en", serviceWorkers: "block" }),
    site,
    empty,
  );
  await tab.page.exposeFunction("owned", () => {
    calls += 1;
    onCall();
  });
}, START_MS_MAX);

afterAll(async () => {
  await closePages(chromium);
  await site?.end();
  await empty?.end();
  expect(site.world.logged).toEqual([]);
});

describe("hostile text in every field", () => {
  for (const state of [...PAGES, ...TYPED]) {
    test(`is text and nothing more on the page "${state.name}"`, async () => {
      calls = 0;
      const { page } = tab;
      const answer = await tab.open(state, data);

      const faults = [
        ...(await markupErrors(answer)),
        ...(await overflowErrors(page, 320)),
        ...tab.heard(),
      ];
      expect(answer.status).toBe(state.status ?? 200);
      expect(faults).toEqual([]);
      expect(await page.locator(".owned").count()).toBe(0);
      expect(calls).toBe(0);
    });
  }

  test("is shown as it was written", async () => {
    await tab.open({ name: "alert", at: ({ lost }) => lost.page }, data);
    const shown = await tab.page.locator("main").innerText();
    await tab.open({ name: "moderation", at: () => "/admin", isSignedIn: true }, data);
    const moderated = await tab.page.locator("main").innerText();

    for (const text of [HOSTILE.name, HOSTILE.color, HOSTILE.breed, HOSTILE.city, HOSTILE.note])
      expect(shown).toContain(text);
    expect(moderated).toContain(HOSTILE.report);
  });

  test("neither makes a poster longer than its sheet nor keeps its code from being read", async () => {
    for (const paper of ["a4", "letter"]) {
      await tab.page.goto(`${data.lost.poster}?paper=${paper}&sheet=tear`);
      const pdf = await tab.page.pdf({ preferCSSPageSize: true });

      const [sheet, ...more] = await drawPages(pdf);
      expect(more).toEqual([]);
      expect((await readQr(new Response(sheet))).said).toEndWith(`/a/${data.lost.code}`);
    }
  }, 600_000);

  test("is only text in every email, where no content security policy applies", async () => {
    const { page } = tab;
    calls = 0;
    await page.goto("about:blank");
    let seen = "";

    for (const { raw } of site.world.sentMail) {
      const { html, subject } = await PostalMime.parse(raw);
      await page.setContent(html ?? "");
      expect(await page.locator(".owned").count()).toBe(0);
      seen += `${subject} ${html}`;
    }

    for (const kind of KINDS) expect(seen).toContain(kind);
    for (const text of [HOSTILE.name, HOSTILE.city, HOSTILE.label, HOSTILE.note])
      expect(seen).toContain(Bun.escapeHTML(text).replaceAll("&#x27;", "&#39;"));
    expect(calls).toBe(0);
  }, 600_000);

  test("would be seen if it were more than text", async () => {
    const called = new Promise<void>((tell) => (onCall = tell));

    await tab.page.goto("about:blank");
    await tab.page.setContent(HOSTILE.name);
    await called;

    expect(await tab.page.locator(".owned").count()).toBe(1);
  });
});

/** A file that no browser takes for a picture: the page says so by its name. */
async function chooseNoPhoto(page: Page, name: string): Promise<void> {
  const file = { name, mimeType: "image/jpeg", buffer: Buffer.from("none") };
  await page.setInputFiles("input[type=file]", file);
  await page.getByText(name).first().waitFor();
}
