/**
 * Text of a data attribute (`key` in camel case) of an element says, with `{name}`s filled in; empty if it is not there.
 * Pages give scripts all their words this way, in the reader's language.
 */
export function sentence(
  owner: HTMLElement,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const text = owner.dataset[key] ?? "";
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/**
 * Gives the way to say something about an element: in the element that its `data-status` names by a selector, or else
 * in a new one behind it. Both are told to screen readers when they change.
 */
export function statusOf(owner: HTMLElement): (text: string) => void {
  const selector = owner.dataset.status;
  const status = (selector && document.querySelector(selector)) || statusBehind(owner);
  status.setAttribute("role", "status");
  return (text) => {
    status.textContent = text;
  };
}

function statusBehind(owner: HTMLElement): Element {
  const status = document.createElement("p");
  status.className = "hint";
  owner.after(status);
  return status;
}
