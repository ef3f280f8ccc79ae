import { expect } from "bun:test";
import { PNG } from "pngjs";
import type { Browser, Page } from "playwright-core";
import { LANGUAGES } from "../../src/messages/languages.ts";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { isNightly } from "../support/nightly.ts";
import { readQr } from "../support/qr.ts";
import { createUserActions, makePhotos } from "./user-actions.ts";
import { PLAIN_TEXTS } from "./sample-data.ts";
import { closePages, openChromium, START_MS_MAX } from "./chromium.ts";
import { drawPages, pixels, printTests, textOf } from "./pdf.ts";
import { openBrowserSession, type BrowserSession } from "./browser-session.ts";

const { afterAll, beforeAll, describe, test } = printTests;

/** Millimetres. Source of both: ISO 216; ANSI/ASME Y14.1. */
const PAPERS = {
  a4: { width: 210, height: 297 },
  letter: { width: 215.9, height: 279.4 },
} as const;
const STRIPS = 9;
const FLYERS = 4;
/** By day in English. */
const PRINTED = isNightly ? LANGUAGES : (["en"] as const);
/** A drawn page may be cut in the middle of a pixel. */
const PIXEL = 1;

let chromium: Browser;
let session: BrowserSession;
let page: Page;
type Published = { readonly code: string; readonly poster: string; readonly page: string };
let alert: Published;
let found: Published;

beforeAll(async () => {
  chromium = await openChromium();
  session = await openBrowserSession(chromium);
  page = session.page;
  const { publish, hang } = createUserActions(session.world, PLAIN_TEXTS);
  const lost = await publish("lost@example.org");
  await hang(lost.manage, await makePhotos(1));
  alert = lost;
  found = await publish("found@example.org", { type: "found" });
}, START_MS_MAX);
afterAll(async () => {
  await session?.close();
  await closePages(chromium);
  expect(session?.errors()).toEqual([]);
});

describe.each(Object.keys(PAPERS) as (keyof typeof PAPERS)[])("a poster on %s", (paper) => {
  const { width, height } = PAPERS[paper];

  test.each(PRINTED)("is one sheet with a code and strips to tear off (%s)", async (language) => {
    const pdf = await printed(`paper=${paper}&sheet=tear&lang=${language}`);

    const [sheet, ...more] = await drawPages(pdf);
    expect(more).toEqual([]);
    expect(sizeOf(sheet)).toEqual({ width: pixels(width), height: pixels(height) });
    const link = `${session.site.origin}/a/${alert.code}`;
    expect((await readQr(new Response(sheet))).said).toBe(link);
    const text = await textOf(pdf);
    expect(text.split(alert.code).length - 1).toBeGreaterThanOrEqual(STRIPS + 1);
    const headline = PAGE_MESSAGES[language].headline.lost.cat;
    expect(text).toContain(headline.toLocaleUpperCase(language));
    expect(text).toContain("Mimi");
    expect(text).not.toContain("@");
  });
});

test.each(PRINTED)("a poster is one sheet of four flyers to cut apart (%s)", async (language) => {
  const words = PAGE_MESSAGES[language].poster;
  for (const [one, paper] of [
    [alert, "a4"],
    [found, "letter"],
  ] as const) {
    const pdf = await printed(`paper=${paper}&sheet=flyers&lang=${language}`, one);

    const [sheet, ...more] = await drawPages(pdf);
    expect(more).toEqual([]);
    expect(sizeOf(sheet)).toEqual({
      width: pixels(PAPERS[paper].width),
      height: pixels(PAPERS[paper].height),
    });
    const link = `${session.site.origin}/a/${one.code}`;
    expect((await readQr(new Response(quarterOf(sheet)))).said).toBe(link);
    const text = flat(await textOf(pdf));
    expect(text.split(one.code).length - 1).toBe(FLYERS);
    const asked = flat(words.look[one === alert ? "lost" : "found"]);
    expect(text.split(asked).length - 1).toBe(FLYERS);
    expect(text).not.toContain("@");
  }
});

test("a poster is one sheet for those who drive by, with little on it", async () => {
  const pdf = await printed(`paper=letter&sheet=far&lang=en`);

  const [sheet, ...more] = await drawPages(pdf);
  expect(more).toEqual([]);
  expect(sizeOf(sheet)).toEqual({
    width: pixels(PAPERS.letter.width),
    height: pixels(PAPERS.letter.height),
  });
  const text = await textOf(pdf);
  expect(text).toContain("LOST");
  expect(text).toContain(alert.code);
  expect(text).not.toContain("Mimi");
});

test("the page of the alert leads to its poster, which shows itself as it will be printed", async () => {
  const words = PAGE_MESSAGES.en;
  await page.goto(`${alert.page}?lang=en`);
  await page.getByRole("link", { name: words.poster.link }).click();
  await page.getByRole("link", { name: words.poster.papers.letter }).click();

  expect(new URL(page.url()).searchParams.get("paper")).toBe("letter");
  const box = await page.locator(".sheet").boundingBox();
  expect((box?.height ?? 0) / (box?.width ?? 1)).toBeCloseTo(279.4 / 215.9, 2);
  expect(await page.locator(".strips li").count()).toBe(STRIPS);
  expect(await page.getByRole("button", { name: words.poster.print }).isVisible()).toBe(true);
});

/** As a browser prints it that leaves the choice of paper to the page. */
async function printed(choice: string, of = alert): Promise<Uint8Array> {
  await page.goto(`${of.poster}?${choice}`);
  return page.pdf({ preferCSSPageSize: true, printBackground: true });
}

/** Text without spaces and line breaks. */
function flat(text: string): string {
  return text.replace(/\s+/g, "");
}

/** Upper left quarter of a drawn page. */
function quarterOf(png: Uint8Array | undefined): Uint8Array<ArrayBuffer> {
  const whole = PNG.sync.read(Buffer.from(png ?? []));
  const [width, height] = [whole.width >> 1, whole.height >> 1];
  const quarter = new PNG({ width, height });
  PNG.bitblt(whole, quarter, 0, 0, width, height, 0, 0);
  return new Uint8Array(PNG.sync.write(quarter));
}

function sizeOf(png: Uint8Array | undefined) {
  const { width, height } = PNG.sync.read(Buffer.from(png ?? []));
  const near = (size: number, wanted: readonly number[]) =>
    wanted.map(pixels).find((one) => Math.abs(one - size) <= PIXEL) ?? size;
  const papers = Object.values(PAPERS);
  return {
    width: near(
      width,
      papers.map((paper) => paper.width),
    ),
    height: near(
      height,
      papers.map((paper) => paper.height),
    ),
  };
}
