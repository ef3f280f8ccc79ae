/**
 * Service worker: keeps the style sheet, the scripts and the page about a lost connection, and shows that page where a page
 * cannot be reached. It caches no other page, and nothing private. `ASSETS` is put before it (assets/offline.tsx).
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
declare const clients: { claim(): Promise<void> };
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
