import type { OrganisationStore } from "./organisation-store.ts";
import { type Organisation, ORGANISATIONS_MAX } from "./organisation.ts";

/** Length of the address of an animal's page at its organisation's site. */
export const ANIMAL_PAGE_MAX = 500;

/** Address that may be shown, or the reason why it may not. */
type CheckedPage = { readonly url: string } | { readonly why: string };

/** Check of addresses from the table of an owner. Only those below the page of the owner's organisation are links. */
export async function createPageCheck(
  { store }: { readonly store: Pick<OrganisationStore, "organisations"> },
  email: string,
): Promise<(address: string) => CheckedPage> {
  const all = await store.organisations(null, ORGANISATIONS_MAX);
  const its = all.find((one) => one.email?.toLowerCase() === email.toLowerCase());
  if (its === undefined)
    return () => ({
      why: `${email} is not the address of an organisation: name the shelter by organisation add`,
    });
  if (its.page === null)
    return () => ({
      why: `the organisation ${its.slug} has no site: add it by organisation edit ${its.slug} --page`,
    });
  return (address) => checkedPage(address, its);
}

/** The address of an animal's page as it is shown, if it is at the organisation's site. */
export function checkedPage(address: string, { page }: Pick<Organisation, "page">): CheckedPage {
  if (address.length > ANIMAL_PAGE_MAX)
    return { why: `its page has more than ${ANIMAL_PAGE_MAX} characters` };
  const url = URL.parse(address);
  const site = page === null ? null : URL.parse(page);
  if (url === null || url.protocol !== "https:")
    return { why: "its page is not a complete address that begins with https://" };
  if (site === null || !isBelow(url, site))
    return { why: `its page is not below the organisation's${site ? `, ${site.href}` : ""}` };
  // Nobody's email address is published, not even in a link.
  if (url.username !== "" || url.password !== "" || /@|%40/i.test(url.href))
    return { why: "its page has an @ in its address, as email addresses have" };
  if (url.href.length > ANIMAL_PAGE_MAX)
    return { why: `its page has more than ${ANIMAL_PAGE_MAX} characters` };
  return { url: url.href };
}

/**
 * True for an address below the page of a site: other pages of its host may be those of other sites. One that some servers
 * read as an address outside, such as "/shelter/..%2Fother", is none. A site that is a whole host also has those below it.
 */
function isBelow(url: URL, site: URL): boolean {
  const folder = site.pathname.replace(/\/*$/, "/");
  const isOwnHost = url.host === site.host || `www.${url.host}` === site.host;
  if (site.search !== "" || site.hash !== "") return false;
  if (folder === "/") return isOwnHost || url.host.endsWith(`.${site.host}`);
  return (
    isOwnHost &&
    `${url.pathname}/`.startsWith(folder) &&
    !/\/\.\.|%(?:2f|5c|25)/i.test(url.pathname)
  );
}
