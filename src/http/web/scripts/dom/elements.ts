/** Adds a line of small text after an element. */
export function hintAfter(owner: HTMLElement, text: string): HTMLElement {
  const hint = element("p", { className: "hint", textContent: text });
  owner.after(hint);
  return hint;
}

/** New element with its properties and children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: Node[]
): HTMLElementTagNameMap[Tag] {
  const created = Object.assign(document.createElement(tag), properties);
  created.append(...children);
  return created;
}

/** New button that submits nothing. */
export function button(label: string, className: string, onClick: () => void): HTMLButtonElement {
  const created = element("button", { type: "button", className, textContent: label });
  created.addEventListener("click", onClick);
  return created;
}

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
