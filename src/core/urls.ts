/** All public URLs, built from the configured base URL and never from a request's Host. */
export type Links = ReturnType<typeof createLinks>;

/** `baseUrl` without a slash at its end; it may have a path. */
export function createLinks(baseUrl: string) {
  const basePath = basePathOf(baseUrl);
  /** Encodes tokens, which come from URLs that anyone can forge: with a slash inside, a page's form would post elsewhere. */
  const under = (path: string) => (token: string) =>
    `${baseUrl}/${path}/${encodeURIComponent(token)}`;
  return {
    home: `${baseUrl}/`,
    /** Address without the origin of a path of ours: `/style.css` may lie at `/pets/style.css`. */
    at: (path: string) => `${basePath}${path}`,
    /** Search for alerts within a circle. */
    search: ({ lat, lng, radiusKm }: { lat: number; lng: number; radiusKm: number }) =>
      `${baseUrl}/?lat=${lat}&lng=${lng}&radius_km=${radiusKm}`,
    about: `${baseUrl}/about`,
    /** Page with the ways in which animals came home. */
    returns: `${baseUrl}/returns`,
    imprint: `${baseUrl}/imprint`,
    privacy: `${baseUrl}/privacy`,
    terms: `${baseUrl}/terms`,
    /** Contact for reports of vulnerabilities (RFC 9116). */
    securityTxt: `${baseUrl}/.well-known/security.txt`,
    api: `${baseUrl}/api/v1`,
    /** API description for programs, and the same for people. */
    openapi: `${baseUrl}/api/openapi.json`,
    docs: `${baseUrl}/api/docs`,
    apiCatalog: `${baseUrl}/.well-known/api-catalog`,
    /** Readiness check of store and indexes. */
    ready: `${baseUrl}/readyz`,
    /** List that other sites embed in a frame. */
    embed: `${baseUrl}/embed`,
    mcp: `${baseUrl}/api/mcp`,
    serverCard: `${baseUrl}/api/mcp/server-card`,
    /** Hints for assistants. */
    llms: `${baseUrl}/llms.txt`,
    sitemap: `${baseUrl}/sitemap.xml`,
    sitemapPart: (part: string) => `${baseUrl}/sitemaps/${part}.xml`,
    /** Picture of an alert in emails: the same address for every reader, so that none tells who opened one. */
    previewInEmail: (slug: string) => `${baseUrl}/alerts/${slug}/preview.jpg`,
    /** Picture for link previews; `version` changes with the alert. */
    preview: (slug: string, version: string) =>
      `${baseUrl}/alerts/${slug}/preview.jpg?v=${version}`,
    alert: (slug: string) => `${baseUrl}/alerts/${slug}`,
    contact: (slug: string) => `${baseUrl}/alerts/${slug}/contact`,
    /** Short link, encoded in QR images. */
    short: (code: string) => `${baseUrl}/a/${code}`,
    qr: (code: string) => `${baseUrl}/api/qr/${code}`,
    publish: `${baseUrl}/publish`,
    subscribe: `${baseUrl}/subscribe`,
    /** Page of an organisation. */
    organisation: (slug: string) => `${baseUrl}/organisations/${slug}`,
    /** Page with the notifications that a device gets. */
    device: `${baseUrl}/device`,
    admin: `${baseUrl}/admin`,
    /** Page to request lost manage links. */
    requestManageLinks: `${baseUrl}/manage`,
    /** The same page for one part of a list too long for one email, from 1. */
    requestManageLinksPart: (part: number) => `${baseUrl}/manage?part=${part}`,
    /** Page to request an erasure link, and the link itself. */
    requestErasure: `${baseUrl}/erase`,
    erase: under("erase"),
    /** Atom and GeoJSON lists of live alerts. */
    feed: `${baseUrl}/feed.atom`,
    geojson: `${baseUrl}/api/v1/alerts.geojson`,
    poster: (slug: string) => `${baseUrl}/alerts/${slug}/poster`,
    /** Poster that can be read from a car. */
    bigPoster: (slug: string) => `${baseUrl}/alerts/${slug}/poster?sheet=far`,
    /** Four flyers on one sheet. */
    flyers: (slug: string) => `${baseUrl}/alerts/${slug}/poster?sheet=flyers`,
    sighting: (slug: string) => `${baseUrl}/alerts/${slug}/sighting`,
    report: (slug: string) => `${baseUrl}/alerts/${slug}/report`,
    photo: (name: string) => `${baseUrl}/photos/${name}.webp`,
    /** At most 480 px wide and high. */
    thumbnail: (name: string) => `${baseUrl}/photos/${name}-480.webp`,
    /** Page shown while a request waits for confirmation. */
    waiting: under("waiting"),
    adminEntry: under("admin/enter"),
    /** Pages for the members of organisations. */
    inbox: `${baseUrl}/inbox`,
    inboxOf: (slug: string) => `${baseUrl}/inbox?organisation=${slug}`,
    inboxEntry: under("inbox/enter"),
    /** Photos for moderators, including hidden ones. */
    adminPhoto: (name: string) => `${baseUrl}/admin/photos/${name}.webp`,
    adminThumbnail: (name: string) => `${baseUrl}/admin/photos/${name}-480.webp`,
    confirm: under("confirm"),
    /** Page to stop emails that the reader did not request. */
    notMe: (token: string) => `${under("confirm")(token)}/not-me`,
    eraseNotMe: (token: string) => `${under("erase")(token)}/not-me`,
    manage: under("manage"),
    conversation: under("conversation"),
    /** Page of a likely match. */
    pair: under("pair"),
    unsubscribe: under("unsubscribe"),
  };
}

/** Path under which the site lies, `/pets`; "" if it has a host of its own. */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, "");
}

/** Path of a request without the path of the site. One that does not begin with it stays: the proxy has removed it. */
export function pathWithin(basePath: string, path: string): string {
  if (basePath === "" || !path.startsWith(basePath)) return path;
  const rest = path.slice(basePath.length);
  // A link to the home page in a sentence may have signs after it.
  if (/^[^\w/-]*$/.test(rest)) return "/";
  return rest.startsWith("/") ? rest : path;
}

/** Link to a description of the service for programs, or to its alerts in a format for them. */
type TypedLink = { readonly rel: string; readonly type: string; readonly href: string };

/** Descriptions that lead a program from the home page to everything else. */
export function catalogLinks({ apiCatalog, serverCard, llms }: Links): TypedLink[] {
  return [
    { rel: "api-catalog", type: "application/linkset+json", href: apiCatalog },
    { rel: "mcp-server-card", type: "application/mcp-server-card+json", href: serverCard },
    { rel: "describedby", type: "text/plain", href: llms },
  ];
}

/** Feeds of alerts. */
export function feedLinks({ feed, geojson }: Links): TypedLink[] {
  return [
    { rel: "alternate", type: "application/atom+xml", href: feed },
    { rel: "alternate", type: "application/geo+json", href: geojson },
  ];
}
