import type { Links } from "../urls.ts";
import type { Secrets } from "../ports.ts";
import type { Store } from "../store.ts";

const ALERTS_AT_ONCE = 500;

/** Prefix of the `source` of imported alerts. Only the import command gives an alert a source. */
export const IMPORT_SOURCE = "import:";

/** Manage link of an imported alert. */
export type ImportLink = {
  readonly externalId: string;
  readonly page: string;
  readonly manageLink: string;
};

/** Page of imported alerts: links for their importer, and the count of alerts with another owner. */
export type ImportLinksPage = {
  readonly links: readonly ImportLink[];
  readonly otherOwners: number;
};

export type ImportLinks = ReturnType<typeof createImportLinks>;

/**
 * Lists the manage links of imported alerts for their importer. Links of all other alerts go to their owner's mailbox
 * only: the operator must not be able to act in the name of users.
 */
export function createImportLinks({
  store,
  links,
  unseal,
}: {
  readonly store: Pick<Store, "alertsAfter" | "linkTo">;
  readonly links: Links;
  readonly unseal: Secrets["unseal"];
}) {
  return {
    /**
     * Links of alerts imported for this owner, by one mapping or (null) by any, in order of import. Alerts whose owner has
     * changed are counted in `otherOwners`.
     */
    async *linksFor(email: string, mapping: string | null): AsyncGenerator<ImportLinksPage> {
      const prefix = mapping === null ? IMPORT_SOURCE : `${IMPORT_SOURCE}${mapping}:`;
      let after: number | null = null;
      for (;;) {
        const alerts = await store.alertsAfter(after, ALERTS_AT_ONCE);
        if (alerts.length === 0) return;
        after = alerts.at(-1)?.publishedAt ?? null;
        const found: ImportLink[] = [];
        let ofOthers = 0;
        for (const { id, slug, source, ownerEmail } of alerts) {
          if (source === null || !source.startsWith(prefix) || ownerEmail === null) continue;
          if (ownerEmail.toLowerCase() !== email.toLowerCase()) {
            ofOthers += 1;
            continue;
          }
          const link = await store.linkTo("manage", id);
          const token = link === null ? null : unseal(link.sealed);
          if (token === null) continue;
          // "import:<mapping>:<id>"; the id may contain colons.
          const externalId = source.split(":").slice(2).join(":");
          found.push({ externalId, page: links.alert(slug), manageLink: links.manage(token) });
        }
        yield { links: found, otherOwners: ofOthers };
      }
    },
  };
}
