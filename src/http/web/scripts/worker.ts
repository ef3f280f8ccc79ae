/**
 * Service worker: keeps the style sheet, the scripts and the page about a lost connection, and shows that page where a page
 * cannot be reached. It caches no other page, and nothing private. It shows pushes (src/push/notification.ts), and opens
 * addresses of this site only. It sends the forms that a page could not send and left to it (draft.ts): once there is a
 * connection where browsers have Background Sync, and whenever a page is opened. `ASSETS` is put before it
 * (pages/offline/offline.tsx).
 */
import { type Draft, openDrafts, seenTime, SEND_EVENT } from "./kept-drafts.ts";

declare const ASSETS: {
  /** Start of the names of our caches. */
  readonly site: string;
  readonly version: string;
  readonly page: string;
  readonly files: string[];
};
/** Properties of a worker's events, each of which has some. */
type WorkerEvent = Event & {
  readonly request: Request;
  readonly data: { json(): unknown } | null;
  readonly tag: string;
  readonly notification: Notification;
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
};
declare const clients: { claim(): Promise<void>; openWindow(address: string): Promise<unknown> };
declare const registration: ServiceWorkerRegistration;
declare function skipWaiting(): Promise<void>;

function on(type: string, listener: (event: WorkerEvent) => void): void {
  addEventListener(type, (event) => listener(event as WorkerEvent));
}

const CACHE = `${ASSETS.site}${ASSETS.version}`;

on("install", (event) => {
  const install = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll([ASSETS.page, ...ASSETS.files]);
    await skipWaiting();
  };
  event.waitUntil(install());
});

on("activate", (event) => {
  const activate = async () => {
    const names = await caches.keys();
    await Promise.all(
      names
        .filter((name) => name.startsWith(ASSETS.site) && name !== CACHE)
        .map((name) => caches.delete(name)),
    );
    await clients.claim();
  };
  event.waitUntil(activate());
});

on("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== location.origin) return;
  const kept = async (address: string) => (await caches.match(address)) ?? Response.error();
  if (request.mode === "navigate") {
    const answer = fetch(request);
    event.respondWith(answer.catch(() => kept(ASSETS.page)));
    // Whoever opens the form is about to send it.
    event.waitUntil(answer.then(() => sendDrafts(request.url)).catch(() => {}));
  } else if (ASSETS.files.includes(pathname + search))
    event.respondWith(caches.match(request).then((hit) => hit ?? fetch(request)));
});

on("push", (event) => event.waitUntil(show(textsOf(event.data))));

on("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(clients.openWindow(ownAddress(event.notification.data)));
});

type Texts = Readonly<Record<"title" | "body" | "navigate" | "lang" | "tag", string>>;

/** Browsers take the permission back from sites that show nothing, so a push that cannot be read shows the site's name. */
function show({ title, body, navigate, lang, tag }: Partial<Texts>): Promise<void> {
  const icon = new URL("icon-192.png", registration.scope).href;
  const texts = { body: body ?? "", lang: lang ?? "", tag: tag ?? "" };
  const options = { ...texts, data: navigate, icon, badge: icon };
  return registration.showNotification(title ?? location.host, options);
}

function textsOf(data: WorkerEvent["data"]): Partial<Texts> {
  try {
    return (data?.json() as { notification?: Partial<Texts> } | undefined)?.notification ?? {};
  } catch {
    return {};
  }
}

/** Address of this site; its home page in place of any other. */
function ownAddress(address: unknown): string {
  const { scope } = registration;
  try {
    const { href } = new URL(String(address), scope);
    return href.startsWith(scope) ? href : scope;
  } catch {
    return scope;
  }
}

on("sync", (event) => {
  // Where this fails, browsers try again later.
  if (event.tag === SEND_EVENT) event.waitUntil(sendDrafts());
});

/** Sends the drafts that pages of this site left, except that of the form at an address. */
async function sendDrafts(except = ""): Promise<void> {
  const drafts = await openDrafts();
  for (const name of await drafts.names()) {
    const draft = await drafts.get(name);
    const { sendTo = "", savedAt } = draft ?? {};
    // Other sites of this host have drafts, too.
    if (!draft || !sendTo.startsWith(registration.scope) || sendTo === except) continue;
    const { status, url } = await fetch(sendTo, { method: "POST", body: formOf(draft) });
    if (status >= 500 || status === TOO_MANY) throw new Error("busy");
    const after = await drafts.get(name);
    // Somebody edits it meanwhile.
    if (after?.savedAt !== savedAt) continue;
    if (url.startsWith(`${registration.scope}waiting/`)) await drafts.erase(name);
    // The form shows what is wrong once it is opened.
    else await drafts.put(name, { ...draft, sendTo: "" });
  }
}

const TOO_MANY = 429;

/** Form as the page would send it now, with the same key, by which the server knows it as the same form. */
function formOf({ savedAt, values, files }: Draft): FormData {
  const form = new FormData();
  // Of photos that are on the server the draft has copies.
  for (const [name, value] of values)
    if (name !== "photo" || files.length === 0) form.append(name, value);
  for (const file of files) form.append("photos", file);
  const ago = form.get("hoursAgo");
  const seen =
    ago === null || form.has("seenDay") || form.has("seenHour")
      ? null
      : seenTime(String(ago), savedAt);
  if (seen) {
    form.set("seenDay", seen.day);
    form.set("seenHour", seen.hour);
  }
  return form;
}
