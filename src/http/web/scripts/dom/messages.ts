import { hintAfter } from "./elements.ts";

/**
 * Message in a data attribute (`key` in camel case) of an element, with each `{name}` replaced by its value; empty
 * without the attribute. Pages pass all texts of scripts this way, in the language of the page.
 */
export function message(
  owner: HTMLElement,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const text = owner.dataset[key] ?? "";
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    String(values[name] ?? placeholder),
  );
}

/**
 * Function that shows the status of an element: in the element that its `data-status` names by a selector, or else in a
 * new one after it. Screen readers announce both.
 */
export function statusOf(owner: HTMLElement): (text: string) => void {
  const selector = owner.dataset.status;
  const status = (selector && document.querySelector(selector)) || hintAfter(owner, "");
  status.setAttribute("role", "status");
  return (text) => {
    status.textContent = text;
  };
}
