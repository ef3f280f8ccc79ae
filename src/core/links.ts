/** Every public address the service hands out, all from one base address (never from a request's Host). */
export type Links = ReturnType<typeof createLinks>;

/** `baseUrl` without a slash at its end. */
export function createLinks(baseUrl: string) {
  return {
    home: `${baseUrl}/`,
    about: `${baseUrl}/about`,
    api: `${baseUrl}/api/v1`,
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
    waiting: (ticket: string) => `${baseUrl}/waiting/${ticket}`,
    adminEntry: (token: string) => `${baseUrl}/admin/enter/${token}`,
    confirm: (token: string) => `${baseUrl}/confirm/${token}`,
    /** The page on which someone who did not ask stops our letters. */
    notMe: (token: string) => `${baseUrl}/confirm/${token}/not-me`,
    manage: (token: string) => `${baseUrl}/manage/${token}`,
    conversation: (token: string) => `${baseUrl}/conversation/${token}`,
    /** One likely pair of a lost and a found alert. */
    pair: (token: string) => `${baseUrl}/pair/${token}`,
    unsubscribe: (token: string) => `${baseUrl}/unsubscribe/${token}`,
  };
}
