import { Fault } from "./fault.ts";
import type { Dice, Ports, Secrets } from "./ports.ts";
import type { LinkPurpose, PrivateLink } from "./store/links.ts";

const TOKEN_BYTES = 32;

/** Unguessable token: 32 random bytes as base64url (43 characters). */
export function newToken(dice: Dice): string {
  return dice.bytes(TOKEN_BYTES).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** New private link. */
export function newLink(
  from: { dice: Dice; secrets: Secrets },
  purpose: LinkPurpose,
  subject: string,
): PrivateLink {
  const token = newToken(from.dice);
  return {
    tokenHash: from.secrets.tokenHash(token),
    purpose,
    subject,
    sealed: from.secrets.seal(token),
  };
}

/** Private link of a token. Throws `not_found` for an unknown or expired one. */
export async function openedLink(
  ports: Ports,
  purpose: LinkPurpose,
  token: string,
): Promise<PrivateLink> {
  const link = await ports.store.link(ports.secrets.tokenHash(token), purpose);
  if (link === null) throw new Fault("not_found", { reason: "link_dead" });
  return link;
}
