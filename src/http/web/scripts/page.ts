/**
 * Script of every page: local times, buttons to share, copy and print (hidden in the page, and shown if the browser supports
 * them), the service worker, and the way back from an answer to its form.
 *
 *   <time datetime="2026-11-24T09:00:00.000Z" data-locale="en-GB">24 November 2026 at 09:00 (UTC)</time>
 *   <button type="button" data-share data-url="https://…" data-title="…" data-text="…" hidden>        opens the share menu
 *   <button type="button" data-copy="text" data-copied="…" data-failed="…" data-status="#…" hidden>   copies the text
 *   <button type="button" data-print hidden>                                                          prints
 *   <main data-form-address="/subscribe">   answer to the form at that address
 *   <main data-offline>                     registers the service worker
 *   <form …><input name="email"> … and, on the page that follows, <strong data-sent-to>a…@e…</strong>
 */
import { message, statusOf } from "./dom/elements.ts";

for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-locale]")) {
  const format = new Intl.DateTimeFormat(time.dataset.locale, {
    dateStyle: "long",
    timeStyle: "short",
  });
  time.textContent = format.format(new Date(time.dateTime));
}

const buttons = (selector: string) => document.querySelectorAll<HTMLButtonElement>(selector);

for (const button of buttons("button[data-share]")) {
  if (!("share" in navigator)) break;
  show(button, async () => {
    const { url, title, text } = button.dataset;
    // Rejected if the user closes the menu: nothing to report.
    await navigator.share({ url: url!, title: title!, text: text! }).catch(() => {});
  });
}

for (const button of buttons("button[data-copy]")) {
  if (!("clipboard" in navigator)) break;
  const showStatus = statusOf(button);
  show(button, async () => {
    const copied = await navigator.clipboard.writeText(button.dataset.copy!).then(
      () => true,
      () => false,
    );
    showStatus(message(button, copied ? "copied" : "failed"));
  });
}

for (const button of buttons("button[data-print]")) show(button, () => window.print());

// Back leads to the form instead of asking to send it again.
for (const { dataset } of document.querySelectorAll<HTMLElement>("[data-form-address]"))
  history.replaceState(history.state, "", dataset.formAddress);

// The service worker shows a page of ours where the connection is lost. It lies beside the scripts' folder.
const script = import.meta.url;
if (document.querySelector("[data-offline]") !== null && "serviceWorker" in navigator)
  void navigator.serviceWorker.register(new URL("../worker.js", script)).catch(() => {});

// The address that an email goes to is shown in full on the device where it was typed: pages have the masked one only. The
// tab keeps it, unless its storage is blocked.
const SENT_TO = "sent-to";

document.addEventListener(
  "submit",
  ({ target }) => {
    const email = target instanceof HTMLFormElement ? target.elements.namedItem("email") : null;
    if (email instanceof HTMLInputElement) keepSentTo(email.value.trim());
  },
  { capture: true },
);

for (const masked of document.querySelectorAll("[data-sent-to]")) {
  const address = keptSentTo();
  if (mask(address) === masked.textContent) masked.textContent = address;
}

function keepSentTo(address: string): void {
  try {
    sessionStorage.setItem(SENT_TO, address);
  } catch {
    // The masked address is shown.
  }
}

function keptSentTo(): string {
  try {
    return sessionStorage.getItem(SENT_TO) ?? "";
  } catch {
    return "";
  }
}

/** Address as `maskedMailbox` of the server writes it. */
function mask(text: string): string {
  const [local = "", domain = ""] = text.split("@");
  return `${local.slice(0, 1)}…@${domain.slice(0, 1)}…`;
}

function show(button: HTMLButtonElement, onClick: () => void | Promise<void>): void {
  button.hidden = false;
  button.addEventListener("click", () => void onClick());
}
