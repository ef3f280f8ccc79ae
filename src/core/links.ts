/** Every public address the service hands out, all from one base address (never from a request's Host). */
export type Links = ReturnType<typeof createLinks>;

/** `baseUrl` without a slash at its end. */
export function createLinks(baseUrl: string) {
  /** Tokens come back in addresses that anybody may have bent: with a path inside, a page's button would post elsewhere. */
  const under = (path: string) => (token: string) =>
    `${baseUrl}/${path}/${encodeURIComponent(token)}`;
  return {
    home: `${baseUrl}/`,
    /** The alerts within a circle. */
    search: ({ lat, lng, radiusKm }: { lat: number; lng: number; radiusKm: number }) =>
      `${baseUrl}/?lat=${lat}&lng=${lng}&radius_km=${radiusKm}`,
    about: `${baseUrl}/about`,
    api: `${baseUrl}/api/v1`,
    /** The description of the API for programs, and the same for people. */
    openapi: `${baseUrl}/api/openapi.json`,
    docs: `${baseUrl}/api/docs`,
    apiCatalog: `${baseUrl}/.well-known/api-catalog`,
    /** Whether store and index answer. */
    ready: `${baseUrl}/readyz`,
    /** The list that other sites show in a frame. */
    embed: `${baseUrl}/embed`,
    mcp: `${baseUrl}/api/mcp`,
    serverCard: `${baseUrl}/api/mcp/server-card`,
    alert: (slug: string) => `${baseUrl}/alerts/${slug}`,
    contact: (slug: string) => `${baseUrl}/alerts/${slug}/contact`,
    /** The short link: what QR images say. */
    short: (code: string) => `${baseUrl}/a/${code}`,
    qr: (code: string) => `${baseUrl}/api/qr/${code}`,
    publish: `${baseUrl}/publish`,
    subscribe: `${baseUrl}/subscribe`,
    admin: `${baseUrl}/admin`,
    /** Where an owner who lost the private link asks for it again. */
    findMine: `${baseUrl}/manage`,
    /** Where anybody asks for the link that erases all that is kept of them, and that link. */
    eraseMine: `${baseUrl}/erase`,
    erase: under("erase"),
    /** Atom and GeoJSON lists of live alerts. */
    feed: `${baseUrl}/feed.atom`,
    geojson: `${baseUrl}/api/v1/alerts.geojson`,
    poster: (slug: string) => `${baseUrl}/alerts/${slug}/poster`,
    sighting: (slug: string) => `${baseUrl}/alerts/${slug}/sighting`,
    report: (slug: string) => `${baseUrl}/alerts/${slug}/report`,
    photo: (name: string) => `${baseUrl}/photos/${name}.webp`,
    /** At most 480 px wide and high. */
    thumbnail: (name: string) => `${baseUrl}/photos/${name}-480.webp`,
    /** The page that says to look at the mail, after something was asked. */
    waiting: under("waiting"),
    adminEntry: under("admin/enter"),
    /** What a moderator sees of pictures that nobody else may see. */
    adminPhoto: (name: string) => `${baseUrl}/admin/photos/${name}.webp`,
    adminThumbnail: (name: string) => `${baseUrl}/admin/photos/${name}-480.webp`,
    confirm: under("confirm"),
    /** The page on which someone who did not ask stops our letters. */
    notMe: (token: string) => `${under("confirm")(token)}/not-me`,
    eraseNotMe: (token: string) => `${under("erase")(token)}/not-me`,
    manage: under("manage"),
    conversation: under("conversation"),
    /** One likely pair of a lost and a found alert. */
    pair: under("pair"),
    unsubscribe: under("unsubscribe"),
  };
}
