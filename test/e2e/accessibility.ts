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
/** Those that look at colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
/** Named of a page that is too wide; they lie in each other. */
const WIDE_NAMED_MAX = 3;
const HEIGHT = 844;
/** Browser preferences. */
const TEXT_PIXELS = 16;

/** Puts axe-core into every page to come, past the pages' policy, for `faultsOfAccess`. */
export async function loadAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ path: fileURLToPath(import.meta.resolve("axe-core/axe.min.js")) });
}

/** Accessibility violations that axe-core finds, one line each. */
export function accessibilityErrors(page: Page): Promise<string[]> {
  return faultsBy(page, { type: "tag", values: RULES });
}

/** As `faultsOfAccess`, of a page that was looked at before and has changed its colours since. */
export function contrastErrors(page: Page): Promise<string[]> {
  return faultsBy(page, { type: "rule", values: COLOUR_RULES });
}

async function faultsBy(page: Page, runOnly: object): Promise<string[]> {
  const options = { runOnly, resultTypes: ["violations"] };
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

/** Elements that make a page of this width (CSS pixels) scroll sideways. */
export async function overflowErrors(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ width, height: HEIGHT });
  const wide = await page.evaluate((max) => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return null;
    const out = [...document.querySelectorAll("body *")]
      .filter((one) => one.getBoundingClientRect().right > clientWidth)
      .map((one) => `${one.tagName.toLowerCase()}.${one.className}`);
    return `${scrollWidth} px: ${out.slice(-max).join(", ")}`;
  }, WIDE_NAMED_MAX);
  return wide === null ? [] : [`${width} px wide, but ${wide}`];
}

/** Looks at the page as someone sees it whose browser is set to larger text. */
export async function withText<Seen>(
  page: Page,
  percent: number,
  look: () => Promise<Seen>,
): Promise<Seen> {
  const cdp = await page.context().newCDPSession(page);
  const setText = (standard: number) =>
    cdp.send("Page.setFontSizes", { fontSizes: { standard, fixed: standard } });
  await setText((TEXT_PIXELS * percent) / 100);
  const seen = await look();
  await setText(TEXT_PIXELS);
  await cdp.detach();
  return seen;
}
