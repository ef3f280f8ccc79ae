/**
 * Buttons to share, copy and print. Each is hidden in the page and shown if the browser supports it.
 *
 *   <button type="button" data-share data-url="https://…" data-title="…" data-text="…" hidden>               opens the share menu
 *   <button type="button" data-copy="text" data-copied="…" data-failed="…" data-status="#…" hidden>   copies the text
 *   <button type="button" data-print hidden>                                                                 prints
 */
import { message, statusOf } from "./dom/elements.ts";

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

function show(button: HTMLButtonElement, onClick: () => void | Promise<void>): void {
  button.hidden = false;
  button.addEventListener("click", () => void onClick());
}
