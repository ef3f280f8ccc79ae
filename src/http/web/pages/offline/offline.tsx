/** @jsxImportSource hono/jsx */
import { ButtonLine } from "../../components/elements.tsx";
import {
  local,
  MANIFEST_ADDRESS,
  type Page,
  PAGE_MANIFEST_ADDRESS,
  type PageContext,
  type Web,
} from "../../layout/layout.tsx";
import { KEPT_ADDRESSES, OFFLINE_ADDRESS, WORKER_SOURCE } from "../../assets/assets.ts";
import icon192 from "../../assets/icons/icon-192.png" with { type: "file" };
import icon512 from "../../assets/icons/icon-512.png" with { type: "file" };
import maskable512 from "../../assets/icons/icon-maskable-512.png" with { type: "file" };

const ACCENT = "#0f5e63";
const GROUND = "#fffaf4";

const ICONS = [
  { path: "/icon-192.png", file: icon192, sizes: "192x192", purpose: "any" },
  { path: "/icon-512.png", file: icon512, sizes: "512x512", purpose: "any" },
  { path: "/icon-maskable-512.png", file: maskable512, sizes: "512x512", purpose: "maskable" },
] as const;

const WORKER_VERSION = Bun.hash([WORKER_SOURCE, ...KEPT_ADDRESSES].join("\n")).toString(36);

/** Manifest, icons and service worker: the site can be installed, and shows a page where the connection is lost. */
export function offlineRoutes({ app, get }: Web): void {
  for (const path of [MANIFEST_ADDRESS, PAGE_MANIFEST_ADDRESS])
    get(path, (c, ctx) => {
      c.header("Content-Type", "application/manifest+json");
      c.header("Cache-Control", "public, max-age=86400");
      c.header("Vary", "Accept-Language, Cookie");
      return c.body(JSON.stringify(manifest(ctx, path)));
    });

  for (const { path, file } of ICONS)
    app.get(path, async (c) => {
      c.header("Content-Type", "image/png");
      c.header("Cache-Control", "public, max-age=86400");
      return c.body(await Bun.file(file).arrayBuffer());
    });

  get("/worker.js", (c, { links }) => {
    const assets = {
      // Other sites of this host have caches, too.
      site: `pet-alert ${links.at("/")} `,
      version: WORKER_VERSION,
      page: links.at(OFFLINE_ADDRESS),
      files: KEPT_ADDRESSES.map(links.at),
    };
    c.header("Content-Type", "text/javascript; charset=utf-8");
    // Browsers ask for it again at most a day later, whatever it says.
    c.header("Cache-Control", "no-cache");
    return c.body(`const ASSETS=${JSON.stringify(assets)};${WORKER_SOURCE}`);
  });

  get(OFFLINE_ADDRESS, (_, ctx) => offlinePage(ctx));
}

function manifest({ t, links, siteName }: PageContext, path: string) {
  return {
    name: siteName,
    short_name: siteName,
    description: t.home.lead,
    lang: t.language,
    ...(path === MANIFEST_ADDRESS
      ? { id: local(links.home), start_url: local(links.home) }
      : // Without an address it opens the page from which it was added: https://www.w3.org/TR/appmanifest/#start_url-member
        {}),
    scope: local(links.home),
    display: "standalone",
    background_color: GROUND,
    theme_color: ACCENT,
    icons: ICONS.map(({ path, sizes, purpose }) => ({
      src: links.at(path),
      sizes,
      type: "image/png",
      purpose,
    })),
    shortcuts: (["lost", "found"] as const).map((type) => ({
      name: t.home[type],
      url: `${local(links.publish)}?type=${type}`,
    })),
  };
}

function offlinePage({ t, links }: PageContext): Page {
  return {
    title: t.offline.title,
    access: "public",
    head: <meta name="robots" content="noindex" />,
    body: (
      <>
        <h1>{t.offline.title}</h1>
        <p class="lead">{t.offline.text}</p>
        <p>{t.offline.drafts}</p>
        <ButtonLine to={links.home} label={t.offline.again} isMain />
      </>
    ),
  };
}
