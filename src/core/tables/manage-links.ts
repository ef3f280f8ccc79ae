import { IMPORT_SOURCE } from "../alerts/alert.ts";
import type { Ports } from "./ports.ts";
import { storedToken } from "../people/private-link.ts";
import { alertPages } from "../alerts/export.ts";

/** Manage link of an imported alert. */
type ImportLink = {
  readonly externalId: string;
  readonly page: string;
  readonly manageLink: string;
};

/** Page of imported alerts: links for their importer, and the count of alerts with another owner. */
type ImportLinksPage = {
  readonly links: readonly ImportLink[];
  readonly otherOwners: number;
};

/**
 * Manage links of alerts imported for this owner, by one mapping or (null) by any, in order of import. Alerts whose owner
 * has changed are counted only: their links go to the owner's mailbox, because the operator must not be able to act in
 * the name of users.
 */
export async function* importLinks(
  ports: Pick<Ports, "store" | "links"> & { secrets: Pick<Ports["secrets"], "unseal"> },
  email: string,
  mapping: string | null,
): AsyncGenerator<ImportLinksPage> {
  const prefix = mapping === null ? IMPORT_SOURCE : `${IMPORT_SOURCE}${mapping}:`;
  for await (const alerts of alertPages(ports.store)) {
    const found: ImportLink[] = [];
    let otherOwners = 0;
    for (const { id, slug, source, ownerEmail } of alerts) {
      if (source === null || !source.startsWith(prefix) || ownerEmail === null) continue;
      if (ownerEmail.toLowerCase() !== email.toLowerCase()) {
        otherOwners += 1;
        continue;
      }
      const token = await storedToken(ports, "manage", id);
      if (token === null) continue;
      // "import:<mapping>:<id>"; the id may contain colons.
      const externalId = source.split(":").slice(2).join(":");
      const manageLink = ports.links.manage(token);
      found.push({ externalId, page: ports.links.alert(slug), manageLink });
    }
    yield { links: found, otherOwners };
  }
}
