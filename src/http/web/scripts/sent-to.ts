/**
 * Shows in full the address that an email goes to, on the device where it was typed: pages have the masked one only.
 *
 *   <form …><input name="email"> … and, on the page that follows, <strong data-sent-to>a…@e…</strong>
 *
 * The address is kept by the tab, and ends with it.
 */
const KEY = "sent-to";

document.addEventListener(
  "submit",
  ({ target }) => {
    const email = target instanceof HTMLFormElement ? target.elements.namedItem("email") : null;
    if (email instanceof HTMLInputElement) sessionStorage.setItem(KEY, email.value.trim());
  },
  { capture: true },
);

const address = sessionStorage.getItem(KEY) ?? "";
for (const masked of document.querySelectorAll("[data-sent-to]"))
  if (mask(address) === masked.textContent) masked.textContent = address;

/** Address as `maskedMailbox` of the server writes it. */
function mask(text: string): string {
  const [local = "", domain = ""] = text.split("@");
  return `${local.slice(0, 1)}…@${domain.slice(0, 1)}…`;
}
