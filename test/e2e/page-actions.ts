import type { Page } from "playwright-core";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";

export const headingOf = (on: Page) => on.getByRole("heading", { level: 1 }).innerText();
export const press = (on: Page, name: string) =>
  loads(on, () => on.getByRole("button", { name, exact: true }).click());
export const go = (on: Page, name: string) =>
  loads(on, () => on.getByRole("link", { name, exact: true }).click());

/** Goes to the next step of the form; without scripts all steps are there. */
export async function nextStep(on: Page): Promise<void> {
  const next = on.getByRole("button", { name: PAGE_MESSAGES.en.publish.steps.next, exact: true });
  if ((await next.count()) > 0) await next.click();
}

/** Performs an action that leads to another page, and waits until it has loaded. */
export async function loads(on: Page, act: () => Promise<void>): Promise<void> {
  // Its load would be taken for that of the next page.
  await on.waitForLoadState();
  await Promise.all([on.waitForEvent("load"), act()]);
}

/** Waits until a script has put the form's position there; a hidden field shows its value as an attribute. */
export function pinIsAt(on: Page, lat: string): Promise<void> {
  return on.locator(`#field-lat[value="${lat}"]`).waitFor({ state: "attached" });
}

/** More presses of Tab than any page needs. */
const TABS_MAX = 100;

/** Presses Tab until the element with this name has the focus. Throws if none does or the focus is not visible. */
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

/** Focused element by its label or text, and if it or its clickable area is outlined. */
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
