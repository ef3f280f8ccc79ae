import type { Ports } from "../ports.ts";
import { type Organisation, ORGANISATIONS_MAX } from "./organisation.ts";

/** Length of the address of an animal's page at its organisation's site. */
export const ANIMAL_PAGE_MAX = 500;

/** Address that may be shown, or the reason why it may not. */
export type CheckedPage = { readonly url: string } | { readonly why: string };

/** Check of addresses from the table of an owner. Only those at the site of the owner's organisation are links. */
export async function createPageCheck(
  { store }: Pick<Ports, "store">,
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
  if (site === null || !isAtSite(url.host, site.host))
    return { why: `its page is not at the organisation's site${site ? `, ${site.host}` : ""}` };
  // Nobody's email address is published, not even in a link.
  if (url.username !== "" || url.password !== "" || /@|%40/i.test(url.href))
    return { why: "its page has an @ in its address, as email addresses have" };
  if (url.href.length > ANIMAL_PAGE_MAX)
    return { why: `its page has more than ${ANIMAL_PAGE_MAX} characters` };
  return { url: url.href };
}

/** True for the host of the site, its own without "www.", and those below it. */
function isAtSite(host: string, siteHost: string): boolean {
  return host === siteHost || `www.${host}` === siteHost || host.endsWith(`.${siteHost}`);
}
