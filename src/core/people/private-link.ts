import { Fault } from "../fault.ts";
import type { Random, Instance, SealPurpose, Secrets } from "../instance.ts";
import type { LinkPurpose, LinkStore, PrivateLink } from "./link-store.ts";

const TOKEN_BYTES = 32;
export const TOKEN_LENGTH = 43;

/** Unguessable token: 32 random bytes as base64url, without padding. */
export function newToken(random: Random): string {
  return random.bytes(TOKEN_BYTES).toBase64({ alphabet: "base64url", omitPadding: true });
}

export function newLink(
  from: Pick<Instance, "random" | "secrets">,
  purpose: LinkPurpose,
  subject: string,
): PrivateLink {
  const token = newToken(from.random);
  return {
    tokenHash: from.secrets.tokenHash(token),
    purpose,
    subject,
    sealed: from.secrets.seal(purpose, token),
  };
}

/** Unseals tokens; throws when one was sealed with another secret key. */
export function openerOf(unseal: Secrets["unseal"]) {
  return (purpose: SealPurpose, sealed: string): string => {
    const token = unseal(purpose, sealed);
    if (token === null)
      throw new Error("a sealed link could not be unsealed: has the secret key changed?");
    return token;
  };
}

/** Link to a subject: the stored one, or a new one that is yet to be stored. */
export async function existingOrNewLink(
  ports: Pick<Instance, "random" | "secrets"> & { readonly store: Pick<LinkStore, "linkTo"> },
  purpose: LinkPurpose,
  subject: string,
): Promise<{ readonly sealed: string; readonly created: readonly PrivateLink[] }> {
  const known = await ports.store.linkTo(purpose, subject);
  if (known !== null) return { sealed: known.sealed, created: [] };
  const created = newLink(ports, purpose, subject);
  return { sealed: created.sealed, created: [created] };
}

/** Token of the stored link to a subject; null if there is none. */
export async function storedToken(
  { store, secrets }: { store: Pick<LinkStore, "linkTo">; secrets: Pick<Secrets, "unseal"> },
  purpose: LinkPurpose,
  subject: string,
): Promise<string | null> {
  const link = await store.linkTo(purpose, subject);
  return link === null ? null : secrets.unseal(purpose, link.sealed);
}

/** Private link of a token. Throws `not_found` for an unknown or expired one. */
export async function openedLink(
  ports: Pick<Instance, "secrets"> & { readonly store: Pick<LinkStore, "link"> },
  purpose: LinkPurpose,
  token: string,
): Promise<PrivateLink> {
  const link = await ports.store.link(ports.secrets.tokenHash(token), purpose);
  if (link === null) throw new Fault("not_found", { reason: "link_dead" });
  return link;
}

/** Kinds of links in emails about several alerts. */
export const ALERT_GROUPS = ["all-matches", "all-plans"] as const;

/** Subject of the link in emails about several alerts of the owner with this mailbox. It ends with the last of them. */
export function groupSubject(kind: (typeof ALERT_GROUPS)[number], owner: string): string {
  return `${kind}:${owner}`;
}
