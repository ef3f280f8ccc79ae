import type { Dice, Vault } from "./ports.ts";
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
