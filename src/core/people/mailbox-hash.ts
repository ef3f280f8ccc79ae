import { normalizedMailbox } from "./mailbox-spelling.ts";
import type { Secrets } from "../instance.ts";

/**
 * Keyed hash of exactly this spelling of a mailbox, letter case included, for what its reader sees and for the suppression
 * list. With the normalised address, bounces of an invented `victim+nobody@example.org` would silence `victim@example.org`.
 */
export function hashMailbox(secrets: Pick<Secrets, "keyedHash">, email: string): string {
  return secrets.keyedHash("mailbox", email);
}

/** Keyed hash of the normalised address, equal for all spellings of a mailbox; for limits. */
export function hashAddress(secrets: Pick<Secrets, "keyedHash">, email: string): string {
  return secrets.keyedHash("address", normalizedMailbox(email));
}
