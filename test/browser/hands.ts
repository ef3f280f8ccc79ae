import type { Page } from "playwright-core";

export const headingOf = (on: Page) => on.getByRole("heading", { level: 1 }).innerText();
export const press = (on: Page, name: string) =>
  loads(on, () => on.getByRole("button", { name, exact: true }).click());
export const go = (on: Page, name: string) =>
  loads(on, () => on.getByRole("link", { name, exact: true }).click());

/** Does what leads to another page, and waits until that stands. */
export async function loads(on: Page, act: () => Promise<void>): Promise<void> {
  await Promise.all([on.waitForEvent("load"), act()]);
}

/** More presses of a key than any page needs. */
const TABS_MAX = 100;

/** Presses Tab until something with this name has the focus. Throws when nothing gets it, or it cannot be seen. */
export async function tabTo(on: Page, name: string): Promise<void> {
  for (let pressed = 0; pressed < TABS_MAX; pressed++) {
    await on.keyboard.press("Tab");
    const now = await focused(on);
    if (!now.outlined) throw new Error(`nothing shows that "${now.name}" has the focus`);
    if (now.name === name) return;
  }
  throw new Error(`${TABS_MAX} times Tab lead to no "${name}"`);
}

// What runs inside the page: the house's types know no DOM, so what is used of it is declared.
type Focusable = {
  readonly labels?: Iterable<{ readonly textContent: string }>;
  readonly textContent: string;
};
declare const document: { readonly activeElement: Focusable };
declare function getComputedStyle(
  of: Focusable,
  part: null | "::after",
): { readonly outlineStyle: string };

/** What has the focus, by its label or its words, and whether it, or all that it makes clickable, is outlined. */
export function focused(on: Page): Promise<{ name: string; outlined: boolean }> {
  return on.evaluate(() => {
    const { activeElement: one } = document;
    const [label] = one.labels ?? [];
    const outlines = ([null, "::after"] as const).map((part) => getComputedStyle(one, part));
    return {
      name: (label ?? one).textContent.trim(),
      outlined: outlines.some(({ outlineStyle }) => outlineStyle !== "none"),
    };
  });
}
