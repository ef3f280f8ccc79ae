import type { Ports } from "./ports.ts";

/** Address of a public page, with the time of its last change. */
export type SitemapEntry = { readonly url: string; readonly updatedAt: number };

/** Addresses in a part, which search engines read one by one. */
const SITEMAP_PART_SIZE = 1_000;

/** Addresses of all active alerts for search engines, in parts. */
export function createSitemap({
  alertIndex,
  store,
  links,
}: Pick<Ports, "alertIndex" | "store" | "links">) {
  return {
    /** Keys that the alerts of each part were published before; null for the newest part. Empty without alerts. */
    sitemapParts(): readonly (number | null)[] {
      const keys = alertIndex.search({ limit: alertIndex.size });
      return keys
        .filter((_, at) => at % SITEMAP_PART_SIZE === 0)
        .map((key, part) => (part === 0 ? null : key + 1));
    },

    /** Entries of a part, newest alert first. */
    async sitemapPart(before: number | null): Promise<readonly SitemapEntry[]> {
      const keys = alertIndex.search({ before: before ?? undefined, limit: SITEMAP_PART_SIZE });
      const alerts = await store.alertsByKeys(keys);
      return alerts
        .filter(({ status }) => status === "active")
        .map(({ slug, updatedAt }) => ({ url: links.alert(slug), updatedAt }));
    },
  };
}
