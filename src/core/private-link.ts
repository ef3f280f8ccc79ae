import { Fault } from "./fault.ts";
import type { Dice, Ports, Vault } from "./ports.ts";
import type { LinkPurpose, PrivateLink } from "./store.ts";

const TOKEN_BYTES = 32;

/** A token nobody can guess: 32 random bytes as base64url (43 characters). */
export function newToken(dice: Dice): string {
  return dice.bytes(TOKEN_BYTES).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** A fresh private link. */
export function newLink(
  from: { dice: Dice; vault: Vault },
  purpose: LinkPurpose,
  subject: string,
): PrivateLink {
  const token = newToken(from.dice);
  return {
    tokenHash: from.vault.tokenHash(token),
    purpose,
    subject,
    sealed: from.vault.seal(token),
  };
}

/** The private link a token belongs to. Throws `not_found` when it opens nothing (any more). */
export async function openedLink(
  ports: Ports,
  purpose: LinkPurpose,
  token: string,
): Promise<PrivateLink> {
  const link = await ports.store.link(ports.vault.tokenHash(token), purpose);
  if (link === null) throw new Fault("not_found", { reason: "link_dead" });
  return link;
}
