import type { PublicAlert } from "../alerts/alert.ts";
import type { Ports } from "./ports.ts";
import { checkedPage } from "./animal-page.ts";
import { type OrganisationView, toOrganisationView } from "./organisation.ts";
import { organisationSlug } from "../input.ts";
import { Fault } from "../fault.ts";

/** Organisation that published an alert. */
export type PublisherView = OrganisationView & {
  /** URL of the animal at the organisation's own site, for the alert's page only; null if there is none. */
  readonly animalPage: string | null;
};

/** Organisation that published an alert; null for a private person's. */
export async function publisherOf(
  { store, links }: Pick<Ports, "store" | "links">,
  { id, status, organisation }: Pick<PublicAlert, "id" | "status" | "organisation">,
): Promise<PublisherView | null> {
  const found = organisation === null ? null : await store.organisation(organisation.slug);
  if (found === null) return null;
  // The shelter's page of an animal that has left is gone, too.
  const address = status === "active" ? await store.animalPage(id) : null;
  // The organisation may have another site than when the table was read.
  const checked = address === null ? null : checkedPage(address, found);
  const animalPage = checked !== null && "url" in checked ? checked.url : null;
  return { ...toOrganisationView(found, links), animalPage };
}

/** Throws `not_found`. */
export async function organisationView(
  { store, links }: Pick<Ports, "store" | "links">,
  slug: string,
): Promise<OrganisationView> {
  const isSlug = organisationSlug.safeParse(slug).success;
  const found = isSlug ? await store.organisation(slug) : null;
  if (found === null) throw new Fault("not_found", { reason: "nothing_here" });
  return toOrganisationView(found, links);
}
