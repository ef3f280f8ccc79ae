/**
 * Turns on notifications by Web Push in this browser, and lists those that it gets.
 *
 *   <form><button type="submit" formaction="…" hidden data-device="public key of the service" data-status="selector"
 *         data-denied="…" data-failed="…" data-install="…">…</button> and fields endpoint, p256dh and auth</form>
 *   <div data-topics="address of the page">…</div>
 *
 * A button appears where the browser has Web Push, and is removed elsewhere. Pressed, it asks for permission and submits
 * the form with the subscription, which is filled in. On an iPhone outside of the home screen, the sentence `data-install`
 * says how to get there. An element `data-topics` is for the page with the list: it is requested again with the address of
 * the subscription, and the answer replaces its content.
 */
import { hintAfter, message, statusOf } from "./dom/elements.ts";

/** The worker lies beside the scripts' folder. */
const script = import.meta.url;
const hasPush = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-device]")) {
  if (hasPush) offer(button.form!, button);
  else {
    const install = message(button, "install");
    if (isApple() && install !== "") hintAfter(button, install);
    button.remove();
  }
}

function offer(form: HTMLFormElement, button: HTMLButtonElement): void {
  const showStatus = statusOf(button);
  button.hidden = false;
  button.addEventListener("click", (event) => {
    event.preventDefault();
    void (async () => {
      showStatus("");
      if ((await Notification.requestPermission()) !== "granted")
        return showStatus(message(button, "denied"));
      button.disabled = true;
      try {
        fillIn(form, await subscription(button.dataset["device"]!));
        button.disabled = false;
        form.requestSubmit(button);
      } catch {
        showStatus(message(button, "failed"));
      }
      button.disabled = false;
    })();
  });
}

/** Subscription of this browser with the key of the service: one with another key no longer brings anything. */
async function subscription(key: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(new URL("../worker.js", script));
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  const itsKey = known?.options.applicationServerKey;
  if (known && itsKey && base64url(itsKey) === key) return known;
  await known?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function fillIn(form: HTMLFormElement, subscribed: PushSubscription): void {
  const fields = { endpoint: subscribed.endpoint, ...subscribed.toJSON().keys };
  for (const [name, value] of Object.entries(fields)) {
    const field = form.elements.namedItem(name);
    // Browsers may pad their keys.
    if (field instanceof HTMLInputElement) field.value = value.replace(/=+$/, "");
  }
}

function base64url(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** True for Safari on an iPhone or iPad, which has Web Push for sites on the home screen only. */
function isApple(): boolean {
  const isTouchMac = navigator.userAgent.includes("Mac") && navigator.maxTouchPoints > 1;
  return /iPhone|iPad/.test(navigator.userAgent) || isTouchMac;
}

const list = document.querySelector<HTMLElement>("[data-topics]");
if (list && hasPush) void showTopics(list.dataset["topics"]!);

async function showTopics(address: string): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscribed = await registration?.pushManager.getSubscription();
  if (!subscribed) return;
  const body = new URLSearchParams({ endpoint: subscribed.endpoint });
  const answer = await fetch(address, { method: "POST", body });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const main = page.querySelector("main");
  if (main) document.querySelector("main")?.replaceWith(main);
}
