import { fileURLToPath } from "node:url";
import type { Result } from "axe-core";
import type { BrowserContext, Page } from "playwright-core";

// What runs inside the page: the house's types know no DOM, so what is used of it is declared.
type Box = {
  readonly tagName: string;
  readonly className: string;
  getBoundingClientRect(): { readonly right: number; readonly width: number };
};
declare const document: {
  readonly documentElement: Box & { readonly scrollWidth: number; readonly clientWidth: number };
  querySelectorAll(selector: string): Iterable<Box>;
};

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Named of a page that is too wide; they lie in each other. */
const WIDE_NAMED_MAX = 3;
/** Pixels, as browsers are set when they are new. */
const TEXT_SIZE = 16;

/** Puts axe-core into every page to come, past the pages' policy, for `accessibilityErrors`. */
export async function loadAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ path: fileURLToPath(import.meta.resolve("axe-core/axe.min.js")) });
}

/** Accessibility violations that axe-core finds, one line each. */
export async function accessibilityErrors(page: Page): Promise<string[]> {
  // No page has sounds, for which axe-core would load all that the page names once more.
  const options = { runOnly: RULES, resultTypes: ["violations"], preload: false };
  const violations: Result[] = await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `axe ${id}: ${target.join(" ")} (${failureSummary?.replace(/\s+/g, " ")})`,
    ),
  );
}

/** Elements that make the page scroll sideways. */
export async function overflowErrors(page: Page): Promise<string[]> {
  return page.evaluate((max) => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const out = [...document.querySelectorAll("body *")]
      .filter((one) => one.getBoundingClientRect().right > clientWidth)
      .map((one) => `${one.tagName.toLowerCase()}.${one.className}`);
    return [`${clientWidth} px wide, but ${scrollWidth} px: ${out.slice(-max).join(", ")}`];
  }, WIDE_NAMED_MAX);
}

/** Function that sets the size of texts in the browser, in percent of what is usual. */
export async function textSizeOf(page: Page): Promise<(percent: number) => Promise<void>> {
  const cdp = await page.context().newCDPSession(page);
  return async (percent) => {
    const standard = (TEXT_SIZE * percent) / 100;
    await cdp.send("Page.setFontSizes", { fontSizes: { standard, fixed: standard } });
  };
}
