/**
 * Three small comforts. Each element is hidden in the page and shown where the browser can do it.
 *
 *   <button type="button" data-share data-url="https://…" data-title="…" hidden>                             the device's own sharing
 *   <button type="button" data-copy="text" data-copied="…" data-failed="…" data-status="#…" hidden>   copies, and says so
 *   <button type="button" data-print hidden>                                                                 prints the page
 *
 * `data-url` may be left out: the page's own address is shared then.
 */
import { sentence, statusOf } from "./sentences.ts";

const buttons = (selector: string) => document.querySelectorAll<HTMLButtonElement>(selector);

for (const button of buttons("button[data-share]")) {
  if (!("share" in navigator)) break;
  offer(button, async () => {
    const { url = location.href, title = document.title } = button.dataset;
    // Refused when the reader closes the sheet again: nothing to tell.
    await navigator.share({ url, title }).catch(() => {});
  });
}

for (const button of buttons("button[data-copy]")) {
  if (!("clipboard" in navigator)) break;
  const say = statusOf(button);
  offer(button, async () => {
    const copied = await navigator.clipboard.writeText(button.dataset.copy!).then(
      () => true,
      () => false,
    );
    say(sentence(button, copied ? "copied" : "failed"));
  });
}

for (const button of buttons("button[data-print]")) offer(button, () => window.print());

function offer(button: HTMLButtonElement, act: () => void | Promise<void>): void {
  button.hidden = false;
  button.addEventListener("click", () => void act());
}
