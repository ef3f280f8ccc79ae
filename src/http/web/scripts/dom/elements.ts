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
