/**
 * Service worker: keeps the style sheet, the scripts and the page about a lost connection, and shows that page where a page
 * cannot be reached. It caches no other page, and nothing private. It shows pushes (src/push/notification.ts), and opens
 * addresses of this site only. `ASSETS` is put before it (assets/offline.tsx).
 */
type Installing = Event & { waitUntil(work: Promise<unknown>): void };
type Fetching = Event & {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
};
declare const ASSETS: {
  /** Start of the names of our caches. */
  readonly site: string;
  readonly version: string;
  readonly page: string;
  readonly files: string[];
};
type Pushed = Event & {
  readonly data: { json(): unknown } | null;
  waitUntil(work: Promise<unknown>): void;
};
type Pressed = Event & {
  readonly notification: Notification;
  waitUntil(work: Promise<unknown>): void;
};
declare const clients: { claim(): Promise<void>; openWindow(address: string): Promise<unknown> };
declare const registration: ServiceWorkerRegistration;
declare function skipWaiting(): Promise<void>;

const CACHE = `${ASSETS.site}${ASSETS.version}`;

addEventListener("install", (event) => {
  const install = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll([ASSETS.page, ...ASSETS.files]);
    await skipWaiting();
  };
  (event as Installing).waitUntil(install());
});

addEventListener("activate", (event) => {
  const activate = async () => {
    const names = await caches.keys();
    await Promise.all(
      names
        .filter((name) => name.startsWith(ASSETS.site) && name !== CACHE)
        .map((name) => caches.delete(name)),
    );
    await clients.claim();
  };
  (event as Installing).waitUntil(activate());
});

addEventListener("fetch", (event) => {
  const { request, respondWith } = event as Fetching;
  if (request.method !== "GET") return;
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== location.origin) return;
  const kept = async (address: string) => (await caches.match(address)) ?? Response.error();
  if (request.mode === "navigate")
    respondWith.call(
      event,
      fetch(request).catch(() => kept(ASSETS.page)),
    );
  else if (ASSETS.files.includes(pathname + search))
    respondWith.call(
      event,
      caches.match(request).then((hit) => hit ?? fetch(request)),
    );
});

addEventListener("push", (event) => {
  const { data, waitUntil } = event as Pushed;
  waitUntil.call(event, show(textsOf(data)));
});

addEventListener("notificationclick", (event) => {
  const { notification, waitUntil } = event as Pressed;
  notification.close();
  waitUntil.call(event, clients.openWindow(ownAddress(notification.data)));
});

type Texts = Readonly<Record<"title" | "body" | "navigate" | "lang" | "tag", string>>;

/** Browsers take the permission back from sites that show nothing, so a push that cannot be read shows the site's name. */
function show({ title, body, navigate, lang, tag }: Partial<Texts>): Promise<void> {
  const icon = new URL("icon-192.png", registration.scope).href;
  const texts = { body: body ?? "", lang: lang ?? "", tag: tag ?? "" };
  const options = { ...texts, data: navigate, icon, badge: icon };
  return registration.showNotification(title ?? location.host, options);
}

function textsOf(data: Pushed["data"]): Partial<Texts> {
  try {
    return (data?.json() as { notification?: Partial<Texts> } | undefined)?.notification ?? {};
  } catch {
    return {};
  }
}

/** Address of this site; its home page in place of any other. */
function ownAddress(address: unknown): string {
  const { scope } = registration;
  const { href = scope } = URL.parse(String(address), scope) ?? {};
  return href.startsWith(scope) ? href : scope;
}
